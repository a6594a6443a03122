"""DuckDuckGo: its results page for browsers without scripts, and its Instant Answers as extra results.

robots.txt applies to both hosts, as for any site. The request is the one that the page's own form sends (POST
with q, kl, df, kp). Further pages need a token from the first page, so a search reads one page only.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.settings.provider_settings import HttpAddress, ProviderSettings
from research_crawler.engines import provider_answers as answers
from research_crawler.engines.provider import Declaration, ProviderRequest
from research_crawler.engines.provider_queries import (
    cleaned_query,
    covering_period,
    ignored_period,
    language_parts,
)

if TYPE_CHECKING:
    from parsel import Selector

HTML_BASE = "https://html.duckduckgo.com"
INSTANT_BASE = "https://api.duckduckgo.com"
HTML_PATH, INSTANT_PATH = "/html/", "/"
MAX_QUERY_CHARS = 499
"""Longest query that DuckDuckGo takes."""
SAFE_SEARCH = {"off": "-2", "moderate": "-1", "strict": "1"}
WORLD = "wt-wt"
REGIONS = frozenset(
    {
        "ar-es", "au-en", "at-de", "be-fr", "be-nl", "br-pt", "bg-bg", "ca-en", "ca-fr", "cl-es",
        "cn-zh", "co-es", "hr-hr", "cz-cs", "dk-da", "ee-et", "fi-fi", "fr-fr", "de-de", "gr-el",
        "hk-tzh", "hu-hu", "is-is", "in-en", "id-en", "ie-en", "il-en", "it-it", "jp-jp", "kr-kr",
        "lv-lv", "lt-lt", "my-en", "mx-es", "nl-nl", "nz-en", "no-no", "pk-en", "pe-es", "ph-en",
        "pl-pl", "pt-pt", "ro-ro", "ru-ru", "xa-ar", "sg-en", "sk-sk", "sl-sl", "za-en", "es-ca",
        "es-es", "se-sv", "ch-de", "ch-fr", "tw-tzh", "th-en", "tr-tr", "us-en", "us-es", "ua-uk",
        "uk-en", "vn-en",
    }
)  # fmt: skip
"""The regions that the page's form offers, country first."""
HOME_REGIONS = {
    "ar": "xa-ar", "bg": "bg-bg", "ca": "es-ca", "cs": "cz-cs", "da": "dk-da", "de": "de-de", "el": "gr-el",
    "es": "es-es", "et": "ee-et", "fi": "fi-fi", "fr": "fr-fr", "hr": "hr-hr", "hu": "hu-hu", "is": "is-is",
    "it": "it-it", "ja": "jp-jp", "ko": "kr-kr", "lt": "lt-lt", "lv": "lv-lv", "nb": "no-no", "nl": "nl-nl",
    "no": "no-no", "pl": "pl-pl", "pt": "pt-pt", "ro": "ro-ro", "ru": "ru-ru", "sk": "sk-sk", "sl": "sl-sl",
    "sv": "se-sv", "tr": "tr-tr", "uk": "ua-uk", "zh": "cn-zh",
}  # fmt: skip
"""The region for a language. English has none, so it is searched in the whole world."""
COUNTRIES = {"gb": "uk", "sa": "xa", "si": "sl"}
"""Country codes that DuckDuckGo writes differently."""
RESULTS = ".result:not(.result--ad)"


class DuckDuckGoSettings(ProviderSettings):
    """It needs no key."""

    base_url: HttpAddress = ""
    """For tests and proxies; empty: html.duckduckgo.com and api.duckduckgo.com."""


