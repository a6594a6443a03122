"""Google: the Custom Search JSON API (developers.google.com/custom-search/v1/reference/rest/v1/cse/list).

The API is closed to new customers and ends on 1 January 2027. The provider is kept for users who have a key,
and is on only when RESEARCH_PROVIDERS names it. A call returns ten results and is paid for; a query has at
most 100.
"""

from collections.abc import Mapping
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
from research_crawler.engines.provider_queries import PERIOD, cleaned_query, language_parts

BASE = "https://www.googleapis.com"
PATH = "/customsearch/v1"
PAGE, MAX_RESULTS = 10, 100
"""Results of one request to Google, and of all for a query."""
MAX_QUERY_CHARS = 2048
"""Longest query that Google takes."""
SAFE_SEARCH = {"off": "off", "moderate": "active", "strict": "active"}
LANGUAGES = frozenset(
    {
        "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu", "id", "is", "it",
        "ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr",
    }
)  # fmt: skip
"""Languages that `lr` can restrict a search to."""
OTHER_CODES = {"he": "iw", "nb": "no", "nn": "no"}
DATES = ("article:published_time", "datepublished", "article.published", "date", "dc.date", "pubdate")
"""Names of a page's metadata that may hold its date, the most reliable first."""


class GoogleSettings(ProviderSettings):
    """Key, search engine and address."""

    api_key: Needed[SecretStr] = SecretStr("")
    """Key of Google's Custom Search JSON API, closed to new customers and ending on 1 January 2027."""
    cse_id: Needed[str] = ""
    """The search engine's id (cx); Google is off without both, and without being named in RESEARCH_PROVIDERS."""
    cse_base_url: HttpAddress = ""
    """Empty: https://www.googleapis.com."""
    delay_seconds: DelaySeconds = 1.0
    """Least time from one call to the next; Google allows 100 in 100 seconds."""
    concurrency: CallsAtOnce = 8
    """Most calls at once, over all nodes."""


class Google:
    """Queries a programmable search engine."""

    name = "google"
    general = True
    usd_per_call = 0.005
    """5 USD for 1,000 queries after 100 free ones a day."""
    verticals: frozenset[Vertical] = frozenset({"web", "images"})

    def __init__(self, api_key: str, engine_id: str, base_url: str = "") -> None:
        self._key, self._engine_id = api_key.strip(), engine_id.strip()
        self.base_url = base_url.strip().rstrip("/").removesuffix(PATH) or BASE

    @classmethod
    def from_settings(cls, settings: GoogleSettings) -> Self:
        """The provider with the configured key and search engine."""
        return cls(settings.api_key.get_secret_value(), settings.cse_id, settings.cse_base_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Google's filter is only on or off, and its languages and periods are limited."""
        return [
            *([f"max_results ({MAX_RESULTS} at most)"] if spec.max_results > MAX_RESULTS else []),
            *(["date_restrict"] if spec.date_restrict and not _is_period(spec.date_restrict) else []),
            *([] if _restriction(spec.language) else ["language"]),
            *(["safe_search (as strict)"] if spec.safe_search == "moderate" else []),
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """One request for every ten results."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query or spec.vertical not in self.verticals:
            return []
        options: dict[str, Any] = {
            "key": self._key,
            "cx": self._engine_id,
            "q": query,
            "safe": SAFE_SEARCH[spec.safe_search],
        }
        if restriction := _restriction(spec.language):
            options |= {"lr": restriction, "hl": restriction.removeprefix("lang_")}
        if _is_period(spec.date_restrict):
            options["dateRestrict"] = spec.date_restrict
        if spec.vertical == "images":
            options["searchType"] = "image"
        wanted = min(max(spec.max_results, 1), MAX_RESULTS)
        return [self._page(options, start, wanted) for start in range(1, wanted + 1, PAGE)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in Google's order. Google leaves out `items` if it found nothing."""
        data = answers.json_object(self.name, request, status, body)
        if not any(key in data for key in ("items", "searchInformation", "queries", "kind")):
            raise answers.failure(
                self.name, request, Why(Reason.UNKNOWN_FORM, "has no results: is this Google's API?"), status
            )
        found = (self._result(entry) for entry in answers.entries(data, "items"))
        return [result for result in found if result]

    def _page(self, options: Mapping[str, Any], start: int, wanted: int) -> ProviderRequest:
        query = urlencode({**options, "num": min(PAGE, wanted + 1 - start), "start": start})
        return ProviderRequest(
            url=f"{self.base_url}{PATH}?{query}",
            headers={"Accept": "application/json"},
            service=True,
            keyed=True,
            further=start > 1,
        )

    def _result(self, entry: Mapping[str, Any]) -> SearchResult | None:
        picture = entry.get("image")
        page = picture.get("contextLink") if isinstance(picture, dict) else None
        return answers.result(
            self.name,
            url=page or entry.get("link"),
            title=entry.get("title"),
            snippet=entry.get("snippet"),
            published=_published(entry),
            image=entry.get("link") if page else "",
        )


PROVIDER = Declaration(
    provider=Google,
    settings=GoogleSettings,
    make=Google.from_settings,
    default=False,
    note="closed to new customers, ends on 1 January 2027",
)


def _restriction(language: str) -> str:
    """`lang_de`, `lang_zh-TW`; "" for a language that Google cannot restrict to."""
    name, region = language_parts(language)
    if name == "zh":
        return "lang_zh-TW" if region in ("tw", "hk") else "lang_zh-CN"
    code = OTHER_CODES.get(name, name)
    return f"lang_{code}" if code in LANGUAGES or code == "iw" else ""


def _is_period(date_restrict: str) -> bool:
    match = PERIOD.fullmatch(date_restrict)
    return bool(match and int(match[2]))


def _published(entry: Mapping[str, Any]) -> str:
    pagemap = entry.get("pagemap")
    for tags in answers.entries(pagemap, "metatags") if isinstance(pagemap, dict) else []:
        for name in DATES:
            if published := answers.mail_date(tags.get(name)):
                return published
    return ""
