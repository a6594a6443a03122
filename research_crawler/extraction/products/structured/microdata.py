"""Structured data: reads microdata and RDFa Lite into the shape of JSON-LD.

Microdata follows https://html.spec.whatwg.org/multipage/microdata.html, RDFa Lite follows
https://www.w3.org/TR/rdfa-lite/. Of a vocabulary's names, only the last part counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree, html

from research_crawler.core.models.offers.products import ExtractionSource
from research_crawler.extraction.products.structured.mentions import Item, RawItem

_MAX_PROPERTIES = 5_000
"""Most marked elements of a page that are read."""
_MAX_TEXT = 2_000
"""Longest value of a property."""
_NAMES = frozenset(["brand", "manufacturer", "name", "sku", "mpn", "model"])
"""Properties whose value is a name. On a link, its text is read, although the specifications say that its URL
counts."""
_STATES = frozenset(["availability", "itemCondition"])
"""Properties whose value is a word of schema.org. On any element, `href` has it rather than the text for readers."""


@dataclass(frozen=True, slots=True)
class _Syntax:
    """The attributes by which a markup language marks items."""

    source: ExtractionSource
    scope: str
    type: str
    property: str


_MICRODATA = _Syntax("microdata", "itemscope", "itemtype", "itemprop")
_RDFA = _Syntax("rdfa", "typeof", "typeof", "property")


def read_microdata(root: html.HtmlElement, marked: Sequence[html.HtmlElement]) -> Iterator[RawItem]:
    """The outermost microdata items. Properties outside any item form one item without a type.

    Args:
        root: the tree of the page.
        marked: its elements with `itemscope` or `itemprop`, in order.
    """
    return _read(root, _MICRODATA, marked[:_MAX_PROPERTIES])


def read_rdfa(root: html.HtmlElement, marked: Sequence[html.HtmlElement]) -> Iterator[RawItem]:
    """The outermost RDFa items of the body, from its elements with `typeof` or `property`, in order."""
    return _read(root, _RDFA, marked[:_MAX_PROPERTIES])


def _read(root: html.HtmlElement, syntax: _Syntax, marked: Sequence[html.HtmlElement]) -> Iterator[RawItem]:
    if not marked:
        return
    items: dict[Any, Item] = {}
    outermost: list[tuple[Any, Item]] = []
    loose: Item = {}
    for element in marked:
        holder = _holder(element, items)
        value = _value(element, syntax, items)
        names = (element.get(syntax.property) or "").split()
        if holder is None and isinstance(value, dict):
            outermost.append((element, value))
        for name in names:
            into = loose if holder is None else items[holder]
            if not (holder is None and isinstance(value, dict)):
                into.setdefault(_local(name), []).append(value)
    _add_referenced(root, items)
    for element, item in outermost:
        yield RawItem(source=syntax.source, path=_path(element), data=item, element=element)
    if loose:
        yield RawItem(
            source=syntax.source,
            path=f"[{syntax.property}]",
            data=loose,
            element=_first_price(marked, syntax),
        )


def _holder(element: html.HtmlElement, items: dict[Any, Item]) -> html.HtmlElement | None:
    if not items:
        return None
    return next((one for one in element.iterancestors() if one in items), None)


def _value(element: html.HtmlElement, syntax: _Syntax, items: dict[Any, Item]) -> Any:
    if element.get(syntax.scope) is not None:
        types = [_local(one) for one in (element.get(syntax.type) or "").split()]
        items[element] = {"@type": types}
        return items[element]
    for name in ("content", "value") if element.tag in ("data", "meter", "input") else ("content",):
        if (written := element.get(name)) is not None:
            return written.strip()
    if (link := element.get("href")) and _STATES & set(
        map(_local, (element.get(syntax.property) or "").split())
    ):
        return link.strip()
    if element.tag == "a" and _NAMES & set((element.get(syntax.property) or "").split()):
        return _text(element) or (element.get("href") or "").strip()
    if element.tag in ("a", "link", "area"):
        return (element.get("href") or "").strip()
    if element.tag in ("img", "source", "iframe", "video", "audio"):
        return (element.get("src") or "").strip()
    if element.tag == "time" and element.get("datetime"):
        return element.get("datetime")
    return _text(element)


def _text(element: html.HtmlElement) -> str:
    return " ".join("".join(element.itertext())[:_MAX_TEXT].split())


def _add_referenced(root: html.HtmlElement, items: dict[Any, Item]) -> None:
    """Add the properties outside an item that it names by `itemref`."""
    for element, item in list(items.items()):
        for name in (element.get("itemref") or "").split():
            for target in root.xpath("//*[@id=$name]", name=name)[:1]:
                for inner in target.iter(etree.Element):
                    if inner.get("itemprop") and _holder(inner, items) is None:
                        for prop in inner.get("itemprop").split():
                            item.setdefault(_local(prop), []).append(_value(inner, _MICRODATA, items))


def _first_price(marked: Sequence[html.HtmlElement], syntax: _Syntax) -> html.HtmlElement | None:
    return next((one for one in marked if "price" in (one.get(syntax.property) or "").lower()), None)


def _local(name: str) -> str:
    """The last part of a name: "Product" of "http://schema.org/Product", "name" of "gr:name"."""
    return name.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1].rsplit(":", 1)[-1]


def _path(element: html.HtmlElement) -> str:
    return str(element.getroottree().getpath(element))
