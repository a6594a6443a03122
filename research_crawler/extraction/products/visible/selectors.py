"""Finds the elements that the selectors of a style sheet match, at a bounded cost."""

import re
from collections import defaultdict
from functools import cached_property, lru_cache
from itertools import chain

from cssselect import HTMLTranslator, SelectorError
from lxml import etree, html

_COMPOUND = re.compile(
    r"([a-z][\w-]*|\*)?((?:[.#][A-Za-z_-][\w-]*)*)((?:\[[\w-]+(?:[*^$~]?=(?:[\w-]+|\"[^\"\\]*\"|'[^'\\]*'))?\])*)",
    re.I,
)
_ATTRIBUTE = re.compile(r"\[([\w-]+)(?:([*^$~]?=)([^\]]*))?\]")
_TAG = re.compile(r"(?:^|[\s>+~])[a-zA-Z]")
_NAME = re.compile(r"[.#][A-Za-z_-][\w-]*")
_PART = re.compile(r"(^|(?<!\s)\s*+[>+~]\s*+|(?<!\s)\s++)((?:[^\s>+~(\[]|\([^()]*+\)|\[[^\[\]]*+\])++)")
"""A compound of a selector with the combinator before it."""
_STATE = re.compile(
    r"::|:(?:hover|focus|active|checked|disabled|enabled|target|visited|before|after|placeholder)"
)
"""States and parts that a saved page does not have."""
_INNER = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_COSTLY = re.compile(r"~|:(?:nth|has|last|only|first)")
_STYLED, _CLASSED, _IDENTIFIED = (etree.XPath(f"//*[@{name}]") for name in ("style", "class", "id"))
_TRANSLATOR = HTMLTranslator()
_NOTHING: frozenset[html.HtmlElement] = frozenset()
_MAX_FOR_COSTLY, _MAX_COMPLEX = 1_500, 300


class ElementNames:
    """The elements of a page by tag, class and id. An index is made when it is first asked for."""

    def __init__(self, root: html.HtmlElement) -> None:
        self._root = root
        self.every: list[html.HtmlElement] = list(root.iter(etree.Element))
        self._by_name: dict[str, frozenset[html.HtmlElement]] = {}
        self._known: dict[str, frozenset[html.HtmlElement] | None] = {}

    @cached_property
    def styled(self) -> list[html.HtmlElement]:
        """The elements with a style of their own, in order."""
        return list(_STYLED(self._root))

    @cached_property
    def _classes(self) -> dict[str, list[list[html.HtmlElement]]]:
        """By class the elements that have it, in groups with all their classes in common: pages have few of these."""
        groups: dict[str, list[html.HtmlElement]] = defaultdict(list)
        for element in _CLASSED(self._root):
            groups[element.get("class")].append(element)
        found: dict[str, list[list[html.HtmlElement]]] = defaultdict(list)
        for names, group in groups.items():
            for name in set(names.split()):
                found[name].append(group)
        return found

    @cached_property
    def _ids(self) -> dict[str, list[html.HtmlElement]]:
        found: dict[str, list[html.HtmlElement]] = defaultdict(list)
        for element in _IDENTIFIED(self._root):
            found[element.get("id")].append(element)
        return found

    def named(self, name: str) -> frozenset[html.HtmlElement]:
        """The elements with a tag (`div`), a class (`.price`) or an id (`#buy`)."""
        known = self._by_name.get(name)
        if known is None:
            if name[0] == ".":
                known = frozenset(chain.from_iterable(self._classes.get(name[1:], ())))
            elif name[0] == "#":
                known = frozenset(self._ids.get(name[1:], ()))
            else:
                known = frozenset(self._root.iter(name))
            self._by_name[name] = known
        return known

    def has_names(self, selector: str) -> bool:
        """Whether the page has all classes and ids that a selector needs; if that is hard to say, it has."""
        if "\\" in selector:
            return True
        bare = selector
        while (shorter := _INNER.sub("", bare)) != bare:
            bare = shorter
        if any(sign in bare for sign in "\"'()[]"):
            return True
        return all(
            name[1:] in (self._classes if name[0] == "." else self._ids) for name in _NAME.findall(bare)
        )

    def matching(self, compound: str) -> frozenset[html.HtmlElement] | None:
        """The elements that a simple selector such as `div.price` matches; None if it is not a simple one."""
        if compound not in self._known:
            self._known[compound] = self._matching(compound)
        return self._known[compound]

    def _matching(self, compound: str) -> frozenset[html.HtmlElement] | None:
        parts = _COMPOUND.fullmatch(compound)
        if parts is None or not compound:
            return None
        wanted = _NAME.findall(parts[2])
        if parts[1] and parts[1] != "*":
            wanted.append(parts[1].lower())
        found = frozenset(self.every) if not wanted else frozenset()
        sets = sorted((self.named(name) for name in wanted), key=len)
        if sets and sets[0]:
            found = frozenset.intersection(*sets)
        for name, sign, value in _ATTRIBUTE.findall(parts[3]):
            found = frozenset(
                one for one in found if _has_value(one.get(name.lower()), sign, value.strip("\"'"))
            )
        return found


def _has_value(value: str | None, sign: str, wanted: str) -> bool:
    """Whether an attribute fulfils a condition of a selector (Selectors Level 3, 6.3)."""
    if value is None or not sign:
        return value is not None
    if sign == "=":
        return value == wanted
    if not wanted:
        return False
    if sign == "~=":
        return wanted in value.split()
    return {"*=": value.__contains__, "^=": value.startswith, "$=": value.endswith}[sign](wanted)


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

    def _complex(self, selector: str) -> frozenset[html.HtmlElement]:
        if _STATE.search(selector) or not self._names.has_names(selector):
            return _NOTHING
        parts = _PART.findall(selector)
        last = parts[-1][1].partition(":")[0].partition("[")[0] if parts and "(" not in selector else ""
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
