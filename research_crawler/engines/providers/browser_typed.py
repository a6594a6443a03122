"""The provider `browser`: it types a query into a search engine's own page and reads the results page.

It is off unless RESEARCH_PROVIDERS names it. It works only where robots.txt allows the engine's results page,
makes the pauses of `typing_plan`, and does not disguise the browser. A challenge counts as a failure.
"""

from collections.abc import Mapping
from typing import Self

from pydantic import Field

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.settings.provider_settings import HttpAddress, ProviderSettings
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest
from research_crawler.engines.provider_queries import cleaned_query
from research_crawler.engines.typing_plan import MAX_QUERY_CHARS, Draw, default_draw, plan_typing

HOME = "https://www.mojeek.com/"


class BrowserTypedSettings(ProviderSettings):
    """Which search engine the provider types into."""

    typed_engine_url: HttpAddress = Field("", alias="RESEARCH_TYPED_ENGINE_URL")
    """Home page of the engine that the provider `browser` types into; empty: https://www.mojeek.com/."""


class BrowserTyped:
    """Types the query into one engine's page and reads the first page of results only."""

    name = "browser"
    general = True
    usd_per_call = 0.0
    verticals: frozenset[Vertical] = frozenset({"web"})

    def __init__(self, home_url: str = "", *, draw: Draw = default_draw) -> None:
        """`draw` returns an integer between two bounds; it draws the pauses."""
        self.home_url = home_url.strip() or HOME
        self._configured, self._draw = bool(home_url.strip()), draw

    @classmethod
    def from_settings(cls, settings: BrowserTypedSettings) -> Self:
        """The provider for the configured engine. On a node without a browser its calls fail and say so."""
        return cls(settings.typed_engine_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """A search field takes words only, and a page holds about ten results."""
        return [
            *(["max_results (one page)"] if spec.max_results > 10 else []),
            *(["date_restrict"] if spec.date_restrict else []),
            *([] if spec.language == "en" else ["language"]),
            "safe_search",
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """One request with a plan for typing the query."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query or spec.vertical not in self.verticals:
            return []
        plan = plan_typing(self.home_url, query, draw=self._draw)
        return [ProviderRequest(url=self.home_url, service=False, configured=self._configured, typed=plan)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Organic results in the order of the page.

        Args:
            request: the request that was made.
            status: status of the navigation.
            headers: `content-location` is the address of the results page.
            body: the page's DOM as HTML in UTF-8.
        """
        from research_crawler.engines.result_pages import (
            organic_results,
        )  # here, as every command reads our settings

        answers.raise_for_failure(self.name, request, status, body)
        page_url = headers.get("content-location") or request.url
        rows = organic_results(body.decode("utf-8", errors="replace"), page_url)
        if not rows and answers.is_challenge(body):
            raise answers.failure(self.name, request, Reason.CHALLENGE, status, "challenge")
        found = (answers.result(self.name, url=row.url, title=row.title, snippet=row.snippet) for row in rows)
        return [result for result in found if result]


PROVIDER = Declaration(
    provider=BrowserTyped,
    settings=BrowserTypedSettings,
    make=BrowserTyped.from_settings,
    default=False,
    of_host=True,
    note="types into a search engine's page, only where its robots.txt allows the results page",
)
