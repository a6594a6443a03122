"""Questions to the memory of all jobs, and its answers."""

from typing import Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.evidence.findings import Finding, FindingKind
from research_crawler.core.web.urls import host_of

MAX_HITS = 100
"""Most hits of a search of the memory."""


class FindingFilter(Wire):
    """Which findings a search of the memory looks at; an empty field restricts nothing."""

    since: str = ""
    """ISO date or time: only findings of pages that were fetched then or later."""
    host: str = ""
    """Only findings of this host and its subdomains."""
    kind: FindingKind | None = None
    job: str = ""

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is among those that the search looks at."""
        host = host_of(finding.url)
        return (
            (not self.since or finding.fetched_at >= self.since)
            and (not self.host or host == self.host or host.endswith(f".{self.host}"))
            and self.kind in (None, finding.kind)
            and self.job in ("", finding.command.rpartition(":")[0])
        )


EVERYTHING = FindingFilter()


class MemoryQuery(Wire):
    """A search of the memory, or with `rebuild` the request to make the vector index anew from the archive."""

    rebuild: bool = False

    text: str = ""
    where: FindingFilter = EVERYTHING
    limit: int = Field(10, ge=1, le=MAX_HITS)


class Match(Frozen):
    """A finding that the vector index has found."""

    id: str
    score: float
    """Sum of the reciprocal ranks by meaning and by words."""
    similarity: float
    """Cosine of the query's vector and the finding's."""


class MemoryHit(Wire):
    """A finding that the memory returns."""

    finding: Finding
    job: str
    """The job that found it."""
    other_jobs: list[str] = Field(default_factory=list)
    """Other jobs that found the same quote on the same page."""
    score: float
    """By meaning: the sum of reciprocal ranks; by words: the BM25 score. It orders the hits of one answer."""
    similarity: float | None = None
    """Cosine of the query and the finding, if the hit was compared by meaning."""


class MemoryAnswer(Wire):
    """What the memory has on a query, best first."""

    query: str
    by: Literal["meaning", "words"] = "meaning"
    """By meaning and words in the vector index, or only by words in the archive."""
    hits: list[MemoryHit] = Field(default_factory=list)
    points: int | None = None
    """After a rebuild: how many findings the vector index has."""
    note: str = ""
    """Why only words were compared; "" otherwise."""
