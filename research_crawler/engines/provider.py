"""The interface of search providers: they build requests and read answers, and never use the network.

A provider is one file in `providers`: its settings, its class, and a `Declaration` of both called `PROVIDER`.
`registry.py` finds it there, or by the entry point of an installed package. The search spider downloads the requests
(with permits, guard and robots.txt) and passes each answer to `parse`.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from research_crawler.core.config import Config
from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.messages.searches import OWN_SLOT
from research_crawler.core.settings.provider_settings import ProviderSettings
from research_crawler.core.settings.sources import MASK
from research_crawler.core.web.urls import dedupe_key, slot_of
from research_crawler.engines.typing_plan import TypingPlan

OwnSettings = TypeVar("OwnSettings", bound=ProviderSettings)


@dataclass(frozen=True, kw_only=True)
class ProviderRequest:
    """One HTTP request of a provider. A search may need several, and one may fail without the others."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    service: bool
    """The operator configured this endpoint: robots.txt and the private-address rule do not apply to exactly
    this scheme, host, port and path. They still apply to redirects and to results."""
    configured: bool = False
    """The operator configured this address: the private-address rule does not apply, but robots.txt does."""
    extra: bool = False
    """Its results come after those of the other requests and are not counted in `max_results`."""
    further: bool = False
    """A page after the first. It is requested only if the page before it was full."""
    keyed: bool = False
    """The request carries an API key, so a refusal is about the key."""
    key_argument: str = "key"
    """The URL argument that holds the key, if the key is in the URL, as Google requires."""
    typed: TypingPlan | None = None
    """If set, the browser types the query into the page at `url` instead of downloading it."""

    @property
    def shown_url(self) -> str:
        """The URL as reports, events and logs may hold it: without the key."""
        return re.sub(rf"(?<=[?&]{re.escape(self.key_argument)}=)[^&#]*", MASK, self.url)


class Provider(Protocol):
    """A search provider. It builds requests and reads answers, without I/O."""

    name: str
    verticals: frozenset[Vertical]
    general: bool
    """Whether it searches the whole web. An encyclopedia does not."""
    usd_per_call: float
    """List price of one request; 0 if the provider needs no key."""

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Options of this search that the provider does not support or meets only roughly."""
        ...

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """What to download; empty if the query is empty or the provider does not have the vertical."""
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
    """What a provider's file declares to the registry."""

    provider: type[Provider]
    """The provider's class, with its name, verticals and list price."""
    settings: type[OwnSettings]
    """Its settings, which also say which of them are required."""
    make: Callable[[OwnSettings], Provider]
    """Makes the provider once the required settings are there."""
    default: bool = True
    """Whether it is on without being named in RESEARCH_PROVIDERS, once it has its required settings."""
    of_host: bool = False
    """Whether its calls share the slot of its host with the visits of that host's pages, as long as it is called once
    at a time: for public services without a key."""
    note: str = ""
    """What `research doctor` adds about the service."""

    @property
    def name(self) -> str:
        """Its name in RESEARCH_PROVIDERS. The names of its settings begin with it."""
        return self.provider.name

    def provider_from(self, config: Config) -> Provider | None:
        """The provider, or None if a required setting is missing."""
        own = config.settings_of(self.settings)
        return None if own.missing() else self.make(own)

    def missing_from(self, config: Config) -> tuple[str, ...]:
        """Environment names of the required settings that are missing."""
        names = self.settings.environment_names(self.name)
        return tuple(names[field][0] for field in config.settings_of(self.settings).missing())


def provider_slots(
    providers: Sequence[Provider], spec: SearchSpec, *, of_host: Collection[str] = ()
) -> dict[str, str]:
    """The slot that each provider's calls wait for: its own, `<provider>@<host>`, or that of its host.

    Those of `of_host` use their host's slot: the host sees one polite client, whether it is searched or visited. If
    the operator runs several services on one host (a gateway, several ports of one machine), each has a slot of
    its own even so: when one of them asks for a pause, the others are not held up.
    """
    first_requests = {
        provider.name: requests[0] for provider in providers if (requests := provider.requests(spec))
    }
    hosts = Counter(slot_of(request.url) for request in first_requests.values())
    return {
        name: slot
        if name in of_host and not (request.service and hosts[slot] > 1)
        else f"{name}{OWN_SLOT}{slot}"
        for name, request in first_requests.items()
        for slot in [slot_of(request.url)]
    }


def joined_results(
    answers: Iterable[tuple[ProviderRequest, Sequence[SearchResult]]], max_results: int
) -> list[SearchResult]:
    """One provider's results from all its answers: the first `max_results`, then the extra ones."""
    main: list[SearchResult] = []
    extra: list[SearchResult] = []
    seen: set[str] = set()
    for request, results in sorted(answers, key=lambda answer: answer[0].extra):
        for result in results:
            key = dedupe_key(result.url)
            if not key or key in seen:
                continue
            if request.extra:
                extra.append(result)
            elif len(main) < max_results:
                main.append(result)
            else:
                continue
            seen.add(key)
    return main + extra[:max_results]
