"""Which fields of a report may change, with their types: the arguments of its `changed`."""

from typing import Any, TypedDict

from research_crawler.core.models.cited_parts import Claim, KeyFinding, ReportSection, Source, Verdict
from research_crawler.core.models.columns import ColumnValue
from research_crawler.core.models.credibility import Credibility, Diversity, Synthesis, Theme
from research_crawler.core.models.drafts import Contradiction, DraftSection, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import (
    Outcome,
    State,
    Status,
)
from research_crawler.core.models.outline import Outline
from research_crawler.core.models.phase2 import Phase2Result
from research_crawler.core.models.products import Product


class SentenceChanges(TypedDict, total=False):
    """The fields of a `Sentence` that may change."""

    text: str
    verdict: Verdict | None
    heading: str
    code: str
    evidence: list[int]


class ReportViewChanges(TypedDict, total=False):
    """The fields of a `ReportView` that may change."""

    outline: Outline
    findings: list[Finding]


class ReportDraftChanges(TypedDict, total=False):
    """The fields of a `ReportDraft` that may change."""

    answer: list[Sentence]
    sections: list[DraftSection]
    contradictions: list[Contradiction]
    unknown: list[str]
    follow_ups: list[str]
    certainty: str
    lists: dict[str, list[Sentence]]
    journey: str
    note: str


class RecommendationDraftChanges(TypedDict, total=False):
    """The fields of a `RecommendationDraft` that may change."""

    reasons: list[Sentence]
    cautions: list[Sentence]
    note: str


class SourceChanges(TypedDict, total=False):
    """The fields of a `Source` that may change."""

    credibility: float | None
    credibility_parts: Credibility | None
    is_remembered: bool
    gone: bool


class ReportChanges(TypedDict, total=False):
    """The fields of a `Report` that may change."""

    report_markdown: str
    claims: list[Claim]
    sources: list[Source]
    source_count: int
    themes: list[Theme]
    synthesis: Synthesis | None
    diversity: Diversity
    products: list[Product]
    recommendation: str | None
    price_assessment: str | None
    values: list[ColumnValue]
    warnings: list[str]
    phase2: Phase2Result | None
    key_findings: list[KeyFinding]
    lists: dict[str, list[KeyFinding]]
    sections: list[ReportSection]
    contradictions: list[dict[str, Any]]
    news: dict[str, Any] | None
    technical: dict[str, Any] | None
    parts: dict[str, Any]
    not_known: list[str]
    follow_ups: list[str]
    words: int
    length_note: str
    journey: str
    gone_pages: list[str]
    exit_code: int
    outcome: Outcome | None
    state: State
    status: Status
