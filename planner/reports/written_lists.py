"""Render the lists below a report's answer, from a brain's report draft, for report.md and `--json`."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.reports.sources.citations import NO_MARKS, Citations, Cited
from research_crawler.core.models.reports.cited_parts import KeyFinding
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.core.models.reports.report_parts import LISTED_PARTS, ListedPart
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.writing.citation_marks import strip_citations
from research_crawler.text.writing.messages import Messages


@dataclass(frozen=True)
class ListedSection:
    """One list of a report with its entries."""

    part: ListedPart
    entries: Sequence[Cited]

    def markdown(self, translate: Messages, *, unless_in: Sequence[Cited]) -> str:
        """The section of report.md, without the entries that are among the sentences `unless_in`, or in an excerpt.

        One that cites a source which that sentence does not cite stays, or the source would be listed uncited.
        """
        cited_for: dict[str, set[str]] = {}
        for sentence in unless_in:
            cited_for.setdefault(sentence.text, set()).update(sentence.pages)
        excerpts = [(normal_quote(one.text), set(one.pages)) for one in unless_in if one.excerpt]
        lines = [
            f"- {entry.with_marks()}"
            for entry in self.entries
            if (entry.text not in cited_for or set(entry.pages) - cited_for[entry.text])
            and not any(normal_quote(entry.text) in text and set(entry.pages) <= of for text, of in excerpts)
        ]
        return f"## {translate.title(self.part.key, self.part.title)}\n\n" + "\n".join(lines) if lines else ""


def listed_sections(draft: ReportDraft, citations: Citations) -> list[ListedSection]:
    """The lists of the report draft that have entries, in the order of LISTED_PARTS."""
    drafted = [(part, draft.lists.get(part.key, [])) for part in LISTED_PARTS]
    sections = [ListedSection(part, _entries(part, sentences, citations)) for part, sentences in drafted]
    return [section for section in sections if section.entries]


def list_entries(sections: Sequence[ListedSection], key: str) -> list[KeyFinding]:
    """The entries of one list in the form for `--json`."""
    return [
        KeyFinding(text=entry.text, evidence=entry.evidence_ids, similar=entry.similar_ids)
        for section in sections
        if section.part.key == key
        for entry in section.entries
    ]


def _entries(part: ListedPart, sentences: Sequence[Sentence], citations: Citations) -> list[Cited]:
    if part.cites:
        return citations.cite(sentences)
    texts = (strip_citations(sentence.text) for sentence in sentences)
    return [
        Cited(text=text, evidence_ids=[], marks=NO_MARKS, pages=(), verdict=None) for text in texts if text
    ]
