"""Title, author, dates and site of a page: from what it declares, else from where pages show them."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from lxml import etree, html

_MAX_LD_CHARS = 1_000_000
_MAX_NODES = 5_000
_WORKS = re.compile(
    r"(?:Article|BlogPosting|NewsArticle|Posting|WebPage|QAPage|Question|Report|Review|Product|Recipe|HowTo|Course|Event)$"
)
_DAY = re.compile(r"(?:19|20)\d{2}-\d{2}-\d{2}")
_PATH_DAY = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|$)")
_ENGLISH_DAY = re.compile(
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?\s+)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?"
    r"((?:19|20)\d{2})\b",
    re.I,
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_BY = re.compile(r"^(?:written\s+by|posted\s+by|by|von|par|por|author)\s*:?\s+", re.I)
_SEPARATED = re.compile(r"\s+[|–—·•»:-]\s+|\s*\|\s*")
_AUTHOR_CHARS = 100
_URL = re.compile(r"https?://|www\.|@", re.I)
_AUTHOR_META = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "byl",
    "sailthru.author",
)  # fmt: skip
_PUBLISHED_META = (
    "article:published_time", "og:article:published_time", "datepublished", "date", "pubdate", "publishdate",
    "dc.date", "dc.date.issued", "dcterms.created", "dcterms.date", "dcterms.issued", "citation_publication_date",
    "citation_date", "parsely-pub-date", "sailthru.date", "publish-date", "publication_date", "article.published",
    "og:published_time", "pub_date",
)  # fmt: skip
_MODIFIED_META = (
    "article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified", "revised",
    "article.updated",
)  # fmt: skip
_BYLINE = re.compile(r"author[-_]{1,2}name|byline|^(?:vcard )?author$")
_DATE_NAME = re.compile(r"entry-date|post-date|publish.*date|date.*publish")
_MAX_PLACES = 10
_SITE_PLACE = re.compile(r"site-?(?:title|name|description|logo|brand)|menu-title|(?:^|\s)logo(?:\s|$)", re.I)
_AROUND = re.compile(r"comment|related|sidebar|footer|recommend", re.I)


def read_declared(root: html.HtmlElement) -> list[dict[str, Any]]:
    """The nodes of the page's JSON-LD, those of the page's work (article, thread, product) first."""
    nodes: list[dict[str, Any]] = []
    for script in root.iter("script"):
        if (
            "ld+json" in (script.get("type") or "").lower()
            and script.text
            and len(script.text) < _MAX_LD_CHARS
        ):
            try:
                content = json.loads(script.text, strict=False)
            except (ValueError, RecursionError):
                continue
            nodes += _nodes(content, _MAX_NODES - len(nodes))
    return sorted(nodes, key=lambda node: not _WORKS.search(type_of(node)))


def read_title(root: html.HtmlElement, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]) -> str:
    """The page's own title, without the site's name behind it."""
    whole = line(root.findtext(".//title"))
    heads = [line(" ".join(one.itertext())) for one in root.iter("h1") if not _is_of_site(one)]
    if len(heads) == 1 and heads[0] and heads[0].lower() in whole.lower():
        return heads[0]
    told = line(meta.get("og:title") or meta.get("twitter:title")) or next(_texts(declared, "headline"), "")
    site = line(meta.get("og:site_name"))
    return _without_site(told or whole, site) or next(filter(None, heads), "")


def read_author(
    root: html.HtmlElement, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """Who wrote the page, "; " between several; "" where it does not say so."""
    sells = any(type_of(node) in ("Product", "ProductGroup") for node in declared)
    for node in declared:
        if sells and type_of(node) == "Review":  # one of its buyers'
            continue
        if _WORKS.search(type_of(node)) and (names := people(node.get("author") or node.get("creator"))):
            return "; ".join(dict.fromkeys(names))
    told = next(filter(None, (_name(meta.get(name)) for name in _AUTHOR_META)), "")
    if told:
        return told
    shown = (
        _name(" ".join(place.itertext())) for place in _places(root, _shows_author) if not _is_around(place)
    )
    return next(filter(None, shown), "")


def read_published(
    root: html.HtmlElement, url: str, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """The ISO day the page was published; "" where only a guess could be made."""
    named = (meta.get(name) for name in _PUBLISHED_META)
    typed = (
        text for name in ("datePublished", "uploadDate", "dateCreated") for text in _texts(declared, name)
    )
    told = next(filter(None, map(day, (*named, *typed))), "")
    if told:
        return told
    shown = (_shown_day(place) for place in _places(root, _shows_date) if not _is_around(place))
    path = _PATH_DAY.search(url)
    in_path = "-".join((path[1], path[2].zfill(2), path[3].zfill(2))) if path else ""
    return next(filter(None, map(day, (*shown, in_path))), "")


def read_modified(
    root: html.HtmlElement, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """The ISO day of the last change that the page states."""
    told = [*(meta.get(name) for name in _MODIFIED_META), *_texts(declared, "dateModified")]
    if found := next(filter(None, map(day, told)), ""):
        return found
    shown = (_shown_day(place) for place in _places(root, _shows_change) if not _is_around(place))
    return next(filter(None, map(day, shown)), "")


def read_site(meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]) -> str:
    """The name of the site."""
    publishers = (name for node in declared for name in people(node.get("publisher")))
    sites = (line(str(node.get("name") or "")) for node in declared if type_of(node) == "WebSite")
    named = (line(meta.get("og:site_name")), line(meta.get("application-name")), *publishers, *sites)
    return next(filter(None, named), "")


def day(value: str | None) -> str:
    """The ISO day at the start of a date, or of one in English words; not one in the future."""
    text = (value or "").strip()[:60]
    match = _DAY.match(text)
    found = match[0] if match else _english_day(text)
    try:
        parsed = datetime.fromisoformat(found).date() if found else None
    except ValueError:
        return ""
    return parsed.isoformat() if parsed and parsed <= datetime.now(UTC).date() else ""


def line(value: str | None, limit: int = 300) -> str:
    """A value on one line, cut at `limit` characters."""
    return " ".join((value or "").split())[:limit].strip()


def _nodes(content: Any, room: int) -> list[dict[str, Any]]:
    """All objects of a JSON document with a type, outer ones first."""
    found: list[dict[str, Any]] = []
    waiting = [content]
    while waiting and len(found) < room:
        one = waiting.pop(0)
        if isinstance(one, dict):
            if "@type" in one:
                found.append(one)
            waiting += [value for value in one.values() if isinstance(value, (dict, list))]
        elif isinstance(one, list):
            waiting += [value for value in one if isinstance(value, (dict, list))][:room]
    return found


def type_of(node: Mapping[str, Any]) -> str:
    """The first schema.org type of a node."""
    kind = node.get("@type")
    return str(kind[0]) if isinstance(kind, list) and kind else str(kind or "")


def _texts(declared: Sequence[Mapping[str, Any]], name: str) -> Iterator[str]:
    for node in declared:
        value = node.get(name)
        if isinstance(value, str) and value.strip():
            yield line(value)


def people(value: Any) -> list[str]:
    """The names in an `author` of JSON-LD, whatever its form."""
    listed = value if isinstance(value, list) else [value]
    names = [one.get("name") if isinstance(one, dict) else one for one in listed]
    return [name for one in names if isinstance(one, str) and (name := _name(one))]


def _name(value: str | None) -> str:
    text = _BY.sub("", line(value))
    return text if text and len(text) <= _AUTHOR_CHARS and not _URL.search(text) else ""


def _without_site(title: str, site: str) -> str:
    """A title without the last or first of its parts where that is the site's name, or short beside the rest."""
    parts = _SEPARATED.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].lower() == site.lower():
        return title[: title.rfind(parts[-1])].rstrip(" |–—·•»:-")
    if site and parts[0].lower() == site.lower():
        return title[len(parts[0]) :].lstrip(" |–—·•»:-")
    if len(parts[-1].split()) <= 4 and len(parts[0]) > len(parts[-1]) and not parts[-1].isdecimal():
        return title[: title.rfind(parts[-1])].rstrip(" |–—·•»:-")
    return title


