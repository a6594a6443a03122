"""Reads what a page states about itself: title, author, dates, language, URL, permissions and links."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import py3langid
import tldextract
from lxml import etree, html

from research_crawler.core.models.web.pages import MAX_LINKS, Link
from research_crawler.core.web.urls import canonical_url, host_of
from research_crawler.extraction.metadata.page_names import (
    line,
    read_author,
    read_declared,
    read_modified,
    read_published,
    read_site,
    read_title,
)

_SURROUNDINGS = ("nav", "footer", "header", "aside")
_MAIN_TEXT_CHARS = 100_000
"""So much of the main text says which links stand in it."""
_MAX_META = 80
"""Most meta elements that are read."""
_MAX_VALUE = 1_000
"""Longest description of a page."""
_MAX_ANCHOR = 200
"""Longest text of a link."""
_META_NAMES = re.compile(
    r"^(og|article|product|book|profile|video|music|twitter|dc|dcterms|citation|geo)[:._]|^(keywords|description|author|"
    r"date|pubdate|generator|news_keywords|robots|application-name)$"
)
_LANGUAGE = re.compile(r"^\s*([a-z]{2,3})(?:[-_][a-z0-9-]+)?\s*(?:,|$)", re.I)
_LANGUAGE_ATTRIBUTES = etree.XPath(
    "//meta[translate(@http-equiv, 'CLANGUET', 'clanguet') = 'content-language']/@content"
    " | //body/@lang | //meta[@property = 'og:locale']/@content"
)
_RULES_OF_BOT = re.compile(r"^([\w.*-]+)\s*:\s*(.*)$")
_OWN_NAMES = {"*", "robots", "research-crawler"}
_VALUED_RULES = {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}
_DETECTED_CHARS = 1_000
"""So much of a text tells its language: of 912 saved pages one has another than by 4,000 characters."""
_MIN_TEXT_FOR_LANGUAGE = 20
"""With fewer letters at its beginning, a page's language is not read from its text."""
_site_of = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
"""Uses the suffix list that is packaged with the library, so nothing is fetched."""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The facts in a page's head and markup, read before any element is removed from the tree."""

    title: str
    author: str
    published: str
    modified: str
    site: str
    description: str
    canonical: str
    metadata: dict[str, Any]
    noarchive: bool
    nosnippet: bool
    declared: list[dict[str, Any]]
    """The nodes of the page's JSON-LD."""


def read_facts(root: html.HtmlElement, url: str, headers: Mapping[str, str]) -> PageFacts:
    """Read the facts of an HTML page. Each of them may be empty. `url` is the page's own URL."""
    meta = read_meta(root)
    declared = read_declared(root)
    rules = robots_rules(headers, meta.get("robots", ""), meta.get("research-crawler", ""))
    return PageFacts(
        title=read_title(root, url, meta, declared),
        author=read_author(root, meta, declared),
        published=read_published(root, url, meta, declared),
        modified=read_modified(root, meta, declared),
        site=read_site(meta, declared),
        description=line(meta.get("description") or meta.get("og:description"), _MAX_VALUE),
        canonical=_canonical(root, url),
        metadata={name: text for name, text in meta.items() if _META_NAMES.match(name)},
        noarchive="noarchive" in rules,
        nosnippet="nosnippet" in rules,
        declared=declared,
    )


def read_language(root: html.HtmlElement | None, headers: Mapping[str, str], text: str) -> str:
    """The primary language tag: the declared one, else the detected one; "" if there is too little text."""
    declared = []
    if root is not None:
        declared += [
            root.get("lang"),
            root.get("xml:lang"),
            root.get("{http://www.w3.org/XML/1998/namespace}lang"),
        ]
        declared += _LANGUAGE_ATTRIBUTES(root)
    for value in (*declared, headers.get("content-language")):
        match = _LANGUAGE.match(value or "")
        if match:
            return match[1].lower()
    if sum(map(str.isalpha, text[:200])) < _MIN_TEXT_FOR_LANGUAGE:
        return ""
    return str(py3langid.classify(text[:_DETECTED_CHARS])[0])


