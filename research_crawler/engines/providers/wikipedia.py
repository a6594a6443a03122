"""Wikipedia: the MediaWiki API's full-text search (mediawiki.org/wiki/API:Search)."""

from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.settings.provider_settings import HttpAddress, ProviderSettings
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest
from research_crawler.engines.provider_queries import cleaned_query, language_parts

MAX_QUERY = 300
"""The API refuses longer queries. The limit is applied to characters and to bytes."""
MAX_RESULTS = 50
"""Most results that Wikipedia gives for a query."""
API_PATH = "/w/api.php"
EDITIONS = {"nb": "no", "cmn": "zh", "fil": "tl"}
"""Languages whose edition has a different code."""
ARTICLE_SAFE = "/:()!*,;@'~$"
"""What MediaWiki leaves unescaped in the path of an article."""


class WikipediaSettings(ProviderSettings):
    """It needs no key."""

    base_url: HttpAddress = ""
    """Empty: https://<language>.wikipedia.org."""


class Wikipedia:
    """Queries the Wikipedia edition in the language of the search."""

    name = "wikipedia"
    general = False
    usd_per_call = 0.0
    verticals: frozenset[Vertical] = frozenset({"web"})

    def __init__(self, base_url: str = "") -> None:
        self.base_url = base_url.strip().rstrip("/").removesuffix(API_PATH)

    @classmethod
    def from_settings(cls, settings: WikipediaSettings) -> Self:
        """The provider at the configured address."""
        return cls(settings.base_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Wikipedia has neither dates nor a filter, and a configured address has only one language."""
        known = bool(language_parts(spec.language)[0]) and not self.base_url
        return [
            *(["date_restrict"] if spec.date_restrict else []),
            *([] if known or (self.base_url and spec.language == "en") else ["language"]),
            *(["safe_search"] if spec.safe_search != "off" else []),
        ]

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """One request. Its answer holds all results."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY, max_bytes=MAX_QUERY)
        if not query or spec.vertical not in self.verticals:
            return []
        options = {
            "action": "query",
            "list": "search",
            "srsearch": query,
            "srlimit": min(max(spec.max_results, 1), MAX_RESULTS),
            "srprop": "snippet",
            "format": "json",
            "utf8": 1,
        }
        url = f"{self._base(spec.language)}{API_PATH}?{urlencode(options)}"
        return [ProviderRequest(url=url, headers={"Accept": "application/json"}, service=True)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Articles in order of relevance, from `list=search` or `generator=search`.

        `published` stays empty, because the API's timestamps are those of the last edit.
        """
        data = answers.json_object(self.name, request, status, body)
        error = data.get("error")
        if isinstance(error, dict):
            raise answers.failure(
                self.name, request, Why(Reason.OTHER, f"{error.get('code')}: {error.get('info')}"), status
            )
        query = data.get("query")
        if not isinstance(query, dict):
            if "batchcomplete" in data:  # the API leaves out `query` if a generator found nothing
                return []
            raise answers.failure(
                self.name,
                request,
                Why(Reason.UNKNOWN_FORM, "has no results: is this a MediaWiki API?"),
                status,
            )
        site = _site(request.url)
        found = (self._result(entry, site) for entry in _entries(query))
        return [result for result in found if result]

    def _base(self, language: str) -> str:
        code = language_parts(language)[0] or "en"
        return self.base_url or f"https://{EDITIONS.get(code, code)}.wikipedia.org"

    def _result(self, entry: Mapping[str, Any], site: str) -> SearchResult | None:
        title = entry.get("title")
        if not isinstance(title, str) or not title:
            return None
        url = entry.get("fullurl") or f"{site}/wiki/{quote(title.replace(' ', '_'), safe=ARTICLE_SAFE)}"
        return answers.result(
            self.name, url=url, title=title, snippet=entry.get("snippet") or entry.get("extract")
        )


PROVIDER = Declaration(
    provider=Wikipedia, settings=WikipediaSettings, make=Wikipedia.from_settings, of_host=True
)


def _entries(query: Mapping[str, Any]) -> list[dict[str, Any]]:
    pages = query.get("pages")
    if pages is None:
        return answers.entries(query, "search")
    listed = list(pages.values()) if isinstance(pages, dict) else pages
    return sorted(answers.entries({"pages": listed}, "pages"), key=_position)


def _position(entry: Mapping[str, Any]) -> int:
    index = entry.get("index")
    return index if isinstance(index, int) else MAX_RESULTS + 1


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path.removesuffix(API_PATH)}"
