"""The layout of a page as arrays: the parents of elements, the words in their names, repeated siblings."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from research_crawler.extraction.html.tree import FOLDED

Floats = NDArray[np.float32]
Indices = NDArray[np.intp]

WORD_GROUPS: dict[str, str] = {
    "content": "content contents article entry body text main story prose markdown rich richtext copy rte wysiwyg md",
    "post": "post message comment reply thread answer question topic discussion msg bbcode",
    "review": "review rating testimonial feedback stars",
    "item": "product item card tile listing result teaser grid row record cell col",
    "list": "list items products results collection catalog feed cards",
    "detail": "description desc detail spec feature summary overview about intro lead excerpt info dek standfirst",
    "title": "title heading headline name subject h1 subtitle",
    "price": "price amount cost sale discount money",
    "panel": "accordion faq tab collapse collapsible panel expand toggle answer",
    "code": "code highlight pre snippet language syntax",
    "nav": "nav navigation menu navbar submenu sitemap",
    "crumb": "breadcrumb crumb breadcrumbs",
    "pager": "pagination pager paging next prev previous page",
    "toc": "toc tableofcontents contents index outline",
    "footer": "footer copyright legal bottom colophon",
    "header": "header masthead topbar toolbar top",
    "hero": "hero banner jumbotron splash",
    "side": "sidebar aside rail widget secondary complementary side left right",
    "related": "related recommend recommended recommendation similar suggest suggested suggestion upsell crosssell"
    " also more trending popular recent latest",
    "slider": "carousel slider swiper slide slick gallery",
    "social": "share social follow sharing facebook twitter",
    "ad": "ad ads advert advertisement promo sponsor sponsored promotion",
    "signup": "newsletter subscribe signup email form login register cta",
    "overlay": "modal popup dialog overlay cookie consent gdpr toast alert notice notification drawer",
    "author": "author byline avatar user profile username member",
    "time": "date time timestamp published datetime posted",
    "tags": "tag category label badge topic keyword chip",
    "votes": "vote score like count view reaction helpful stat stats",
    "action": "button btn action control cart wishlist buy add quantity qty link",
    "filter": "filter sort facet refine search swatch variant option",
    "shop": "shipping delivery returns payment checkout stock availability sku",
    "media": "caption figure image img media video player photo picture credit",
    "signature": "signature sig",
    "quote": "quote blockquote bbcodeblock quoted",
    "wrap": "container wrapper wrap section block",
}
TAGS = [
    "nav", "header", "footer", "aside", "form", "main", "article", "section", "li", "table", "a", "label", "figure",
    "figcaption", "blockquote", "dl", "details", "p", "span", "h1", "h2", "h3", "time", "button", "address",
]  # fmt: skip
_ROLES = {
    "navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "main": "main",
    "article": "article", "search": "form", "menu": "nav", "menubar": "nav",
}  # fmt: skip
_GROUP_OF = {word: index for index, words in enumerate(WORD_GROUPS.values()) for word in words.split()}
_TAG_BITS = {tag: 1 << (len(WORD_GROUPS) + index) for index, tag in enumerate(TAGS)}
_FOLDED_BIT = 1 << (len(WORD_GROUPS) + len(TAGS))
"""The bit of an element whose text is folded away."""
BITS = [*WORD_GROUPS, *(f"<{tag}>" for tag in TAGS), "folded"]
_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(
    r"(?<![\d_-])[\d_]*+-[\d_-]*+\w*+$"  # from the last hyphen on
    r"|(?<![\w-])([^\W\d_]*+)[\d_]\w*+$"  # without a hyphen: from the first digit of the last word on
    r"|\d++"
)
_NAMING = {"class", "id", "itemprop", "data-testid", "data-test", "data-component", "aria-label"}


@lru_cache(maxsize=20_000)
def class_words(names: str) -> tuple[str, ...]:
    """The lower-case, singular words in class names and ids: comment, list, body in "CommentLists_body"."""
    words = dict.fromkeys(match.lower() for match in _NAME.findall(names[:300]))
    return tuple(word[:-1] if word[-1] == "s" and len(word) > 3 else word for word in words if len(word) > 1)


@lru_cache(maxsize=20_000)
def _bits_of(names: str) -> int:
    bits = 0
    for match in _NAME.findall(names[:300]):
        word = match.lower()
        index = _GROUP_OF.get(word)
        if index is None and word[-1] == "s":
            index = _GROUP_OF.get(word[:-1])
        if index is not None:
            bits |= 1 << index
    return bits


@lru_cache(maxsize=20_000)
def template_name(tag: str, names: str) -> tuple[str, str]:
    """An element's tag and class without digits: equal for elements of the same template."""
    return tag, _DIGITS.sub(r"\1", names)


