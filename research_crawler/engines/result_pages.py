"""Organic results of a search engine's page, read without knowing the engine.

A results page repeats one kind of block: a heading that links to another site, and a text below it. The list is
the element most of whose children are such blocks; a class that nearly all of them share finds those that stand
elsewhere and keeps out answer boxes among them. Advertisements are known by their links and labels. Engines
change their class names often, so none is named here.
"""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree
from lxml import html as lxml_html

from research_crawler.core.urls import dedupe_key
from research_crawler.engines.redirects import target_of_link

Element = Any
"""lxml has no types."""

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4"})
UNSHOWN: Final = frozenset(
    {"script", "style", "template", "svg", "noscript", "head", "iframe", "button", "select"}
)
BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "h1", "h2",
        "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "section", "table", "tbody", "td",
        "th", "tr", "ul", "cite",
    }
)  # fmt: skip
"""Tags that begin a new line of text; `cite` is where engines show the address."""
AD_TOKEN: Final = re.compile(r"(?:^|[-_])(?:ads?|advert\w*|sponsored|promoted)(?:$|[-_])", re.I)
AD_LABELS: Final = frozenset(
    {
        "ad", "ads", "advertisement", "sponsored", "promoted", "anzeige", "anzeigen", "gesponsert", "annonce",
        "annonces", "publicité", "sponsorisé", "anuncio", "anuncios", "patrocinado", "annuncio", "sponsorizzato",
        "advertentie", "gesponsord", "reklama", "sponsrad", "реклама", "広告", "광고", "广告",
    }
)  # fmt: skip
ADDRESS: Final = re.compile(
    r"^(?:https?://|www\.)\S*|^[\w-]+(?:\.[\w-]+)+(?:/\S*|\s*[›»>].*)?$|^.{0,60}\s›\s", re.I
)
"""An address or a breadcrumb, as engines show it beside a title."""
TITLE_TOKEN: Final = re.compile(r"(?:^|[\s_-])title(?:$|[\s_-])", re.I)
SIBLINGS_READ: Final = 3
"""Engines of tables and of plain paragraphs put the text beside the title, not below it."""
LEAST_BLOCKS: Final = 2
COMMON_SHARE: Final = 0.7
"""A class that this share of the blocks has is the mark of a result."""
LEAST_SNIPPET_CHARS: Final = 25
LEAST_TITLE_CHARS: Final = 2


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
    """The organic results of a results page in its order, each page once; [] where there is no list of results.

    Args:
        html: the page as served or as a browser shows it.
        page_url: its address; links of its own site are opened or left out.
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
        if not isinstance(element.tag, str) or element.tag in UNSHOWN or _is_hidden(element):
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
    """A comment, whose tail moves to what stands before it."""
    tail, before, parent = element.tail, element.getprevious(), element.getparent()
    if tail:
        if before is not None:
            before.tail = (before.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
        element.tail = None
    return element


def _links(tree: Element, page_url: str) -> Iterator[_Link]:
    """Links to pages that are no other search, with the heading inside or around each, or themselves."""
    for element in tree.iter("a"):
        url = target_of_link(element.get("href") or "", page_url)
        if not url or _is_ad(element):
            continue
        around = (one for one in (*element.iter(), *element.iterancestors()) if _is_heading(one))
        heading = next(around, element)
        if len(_text(heading)) >= LEAST_TITLE_CHARS:
            yield _Link(element, heading, url)


def _is_heading(element: Element) -> bool:
    return element.tag in HEADINGS or element.get("role") == "heading"


def _is_ad(element: Element) -> bool:
    for one in (element, *element.iterancestors()):
        tokens = (*(one.get("class") or "").split(), one.get("id") or "")
        if one.tag not in ("body", "html") and any(AD_TOKEN.search(token) for token in tokens):
            return True
    return False


def _blocks(links: Sequence[_Link]) -> list[tuple[Element, _Link]]:
    """Blocks of the list of results with the link that heads each, in the page's order."""
    best: list[tuple[Element, _Link]] = []
    for tag in dict.fromkeys(link.heading.tag for link in links):
        heads = [link for link in links if link.heading.tag == tag]
        found = _children_of_list(heads)
        if (len(found), _text_length(found)) > (len(best), _text_length(best)):
            best = _of_one_kind(found, heads)
    return [(block, link) for block, link in best if not _is_labelled(block)]


def _children_of_list(links: Sequence[_Link]) -> list[tuple[Element, _Link]]:
    """The children of the element that has most children with a heading link."""
    children: dict[Element, dict[Element, _Link]] = {}
    for link in links:
        child = link.element
        for ancestor in link.element.iterancestors():
            children.setdefault(ancestor, {}).setdefault(child, link)
            child = ancestor
    return list(
        max(children.values(), key=lambda heads: (len(heads), _text_length(list(heads.items())))).items()
    )


