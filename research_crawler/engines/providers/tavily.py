"""Tavily: an API for web and news search (docs.tavily.com/documentation/api-reference/endpoint/search).

The search depth is `basic`, which costs one credit a call. The provider does not offer images, because Tavily
returns them without their pages. Tavily has two statuses of its own: 432 (plan limit) and 433 (pay-as-you-go
limit).
"""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Self

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.settings.provider_settings import (
    CallsAtOnce,
    DelaySeconds,
    KeyedSettings,
)
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest
from research_crawler.engines.provider_queries import cleaned_query, first_day, language_parts, today_utc

BASE = "https://api.tavily.com"
PATH = "/search"
TOPICS: dict[Vertical, str] = {"web": "general", "news": "news"}
MAX_RESULTS = 20
"""Most results that Tavily gives for a query."""
MAX_QUERY_CHARS = 400
"""Longest query that Tavily takes."""
PERIODS = {"d1": "day", "w1": "week", "m1": "month", "y1": "year"}


class TavilySettings(KeyedSettings):
    """How fast its plans may be called."""

    delay_seconds: DelaySeconds = 0.6
    """Least time from one call to the next; Tavily allows 100 a minute, and 1,000 with a production key."""
    concurrency: CallsAtOnce = 8
    """Most calls at once, over all nodes."""


class Tavily:
    """Posts one query. The answer holds all results."""

    name = "tavily"
    general = True
    usd_per_call = 0.008
    """Pay as you go: 0.008 USD a credit (2026)."""
    verticals: frozenset[Vertical] = frozenset(TOPICS)

    def __init__(self, api_key: str, base_url: str = "", *, today: Callable[[], date] = today_utc) -> None:
        self._key = api_key.strip()
        self.base_url = base_url.strip().rstrip("/").removesuffix(PATH) or BASE
        self._today = today

    @classmethod
    def from_settings(cls, settings: TavilySettings) -> Self:
        """The provider with the configured key."""
        return cls(settings.api_key.get_secret_value(), settings.base_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Tavily has neither languages nor a filter."""
        return [
            *([f"max_results ({MAX_RESULTS} at most)"] if spec.max_results > MAX_RESULTS else []),
            *(["date_restrict"] if spec.date_restrict and not self._period(spec.date_restrict) else []),
            *([] if language_parts(spec.language)[0] == "en" else ["language"]),
            *(["safe_search"] if spec.safe_search != "off" else []),
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """One request."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query or spec.vertical not in self.verticals:
            return []
        payload = {
            "query": query,
            "topic": TOPICS[spec.vertical],
            "search_depth": "basic",
            "max_results": min(max(spec.max_results, 1), MAX_RESULTS),
            **self._period(spec.date_restrict),
        }
        return [
            ProviderRequest(
                url=f"{self.base_url}{PATH}",
                method="POST",
                headers={
                    "Content-Type": "application/json",
                    "Accept": "application/json",
                    "Authorization": f"Bearer {self._key}",
                },
                body=json.dumps(payload).encode(),
                service=True,
                keyed=True,
            )
        ]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in Tavily's order, the highest score first."""
        data = answers.json_object(self.name, request, status, body)
        if not isinstance(data.get("results"), list):
            raise answers.failure(
                self.name, request, Why(Reason.UNKNOWN_FORM, "has no results: is this Tavily's API?"), status
            )
        found = (self._result(entry) for entry in answers.entries(data, "results"))
        return [result for result in found if result]

    def _period(self, date_restrict: str) -> dict[str, str]:
        if date_restrict in PERIODS:
            return {"time_range": PERIODS[date_restrict]}
        first = first_day(date_restrict, self._today())
        return {"start_date": first.isoformat()} if first else {}

    def _result(self, entry: Mapping[str, Any]) -> SearchResult | None:
        return answers.result(
            self.name,
            url=entry.get("url"),
            title=entry.get("title"),
            snippet=entry.get("content"),
            published=answers.mail_date(entry.get("published_date")),
        )


PROVIDER = Declaration(provider=Tavily, settings=TavilySettings, make=Tavily.from_settings)
