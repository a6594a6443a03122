"""What is kept and what is forgotten: the words in which an archive is told to delete, and answers what it did."""

from typing import Self

from pydantic import Field

from research_crawler.core.models.base import Frozen, replaced
from research_crawler.core.urls import host_of

GONE = "page no longer kept"
"""What a citation says whose page has been deleted."""


class Selection(Frozen):
    """What is to be forgotten: the union of what is given."""

    jobs: list[str] = Field(default_factory=list)
    """Ids of jobs: their record, findings, and the pages that no other job cites."""
    pages: list[str] = Field(default_factory=list)
    """Hashes of pages that those jobs read, as far as the archive cannot know it."""
    url: str = ""
    """Canonical URL of a page, as it was asked for or as it was reached."""
    host: str = ""
    """Host name with its subdomains; `www.example.org` also means `example.org` itself."""
    before: str = ""
    """ISO date or time (UTC): jobs that ended earlier, and older pages that no other job cites."""

    def changed(self, *, jobs: list[str], pages: list[str]) -> Self:
        """A copy with the given values."""
        return replaced(self, jobs=jobs, pages=pages)

    @property
    def names_pages(self) -> bool:
        """Whether pages go although jobs cite them."""
        return bool(self.url or self.host)

    def covers(self, *urls: str) -> bool:
        """Whether a page of these (canonical) URLs is meant by `url` or `host`."""
        return any(url == self.url or (self.host and self._is_of_host(host_of(url))) for url in urls if url)

    def _is_of_host(self, host: str) -> bool:
        return host == self.host or host.endswith(f".{self.host}") or f"www.{host}" == self.host


class Removal(Frozen):
    """What was deleted."""

    jobs: list[str] = Field(default_factory=list)
    pages: int = 0
    raw_pages: int = 0
    """Pages whose raw bytes went; with the page, or before it."""
    findings: int = 0
    observations: int = 0
    """Prices that watches saw."""
    runs: int = 0
    """Finished runs of watches; what they saw stays."""
    commands: list[str] = Field(default_factory=list)
    """Commands whose findings went: the vector index has to drop theirs."""
    citing: list[str] = Field(default_factory=list)
    """Other jobs that cite what is gone."""

    def changed(self, *, citing: list[str]) -> Self:
        """A copy with the given values."""
        return replaced(self, citing=citing)

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to delete."""
        return self == Removal()

    def __add__(self, other: "Removal") -> "Removal":
        return Removal(
            jobs=_joined(self.jobs, other.jobs),
            pages=self.pages + other.pages,
            raw_pages=self.raw_pages + other.raw_pages,
            findings=self.findings + other.findings,
            observations=self.observations + other.observations,
            runs=self.runs + other.runs,
            commands=_joined(self.commands, other.commands),
            citing=_joined(self.citing, other.citing),
        )


class RetentionRule(Frozen):
    """How long pages are kept, and runs of watches. Times of pages are ISO (UTC), compared with their last byte's."""

    pages_before: str = ""
    """Raw bytes of older pages go, then whole pages that no finding cites; empty: no such limit."""
    noarchive_before: str = ""
    """Older pages that forbid archiving go, unless they are in use; empty: none go."""
    max_bytes: int = 0
    """Above it raw bytes go, oldest first, then uncited pages; 0: no such limit."""
    in_use: frozenset[str] = frozenset()
    """Hashes of pages that a running job works with: they stay."""
    runs_before_ms: int = 0
    """Finished runs of earlier slots go, but for the newest of each watch; 0: none go."""


class Due(Frozen):
    """What a retention rule would delete now, and how much there is."""

    raw_pages: int = 0
    raw_bytes: int = 0
    pages: int = 0
    noarchive: int = 0
    runs: int = 0
    held_bytes: int = 0
    """Contents of the archive: pages, raw bytes, findings, jobs; without the database's own overhead."""
    over_bytes: int = 0
    """How much of `held_bytes` is above the limit."""


def _joined(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))
