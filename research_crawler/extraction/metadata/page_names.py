"""Reads the title, author, dates and site of a page: declared ones, else those that the page shows."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from lxml import etree, html

_MAX_LD_CHARS = 1_000_000
"""Largest script of JSON-LD that is read."""
_MAX_NODES = 5_000
"""Most objects of JSON-LD that are looked at."""
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
_SEPARATED = re.compile(r"(?<!\s)\s++[|–—·•»:-]\s++|(?<!\s)\s*+\|\s*+|\|\s*+")
_AUTHOR_CHARS = 100
"""Longest name of an author."""
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
_DATE_NAME = re.compile(r"entry-date|post-date|publish.{0,80}date|date.{0,80}publish")
_MAX_ELEMENTS = 10
"""Most elements that may show an author or a date."""
_SITE_PLACE = re.compile(r"site-?(?:title|name|description|logo|brand)|menu-title|(?:^|\s)logo(?:\s|$)", re.I)


def read_declared(root: html.HtmlElement) -> list[dict[str, Any]]:
    """The nodes of the page's JSON-LD, with those of its main subject (article, thread, product) first."""
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


def read_title(
    root: html.HtmlElement, url: str, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """The page's own title, without the name of the site."""
    full_title = line(root.findtext(".//title"))
    headings = [line(" ".join(h1.itertext())) for h1 in root.iter("h1") if not _names_site(h1)]
    if len(headings) == 1 and headings[0] and headings[0].lower() in full_title.lower():
        return headings[0]
    social_title = line(meta.get("og:title") or meta.get("twitter:title"))
    stated = social_title or next(_texts(declared, "headline"), "")
    site = line(meta.get("og:site_name"))
    return _without_site(stated or full_title, site, url) or next(filter(None, headings), "")


def read_author(
    root: html.HtmlElement, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """The authors of the page, joined with "; "; "" if the page does not name any."""
    has_product = any(type_of(node) in ("Product", "ProductGroup") for node in declared)
    for node in declared:
        if has_product and type_of(node) == "Review":  # a customer's review of the product
            continue
        if _WORKS.search(type_of(node)) and (names := people(node.get("author") or node.get("creator"))):
            return "; ".join(dict.fromkeys(names))
    stated = next(filter(None, (_name(meta.get(name)) for name in _AUTHOR_META)), "")
    if stated:
        return stated
    shown = (_name(" ".join(element.itertext())) for element in _elements(root, _shows_author))
    return next(filter(None, shown), "")


def read_published(
    root: html.HtmlElement, url: str, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """The ISO date on which the page was published; "" if the page does not state it."""
    named = (meta.get(name) for name in _PUBLISHED_META)
    typed = (
        text for name in ("datePublished", "uploadDate", "dateCreated") for text in _texts(declared, name)
    )
    stated = next(filter(None, map(day, (*named, *typed))), "")
    if stated:
        return stated
    shown = map(_shown_day, _elements(root, _shows_date))
    path = _PATH_DAY.search(url)
    in_path = "-".join((path[1], path[2].zfill(2), path[3].zfill(2))) if path else ""
    return next(filter(None, map(day, (*shown, in_path))), "")


def read_modified(
    root: html.HtmlElement, meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]
) -> str:
    """The ISO date of the last change that the page states."""
    stated = [*(meta.get(name) for name in _MODIFIED_META), *_texts(declared, "dateModified")]
    if found := next(filter(None, map(day, stated)), ""):
        return found
    shown = map(_shown_day, _elements(root, _shows_change))
    return next(filter(None, map(day, shown)), "")


def read_site(meta: Mapping[str, str], declared: Sequence[Mapping[str, Any]]) -> str:
    """The name of the site."""
    publishers = (name for node in declared for name in people(node.get("publisher")))
    sites = (line(str(node.get("name") or "")) for node in declared if type_of(node) == "WebSite")
    named = (line(meta.get("og:site_name")), line(meta.get("application-name")), *publishers, *sites)
    return next(filter(None, named), "")


def day(value: str | None) -> str:
    """The ISO date that a text begins with, or a date in English words; "" for none or a future one."""
    text = (value or "").strip()[:60]
    match = _DAY.match(text)
    found = match[0] if match else _english_day(text)
    try:
        parsed = datetime.fromisoformat(found).date() if found else None
    except ValueError:
        return ""
    return parsed.isoformat() if parsed and parsed <= datetime.now(UTC).date() else ""


def line(value: str | None, limit: int = 300) -> str:
    """Write a value on one line, cut at `limit` characters."""
    return " ".join((value or "").split())[:limit].strip()


def _nodes(content: Any, room: int) -> list[dict[str, Any]]:
    """All objects in a JSON document that have a type, outer ones first."""
    found: list[dict[str, Any]] = []
    waiting = [content]
    while waiting and len(found) < room:
        node = waiting.pop(0)
        if isinstance(node, dict):
            if "@type" in node:
                found.append(node)
            waiting += [value for value in node.values() if isinstance(value, (dict, list))]
        elif isinstance(node, list):
            waiting += [value for value in node if isinstance(value, (dict, list))][:room]
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
    """The names in an `author` of JSON-LD, which may be text, an object or a list."""
    persons = value if isinstance(value, list) else [value]
    names = [person.get("name") if isinstance(person, dict) else person for person in persons]
    return [name for raw in names if isinstance(raw, str) and (name := _name(raw))]


def _name(value: str | None) -> str:
    text = _BY.sub("", line(value))
    return text if text and len(text) <= _AUTHOR_CHARS and not _URL.search(text) else ""


def _without_site(title: str, site: str, url: str) -> str:
    """A title without its last part, if that is the site's name, or short and not the page's own name (`virtual(5)` at
    `virtual.5.html`)."""
    parts = _SEPARATED.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].lower() == site.lower():
        return title[: title.rfind(parts[-1])].rstrip(" |–—·•»:-")
    if (words := _words(parts[-1])) and words <= _words(urlsplit(url).path.rpartition("/")[2]):
        return title
    if len(parts[-1].split()) <= 4:
        return title[: title.rfind(parts[-1])].rstrip(" |–—·•»:-")
    return title


def _words(text: str) -> set[str]:
    return set("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())


def _names_site(heading: etree._Element) -> bool:
    """Whether an h1 is the name of the site, the same on all of its pages (phpBB and mdBook do this)."""
    elements = (heading, *islice(heading.iterancestors(), 2))
    return any(_SITE_PLACE.search(f"{one.get('class') or ''} {one.get('id') or ''}") for one in elements)


def _elements(root: html.HtmlElement, shows: Callable[[etree._Element], bool]) -> list[etree._Element]:
    return list(islice(filter(shows, root.iter(etree.Element)), _MAX_ELEMENTS))


def _shows_author(element: etree._Element) -> bool:
    role = element.get("itemprop")
    if role is not None:
        # If the author element contains a name, use the name: the rest is often a portrait, a town and
        # points.
        if role == "author":
            return next((True for inner in element.iter() if inner.get("itemprop") == "name"), None) is None
        if role == "name":
            return any(outer.get("itemprop") == "author" for outer in element.iterancestors())
    return _BYLINE.search(element.get("class") or "") is not None


def _shows_date(element: etree._Element) -> bool:
    if element.get("itemprop") == "datePublished":
        return True
    if element.tag == "time" and (element.get("datetime") or element.get("pubdate") is not None):
        return True
    return _DATE_NAME.search(element.get("class") or "") is not None


def _shows_change(element: etree._Element) -> bool:
    return element.get("itemprop") == "dateModified" or (
        element.tag == "time" and "updated" in (element.get("class") or "")
    )


def _shown_day(element: etree._Element) -> str:
    return element.get("datetime") or element.get("content") or line(" ".join(element.itertext()), 60)


def _english_day(text: str) -> str:
    match = _ENGLISH_DAY.search(text)
    if match is None or not (number := match[1] or match[3]):
        return ""
    return f"{match[4]}-{_MONTHS.index(match[2][:3].lower()) + 1:02d}-{int(number):02d}"
