"""Signals of a page's kind: its URL, its declared schema.org types, and the software that made it."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from lxml import etree, html

_WORD = re.compile(r"[a-z]+")
_PATH_WORDS: dict[str, str] = {
    "forum": "forum forums thread threads topic topics viewtopic showthread discussion discussions question questions"
    " community comments board boards message messages answers qa thread t",
    "product": "product products p dp itm item shop store pr sku prod buy",
    "collection": "collections collection category categories cat c shop browse sale catalog catalogue range all",
    "docs": "docs doc documentation reference guide guides api manual wiki help support learn tutorial tutorials"
    " library kb faq faqs howto handbook spec rfc man",
    "service": "services service pricing solutions solution features plans platform software insurance consulting"
    " programs",
    "listing": "jobs job events event courses course list lists directory tag tags category search archive archives"
    " index results news episodes coupons deals find browse explore",
    "article": "blog blogs article articles story stories post posts news magazine press opinion essay feature features"
    " review reviews",
}
_PATHS = {name: frozenset(words.split()) for name, words in _PATH_WORDS.items()}
_TYPES: dict[str, str] = {
    "article": "Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle Report AnalysisNewsArticle",
    "news": "NewsArticle ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle LiveBlogPosting",
    "product": "Product ProductGroup IndividualProduct ProductModel Vehicle",
    "offer": "Offer AggregateOffer",
    "review": "Review CriticReview EmployerReview",
    "rating": "AggregateRating Rating",
    "forum": "DiscussionForumPosting QAPage Question SocialMediaPosting Answer Comment",
    "list": "ItemList CollectionPage SearchResultsPage OfferCatalog",
    "docs": "TechArticle HowTo APIReference SoftwareSourceCode LearningResource Course",
    "service": "Service LocalBusiness ProfessionalService FinancialService SoftwareApplication",
    "faq": "FAQPage",
    "organization": "Organization Corporation",
    "event": "Event JobPosting BusinessEvent EducationEvent",
    "page": "WebPage AboutPage ContactPage",
}
_TYPE_OF: dict[str, list[str]] = {}
for _name, _types in _TYPES.items():
    for _type in _types.split():
        _TYPE_OF.setdefault(_type, []).append(_name)
_MAKERS: dict[str, str] = {
    "forum": "discourse vbulletin xenforo phpbb invision mybb nodebb vanilla flarum smf tapatalk",
    "docs": "docusaurus sphinx mkdocs gitbook mdbook vuepress doxygen javadoc hugo jekyll antora mediawiki readthedocs",
    "shop": "woocommerce shopify prestashop magento bigcommerce opencart",
    "blog": "wordpress ghost blogger medium drupal wix squarespace",
}
_OG = ("article", "product", "website", "profile", "video", "forum", "book")
_DATE_PATH = re.compile(r"/(?:19|20)\d\d[/-]\d{1,2}\b")
_LD_TYPE = re.compile(r'"@type"\s*:\s*(?:"([^"]{1,60})"|\[([^\]]{1,200})\])')
_LD_TEXT = re.compile(r'"(?:articleBody|description|text|reviewBody)"\s*:\s*"((?:[^"\\]++|\\.)*+)"')
_LD_ESCAPE = re.compile(r"\\(?:[nrt/]|u00[0-9a-f]{2})|<[^<>]{1,200}>|&\w{2,8};", re.I)
_MAX_LD_CHARS = 300_000
"""So much of a script of JSON-LD is searched for types."""
_MARKS_PRICE = etree.XPath("boolean(//@itemprop[. = 'price'])")

SIGNALS: list[str] = [
    *(f"path:{name}" for name in _PATHS), *(f"host:{name}" for name in _PATHS), "path:date", "path:depth",
    "path:hyphens", "path:last_digits", "path:digits", "path:query", "path:html", "path:root",
    *(f"type:{name}" for name in _TYPES), *(f"many:{name}" for name in _TYPES),
    *(f"maker:{name}" for name in _MAKERS), *(f"og:{name}" for name in _OG), "og:none",
    "time_elements", "article_elements", "itemprop_price", "password_or_login", "add_to_cart_form",
    "has_author", "has_published",
]  # fmt: skip


def read_signals(root: html.HtmlElement, url: str, meta: Mapping[str, str]) -> list[float]:
    """The values of SIGNALS, in that order. The tree must still have its scripts."""
    types = declared_types(root)
    return [
        *_of_address(url),
        *(float(types.get(name, 0) > 0) for name in _TYPES),
        *(min(types.get(name, 0), 20) / 20 for name in _TYPES),
        *_of_maker(root, meta),
        *_of_markup(root, meta),
    ]


def _of_address(url: str) -> Iterable[float]:
    parts = urlsplit(url)
    path = parts.path.lower()
    segments = [segment for segment in path.split("/") if segment]
    words, hosts = (
        set(_WORD.findall(path + " " + parts.query.lower()[:200])),
        set(_WORD.findall(parts.netloc.lower())),
    )
    last = segments[-1] if segments else ""
    yield from (float(bool(words & known)) for known in _PATHS.values())
    yield from (float(bool(hosts & known)) for known in _PATHS.values())
    yield float(_DATE_PATH.search(path) is not None)
    yield float(min(len(segments), 8)) / 4
    yield float(min(last.count("-"), 12)) / 4
    yield float(any(map(str.isdigit, last)))
    yield min(sum(map(str.isdigit, path)), 12) / 6
    yield float(bool(parts.query))
    yield float(last.endswith((".html", ".htm", ".php", ".aspx")))
    yield float(not segments)


def declared_types(root: html.HtmlElement) -> dict[str, int]:
    """How often each group of schema.org types is declared, in JSON-LD and microdata."""
    found: dict[str, int] = {}
    names: list[str] = []
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            for single, several in _LD_TYPE.findall((script.text or "")[:_MAX_LD_CHARS]):
                names += [single] if single else re.findall(r'"([^"]+)"', several)
    for kind in root.xpath("//@itemtype"):
        names += kind.split()
    for name in names:
        for group in _TYPE_OF.get(name.rpartition("/")[2], ()):
            found[group] = found.get(group, 0) + 1
    return found


def declared_text(root: html.HtmlElement) -> str:
    """The descriptions and texts in the page's JSON-LD: of its product, article, posts or answers."""
    found = []
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            found += _LD_TEXT.findall((script.text or "")[:_MAX_LD_CHARS])
    return _LD_ESCAPE.sub(" ", " ".join(found))


