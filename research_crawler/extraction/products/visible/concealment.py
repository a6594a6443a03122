"""Finds the elements of a page whose text no reader sees, by attributes, inline styles and its style sheets.

A page can show one price and hide another one from its readers. Style sheets in other files are not fetched,
so what only they hide counts as seen.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain, islice
from typing import NamedTuple

from lxml import etree, html

from research_crawler.extraction.products.visible.element_names import ElementNames
from research_crawler.extraction.products.visible.selectors import (
    SelectorMatcher,
    specificity_of,
)
from research_crawler.extraction.products.visible.style_sheets import (
    StyleRule,
    Verdicts,
    read_declarations,
    sheet_rules,
)

_NEVER = frozenset(["html", "head", "body", "main"])
"""What pages hide until their scripts have run. It holds everything, so it hides nothing from readers."""
_UNSEEN_TAGS = frozenset(["template", "noscript", "datalist"])
_PAGE_SHARE, _MIN_PAGE_CHARS = 0.5, 500
_STREAMED = re.compile(r"S:[0-9a-f]+")
"""The id of a segment that React streams hidden and moves into place by script."""
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_INHERITED = frozenset(["visibility", "font-size"])
"""Ways of hiding that an element inside can undo by a value of its own, as it can a colour."""


class _Sight(Enum):
    """How an element is hidden: not, for good, or until an element inside states another value."""

    SEEN = 0
    GONE = 1
    FAINT = 2


class _Rank(NamedTuple):
    """How strongly a declaration holds; the highest one wins."""

    important: bool
    inline: bool
    specificity: tuple[int, int, int]
    order: int


_Elements = dict[html.HtmlElement, dict[str, tuple[_Rank, bool]]]
"""By element and way of hiding: the declaration that holds, and whether it hides."""


def concealed_elements(root: html.HtmlElement, names: ElementNames) -> frozenset[html.HtmlElement]:
    """All elements whose own text is hidden.

    A hidden element that holds most of the page's text, or its only heading, counts as seen: pages hide it
    until their scripts have run.

    Args:
        root: the tree of the page.
        names: its elements by their names.
    """
    rules = list(sheet_rules(root))
    matcher = SelectorMatcher(root, names)
    linked = any("stylesheet" in (one.get("rel") or "").lower() for one in root.iter("link"))
    sights = _Sights(
        root, _held(rules, names, matcher), *_inks(rules, names, matcher, linked=linked), linked=linked
    )
    return sights.concealed(names)


class _Sights:
    """How the elements of a page are hidden. Only what a style or tag marks is looked at, and what is inside it."""

    def __init__(
        self,
        root: html.HtmlElement,
        styled: _Elements,
        inkless: set[html.HtmlElement],
        inked: set[html.HtmlElement],
        *,
        linked: bool,
    ) -> None:
        self._root, self._styled, self._linked = root, styled, linked
        self._inkless, self._inked = inkless, inked
        self._found: dict[html.HtmlElement, _Sight] = {}

    def concealed(self, names: ElementNames) -> frozenset[html.HtmlElement]:
        """All hidden elements."""
        marked = set(names.popovers).union(self._styled, self._inkless)
        marked = marked.union(*(names.named(tag) for tag in (*_UNSEEN_TAGS, "dialog")))
        looked: set[html.HtmlElement] = set()
        for element in names.every if marked else ():
            if element not in marked or element in looked:
                continue
            self._look(element, _Sight.SEEN)
            sight = self._found.get(element, _Sight.SEEN)
            if sight is not _Sight.SEEN:
                inside = list(element.iterdescendants(etree.Element))
                looked.update(inside)
                if sight is _Sight.GONE:
                    self._found.update(dict.fromkeys(inside, _Sight.GONE))
                else:
                    self._look_inside(inside, marked)
        return frozenset(self._found)

    def _look_inside(self, inside: Iterable[html.HtmlElement], marked: set[html.HtmlElement]) -> None:
        for inner in inside:
            above = self._found.get(inner.getparent(), _Sight.SEEN)
            if above is not _Sight.SEEN or inner in marked:
                self._look(inner, above)

    def _look(self, element: html.HtmlElement, above: _Sight) -> None:
        """Judge an element by its own style and by how the element around it is hidden."""
        ways = self._styled.get(element, {})
        if above is _Sight.GONE:
            self._found[element] = _Sight.GONE
        elif _is_gone(element, ways):
            if not _is_the_page(element, self._root):
                self._found[element] = _Sight.GONE
        elif element in self._inkless or any(ways[way][1] for way in _INHERITED if way in ways):
            if not _is_the_page(element, self._root):
                self._found[element] = _Sight.FAINT
        elif above is _Sight.FAINT and not (
            element in self._inked or _INHERITED & ways.keys() or (self._linked and element.get("class"))
        ):
            self._found[element] = _Sight.FAINT


def shown_texts(element: html.HtmlElement, concealed: frozenset[html.HtmlElement]) -> Iterator[str]:
    """The texts in an element, in order, without those of hidden elements."""
    if not concealed:
        yield from element.itertext()
        return
    if element.text and element not in concealed:
        yield element.text
    for child in element:
        yield from shown_texts(child, concealed)
        if child.tail and element not in concealed:
            yield child.tail


def _held(rules: Sequence[StyleRule], names: ElementNames, matcher: SelectorMatcher) -> _Elements:
    """The declarations about hiding that hold for the elements that any declaration hides."""
    held: _Elements = {
        element: {"display": (_Rank(False, False, (0, 0, 0), 0), True)}
        for element in names.hidden
        if element.get("hidden") != "until-found" and not _STREAMED.fullmatch(element.get("id") or "")
    }
    for rule in rules:
        if any(hides for hides, _ in rule.verdicts.values()):
            _apply(held, matcher.matching(rule.selector), rule)
    if held:
        hidden = {way for ways in held.values() for way in ways}
        touched = set(held)
        for element in names.every if _INHERITED & hidden else ():
            if element.getparent() in touched:
                touched.add(element)
        for rule in rules:
            shown = {way for way, (hides, _) in rule.verdicts.items() if not hides}
            if shown & hidden and matcher.may_match(rule.selector, touched):
                _apply(held, matcher.matching(rule.selector) & touched, rule)
    for element, style in names.styled:
        if style:
            _add(held.setdefault(element, {}), read_declarations(style)[0], (0, 0, 0), 0, inline=True)
    return held


def _apply(held: _Elements, matched: Iterable[html.HtmlElement], rule: StyleRule) -> None:
    specificity = specificity_of(rule.selector)
    for element in matched:
        _add(held.setdefault(element, {}), rule.verdicts, specificity, rule.order, inline=False)


def _add(
    ways: dict[str, tuple[_Rank, bool]],
    stated: Verdicts,
    specificity: tuple[int, int, int],
    order: int,
    *,
    inline: bool,
) -> None:
    for way, (hides, important) in stated.items():
        rank = _Rank(important, inline, specificity, order)
        if way not in ways or rank >= ways[way][0]:
            ways[way] = rank, hides


def _is_gone(element: html.HtmlElement, ways: dict[str, tuple[_Rank, bool]]) -> bool:
    """Whether an element is hidden in a way that nothing inside it can undo."""
    if element.tag in _NEVER:
        return False
    if element.tag in _UNSEEN_TAGS or (element.tag == "dialog" and element.get("open") is None):
        return True
    return element.get("popover") is not None or any(
        hides for way, (_, hides) in ways.items() if way not in _INHERITED
    )


def _inks(
    rules: Sequence[StyleRule], names: ElementNames, matcher: SelectorMatcher, *, linked: bool
) -> tuple[set[html.HtmlElement], set[html.HtmlElement]]:
    """The elements whose text has the colour of its ground or none, and those with another stated colour.

    The ground is the nearest that a style in the page states. Under style sheets of other files, an element
    with a class may have a ground that is not known; on a page without any, the ground is white.
    """
    ink: dict[html.HtmlElement, str] = {}
    ground: dict[html.HtmlElement, str] = {}
    for rule in rules:
        if any(rule.colours):
            is_alone = rule.colours[0] in ("clear", rule.colours[1])  # it hides without another rule's help
            matched = matcher.matching(rule.selector) if is_alone else names.matching(rule.selector)
            for element in matched or ():
                _colour(ink, ground, element, rule.colours)
    for element, style in names.styled:
        if style:
            _colour(ink, ground, element, read_declarations(style)[1])
    without = {
        element
        for element, colour in ink.items()
        if element.tag not in _NEVER and colour in ("clear", _ground(element, ground, linked=linked))
    }
    return without, ink.keys() - without


def _colour(
    ink: dict[html.HtmlElement, str],
    ground: dict[html.HtmlElement, str],
    element: html.HtmlElement,
    colours: tuple[str, str],
) -> None:
    if colours[0]:
        ink[element] = colours[0]
    if colours[1]:
        ground[element] = colours[1]


def _ground(element: html.HtmlElement, ground: dict[html.HtmlElement, str], *, linked: bool) -> str:
    for around in chain([element], element.iterancestors()):
        if ground.get(around, "clear") != "clear":
            return ground[around]
        if linked and around.get("class"):
            return ""
    return "" if linked else "#ffffff"


def _is_the_page(element: html.HtmlElement, root: html.HtmlElement) -> bool:
    """Whether an element holds the page's only heading or most of its text, so that scripts will show it."""
    if element.tag in _UNSEEN_TAGS or element.tag in ("dialog", "nav", "footer", "script", "style"):
        return False
    length = _text_length(element) if len(element) else 0
    if length < _MIN_PAGE_CHARS:
        return False
    headings = list(islice(root.iter("h1"), 2))
    if len(headings) == 1 and any(above is element for above in headings[0].iterancestors()):
        return True
    return length > _PAGE_SHARE * _text_length(root)


def _text_length(element: html.HtmlElement) -> float:
    scripts = sum(len(one.text or "") for one in element.iter("script", "style"))
    return float(_TEXT_LENGTH(element)) - scripts
