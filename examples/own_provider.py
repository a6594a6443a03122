"""A search provider in one class: it builds requests and reads answers, but sends nothing itself.

Declared as an entry point of a package that is installed beside the crawler, searches ask it:

    [project.entry-points."research_crawler.providers"]
    lantern = "own_provider:PROVIDER"

python examples/own_provider.py
"""

import json
from collections.abc import Mapping
from typing import Self
from urllib.parse import urlencode

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.settings.provider_settings import HttpAddress, ProviderSettings
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest

URL = "https://api.lantern.example/search"


class LanternSettings(ProviderSettings):
    """The provider's settings. With `api_key: Needed[SecretStr]`, the provider would be off until the key is set."""

    url: HttpAddress = ""
    """Address of the API (`LANTERN_URL`); if empty, the public API is used."""


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
        """Build the provider for the configured address; called only if all `Needed` settings are set."""
        return cls(settings.url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """The options of the search that Lantern does not support; the search's report lists them."""
        return [*(["date_restrict"] if spec.date_restrict else []), "safe_search"]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """The requests of a search; the node sends them, each with a permit of its host."""
        if not spec.query or spec.vertical not in self.verticals:
            return []
        query = urlencode({"q": spec.query, "n": spec.max_results, "lang": spec.language})
        return [
            ProviderRequest(url=f"{self._url}?{query}", headers={"Accept": "application/json"}, service=True)
        ]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """The results in Lantern's order; `answers` raises SearchFailed for an error status or an invalid body."""
        data = answers.json_object(self.name, request, status, body)
        results = (
            answers.result(self.name, url=hit.get("link"), title=hit.get("name"), snippet=hit.get("text"))
            for hit in answers.entries(data, "hits")
        )
        return [result for result in results if result]


PROVIDER = Declaration(provider=Lantern, settings=LanternSettings, make=Lantern.from_settings)


def main() -> None:
    """Build a request, and read an answer of the form that Lantern would send."""
    provider = Lantern()
    request = provider.requests(SearchSpec(query="hand grinder", max_results=5))[0]
    print(request.url)
    hit = {"link": "https://gear.example/grinders", "name": "Seven hand grinders", "text": "We tested seven."}
    body = json.dumps({"hits": [hit]}).encode()
    for result in provider.parse(request, status=200, headers={}, body=body):
        print(f"{result.title}: {result.url}")


if __name__ == "__main__":
    main()
