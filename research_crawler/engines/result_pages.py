"""Reads the organic results of a search engine's page without knowing the engine.

A results page repeats one kind of block: a heading that links to another site, and a text below it. The list
of results is the element with the most children of this kind. A class that nearly all of these blocks share
leads to results in other places and excludes answer boxes. Advertisements are recognised by their links and
labels. Engines change their class names often, so this module names none.
"""

import base64
import binascii
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from lxml import etree
from lxml import html as lxml_html

from research_crawler.core.web.urls import canonical_url, dedupe_key, site_of

Element = Any
"""lxml has no types."""

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4"})
INVISIBLE: Final = frozenset(
    {"script", "style", "template", "svg", "noscript", "head", "iframe", "button", "select"}
)
BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "h1", "h2",
        "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "section", "table", "tbody", "td",
        "th", "tr", "ul", "cite",
    }
)  # fmt: skip
"""Tags that begin a new line of text. Engines show the address in `cite`."""
AD_TOKEN: Final = re.compile(r"(?:^|[-_])(?:ads?|advert\w*|sponsored|promoted)(?:$|[-_])", re.I)
AD_LABELS: Final = frozenset(
    {
        "ad", "ads", "advertisement", "sponsored", "promoted", "anzeige", "anzeigen", "gesponsert", "annonce",
        "annonces", "publicité", "sponsorisé", "anuncio", "anuncios", "patrocinado", "annuncio", "sponsorizzato",
        "advertentie", "gesponsord", "reklama",
    }
)  # fmt: skip
ADDRESS: Final = re.compile(
    r"^(?:https?://|www\.)\S*|^[\w-]+(?:\.[\w-]+)+(?:/\S*|\s*[›»>].*)?$|^.{0,60}\s›\s", re.I
)
"""An address or a breadcrumb, as engines show them beside a title."""
TITLE_TOKEN: Final = re.compile(r"(?:^|[\s_-])title(?:$|[\s_-])", re.I)
SIBLINGS_READ: Final = 3
"""How many following siblings may hold the text: some engines put it beside the title, not inside its
block."""
LEAST_BLOCKS: Final = 2
"""With fewer repeated blocks, a page is no page of results."""
COMMON_SHARE: Final = 0.7
"""A class that at least this share of the blocks has marks a result."""
LEAST_SNIPPET_CHARS: Final = 25
"""A shorter text is no snippet."""
LEAST_TITLE_CHARS: Final = 2
"""A shorter heading is no title."""
AD_PATH = re.compile(r"/(aclick|aclk|y\.js|pagead|adclick|ads?|adsct)(?=[/?]|$)", re.I)
"""Click-counting addresses of advertisements (Bing, Google, DuckDuckGo)."""
QUERY_NAMES = frozenset({"q", "query", "p", "text", "search", "wd"})
"""Arguments that hold the words of a search. A link with one, on the engine's own site, searches again."""
BASE64 = re.compile(r"[\w+/-]{8,}={0,2}", re.ASCII)
PATH_TARGET = re.compile(r"/RU=([^/]+)")
"""Yahoo puts the target into the path."""


@dataclass(frozen=True)
class OrganicResult:
    """One organic result."""

    url: str
    title: str
    snippet: str


@dataclass(frozen=True)
class _Link:
    """A link that may head a result."""

    element: Element
    heading: Element
    url: str


def organic_results(html: str, page_url: str) -> list[OrganicResult]:
    """The organic results of a results page in page order, each URL once; [] if the page has no list of
    results.

    Args:
        html: the page as served or as a browser renders it.
        page_url: address of the page. Redirects of its own site are resolved; its other own links are left
            out.
    """
    tree = _parsed(html)
    if tree is None:
        return []
    links = list(_links(tree, page_url))
    rows = _rows(_blocks([link for link in links if link.heading is not link.element]))
    if len(rows) < LEAST_BLOCKS:
        rows = _rows_without_headings([link for link in links if link.heading is link.element])
    return list({dedupe_key(row.url): row for row in reversed(rows)}.values())[::-1]


