"""Find the quote of a sentence whose writer names none, as small models forget to."""

from collections.abc import Sequence
from typing import Final

from planner.reports.sources.evidence import evidence_id
from prompts.report_answers import ReportAnswer
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.text.languages.words import terms

_LEAST_SHARE: Final = 0.5
"""The least share of a sentence's words that its quote has, as for the sides of contradictions. Whether the quote says
the sentence is for the checks to find."""


def with_found_evidence(
    answer: ReportAnswer, findings: Sequence[Finding], shown: Sequence[int], language: str
) -> ReportAnswer:
    """The answer, with the quote that has most of its words for each sentence that names none."""
    if all(one.evidence for one in answer.answer):
        return answer
    known = {place: set(terms(findings[place].quote, language)) for place in shown}

    def found(text: str) -> list[str]:
        words = set(terms(text, language))
        best = max(known, key=lambda place: len(words & known[place]), default=None)
        if best is None or len(words & known[best]) < _LEAST_SHARE * len(words) or not words:
            return []
        return [evidence_id(best)]

    sentences = [one if one.evidence else one.changed(evidence=found(one.text)) for one in answer.answer]
    return answer.changed(answer=sentences)
