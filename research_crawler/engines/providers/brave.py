"""Brave Search API: web, news and images (api-dashboard.search.brave.com/api-reference).

According to the documentation of 2026: queries have at most 400 characters and 50 words, `offset` counts
pages of web and news results, images have neither dates nor pages, and `freshness` is pd, pw, pm, py or a
range of days.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Self
from urllib.parse import urlencode

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

BASE = "https://api.search.brave.com"
PATHS: dict[Vertical, str] = {
    "web": "/res/v1/web/search",
    "news": "/res/v1/news/search",
    "images": "/res/v1/images/search",
}
PAGE: dict[Vertical, int] = {"web": 20, "news": 50, "images": 200}
"""Maximum number of results of one call."""
PAGES: dict[Vertical, int] = {"web": 10, "news": 10, "images": 1}
"""Most pages of results that Brave gives, by kind of search."""
MAX_QUERY_CHARS, MAX_QUERY_WORDS = 400, 50
"""Longest query that Brave takes, in characters and words."""
SHORT_PERIODS = {"d1": "pd", "w1": "pw", "m1": "pm", "y1": "py"}
LANGUAGES = frozenset(
    {
        "ar", "eu", "bn", "bg", "ca", "hr", "cs", "da", "nl", "en", "et", "fi", "fr", "gl", "de", "el", "gu",
        "he", "hi", "hu", "is", "it", "kn", "ko", "lv", "lt", "ms", "ml", "mr", "nb", "pl", "pa", "ro", "ru",
        "sr", "sk", "sl", "es", "sv", "ta", "te", "th", "tr", "uk", "vi",
    }
)  # fmt: skip
OTHER_CODES = {"ja": "jp", "no": "nb", "nn": "nb", "zh": "zh-hans", "pt": "pt-pt"}
REGIONAL_CODES = {
    ("pt", "br"): "pt-br", ("en", "gb"): "en-gb", ("zh", "tw"): "zh-hant", ("zh", "hk"): "zh-hant",
}  # fmt: skip
COUNTRIES = frozenset(
    {
        "ar", "au", "at", "be", "br", "ca", "cl", "dk", "fi", "fr", "gr", "de", "hk", "in", "id", "it", "jp",
        "kr", "my", "mx", "nl", "nz", "no", "cn", "pl", "pt", "ph", "ru", "sa", "za", "es", "se", "ch", "tw",
        "tr", "gb", "us",
    }
)  # fmt: skip
"""Countries that the API accepts. It answers all others with 422."""


class BraveSettings(KeyedSettings):
    """How fast its plans may be called."""

    delay_seconds: DelaySeconds = 0.02
    """Least time from one call to the next; Brave's plan allows 50 a second, its old free plan 1."""
    concurrency: CallsAtOnce = 8
    """Most calls at once, over all nodes."""


class Brave:
    """Queries Brave's index."""

    name = "brave"
    general = True
    usd_per_call = 0.005
    """5 USD for 1,000 requests (2026)."""
    verticals: frozenset[Vertical] = frozenset(PATHS)

    def __init__(self, api_key: str, base_url: str = "", *, today: Callable[[], date] = today_utc) -> None:
        self._headers = {"Accept": "application/json", "X-Subscription-Token": api_key.strip()}
        self.base_url = base_url.strip().rstrip("/").removesuffix("/res/v1") or BASE
        self._today = today

    @classmethod
    def from_settings(cls, settings: BraveSettings) -> Self:
        """The provider with the configured key."""
        return cls(settings.api_key.get_secret_value(), settings.base_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Image search has no dates, and its filter is either off or strict."""
        images = spec.vertical == "images"
        most = PAGE[spec.vertical] * PAGES[spec.vertical]
        return [
            *([f"max_results ({most} at most)"] if spec.max_results > most else []),
            *(["date_restrict"] if spec.date_restrict and (images or not self._freshness(spec)) else []),
            *([] if language_code(spec.language) else ["language"]),
            *(["safe_search (as strict)"] if images and spec.safe_search == "moderate" else []),
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """As many pages as `max_results` may need."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS, max_words=MAX_QUERY_WORDS)
        if not query:
            return []
        per_page = PAGE[spec.vertical]
        pages = min(PAGES[spec.vertical], max(1, -(-spec.max_results // per_page)))
        options = self._options(query, spec) | {"count": max(1, min(spec.max_results, per_page))}
        return [self._page(spec.vertical, options, number) for number in range(pages)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in Brave's order."""
        data = answers.json_object(self.name, request, status, body)
        if data.get("type") == "ErrorResponse" or not any(key in data for key in ("type", "web", "results")):
            raise answers.failure(
                self.name, request, Why(Reason.UNKNOWN_FORM, "has no results: is this Brave's API?"), status
            )
        web = data.get("web")
        found = answers.entries(web, "results") if isinstance(web, dict) else answers.entries(data, "results")
        results = [self._result(entry) for entry in found]
        return [result for result in results if result]

    def _options(self, query: str, spec: SearchSpec) -> dict[str, Any]:
        images = spec.vertical == "images"
        options: dict[str, Any] = {"q": query, "safesearch": spec.safe_search}
        if images and spec.safe_search == "moderate":
            options["safesearch"] = "strict"
        if code := language_code(spec.language):
            options["search_lang"] = code
        country = language_parts(spec.language)[1]
        if country in COUNTRIES:
            options["country"] = country.upper()
        if not images and (freshness := self._freshness(spec)):
            options["freshness"] = freshness
        if spec.vertical == "web":
            options |= {"result_filter": "web", "text_decorations": "false"}
        return options

    def _freshness(self, spec: SearchSpec) -> str:
        short = SHORT_PERIODS.get(spec.date_restrict)
        first = first_day(spec.date_restrict, self._today())
        return short or (f"{first}to{self._today()}" if first else "")

    def _page(self, vertical: Vertical, options: Mapping[str, Any], number: int) -> ProviderRequest:
        paged = {**options, "offset": number} if number else options
        return ProviderRequest(
            url=f"{self.base_url}{PATHS[vertical]}?{urlencode(paged)}",
            headers=self._headers,
            service=True,
            keyed=True,
            further=number > 0,
        )

    def _result(self, entry: Mapping[str, Any]) -> SearchResult | None:
        picture = entry.get("properties")
        return answers.result(
            self.name,
            url=entry.get("url"),
            title=entry.get("title"),
            snippet=entry.get("description"),
            published=answers.iso_date(entry.get("page_age") or entry.get("page_fetched")),
            image=picture.get("url") if isinstance(picture, dict) else "",
        )


PROVIDER = Declaration(provider=Brave, settings=BraveSettings, make=Brave.from_settings)


def language_code(language: str) -> str:
    """Brave's `search_lang` for a language tag; "" if it has none."""
    name, region = language_parts(language)
    code = REGIONAL_CODES.get((name, region)) or OTHER_CODES.get(name, name)
    return code if code in LANGUAGES or code in {*OTHER_CODES.values(), *REGIONAL_CODES.values()} else ""
