"""SearXNG: asks the operator's own metasearch instance for JSON.

Parameters and fields follow the Search API page (docs.searxng.org/dev/search_api), `searx/webadapter.py` and
`searx/webutils.py`. An instance answers an unknown language or period with 400, and a format that is not
switched on with 403.
"""

import re
from collections.abc import Mapping
from typing import Self
from urllib.parse import urlencode

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
    ignored_period,
    language_parts,
)

CATEGORIES: dict[Vertical, str] = {"web": "general", "news": "news", "images": "images"}
SAFE_SEARCH = {"off": "0", "moderate": "1", "strict": "2"}
RESULTS_PER_PAGE = 10
"""How many results a page holds at least, with one working engine; most pages hold more."""
MAX_QUERY_CHARS = 500
"""Longest query that SearXNG is sent."""


class SearXNGSettings(ProviderSettings):
    """Where the instance is."""

    url: Needed[HttpAddress] = ""
    """Base URL of a SearXNG instance with JSON output switched on."""
    delay_seconds: DelaySeconds = 0.0
    """Least time between two calls; 0 for an instance of one's own, more for one of others."""
    concurrency: CallsAtOnce = 8
    """Most calls to the instance at once, over all nodes."""


class SearXNG:
    """Queries `<base>/search?format=json`."""

    name = "searxng"
    general = True
    usd_per_call = 0.0
    verticals: frozenset[Vertical] = frozenset({"web", "news", "images"})

    def __init__(self, base_url: str) -> None:
        self.base_url = re.sub(r"/(search/?)?$", "", base_url.strip())

    @classmethod
    def from_settings(cls, settings: SearXNGSettings) -> Self:
        """The provider for one instance."""
        return cls(settings.url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """SearXNG knows day, week, month and year, and languages of two or three letters, with or without
        region."""
        language = [] if language_parts(spec.language)[0] else ["language"]
        return ignored_period(spec.date_restrict) + language

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """As many pages as `max_results` may need."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query:
            return []
        options = {"q": query, "format": "json", "categories": CATEGORIES[spec.vertical]}
        options["safesearch"] = SAFE_SEARCH[spec.safe_search]
        language, region = language_parts(spec.language)
        if language:
            options["language"] = f"{language}-{region.upper()}" if region else language
        period, _ = covering_period(spec.date_restrict)
        if period:
            options["time_range"] = period
        pages = max(1, -(-spec.max_results // RESULTS_PER_PAGE))
        return [self._page(options, number) for number in range(1, pages + 1)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Results in the instance's order.

        An answer without results although engines failed raises SearchFailed with the engines' names.
        """
        if status == 403 and not answers.is_challenge(body):
            told = "forbidden: the instance needs `json` in its settings under `search.formats`"
            raise answers.failure(self.name, request, Why(Reason.OTHER, told), status)
        data = answers.json_object(self.name, request, status, body)
        if not isinstance(data.get("results"), list):
            raise answers.failure(
                self.name,
                request,
                Why(Reason.UNKNOWN_FORM, "has no results: is this a SearXNG instance?"),
                status,
            )
        found = [
            answers.result(
                self.name,
                url=entry.get("url"),
                title=entry.get("title"),
                snippet=entry.get("content"),
                published=answers.iso_date(entry.get("publishedDate")),
                image=entry.get("img_src"),
            )
            for entry in answers.entries(data, "results")
        ]
        results = [result for result in found if result]
        if not results and (silent := _silent_engines(data.get("unresponsive_engines"))):
            raise answers.failure(
                self.name, request, Why(Reason.OTHER, f"no engine answered: {silent}"), status
            )
        return results

    def _page(self, options: Mapping[str, str], number: int) -> ProviderRequest:
        url = f"{self.base_url}/search?{urlencode({**options, 'pageno': number})}"
        return ProviderRequest(
            url=url, headers={"Accept": "application/json"}, service=True, further=number > 1
        )


PROVIDER = Declaration(provider=SearXNG, settings=SearXNGSettings, make=SearXNG.from_settings)


def _silent_engines(value: object) -> str:
    """`google (timeout), bing (CAPTCHA)` from `[["google", "timeout"], …]`."""
    pairs = [entry for entry in value if isinstance(entry, list) and entry] if isinstance(value, list) else []
    return ", ".join(f"{pair[0]} ({pair[1]})" if len(pair) > 1 else str(pair[0]) for pair in pairs[:5])
