"""What every search provider is: requests out, answers in, no network of its own.

A provider is one file of this package: its settings, its class, and a `Declaration` of both called `PROVIDER`;
`registry.py` lists the files. The search spider downloads what `requests` asks for (permits, guard and robots.txt
included) and hands each answer to `parse`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from research_crawler.core.config import Config
from research_crawler.core.config_sources import MASK
from research_crawler.core.models.commands import SearchSpec, Vertical
from research_crawler.core.models.events import SearchResult
from research_crawler.core.provider_settings import ProviderSettings
from research_crawler.core.urls import dedupe_key, slot_of
from research_crawler.engines.typed import TypingPlan

OwnSettings = TypeVar("OwnSettings", bound=ProviderSettings)


@dataclass(frozen=True, kw_only=True)
class ProviderRequest:
    """One HTTP request of a provider. A search may need several; each may fail alone."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    service: bool
    """The operator configured this endpoint: robots.txt and the private-address rule do not apply to exactly
    its scheme, host, port and path. Never to a redirect, never to a result."""
    configured: bool = False
    """The operator typed this address, but robots.txt holds: only the private-address rule does not apply."""
    extra: bool = False
    """Its results come after those of the other requests and are not counted in `max_results`."""
    further: bool = False
    """A page after the first: worth asking for only when the page before it was full."""
    keyed: bool = False
    """It carries a key: a refusal of it is about the key."""
    key_argument: str = "key"
    """Where the key stands in the URL's query, if it does: Google wants it there."""
    typed: TypingPlan | None = None
    """Not downloaded but typed into a page by the browser; `url` is that page."""
    host_delay_ms: int = 1000
    """Least time between two calls to this host (row 3.1a)."""

    @property
    def shown_url(self) -> str:
        """The URL as reports, events and logs may hold it: without the key."""
        return re.sub(rf"(?<=[?&]{re.escape(self.key_argument)}=)[^&#]*", MASK, self.url)


class Provider(Protocol):
    """A search provider. Pure: builds requests and reads answers."""

    name: str
    verticals: frozenset[Vertical]
    general: bool
    """Whether it searches the whole web; an encyclopedia does not."""
    usd_per_call: float
    """List price of one request; 0 where it needs no key."""

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Options of this search that the provider lacks or can only meet roughly."""
        ...

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """What to download; nothing where the query is empty or the vertical is not the provider's."""
        ...

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Organic results in the provider's order.

        Raises:
            SearchFailed: a status other than 2xx, a challenge instead of results, or an unknown form.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Declaration(Generic[OwnSettings]):
    """What a provider's file says of it to the registry."""

    provider: type[Provider]
    """Its class, which has its name, verticals and list price."""
    settings: type[OwnSettings]
    """What it can be told, and what of that it needs."""
    make: Callable[[OwnSettings], Provider]
    """Makes it once it has what it needs."""
    default: bool = True
    """On without being named in RESEARCH_PROVIDERS, once it has what it needs."""
    note: str = ""
    """What `research doctor` adds about the service."""

    @property
    def name(self) -> str:
        """What RESEARCH_PROVIDERS calls it, and what the names of its settings begin with."""
        return self.provider.name

    def provider_from(self, config: Config) -> Provider | None:
        """The provider, or None where it lacks something."""
        own = config.settings_of(self.settings)
        return None if own.missing() else self.make(own)

    def missing_from(self, config: Config) -> tuple[str, ...]:
        """Environment names of what it needs and does not have."""
        names = self.settings.environment_names(self.name)
        return tuple(names[field][0] for field in config.settings_of(self.settings).missing())


def provider_slots(providers: Sequence[Provider], spec: SearchSpec) -> dict[str, str]:
    """The slot that each provider's calls wait in: its host's.

    Services that the operator put on one host (a gateway, several ports of one machine) are clients of their own
    there, `<provider>@<host>`: the rest that one of them asks for is not the others'.
    """
    asked = {one.name: requests[0] for one in providers if (requests := one.requests(spec))}
    hosts = Counter(slot_of(request.url) for request in asked.values())
    return {
        name: f"{name}@{slot}" if request.service and hosts[slot] > 1 else slot
        for name, request in asked.items()
        for slot in [slot_of(request.url)]
    }


def joined_results(
    answers: Iterable[tuple[ProviderRequest, Sequence[SearchResult]]], max_results: int
) -> list[SearchResult]:
    """One provider's list from the answers to its requests: the first `max_results`, then what is extra."""
    kept: list[SearchResult] = []
    extra: list[SearchResult] = []
    seen: set[str] = set()
    for request, results in sorted(answers, key=lambda answer: answer[0].extra):
        for result in results:
            key = dedupe_key(result.url)
            if not key or key in seen:
                continue
            if request.extra:
                extra.append(result)
            elif len(kept) < max_results:
                kept.append(result)
            else:
                continue
            seen.add(key)
    return kept + extra[:max_results]