@dataclass(slots=True)
class PageLayout:
    """The elements of a page that hold text, in document order. Index 0 is the root."""

    size: int
    """How many elements the page has, including those without text."""
    elements: list[etree._Element]
    parent: Indices
    bits: list[int]
    """For each element the BITS of its own names, tag and role."""
    names: list[int]
    """For each element a number for its tag and class without digits: equal for elements of the same
    template."""
    index_of: dict[etree._Element, int]
    named: list[str]
    """For each element its class, id and itemprop."""
    above: list[int] = field(default_factory=list)
    """For each element the bits of itself and all its ancestors."""
    near: list[int] = field(default_factory=list)
    """For each element the bits of itself and the two elements above it."""


def lay_out(root: etree._Element, origins: Iterable[etree._Element | None]) -> PageLayout:
    """The layout of a tree without hidden elements.

    Args:
        origins: the elements that hold the blocks. Only they and their ancestors are part of the layout
            (about half of the elements of a real page).
    """
    all_elements = list(root.iter(etree.Element))
    holding = _with_ancestors(root, origins)
    elements = [element for element in all_elements if element in holding]
    index_of = {element: index for index, element in enumerate(elements)}
    bits: list[int] = []
    names: list[int] = []
    named: list[str] = []
    above: list[int] = []
    near: list[int] = []
    ups: list[int] = []
    known: dict[tuple[str, str], int] = {}
    for index, element in enumerate(elements):
        over = element.getparent()
        up = index_of.get(over, 0) if over is not None else 0
        ups.append(up)
        own = own_bits(element)
        bits.append(own)
        above.append(own | above[up] if index else own)
        near.append(own | bits[up] | bits[ups[up]] if index else own)
        name = element.get("class") or ""
        named.append(" ".join(filter(None, (name, element.get("id"), element.get("itemprop")))))
        key = template_name(element.tag, name)
        names.append(known.setdefault(key, len(known)))
    return PageLayout(
        len(all_elements), elements, np.array(ups, dtype=np.intp), bits, names, index_of, named, above, near
    )


def _with_ancestors(
    root: etree._Element, origins: Iterable[etree._Element | None]
) -> set[etree._Element | None]:
    found: set[etree._Element | None] = {root}
    for origin in origins:
        element = origin
        while element is not None and element not in found:
            found.add(element)
            element = element.getparent()
    return found


def own_bits(element: etree._Element) -> int:
    """The BITS of an element's own names, tag and role."""
    bits = _TAG_BITS.get(element.tag, 0)
    for name, value in element.items():
        if name in _NAMING:
            bits |= _bits_of(value)
        elif name == "role" and value in _ROLES:
            bits |= _TAG_BITS[_ROLES[value]]
        elif name == FOLDED:
            bits |= _FOLDED_BIT
    return bits


def unpack(bits: Sequence[int]) -> Floats:
    """Unpack bits into rows of zeros and ones, with a column for each of BITS."""
    size = (len(BITS) + 7) // 8
    raw = np.frombuffer(b"".join(number.to_bytes(size, "little") for number in bits), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, size), axis=1, bitorder="little")[:, : len(BITS)].astype(np.float32)


def sums_below(layout: PageLayout, origins: Indices, values: Floats) -> Floats:
    """For each element, the sums of the values of all blocks in it. `values` has a row for each block."""
    sums = np.zeros((len(layout.elements), values.shape[1]), dtype=np.float32)
    np.add.at(sums, origins, values)
    rows, parent = sums.tolist(), layout.parent.tolist()
    columns = range(values.shape[1])
    for index in range(len(rows) - 1, 0, -1):
        own = rows[index]
        if own[0]:
            over = rows[parent[index]]
            for column in columns:
                over[column] += own[column]
    return np.array(rows, dtype=np.float32)


def group_siblings(layout: PageLayout, filled: Iterable[bool]) -> tuple[Indices, list[tuple[int, int]]]:
    """Group the siblings of one template that hold text.

    Returns:
        the number of each element's group, and the key (parent, template) of each group.
    """
    known: dict[tuple[int, int], int] = {}
    groups = np.zeros(len(layout.elements), dtype=np.intp)
    parent = layout.parent.tolist()
    for index, is_filled in enumerate(filled):
        key = (parent[index], layout.names[index] if is_filled else -1)
        groups[index] = known.setdefault(key, len(known))
    return groups, list(known)


def count_equal(values: Sequence[object]) -> Floats:
    """For each value, how often it occurs."""
    counts = Counter(values)
    return np.array([counts[value] for value in values], dtype=np.float32)