class DuckDuckGo:
    """Organic results of the HTML page, then the links of the Instant Answers."""

    name = "duckduckgo"
    general = True
    usd_per_call = 0.0
    verticals: frozenset[Vertical] = frozenset({"web"})

    def __init__(self, base_url: str = "") -> None:
        base = base_url.strip().rstrip("/")
        self.configured = bool(base)
        self.html_url = (base.removesuffix("/html") or HTML_BASE) + HTML_PATH
        self.instant_url = (base.removesuffix("/html") or INSTANT_BASE) + INSTANT_PATH

    @classmethod
    def from_settings(cls, settings: DuckDuckGoSettings) -> Self:
        """The provider at the configured address."""
        return cls(settings.base_url)

    def ignores(self, spec: SearchSpec) -> list[str]:
        """Languages are selected by region; a language without a region is ignored."""
        language, _ = language_parts(spec.language)
        known = language == "en" or language in HOME_REGIONS
        return ignored_period(spec.date_restrict) + ([] if known else ["language"])

    def requests(self, spec: SearchSpec) -> list[ProviderRequest]:
        """The results page, and Instant Answers unless the search is restricted to dates."""
        query = cleaned_query(spec.query, max_chars=MAX_QUERY_CHARS)
        if not query or spec.vertical not in self.verticals:
            return []
        page = self._page_request(query, spec)
        return [page] if spec.date_restrict else [page, self._instant_request(query)]

    def parse(
        self, request: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
    ) -> list[SearchResult]:
        """Read the results page, or the JSON of the Instant Answers."""
        if request.extra:
            return self._instant_results(answers.json_object(self.name, request, status, body))
        answers.raise_for_failure(self.name, request, status, body)
        return self._page_results(request, status, body)

    def _page_request(self, query: str, spec: SearchSpec) -> ProviderRequest:
        form = {"q": query, "b": "", "kl": region_of(spec.language), "kp": SAFE_SEARCH[spec.safe_search]}
        period, _ = covering_period(spec.date_restrict)
        if period:
            form["df"] = period[0]
        return ProviderRequest(
            url=self.html_url,
            method="POST",
            headers={
                "Content-Type": "application/x-www-form-urlencoded",
                "Accept": "text/html",
                "Accept-Language": language_parts(spec.language)[0] or "en",
            },
            body=urlencode(form).encode(),
            service=False,
            configured=self.configured,
        )

    def _instant_request(self, query: str) -> ProviderRequest:
        options = {"q": query, "format": "json", "no_html": 1, "skip_disambig": 1}
        return ProviderRequest(
            url=f"{self.instant_url}?{urlencode(options)}",
            service=False,
            configured=self.configured,
            extra=True,
        )

    def _page_results(self, request: ProviderRequest, status: int, body: bytes) -> list[SearchResult]:
        from parsel import Selector  # here, because every command reads this module for its settings

        page = Selector(text=body.decode("utf-8", errors="replace"), type="html")
        found = [self._page_result(block, request.url) for block in page.css(RESULTS)]
        results = [result for result in found if result]
        if results or page.css(".no-results, .result--no-result"):
            return results
        if status == 202 or answers.is_challenge(body):
            raise answers.failure(self.name, request, Reason.CHALLENGE, status, "challenge")
        if not page.css("#links"):
            raise answers.failure(
                self.name, request, Why(Reason.UNKNOWN_FORM, "is not its results page"), status
            )
        return []

    def _page_result(self, block: "Selector", page_url: str) -> SearchResult | None:
        link = block.css("a.result__a")
        target = target_of_link(link.attrib.get("href", ""), page_url)
        if not target:
            return None
        snippets = block.css(".result__snippet")
        dates = (answers.iso_date(text) for text in block.css(".result__extras span::text").getall())
        return answers.result(
            self.name,
            url=target,
            title=link.get(),
            snippet=snippets[0].get() if snippets else "",
            published=next((date for date in dates if date), ""),
        )

    def _instant_results(self, data: Mapping[str, Any]) -> list[SearchResult]:
        topics = [*answers.entries(data, "Results"), *_topics(answers.entries(data, "RelatedTopics"))]
        found = [
            answers.result(
                self.name,
                url=data.get("AbstractURL"),
                title=data.get("Heading"),
                snippet=data.get("AbstractText") or data.get("Abstract"),
            ),
            *(self._topic_result(topic) for topic in topics),
        ]
        return [result for result in found if result]

    def _topic_result(self, topic: Mapping[str, Any]) -> SearchResult | None:
        url, text = topic.get("FirstURL"), answers.plain_text(topic.get("Text"))
        if not isinstance(url, str) or is_own_page(url):
            return None
        return answers.result(self.name, url=url, title=text.split(" - ", 1)[0][:200], snippet=text)


PROVIDER = Declaration(
    provider=DuckDuckGo, settings=DuckDuckGoSettings, make=DuckDuckGo.from_settings, of_host=True
)


def region_of(language: str) -> str:
    """The region (`kl`) for a language tag: de → de-de, de-CH → ch-de, en → the whole world."""
    name, country = language_parts(language)
    wanted = f"{COUNTRIES.get(country, country)}-{name}"
    return wanted if wanted in REGIONS else HOME_REGIONS.get(name, WORLD)


def target_of_link(href: str, page_url: str) -> str:
    """The page that a result links to, directly or through `/l/?uddg=`; "" for advertisements."""
    try:
        href = urljoin(page_url, href)
        parts = urlsplit(href)
    except ValueError:
        return ""
    wrapped = parse_qs(parts.query).get("uddg", [""])[0] if parts.path.rstrip("/") == "/l" else ""
    if wrapped:
        return "" if is_own_page(wrapped) else wrapped
    return "" if is_own_page(href) or parts.path == "/y.js" else href


def is_own_page(url: str) -> bool:
    """Whether a URL leads to DuckDuckGo itself. Such pages only search again, and need scripts."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return True
    return host == "duckduckgo.com" or host.endswith(".duckduckgo.com")


def _topics(entries: Iterable[Mapping[str, Any]], depth: int = 3) -> Iterator[Mapping[str, Any]]:
    """Topics in order, including those inside groups (`Name`, `Topics`)."""
    for entry in entries:
        if "FirstURL" in entry:
            yield entry
        elif depth:
            yield from _topics(answers.entries(entry, "Topics"), depth - 1)
