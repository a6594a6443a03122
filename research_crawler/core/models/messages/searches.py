"""How search providers may be called, and what a search has so far while it waits for its next provider."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.messages.events import ProviderReport, SearchResult

OWN_SLOT = "@"
"""In the name of a slot that belongs to a provider: `<provider>@<host>`."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a search provider may be called, over all nodes."""

    delay_ms: int = 1000
    """Least time between two calls: from the end of one if there is one at once, else from its beginning."""
    at_once: int = 1
    """Most calls at once."""

    @staticmethod
    def is_of(slot: str) -> bool:
        """Whether the slot is a provider's own; otherwise it is that of a host, whose pages are visited there too."""
        return OWN_SLOT in slot


class TriedProvider(Frozen):
    """A provider that a search is done with."""

    report: ProviderReport
    results: list[SearchResult] = Field(default_factory=list)


class SearchProgress(Wire):
    """What a search carries along from one provider's queue to the next."""

    tried: list[TriedProvider] = Field(default_factory=list)
    """The providers that are not asked again."""
    limited: Mapping[str, int] = Field(default_factory=dict)
    """Provider → how often it has answered this search that it gets too many calls."""
    turns: int = 0
    """How often the search has been put into a queue."""
    downloads: int = 0
    """Requests that its turns have sent."""
