"""What the checks of a report found, told in one line and in claims.jsonl."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.reports.sources.evidence import evidence_id
from research_crawler.core.models.cited_parts import Verdict
from research_crawler.core.models.reports import Report
from research_crawler.text.messages import Messages

MARKED: Final[frozenset[Verdict]] = frozenset({"partly", "qualified", "could_not_check"})
"""Verdicts that a sentence is shown with."""


@dataclass(frozen=True)
class CheckedSentence:
    """What was found about one sentence: a line of claims.jsonl."""

    part: str
    """`answer`, or the key of the list or of the recommendation that it stands in."""
    written: str
    """The sentence as the model wrote it."""
    text: str
    """The sentence as the report shows it; empty if it was cut."""
    verdict: Verdict
    """Of the sentence that is shown; of the written one if it was cut."""
    places: tuple[int, ...]
    reasons: tuple[str, ...]
    by: str

    @property
    def is_reworded(self) -> bool:
        """Whether the report shows another sentence than the model wrote."""
        return bool(self.text) and self.text != self.written


def cut_line(checked: Sequence[CheckedSentence], say: Messages) -> str:
    """One warning about what the checks changed; empty if nothing was cut or reworded."""
    # The answer and the lists often have the same sentence.
    cut = len({one.written for one in checked if not one.text})
    reworded = len({one.written for one in checked if one.is_reworded})
    said = []
    if cut:
        said.append(say("sentences_cut", n=cut))
    if reworded:
        said.append(say("sentences_shortened", n=reworded))
    return "; ".join(said) + "." if said else ""


def unread_line(checked: Sequence[CheckedSentence]) -> str:
    """What the timeline says of sentences that nobody has read beside their quotes; empty if there are none."""
    unread = [one for one in checked if one.text and one.verdict == "could_not_check"]
    why = next((reason for one in unread for reason in one.reasons), "")
    return f"{len(unread)} sentences were not read beside their quotes: {why or 'no model'}" if unread else ""


def certainty_line(checked: Sequence[CheckedSentence], say: Messages) -> str:
    """How much of the answer the quotes say, and how much of it nobody could check; stands behind what a model says of
    itself."""
    answer = [one for one in checked if one.part == "answer" and one.text]
    supported = sum(one.verdict == "supported" for one in answer)
    unread = sum(one.verdict == "could_not_check" for one in answer)
    counted = say("checked", supported=supported, n=len(answer))
    return f"{counted} {say('not_checked', n=unread)}" if unread else counted


def claims_document(report: Report, checked: Sequence[CheckedSentence]) -> str:
    """claims.jsonl: one JSON object a line for every sentence that cites evidence, those that were cut too."""
    quotes = {evidence.id: evidence.quote for evidence in report.evidence}
    lines = [
        {
            "text": one.text or one.written,
            "verdict": one.verdict,
            "shown": bool(one.text),
            "part": one.part,
            "written": one.written,
            "reasons": list(one.reasons),
            "checked_by": one.by,
            "evidence": (ids := [evidence_id(place) for place in one.places]),
            "quotes": [quotes.get(id_, "") for id_ in ids],
        }
        for one in checked or _verbatim(report)
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _verbatim(report: Report) -> list[CheckedSentence]:
    """The claims of a report of excerpts, which no model wrote."""
    places = {evidence.id: place for place, evidence in enumerate(report.evidence)}
    return [
        CheckedSentence(
            part="answer",
            written=claim.text,
            text=claim.text,
            verdict=claim.verdict or "could_not_check",
            places=tuple(places[id_] for id_ in claim.evidence),
            reasons=(),
            by="code",
        )
        for claim in report.claims
    ]
