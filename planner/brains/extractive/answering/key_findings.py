"""The sentences of the evidence that come nearest to the question, with the hosts that say the same."""

from collections.abc import Sequence
from typing import Final

from planner.evidence.evidence_statements import EvidenceStatement
from planner.evidence.parsed_sentence import is_same_fact
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.measures.likeness import in_common

MOST_KEY: Final = 6
SAID_AGAIN, MOST_AGAIN = 0.7, 4
"""Share of the words of two hosts' statements, all told, that both have, from which they are compared, and most of them
that are cited for one sentence."""
LEAST_OF_BEST: Final = 0.6
"""Least nearness of a sentence, as a share of the nearest one's."""


def key_findings(statements: Sequence[EvidenceStatement]) -> list[Sentence]:
    """The first statements that each say something new.

    Args:
        said: the statements of what may be shown, those nearest to the question first.
    """
    chosen: list[EvidenceStatement] = []
    for one in statements:
        is_near = one.nearness >= LEAST_OF_BEST * statements[0].nearness
        if is_near and not any(is_same_fact(one.parsed, other.parsed) for other in chosen):
            chosen.append(one)
    return [
        Sentence(
            text=statement.text,
            evidence=[statement.place],
            similar=_said_again(statement, statements),
            speaker=host_of(statement.finding.url) if is_personal(statement.text) else "",
        )
        for statement in chosen[:MOST_KEY]
    ]


def _said_again(statement: EvidenceStatement, statements: Sequence[EvidenceStatement]) -> list[int]:
    """The findings of other hosts that state the same, one a host."""
    by_host: dict[str, int] = {}
    for further in statements:
        is_alike = (
            further.host != statement.host
            and in_common(statement.parsed.words, further.parsed.words) >= SAID_AGAIN
        )
        if is_alike and is_same_fact(statement.parsed, further.parsed):
            by_host.setdefault(further.host, further.place)
    return list(by_host.values())[:MOST_AGAIN]