def _parsed(html: str) -> Element | None:
    try:
        tree = lxml_html.document_fromstring(html.encode(), parser=lxml_html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return None
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element.tag in INVISIBLE or _is_hidden(element):
            _drop(element)
    return tree


def _is_hidden(element: Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style


def _drop(element: Element) -> None:
    parent = element.getparent()
    if parent is not None and element.tag not in ("html", "body"):
        element.drop_tree() if isinstance(element.tag, str) else parent.remove(_without_tail(element))


def _without_tail(element: Element) -> Element:
    """A comment whose tail has been moved to the element before it."""
    tail, before, parent = element.tail, element.getprevious(), element.getparent()
    if tail:
        if before is not None:
            before.tail = (before.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
        element.tail = None
    return element


def _links(tree: Element, page_url: str) -> Iterator[_Link]:
    """Links to result pages, each with the heading inside or around it; a link without one is its own
    heading."""
    for element in tree.iter("a"):
        url = target_of_link(element.get("href") or "", page_url)
        if not url or _is_ad(element):
            continue
        candidates = (other for other in (*element.iter(), *element.iterancestors()) if _is_heading(other))
        heading = next(candidates, element)
        if len(_text(heading)) >= LEAST_TITLE_CHARS:
            yield _Link(element, heading, url)


def _is_heading(element: Element) -> bool:
    return element.tag in HEADINGS or element.get("role") == "heading"


def _is_ad(element: Element) -> bool:
    for other in (element, *element.iterancestors()):
        tokens = (*(other.get("class") or "").split(), other.get("id") or "")
        if other.tag not in ("body", "html") and any(AD_TOKEN.search(token) for token in tokens):
            return True
    return False


def _blocks(links: Sequence[_Link]) -> list[tuple[Element, _Link]]:
    """The blocks of the list of results, each with the link in its heading, in page order."""
    best: list[tuple[Element, _Link]] = []
    for tag in dict.fromkeys(link.heading.tag for link in links):
        heads = [link for link in links if link.heading.tag == tag]
        found = _list_children(heads)
        if (len(found), _text_length(found)) > (len(best), _text_length(best)):
            best = _with_common_class(found, heads)
    return [(block, link) for block, link in best if not _is_labelled(block)]


def _list_children(links: Sequence[_Link]) -> list[tuple[Element, _Link]]:
    """The children of the element with the most children that contain a heading link."""
    children: dict[Element, dict[Element, _Link]] = {}
    for link in links:
        child = link.element
        for ancestor in link.element.iterancestors():
            children.setdefault(ancestor, {}).setdefault(child, link)
            child = ancestor
    return list(
        max(children.values(), key=lambda heads: (len(heads), _text_length(list(heads.items())))).items()
    )


def _with_common_class(
    blocks: Sequence[tuple[Element, _Link]], links: Sequence[_Link]
) -> list[tuple[Element, _Link]]:
    """All blocks of the page with a class that nearly all given blocks share; without one, the given
    blocks."""
    counts = Counter(
        (block.tag, token) for block, _ in blocks for token in set((block.get("class") or "").split())
    )
    marks = {mark for mark, count in counts.items() if count >= max(3, COMMON_SHARE * len(blocks))}
    if not marks:
        return list(blocks)
    marked: dict[Element, _Link] = {}
    for link in links:
        ancestors = [
            ancestor for ancestor in link.element.iterancestors() if _tagged_classes(ancestor) & marks
        ]
        if ancestors:
            marked.setdefault(ancestors[-1], link)
    return list(marked.items())


def _tagged_classes(element: Element) -> set[tuple[str, str]]:
    return {(element.tag, token) for token in (element.get("class") or "").split()}


def _text_length(blocks: Iterable[tuple[Element, _Link]]) -> int:
    return sum(len(_text(block)) for block, _ in blocks)


def _is_labelled(block: Element) -> bool:
    """Whether the block is labelled as an advertisement."""
    return any(
        line.casefold().strip(" ·:.") in AD_LABELS
        for line in (text for element in block.iter() for text in (element.text, element.tail) if text)
    )


def _rows(blocks: Sequence[tuple[Element, _Link]]) -> list[OrganicResult]:
    """Read the blocks: the title, and the text of the block or of the siblings before the next block."""
    heads = {block for block, _ in blocks}
    rows = []
    for block, link in blocks:
        following = itertools.takewhile(lambda sibling: sibling not in heads, block.itersiblings())
        parts = itertools.chain([block], itertools.islice(following, SIBLINGS_READ))
        snippet = next((text for part in parts if (text := _snippet(part, link))), "")
        title = _title(link.heading)
        if len(title) >= LEAST_TITLE_CHARS:
            rows.append(OrganicResult(link.url, title, snippet))
    return rows


def _rows_without_headings(links: Sequence[_Link]) -> list[OrganicResult]:
    """Results of a page without headings: the largest group of similarly built links that have a text."""
    groups: dict[tuple[str, ...], list[_Link]] = {}
    for link in links:
        if not ADDRESS.match(_title(link.element)):
            groups.setdefault(_build_of(link.element), []).append(link)
    best: list[OrganicResult] = []
    for group in groups.values():
        rows = _rows(_blocks(group)) if len({link.url for link in group}) > LEAST_BLOCKS else []
        described = sum(bool(row.snippet) for row in rows)
        if described > len(rows) / 2 and described > sum(bool(row.snippet) for row in best):
            best = rows
    return best


def _build_of(element: Element) -> tuple[str, ...]:
    """What similar links share: their classes and the tags above them."""
    return (element.get("class") or "", *(ancestor.tag for ancestor in element.iterancestors()))


def _title(element: Element) -> str:
    """The text of a heading or link, without the site's name and address that some engines add."""
    lines = list(_lines(element))
    named = [line for line in lines if not ADDRESS.match(line)]
    if len(lines) < 2 or not named:
        return " ".join(lines)
    marked = next(
        (descendant for descendant in element.iter() if TITLE_TOKEN.search(descendant.get("class") or "")),
        None,
    )
    return _text(marked) if marked is not None and marked is not element else max(named, key=len)


def _snippet(part: Element, link: _Link) -> str:
    """The longest line of an element that is not the title, an address or a row of links."""
    inside = {*link.heading.iter(), *link.element.iter()}
    lines = (line for line in _lines(part, skip=inside) if not ADDRESS.match(line))
    longest = max(lines, key=len, default="")
    return longest if len(longest) >= LEAST_SNIPPET_CHARS else ""


def _lines(element: Element, *, skip: Collection[Element] = ()) -> Iterator[str]:
    """Lines of visible text, without skipped elements. If there are any, short links are left out as
    controls."""
    parts = [""]

    def walk(node: Element) -> None:
        is_control = bool(skip) and node.tag == "a" and len(_text(node)) < LEAST_SNIPPET_CHARS
        if node.tag in BLOCKS or node in skip:
            parts.append("")
        if not is_control and node not in skip:
            parts[-1] += node.text or ""
            for child in node:
                walk(child)
                parts[-1] += child.tail or ""
        if node.tag in BLOCKS:
            parts.append("")

    walk(element)
    for part in parts:
        if line := " ".join(part.split()):
            yield line


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def target_of_link(href: str, page_url: str) -> str:
    """The canonical URL of the page that a result's link leads to; "" for ads, other searches and non-links.

    Args:
        href: as written in the page, possibly relative.
        page_url: address of the results page. Redirects of this site are resolved.
    """
    try:
        absolute = urljoin(page_url, href.strip())
        parts = urlsplit(absolute)
    except ValueError:
        return ""
    url = canonical_url(absolute)
    if not url or site_of(url) != site_of(page_url):
        return url
    if AD_PATH.search(parts.path):
        return ""
    wrapped = next(_targets_in(parts.path, parts.query, same_path=parts.path == urlsplit(page_url).path), "")
    if wrapped:
        return canonical_url(wrapped)
    if any(name in QUERY_NAMES for name, _ in parse_qsl(parts.query)) or _is_redirect(parts.path):
        return ""
    return url if href.strip().startswith(("http:", "https:")) else ""


def _targets_in(path: str, query: str, *, same_path: bool) -> Iterator[str]:
    """http(s) URLs inside a link: as text, or in base64, with or without two characters before it (Bing)."""
    in_path = PATH_TARGET.search(path)
    if in_path:
        yield unquote(in_path[1])
    for name, value in parse_qsl(query):
        if same_path and name in QUERY_NAMES:
            continue
        for text in (value, _decoded(value), _decoded(value[2:])):
            if text.startswith(("http://", "https://")):
                yield text


def _decoded(value: str) -> str:
    if not BASE64.fullmatch(value):
        return ""
    try:
        raw = base64.urlsafe_b64decode(value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4))
        return raw.decode()
    except (binascii.Error, ValueError):
        return ""


def _is_redirect(path: str) -> bool:
    """Whether this is a redirect without a target outside, as Bing's `/ck/a` to its own pictures and
    videos."""
    return path.startswith(("/ck/", "/url", "/l/"))
