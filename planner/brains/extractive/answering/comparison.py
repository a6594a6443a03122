"""What pages say of two things that a question compares, as a table."""

from collections.abc import Sequence
from typing import Final

from planner.brains.extractive.answering.key_findings import LEAST_OF_BEST
from planner.brains.extractive.answering.sides import Sides
from planner.evidence.evidence_statements import EvidenceStatement
from research_crawler.core.models.reports.drafts import DraftCell, DraftRow, DraftTable
from research_crawler.text.languages.words import terms
from research_crawler.text.writing.messages import Messages

OF_A_SIDE: Final = 1
OF_BOTH: Final = 2
"""Statements of a side alone and of both in the table."""


def table_of(sides: Sides, statements: Sequence[EvidenceStatement], say: Messages) -> DraftTable | None:
    """What pages say of each side alone, those nearest to the question; None unless both are told of."""
    labels = {
        (True, True): f"{sides.one}, {sides.other}",
        (True, False): sides.one,
        (False, True): sides.other,
    }
    rows: dict[tuple[bool, bool], list[DraftRow]] = {side: [] for side in labels}
    for one in (one for one in statements if one.nearness >= LEAST_OF_BEST * statements[0].nearness):
        side = sides.of(frozenset(terms(one.text, one.parsed.language)))
        if side in rows and len(rows[side]) < (OF_BOTH if all(side) else OF_A_SIDE):
            cell = DraftCell(text=one.text, evidence=[one.place])
            rows[side].append(DraftRow(label=labels[side], cells=[cell]))
    told = [row for of_side in rows.values() for row in of_side]
    is_whole = rows[True, True] or (rows[True, False] and rows[False, True])
    return DraftTable(columns=["", say("said_column")], rows=told) if is_whole and len(told) > 1 else None
