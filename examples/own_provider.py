"""A search provider in one class: it builds requests and reads answers, and has no network of its own.

As a provider of the project it is one file in `research_crawler/engines/` and one line in `registry.py`.

python examples/own_provider.py
"""

import json
from collections.abc import Mapping
from typing import Self
from urllib.parse import urlencode

from research_crawler.core.models.commands import SearchSpec, Vertical
from research_crawler.core.models.events import SearchResult
from research_crawler.core.provider_settings import HttpAddress, ProviderSettings
from research_crawler.engines import answers
from research_crawler.engines.base import Declaration, ProviderRequest

URL = "https://api.lantern.example/search"


class LanternSettings(ProviderSettings):
    """What can be set. A key would be `api_key: Needed[SecretStr]`: the provider is off until it is given."""

    url: HttpAddress = ""
    """Address of the API, `LANTERN_URL`; empty: the public one."""


class Lantern:
    """Lantern, an invented search engine whose API answers `{"hits": [{"link", "name", "text"}]}`."""

    name = "lantern"
    general = True
    usd_per_call = 0.0
    verticals: frozenset[Vertical] = frozenset({"web"})

    def __init__(self, url: str = "") -> None:
        self._url = url or URL

    @classmethod
    def from_settings(cls, settings: LanternSettings) -> Self:
        """The provider at the configured address. It is asked only once all its `Needed` settings are given."""
        return cls(settings.url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Options that Lantern does not have; a search's report lists them."""
        return [*(["date_restrict"] if spec.date_restrict else []), "safe_search"]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """One request; the node sends it, with a permit of the host."""
        if not spec.query or spec.vertical not in self.verticals:
            return []
        query = urlencode({"q": spec.query, "n": spec.max_results, "lang": spec.language})
        return [
            ProviderRequest(url=f"{self._url}?{query}", headers={"Accept": "application/json"}, service=True)
        ]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in Lantern's order. `answers` raises SearchFailed for a status or a body that are no answer."""
        data = answers.json_object(self.name, request, status, body)
        found = (
            answers.result(self.name, url=hit.get("link"), title=hit.get("name"), snippet=hit.get("text"))
            for hit in answers.entries(data, "hits")
        )
        return [result for result in found if result]


PROVIDER = Declaration(provider=Lantern, settings=LanternSettings, make=Lantern.from_settings)


def main() -> None:
    """Build a request, and read an answer as Lantern would send it."""
    provider = Lantern()
    request = provider.requests(SearchSpec(query="hand grinder", max_results=5))[0]
    print(request.url)
    hit = {"link": "https://gear.example/grinders", "name": "Seven hand grinders", "text": "We tested seven."}
    body = json.dumps({"hits": [hit]}).encode()
    for result in provider.parse(request, status=200, headers={}, body=body):
        print(f"{result.title}: {result.url}")


if __name__ == "__main__":
    main()
