"""What the checks of a report found, told in one line and in claims.jsonl."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from planner.reports.checks.statement_evidence import FindingIndexes
from planner.reports.sources.citations import cited_text
from planner.reports.sources.ranked_evidence import evidence_id
from research_crawler.core.models.evidence.entailment import EntailmentVerdict
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.reports.report import Report
from research_crawler.text.writing.messages import Messages

MARKED: Final[frozenset[Verdict]] = frozenset({"partly", "qualified", "could_not_check"})
"""Verdicts that a sentence is shown with."""
VERDICTS: Final[Mapping[EntailmentVerdict, Verdict]] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_said": "not_found",
    "could_not_check": "could_not_check",
}
"""What a report calls what a reader finds."""
FOUND_BY_CODE: Final = "code"
"""Who has found what no reader was needed for."""
NO_EVIDENCE: Final = "it names no evidence that the model was shown"
"""Why a sentence without a quote is left out."""


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
    indexes: FindingIndexes
    """The findings that it cites."""
    reasons: tuple[str, ...]
    by: str
    """The reader who found it, or FOUND_BY_CODE."""

    @property
    def is_reworded(self) -> bool:
        """Whether the report shows another sentence than the model wrote."""
        return bool(self.text) and self.text != self.written


def checks_line(checked: Sequence[CheckedSentence], translate: Messages) -> str:
    """What the checks found, in a line at the end of a report: how much of the answer its quotes say, what nobody could
    check, and how many sentences were left out or shortened. That the pages do not say a sentence is told only where a
    reader has found so.
    """
    answer = [one for one in checked if one.part == "answer" and one.text]
    supported = sum(one.verdict == "supported" for one in answer)
    unread = sum(one.verdict == "could_not_check" for one in answer)
    # The answer and the lists often have the same sentence.
    uncited = {one.written for one in checked if not one.text and not one.indexes}
    cut = {one.written: one.by for one in checked if not one.text and one.indexes}
    by_code = sum(by == FOUND_BY_CODE for by in cut.values())
    reworded = len({one.written for one in checked if one.is_reworded})
    if not (answer or cut or uncited):
        return ""
    counts = {
        "not_checked": unread,
        "cut_by_reader": len(cut) - by_code,
        "cut_by_code": by_code,
        "sentences_shortened": reworded,
        "sentences_uncited": len(uncited),
    }
    told = [translate("checked", supported=supported, n=len(answer))]
    return " ".join([*told, *(translate(key, n=n) for key, n in counts.items() if n)])


def unread_line(checked: Sequence[CheckedSentence]) -> str:
    """What the timeline says of sentences that nobody has read beside their quotes; empty if there are none."""
    unread = [one for one in checked if one.text and one.verdict == "could_not_check"]
    why = next((reason for one in unread for reason in one.reasons), "")
    were = "sentence was" if len(unread) == 1 else "sentences were"
    return f"{len(unread)} {were} not read beside their quotes: {why or 'no model'}" if unread else ""


def claims_document(report: Report, checked: Sequence[CheckedSentence]) -> str:
    """claims.jsonl: one JSON object a line for every sentence that cites evidence, those that were cut too."""
    quotes = {evidence.id: evidence.quote for evidence in report.evidence}
    shown = set(_texts(report.model_dump(exclude={"evidence", "report_markdown"})))
    lines = [
        {
            "text": sentence.text or sentence.written,
            "verdict": sentence.verdict,
            # A report that is too long lost sentences after they were checked.
            "shown": bool(sentence.text) and _as_shown(sentence, quotes) in shown,
            "part": sentence.part,
            "written": sentence.written,
            "reasons": list(sentence.reasons),
            "checked_by": sentence.by,
            "evidence": (ids := [evidence_id(index) for index in sentence.indexes]),
            "quotes": [quotes.get(id_, "") for id_ in ids],
        }
        for sentence in checked or _verbatim(report)
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _texts(part: object) -> Iterator[str]:
    """All texts of a record, each as a whole."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for inner in part.values():
            yield from _texts(inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _texts(inner)


def _as_shown(sentence: CheckedSentence, quotes: Mapping[str, str]) -> str:
    """The text of a sentence as the record of a report has it."""
    return cited_text(sentence.text, [quotes.get(evidence_id(index), "") for index in sentence.indexes])


def _verbatim(report: Report) -> list[CheckedSentence]:
    """The claims of a report of excerpts, which no model wrote."""
    indexes = {evidence.id: index for index, evidence in enumerate(report.evidence)}
    return [
        CheckedSentence(
            part="answer",
            written=claim.text,
            text=claim.text,
            verdict=claim.verdict or "could_not_check",
            indexes=tuple(indexes[id_] for id_ in claim.evidence),
            reasons=(),
            by=FOUND_BY_CODE,
        )
        for claim in report.claims
    ]
