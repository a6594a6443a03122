"""Bing's Web Search API v7 in its documented form: web, news and images.

Microsoft ended its own service on 11 August 2025. The provider is kept for compatible services
(BING_BASE_URL), and is on only when RESEARCH_PROVIDERS names it. API:
learn.microsoft.com/bing/search-apis/bing-web-search/reference.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Self
from urllib.parse import urlencode

from pydantic import SecretStr

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.settings.provider_settings import (
    CallsAtOnce,
    DelaySeconds,
    HttpAddress,
    Needed,
    ProviderSettings,
)
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest
from research_crawler.engines.provider_queries import (
    cleaned_query,
    covering_period,
    first_day,
    ignored_period,
    language_parts,
    today_utc,
)

BASE = "https://api.bing.microsoft.com"
PATHS: dict[Vertical, str] = {
    "web": "/v7.0/search",
    "news": "/v7.0/news/search",
    "images": "/v7.0/images/search",
}
PAGE: dict[Vertical, int] = {"web": 50, "news": 100, "images": 150}
"""Maximum number of results of one call."""
MAX_RESULTS = 500
"""Most results that Bing gives for a query."""
MAX_QUERY_CHARS = 1500
"""Longest query that Bing takes."""
MARKETS = {
    "da": "da-DK", "de": "de-DE", "en": "en-US", "es": "es-ES", "fi": "fi-FI", "fr": "fr-FR", "it": "it-IT",
    "ja": "ja-JP", "ko": "ko-KR", "nb": "no-NO", "nl": "nl-NL", "no": "no-NO", "pl": "pl-PL", "pt": "pt-BR",
    "ru": "ru-RU", "sv": "sv-SE", "tr": "tr-TR", "zh": "zh-CN",
}  # fmt: skip
"""The market for a language tag without a country."""
OTHER_MARKETS = frozenset(
    {
        "de-AT", "de-CH", "en-AU", "en-CA", "en-GB", "en-ID", "en-IN", "en-MY", "en-NZ", "en-PH", "en-ZA",
        "es-AR", "es-CL", "es-MX", "es-US", "fr-BE", "fr-CA", "fr-CH", "nl-BE", "zh-HK", "zh-TW",
    }
)  # fmt: skip


class BingSettings(ProviderSettings):
    """Key and address."""

    api_key: Needed[SecretStr] = SecretStr("")
    """Key of a service with Bing's API v7 (Microsoft's own ended on 11 August 2025); used only when named."""
    base_url: HttpAddress = ""
    """Empty: https://api.bing.microsoft.com."""
    delay_seconds: DelaySeconds = 0.34
    """Least time from one call to the next; the smallest plan of Bing's API allowed 3 a second."""
    concurrency: CallsAtOnce = 4
    """Most calls at once, over all nodes."""


class Bing:
    """Queries a service that has Bing's API."""

    name = "bing"
    general = True
    usd_per_call = 0.015
    """The last list price of Microsoft's S1 tier; compatible services have their own prices."""
    verticals: frozenset[Vertical] = frozenset(PATHS)

    def __init__(self, api_key: str, base_url: str = "", *, today: Callable[[], date] = today_utc) -> None:
        self._headers = {"Accept": "application/json", "Ocp-Apim-Subscription-Key": api_key.strip()}
        base = base_url.strip().rstrip("/").removesuffix("/search").removesuffix("/v7.0")
        self.base_url = base or BASE
        self._today = today

    @classmethod
    def from_settings(cls, settings: BingSettings) -> Self:
        """The provider with the configured key."""
        return cls(settings.api_key.get_secret_value(), settings.base_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """News and images can be restricted to a day, a week or a month only."""
        return [
            *([f"max_results ({MAX_RESULTS} at most)"] if spec.max_results > MAX_RESULTS else []),
            *self._ignored_period(spec),
            *([] if _market(spec.language) else ["language"]),
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """As many pages as `max_results` may need."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query:
            return []
        options: dict[str, Any] = {"q": query, "safeSearch": spec.safe_search.capitalize()}
        if market := _market(spec.language):
            options["mkt"] = market
        if freshness := self._freshness(spec):
            options["freshness"] = freshness
        if spec.vertical == "web":
            options["responseFilter"] = "Webpages"
        wanted, per_page = min(max(spec.max_results, 1), MAX_RESULTS), PAGE[spec.vertical]
        return [self._page(spec.vertical, options, skip, wanted) for skip in range(0, wanted, per_page)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in the service's order. The service leaves out `webPages` if it found nothing."""
        data = answers.json_object(self.name, request, status, body)
        kind = data.get("_type")
        if kind == "ErrorResponse" or not (kind or any(key in data for key in ("webPages", "value"))):
            raise answers.failure(
                self.name, request, Why(Reason.UNKNOWN_FORM, "has no results: is this Bing's API?"), status
            )
        pages = data.get("webPages")
        found = answers.entries(pages if isinstance(pages, dict) else data, "value")
        results = (self._result(entry) for entry in found)
        return [result for result in results if result]

    def _freshness(self, spec: SearchSpec) -> str:
        if spec.vertical == "web":
            if spec.date_restrict in ("d1", "w1", "m1"):
                return covering_period(spec.date_restrict)[0].capitalize()
            first = first_day(spec.date_restrict, self._today())
            return f"{first}..{self._today()}" if first else ""
        period = covering_period(spec.date_restrict)[0]
        return "" if period == "year" else period.capitalize()

    def _ignored_period(self, spec: SearchSpec) -> list[str]:
        if spec.vertical != "web" and self._freshness(spec):
            return ignored_period(spec.date_restrict)
        return ["date_restrict"] if spec.date_restrict and not self._freshness(spec) else []

    def _page(
        self, vertical: Vertical, options: Mapping[str, Any], skip: int, wanted: int
    ) -> ProviderRequest:
        paged = {**options, "count": min(PAGE[vertical], wanted - skip), "offset": skip}
        return ProviderRequest(
            url=f"{self.base_url}{PATHS[vertical]}?{urlencode(paged)}",
            headers=self._headers,
            service=True,
            keyed=True,
            further=skip > 0,
        )

    def _result(self, entry: Mapping[str, Any]) -> SearchResult | None:
        page = entry.get("hostPageUrl")
        return answers.result(
            self.name,
            url=page or entry.get("url"),
            title=entry.get("name"),
            snippet=entry.get("snippet") or entry.get("description"),
            published=answers.iso_date(entry.get("datePublished")),
            image=entry.get("contentUrl") if page else "",
        )


PROVIDER = Declaration(
    provider=Bing,
    settings=BingSettings,
    make=Bing.from_settings,
    default=False,
    note="Microsoft ended its own service on 11 August 2025; set BING_BASE_URL to a compatible one",
)


def _market(language: str) -> str:
    """`de-CH` if it is one of Bing's markets, else the main market of the language; "" if there is none."""
    name, region = language_parts(language)
    wanted = f"{name}-{region.upper()}"
    return wanted if wanted in OTHER_MARKETS or wanted in MARKETS.values() else MARKETS.get(name, "")
