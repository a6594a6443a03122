"""Finds the elements that the selectors of a style sheet match, at a bounded cost."""

import re
from collections.abc import Collection
from functools import lru_cache

from cssselect import HTMLTranslator, SelectorError
from lxml import etree, html

from research_crawler.extraction.products.visible.element_names import ElementNames

_TAG = re.compile(r"(?:^|[\s>+~])[a-zA-Z]")
_PART = re.compile(r"(^|(?<!\s)\s*+[>+~]\s*+|(?<!\s)\s++)((?:[^\s>+~(\[]|\([^()]*+\)|\[[^\[\]]*+\])++)")
"""A compound of a selector with the combinator before it."""
_STATE = re.compile(
    r"::|:(?:hover|focus|active|checked|disabled|enabled|target|visited|before|after|placeholder)"
)
"""States and parts that a saved page does not have."""
_COSTLY = re.compile(r"~|:(?:nth|has|last|only|first)")
_TRANSLATOR = HTMLTranslator()
_NOTHING: frozenset[html.HtmlElement] = frozenset()
_MAX_FOR_COSTLY, _MAX_COMPLEX = 1_500, 300


class SelectorMatcher:
    """Finds the elements that a selector matches, at a bounded cost."""

    def __init__(self, root: html.HtmlElement, names: ElementNames) -> None:
        self._root, self._names = root, names
        self._left = _MAX_COMPLEX
        self._known: dict[str, frozenset[html.HtmlElement]] = {}

    def matching(self, selector: str) -> frozenset[html.HtmlElement]:
        """The elements, none if the selector is about states such as `:hover` or cannot be read."""
        if selector not in self._known:
            simple = self._names.matching(selector)
            self._known[selector] = self._complex(selector) if simple is None else simple
        return self._known[selector]

    def may_match(self, selector: str, elements: Collection[html.HtmlElement]) -> bool:
        """Whether a selector may match some of these elements, by its last compound, which is found fast."""
        last = _last_of(selector)
        ends = self._names.matching(last) if last else None
        return ends is None or not ends.isdisjoint(elements)

    def _complex(self, selector: str) -> frozenset[html.HtmlElement]:
        if _STATE.search(selector) or not self._names.has_names(selector):
            return _NOTHING
        parts = _PART.findall(selector)
        last = _last_of(selector)
        ends = self._names.matching(last) if last else None
        if ends is not None and not ends:
            return _NOTHING
        links = [(combinator.strip(), self._names.matching(compound)) for combinator, compound in parts]
        # The nearest element around is taken, which is exact only without child combinators.
        taken = ("",) if "[" in selector else ("", ">")
        if all(matched is not None and combinator in taken for combinator, matched in links):
            sets = [(combinator, matched or _NOTHING) for combinator, matched in links]
            return frozenset(element for element in sets[-1][1] if _ends_chain(element, sets, len(sets) - 1))
        return self._by_path(selector)

    def _by_path(self, selector: str) -> frozenset[html.HtmlElement]:
        """The elements by way of XPath, for selectors with siblings, negations and the like."""
        is_costly = _COSTLY.search(selector) and len(self._names.every) > _MAX_FOR_COSTLY
        if self._left <= 0 or is_costly:
            return _NOTHING
        self._left -= 1
        try:
            return frozenset(self._root.xpath(_path_of(selector)))
        except (SelectorError, etree.XPathError):
            return _NOTHING


@lru_cache(maxsize=4_096)
def _last_of(selector: str) -> str:
    """The tag, classes and ids of the last compound; "" if they are hard to tell."""
    if "(" in selector:
        return ""
    parts = _PART.findall(selector)
    return str(parts[-1][1]).partition(":")[0].partition("[")[0] if parts else ""


@lru_cache(maxsize=2_048)
def _path_of(selector: str) -> str:
    return _TRANSLATOR.css_to_xpath(selector)


def _ends_chain(
    element: html.HtmlElement, parts: list[tuple[str, frozenset[html.HtmlElement]]], position: int
) -> bool:
    """Whether the compounds before a position match elements around the one that matches at the position."""
    # The nearest element around is taken. Only a child combinator further out could need another one.
    while position > 0:
        combinator, _ = parts[position]
        wanted = parts[position - 1][1]
        if combinator == ">":
            element = element.getparent()
            if element not in wanted:
                return False
        else:
            found = next((above for above in element.iterancestors() if above in wanted), None)
            if found is None:
                return False
            element = found
        position -= 1
    return True


@lru_cache(maxsize=4_096)
def specificity_of(selector: str) -> tuple[int, int, int]:
    """How specific a selector is: its ids, its classes with attributes and states, its tags."""
    bare = selector.replace("::", " ")
    names = sum(map(bare.count, ".[:"))
    return bare.count("#"), names, len(_TAG.findall(bare))