def robots_rules(headers: Mapping[str, str], *metas: str) -> set[str]:
    """The names of the indexing rules for this crawler, from `X-Robots-Tag` and robots meta elements.

    A rule may apply to one crawler only ("otherbot: noarchive"). `max-snippet: 0` is the same as `nosnippet`
    (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
    """
    rules: set[str] = set()
    for source in (headers.get("x-robots-tag", ""), *metas):
        for_us = True
        for piece in source.lower().replace("\n", ",").split(","):
            rule = piece.strip()
            named = _RULES_OF_BOT.match(rule)
            if named and named[1] not in _VALUED_RULES:
                for_us, rule = named[1] in _OWN_NAMES, named[2].strip()
            if for_us and rule:
                rules.add("nosnippet" if re.fullmatch(r"max-snippet\s*:\s*0", rule) else rule)
    return rules


def read_links(root: html.HtmlElement, url: str, main_text: str = "") -> list[Link]:
    """The page's http(s) links as canonical URLs, each once, main text first; at most MAX_LINKS."""
    base, own = _base(root, url), canonical_url(url)
    around = {anchor for part in root.iter(*_SURROUNDINGS) for anchor in part.iter("a")}
    text = " ".join(main_text[:_MAIN_TEXT_CHARS].split())
    anchors = [(element not in around and _is_within(element, text), element) for element in _anchors(root)]
    texts: dict[str, str] = {}
    known: dict[str, str | None] = {}
    for _, element in sorted(anchors, key=lambda pair: not pair[0]):
        href = element.get("href")
        if href not in known:
            known[href] = canonical_url(href, base)
        target = known[href]
        if target and target != own and not texts.get(target):
            texts[target] = _anchor(element)
        if len(texts) >= MAX_LINKS:
            break
    return [Link(url=target, text=anchor) for target, anchor in texts.items()]


def is_same_site(url: str, other: str) -> bool:
    """Whether two URLs belong to the same registered domain (or to the same host, if it has none)."""
    first, second = host_of(url), host_of(other)
    if first == second:
        return True
    domain = _site_of(first).top_domain_under_public_suffix
    return bool(domain) and domain == _site_of(second).top_domain_under_public_suffix


def read_meta(root: html.HtmlElement) -> dict[str, str]:
    """The contents of the page's meta elements by lower-case name; the first element of a name wins."""
    found: dict[str, str] = {}
    for element in root.iter("meta"):
        name = (element.get("property") or element.get("name") or "").strip().lower()[:100]
        content = line(element.get("content"), _MAX_VALUE)
        if name and content and len(found) < _MAX_META:
            if name in ("robots", "research-crawler") and name in found:
                found[name] += f", {content}"
            found.setdefault(name, content)
    return found


def _canonical(root: html.HtmlElement, url: str) -> str:
    for element in root.iter("link"):
        if "canonical" in (element.get("rel") or "").lower().split():
            target = canonical_url(element.get("href") or "", _base(root, url))
            return target if target and is_same_site(target, url) else ""
    return ""


def _base(root: html.HtmlElement, url: str) -> str:
    element = next(root.iter("base"), None)
    href = element.get("href") if element is not None else None
    try:
        return urljoin(url, href.strip()) if href else url
    except ValueError:
        return url


def _anchors(root: html.HtmlElement) -> list[etree._Element]:
    """The links that lead to other pages."""
    return [link for link in root.iter("a", "area") if (link.get("href") or "#")[0] != "#"]


def _is_within(element: etree._Element, text: str) -> bool:
    words = " ".join("".join(element.itertext()).split())
    return len(words) > 2 and words in text


def _anchor(element: etree._Element) -> str:
    text = line(" ".join(element.itertext()), _MAX_ANCHOR)
    if text:
        return _named(text, line(element.get("title"), _MAX_ANCHOR))
    alts = (line(image.get("alt"), _MAX_ANCHOR) for image in element.iter("img"))
    return next(filter(None, alts), "") or line(
        element.get("title") or element.get("aria-label"), _MAX_ANCHOR
    )


def _named(text: str, title: str) -> str:
    """The title of a link whose text is only the number of it: of `Section 14.1` it is `14.1. Using EXPLAIN`."""
    number = text.rpartition(" ")[2]
    is_number = any(map(str.isdigit, number)) and title.startswith(f"{number}. ")
    return title if is_number or title.startswith(f"{text}. ") else text