def _of_maker(root: html.HtmlElement, meta: Mapping[str, str]) -> Iterable[float]:
    body = root.find(".//body")
    named = " ".join(
        (
            meta.get("generator", ""),
            root.get("class") or "",
            root.get("id") or "",
            (body.get("class") or "") if body is not None else "",
        )
    ).lower()[:2_000]
    for software in _MAKERS.values():
        yield float(any(name in named for name in software.split()))


def _each(root: html.HtmlElement, tag: str, attribute: str) -> list[str | None]:
    return [element.get(attribute) for element in root.iter(tag)]


def _of_markup(root: html.HtmlElement, meta: Mapping[str, str]) -> Iterable[float]:
    kind = meta.get("og:type", "").lower()
    yield from (float(name in kind) for name in _OG)
    yield float(not kind)
    yield min(sum(1 for _ in root.iter("time")), 30) / 10
    yield min(sum(1 for _ in root.iter("article")), 30) / 10
    prices = any((name or "").startswith("product:price") for name in _each(root, "meta", "property"))
    yield float(prices or bool(_MARKS_PRICE(root)))
    yield float("password" in _each(root, "input", "type"))
    yield float(any("cart" in (to or "") or "basket" in (to or "") for to in _each(root, "form", "action")))
    yield float("author" in meta or "article:author" in meta)
    yield float("article:published_time" in meta)
