"""How credible a source is, how diverse the sources of a report are, and the themes that they share."""

from pydantic import Field

from research_crawler.core.models.base import Frozen


class Credibility(Frozen):
    """The parts of a source's credibility, each 0 to 1. `planner.sources.credibility` has their weights."""

    authority: float
    """By the kind of source: official, reference, review, news, forum, vendor, other."""
    https: float
    freshness: float
    """By the age of the page; 0.5 if it has no date."""
    cross_references: float
    """By how many other sites with other content are cited beside it for the same statements."""


class Diversity(Frozen):
    """How many different sites the sources of a report come from."""

    share: float | None = None
    """Registrable hosts / sources, where sources with the same content count once; null below two sources."""
    hosts: int = 0
    sources: int = 0
    is_enough: bool | None = None
    """Whether the share is at least 0.6; null below two sources."""


class Theme(Frozen):
    """Something that several findings of a job are about."""

    title: str
    evidence: list[str] = Field(default_factory=list)
    """Ids of `evidence`, the nearest first."""
    sources: list[str] = Field(default_factory=list)
    """Addresses of the pages that matched."""
    strength: float = 0.0
    """Pages that matched / pages of the job."""


class Synthesis(Frozen):
    """The record of what a job has found about its topic."""

    topic: str
    key_findings: list[str] = Field(default_factory=list)
    source_count: int = 0
    confidence: float = 0.0
    """Mean credibility of the sources × share of the answer's sentences that their quotes support."""
    sources: list[str] = Field(default_factory=list)
    time: str = ""
