"""Which fields of the records in a plan may change: searches, visits, results, vendors, with their types."""

from typing import TypedDict

from research_crawler.core.models.events import (
    Priority,
    ProviderReport,
    ResultType,
)
from research_crawler.core.models.phase2 import VendorStage
from research_crawler.core.models.records import Origin
from research_crawler.core.models.why import Why


class SearchRecordChanges(TypedDict, total=False):
    """The fields of a `SearchRecord` that may change."""

    query: str
    results: int
    what: str
    reason: Why
    providers: list[ProviderReport]
    web_calls: int


class VisitRecordChanges(TypedDict, total=False):
    """The fields of a `VisitRecord` that may change."""

    what: str
    reason: Why
    wait_s: float
    final_url: str
    canonical_url: str
    title: str
    published: str
    fetched_at: str
    sha: str
    from_store: bool
    relevance: float
    confidence: float
    summary: str
    findings: int
    by: str
    kind: str
    left_out: list[str]
    counted: bool
    origin: Origin
    left_to_person: bool
    settled_in: int


class ScoredResultChanges(TypedDict, total=False):
    """The fields of a `ScoredResult` that may change."""

    url: str
    snippet: str
    score: float
    type: ResultType
    priority: Priority
    published: str
    providers: list[str]
    search: int
    fused: float
    scored: bool


class VendorTryChanges(TypedDict, total=False):
    """The fields of a `VendorTry` that may change."""

    stage: VendorStage
    open: dict[str, str]
    until_ms: int
    term: int
    url: str
    pages: list[str]
    asked: list[str]
    site_searched: bool
    maps: list[str]
    maps_read: int
    reason: Why
    found: int


class LookupChanges(TypedDict, total=False):
    """The fields of a `Lookup` that may change."""

    until_ms: int
    what: str
    reason: Why
    results: int