def _of_one_kind(
    found: Sequence[tuple[Element, _Link]], links: Sequence[_Link]
) -> list[tuple[Element, _Link]]:
    """The blocks with the class that nearly all share, wherever they stand; all found where there is none."""
    counts = Counter(
        (block.tag, token) for block, _ in found for token in set((block.get("class") or "").split())
    )
    marks = {mark for mark, count in counts.items() if count >= max(3, COMMON_SHARE * len(found))}
    if not marks:
        return list(found)
    marked: dict[Element, _Link] = {}
    for link in links:
        around = [one for one in link.element.iterancestors() if _marks(one) & marks]
        if around:
            marked.setdefault(around[-1], link)
    return list(marked.items())


def _marks(element: Element) -> set[tuple[str, str]]:
    return {(element.tag, token) for token in (element.get("class") or "").split()}


def _text_length(blocks: Iterable[tuple[Element, _Link]]) -> int:
    return sum(len(_text(block)) for block, _ in blocks)


def _is_labelled(block: Element) -> bool:
    """Whether the block says that somebody paid for it."""
    return any(
        line.casefold().strip(" ·:.") in AD_LABELS
        for line in (one for element in block.iter() for one in (element.text, element.tail) if one)
    )


def _rows(blocks: Sequence[tuple[Element, _Link]]) -> list[OrganicResult]:
    """Blocks read: title, and the text of the block or of what follows it before the next one."""
    heads = {block for block, _ in blocks}
    rows = []
    for block, link in blocks:
        following = itertools.takewhile(lambda one: one not in heads, block.itersiblings())
        parts = itertools.chain([block], itertools.islice(following, SIBLINGS_READ))
        snippet = next((text for part in parts if (text := _snippet(part, link))), "")
        title = _title(link.heading)
        if len(title) >= LEAST_TITLE_CHARS:
            rows.append(OrganicResult(link.url, title, snippet))
    return rows


def _rows_without_headings(links: Sequence[_Link]) -> list[OrganicResult]:
    """Results of a page that marks no headings: the largest set of links of one make that text belongs to."""
    sets: dict[tuple[str, ...], list[_Link]] = {}
    for link in links:
        if not ADDRESS.match(_title(link.element)):
            sets.setdefault(_make(link.element), []).append(link)
    best: list[OrganicResult] = []
    for alike in sets.values():
        rows = _rows(_blocks(alike)) if len({link.url for link in alike}) > LEAST_BLOCKS else []
        described = sum(bool(row.snippet) for row in rows)
        if described > len(rows) / 2 and described > sum(bool(row.snippet) for row in best):
            best = rows
    return best


def _make(element: Element) -> tuple[str, ...]:
    """How a link is built in: its classes and the tags above it."""
    return (element.get("class") or "", *(one.tag for one in element.iterancestors()))


def _title(element: Element) -> str:
    """The text of a heading or link without the site's name and address that some engines write into it."""
    lines = list(_lines(element))
    named = [line for line in lines if not ADDRESS.match(line)]
    if len(lines) < 2 or not named:
        return " ".join(lines)
    marked = next((one for one in element.iter() if TITLE_TOKEN.search(one.get("class") or "")), None)
    return _text(marked) if marked is not None and marked is not element else max(named, key=len)


def _snippet(part: Element, link: _Link) -> str:
    """The longest line of a part that is neither the title, an address, nor made of other links."""
    inside = {*link.heading.iter(), *link.element.iter()}
    lines = (line for line in _lines(part, skip=inside) if not ADDRESS.match(line))
    longest = max(lines, key=len, default="")
    return longest if len(longest) >= LEAST_SNIPPET_CHARS else ""


def _lines(element: Element, *, skip: Collection[Element] = ()) -> Iterator[str]:
    """Lines of shown text without what is skipped; with something to skip, short links count as controls."""
    parts = [""]

    def walk(one: Element) -> None:
        is_control = bool(skip) and one.tag == "a" and len(_text(one)) < LEAST_SNIPPET_CHARS
        if one.tag in BLOCKS or one in skip:
            parts.append("")
        if not is_control and one not in skip:
            parts[-1] += one.text or ""
            for child in one:
                walk(child)
                parts[-1] += child.tail or ""
        if one.tag in BLOCKS:
            parts.append("")

    walk(element)
    for part in parts:
        if line := " ".join(part.split()):
            yield line


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
