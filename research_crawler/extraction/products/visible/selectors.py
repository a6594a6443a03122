"""Finds the elements that the selectors of a style sheet match, at a bounded cost."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from cssselect import HTMLTranslator, SelectorError
from lxml import etree, html

_COMPOUND = re.compile(r"([a-z][\w-]*|\*)?((?:[.#][A-Za-z_-][\w-]*)*)", re.I)
_TAG = re.compile(r"(?:^|[\s>+~])[a-zA-Z]")
_NAME = re.compile(r"[.#][A-Za-z_-][\w-]*")
_PART = re.compile(r"(^|(?<!\s)\s*+[>+~]\s*+|(?<!\s)\s++)((?:[^\s>+~(\[]|\([^()]*+\)|\[[^\[\]]*+\])++)")
"""A compound of a selector with the combinator before it."""
_STATE = re.compile(
    r"::|:(?:hover|focus|active|checked|disabled|enabled|target|visited|before|after|placeholder)"
)
"""States and parts that a saved page does not have."""
_COSTLY = re.compile(r"~|:(?:nth|has|last|only|first)")
_MAX_FOR_COSTLY, _MAX_COMPLEX = 1_500, 300


class ElementNames:
    """The elements of a page by tag, class and id."""

    def __init__(self) -> None:
        self.every: list[html.HtmlElement] = []
        self.by_name: dict[str, set[html.HtmlElement]] = defaultdict(set)

    @classmethod
    def of(cls, elements: Iterable[html.HtmlElement]) -> "ElementNames":
        """Sort elements by their names."""
        names = cls()
        for element in elements:
            if not isinstance(element.tag, str):
                continue
            names.every.append(element)
            names.by_name[element.tag].add(element)
            for word in (element.get("class") or "").split():
                names.by_name["." + word].add(element)
            if identity := element.get("id"):
                names.by_name["#" + identity].add(element)
        return names

    def matching(self, compound: str) -> set[html.HtmlElement] | None:
        """The elements that a simple selector such as `div.price` matches; None if it is not a simple one."""
        parts = _COMPOUND.fullmatch(compound)
        if parts is None or not compound:
            return None
        wanted = _NAME.findall(parts[2])
        if parts[1] and parts[1] != "*":
            wanted.append(parts[1].lower())
        if not wanted:
            return set(self.every)
        sets = sorted((self.by_name.get(name, set()) for name in wanted), key=len)
        return set.intersection(*sets) if all(sets) else set()


class SelectorMatcher:
    """Finds the elements that a selector matches, at a bounded cost."""

    def __init__(self, root: html.HtmlElement, names: ElementNames) -> None:
        self._root, self._names = root, names
        self._left = _MAX_COMPLEX
        self._known: dict[str, set[html.HtmlElement]] = {}

    def matching(self, selector: str) -> set[html.HtmlElement]:
        """The elements, none if the selector is about states such as `:hover` or cannot be read."""
        if selector not in self._known:
            simple = self._names.matching(selector)
            self._known[selector] = self._complex(selector) if simple is None else simple
        return self._known[selector]

    def _complex(self, selector: str) -> set[html.HtmlElement]:
        if _STATE.search(selector):
            return set()
        chain = _PART.findall(selector)
        last = chain[-1][1].partition(":")[0].partition("[")[0] if chain and "(" not in selector else ""
        ends = self._names.matching(last) if last else None
        if ends is not None and not ends:
            return set()
        links = [(combinator.strip(), self._names.matching(compound)) for combinator, compound in chain]
        if all(matched is not None and combinator in ("", ">") for combinator, matched in links):
            sets = [(combinator, matched or set()) for combinator, matched in links]
            return {element for element in sets[-1][1] if _ends_chain(element, sets, len(sets) - 1)}
        return self._by_path(selector)

    def _by_path(self, selector: str) -> set[html.HtmlElement]:
        """The elements by way of XPath, for selectors with attributes, negations and the like."""
        is_costly = _COSTLY.search(selector) and len(self._names.every) > _MAX_FOR_COSTLY
        if self._left <= 0 or is_costly:
            return set()
        self._left -= 1
        try:
            return set(self._root.xpath(HTMLTranslator().css_to_xpath(selector)))
        except (SelectorError, etree.XPathError):
            return set()


def _ends_chain(
    element: html.HtmlElement, chain: list[tuple[str, set[html.HtmlElement]]], position: int
) -> bool:
    """Whether the compounds before a position match elements around the one that matches at the position."""
    # The nearest element around is taken. Only a child combinator further out could need another one.
    while position > 0:
        combinator, _ = chain[position]
        wanted = chain[position - 1][1]
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
