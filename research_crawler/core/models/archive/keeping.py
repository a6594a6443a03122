"""The requests to delete from the archive, and its answers: selections, retention rules, removals."""

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.web.urls import host_of

GONE = "page no longer kept"
"""The text of a citation whose page has been deleted."""


class Selection(Frozen):
    """What to forget: everything that one of the fields covers."""

    jobs: list[str] = Field(default_factory=list)
    """Ids of jobs: their records, findings, and the pages that no other job cites."""
    pages: list[str] = Field(default_factory=list)
    """Hashes of pages that these jobs read and that the archive may not know."""
    url: str = ""
    """Canonical URL of a page, before or after redirects."""
    host: str = ""
    """Host name with its subdomains; `www.example.org` also means `example.org` itself."""
    before: str = ""
    """ISO date or time (UTC): jobs that ended earlier, and older pages that no other job cites."""

    @property
    def names_pages(self) -> bool:
        """Whether it selects pages directly, which are deleted even if jobs cite them."""
        return bool(self.url or self.host)

    def covers(self, *urls: str) -> bool:
        """Whether `url` or `host` covers a page with these canonical URLs."""
        return any(url == self.url or (self.host and self._is_of_host(host_of(url))) for url in urls if url)

    def _is_of_host(self, host: str) -> bool:
        return host == self.host or host.endswith(f".{self.host}") or f"www.{host}" == self.host


class Removal(Frozen):
    """What was deleted."""

    jobs: list[str] = Field(default_factory=list)
    pages: int = 0
    raw_pages: int = 0
    """Pages whose raw bytes were deleted, with or without the page."""
    findings: int = 0
    observations: int = 0
    """Prices observed by watches."""
    runs: int = 0
    """Finished runs of watches. Their observations stay."""
    commands: list[str] = Field(default_factory=list)
    """Commands whose findings were deleted; the vector index must delete them too."""
    citing: list[str] = Field(default_factory=list)
    """Other jobs that cite deleted pages."""

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
    """How long pages and runs of watches are kept. Times are ISO (UTC); a page's time is that of its last
    byte."""

    pages_before: str = ""
    """Raw bytes of older pages are deleted, then pages that no finding cites; empty: no limit."""
    noarchive_before: str = ""
    """Older pages that forbid archiving are deleted unless they are in use; empty: none."""
    max_bytes: int = 0
    """Above this size raw bytes are deleted, oldest first, then uncited pages; 0: no limit."""
    in_use: frozenset[str] = frozenset()
    """Hashes of pages that a running job uses. They stay."""
    runs_before_ms: int = 0
    """Finished runs of earlier slots are deleted, except the newest of each watch; 0: none."""


class Due(Frozen):
    """What a retention rule would delete now, and the size of the archive."""

    raw_pages: int = 0
    raw_bytes: int = 0
    pages: int = 0
    noarchive: int = 0
    runs: int = 0
    held_bytes: int = 0
    """Size of pages, raw bytes, findings and jobs, without the overhead of the database."""
    over_bytes: int = 0
    """How much of `held_bytes` is above the limit."""


def _joined(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))
