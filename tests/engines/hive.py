"""Hive Search API (an invented service): the one file that adds a search provider, for tests.

A package that is installed beside the crawler declares it: `hive = "hive:PROVIDER"`.
"""

from collections.abc import Mapping
from typing import Self
from urllib.parse import urlencode

from pydantic import Field

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.settings.provider_settings import KeyedSettings
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest
from research_crawler.engines.provider_queries import cleaned_query

BASE = "https://hive.example"
PATH = "/api/v0/search"
MAX_QUERY_CHARS = 500


class HiveSettings(KeyedSettings):
    """Beside key and address, the number of results that are asked for at most."""

    max_results: int = Field(20, ge=1, le=100)
    """Most results of one call."""


class Hive:
    """Queries the index of Hive."""

    name = "hive"
    general = True
    usd_per_call = 0.025
    """25 USD for 1,000 searches."""
    verticals: frozenset[Vertical] = frozenset({"web"})

    def __init__(self, api_key: str, base_url: str = "", *, max_results: int = 20) -> None:
        self._headers = {"Accept": "application/json", "Authorization": f"Bot {api_key.strip()}"}
        self._base_url, self._max_results = base_url.rstrip("/") or BASE, max_results

    @classmethod
    def from_settings(cls, settings: HiveSettings) -> Self:
        """The provider with the configured key."""
        key = settings.api_key.get_secret_value()
        return cls(key, settings.base_url, max_results=settings.max_results)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """It has neither dates, languages nor a filter."""
        return [
            *(["date_restrict"] if spec.date_restrict else []),
            *([] if spec.language == "en" else ["language"]),
            *(["safe_search"] if spec.safe_search != "off" else []),
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """One request."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query or spec.vertical not in self.verticals:
            return []
        asked = urlencode({"q": query, "limit": min(spec.max_results, self._max_results)})
        url = f"{self._base_url}{PATH}?{asked}"
        return [ProviderRequest(url=url, headers=self._headers, service=True, keyed=True)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in Hive's order; entries of another type are related searches."""
        data = answers.json_object(self.name, request, status, body)
        found = (
            answers.result(
                self.name,
                url=entry.get("url"),
                title=entry.get("title"),
                snippet=entry.get("snippet"),
                published=answers.iso_date(entry.get("published")),
            )
            for entry in answers.entries(data, "data")
            if entry.get("t") == 0
        )
        return [result for result in found if result]


PROVIDER = Declaration(provider=Hive, settings=HiveSettings, make=Hive.from_settings, note="by invitation")