def _is_of_site(head: etree._Element) -> bool:
    """Whether a main heading names the site on all of its pages, as phpBB and mdBook have it."""
    around = (head, *islice(head.iterancestors(), 2))
    return any(_SITE_PLACE.search(f"{one.get('class') or ''} {one.get('id') or ''}") for one in around)


def _places(root: html.HtmlElement, shows: Callable[[etree._Element], bool]) -> list[etree._Element]:
    return list(islice(filter(shows, root.iter(etree.Element)), _MAX_PLACES))


def _shows_author(one: etree._Element) -> bool:
    role = one.get("itemprop")
    if role is not None:
        # The name within, where there is one: an author is often marked up with portrait, place and points.
        if role == "author":
            return next((True for inner in one.iter() if inner.get("itemprop") == "name"), None) is None
        if role == "name":
            return any(over.get("itemprop") == "author" for over in one.iterancestors())
    return one.get("rel") == "author" or _BYLINE.search(one.get("class") or "") is not None


def _shows_date(one: etree._Element) -> bool:
    if one.get("itemprop") == "datePublished":
        return True
    if one.tag == "time" and (one.get("datetime") or one.get("pubdate") is not None):
        return True
    return _DATE_NAME.search(one.get("class") or "") is not None


def _shows_change(one: etree._Element) -> bool:
    return one.get("itemprop") == "dateModified" or (
        one.tag == "time" and "updated" in (one.get("class") or "")
    )


def _shown_day(place: etree._Element) -> str:
    return place.get("datetime") or place.get("content") or line(" ".join(place.itertext()), 60)


def _english_day(text: str) -> str:
    match = _ENGLISH_DAY.search(text)
    if match is None or not (number := match[1] or match[3]):
        return ""
    return f"{match[4]}-{_MONTHS.index(match[2][:3].lower()) + 1:02d}-{int(number):02d}"


def _is_around(place: etree._Element) -> bool:
    return any(
        one.tag in ("footer", "aside", "nav") or _AROUND.search(one.get("class") or "")
        for one in (place, *place.iterancestors())
    )
