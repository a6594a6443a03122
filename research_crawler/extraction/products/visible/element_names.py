"""The elements of a page by tag, class and id, and what their attributes say, read in one walk over the tree."""

import re
from collections import defaultdict
from collections.abc import Collection
from functools import cached_property
from itertools import chain
from typing import Final

from lxml import etree, html

from research_crawler.extraction.products.vocabulary.marks import ElementMark, marks_of_name

_COMPOUND = re.compile(
    r"([a-z][\w-]*|\*)?((?:[.#][A-Za-z_-][\w-]*)*)((?:\[[\w-]+(?:[*^$~]?=(?:[\w-]+|\"[^\"\\]*\"|'[^'\\]*'))?\])*)",
    re.I,
)
_ATTRIBUTE = re.compile(r"\[([\w-]++)(?:([*^$~]?=)([^\[\]]*+))?\]")
_NAME = re.compile(r"[.#][A-Za-z_-][\w-]*")
_INNER = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_LINE_THROUGH = re.compile(r"line-through", re.I)
_NAMING, _DATA, _STRIKE = 5, 6, 7
_KINDS: Final = {
    "class": 1, "id": 2, "style": 3, "hidden": 4, "popover": 4, "itemscope": 4, "typeof": 4, "property": 4,
    "itemprop": _NAMING, "data-testid": _NAMING, "data-test": _NAMING, "data-qa": _NAMING, "data-hook": _NAMING,
    "data-automation": _NAMING,
}  # fmt: skip
"""The attributes that are read, besides those whose names say something themselves, such as `strikethrough`."""
_DATA_WORDS: Final = ("price", "product", "variation", "item", "analytics")
"""What the name of a `data-` attribute holds that may be about a product."""
_SAYING: Final = frozenset([1, 2, _NAMING])
"""Those whose values are names."""
_STRIKING: Final = frozenset([3, _STRIKE, _DATA])
"""Those that may say that a text is struck through."""


class ElementNames:
    """The elements of a page with their names. An index is made when it is first asked for.

    Asking lxml for an attribute takes most of the time, so that each element is asked once for the names of all.
    """

    def __init__(self, root: html.HtmlElement) -> None:
        self._root = root
        self.every: list[html.HtmlElement] = list(root.iter(etree.Element))
        self.styled: list[tuple[html.HtmlElement, str]] = []
        """The elements with a style of their own, in order."""
        self.hidden: list[html.HtmlElement] = []
        """The elements with the attribute `hidden`."""
        self.popovers: list[html.HtmlElement] = []
        self.microdata: list[html.HtmlElement] = []
        self.rdfa: list[html.HtmlElement] = []
        """The elements with `typeof` or `property` in the body, and (above) those with `itemscope` or `itemprop`."""
        self.with_data: list[html.HtmlElement] = []
        """The elements with `data-` attributes that may be about products."""
        self.marks: dict[html.HtmlElement, int] = {}
        """What names and style of an element say; nothing is stored for elements where they say nothing."""
        self._said: dict[str, int] = {}
        self._groups: dict[str, list[html.HtmlElement]] = defaultdict(list)
        self._ids: dict[str, list[html.HtmlElement]] = defaultdict(list)
        self._by_name: dict[str, frozenset[html.HtmlElement]] = {}
        self._known: dict[str, frozenset[html.HtmlElement] | None] = {}
        self._having: dict[str, list[html.HtmlElement]] = {}
        self._listed: dict[str | int, list[html.HtmlElement]] = {
            "hidden": self.hidden, "popover": self.popovers, "itemscope": self.microdata, "itemprop": self.microdata,
            "typeof": self.rdfa, "property": self.rdfa, _DATA: self.with_data,
        }  # fmt: skip
        kinds = dict(_KINDS)
        for element in self.every:
            for name in element.keys():  # noqa: SIM118  (an element iterates over its children)
                kind = kinds.get(name)
                if kind is None:
                    kind = kinds[name] = _kind_of(name)
                if kind:
                    self._read(element, name, kind, element.get(name))
        self.rdfa = [one for one in self.rdfa if any(above.tag == "body" for above in one.iterancestors())]

    def _read(self, element: html.HtmlElement, name: str, kind: int, value: str) -> None:
        if name == "class":
            self._groups[value].append(element)
        elif name == "id":
            self._ids[value].append(element)
        elif name == "style":
            self.styled.append((element, value))
        else:
            into = self._listed.get(kind if kind == _DATA else name)
            if into is not None and element not in into[-1:]:  # once for all its attributes
                into.append(element)
        if kind in _STRIKING and _strikes(name, value):
            self._mark(element, ElementMark.STRUCK)
        if kind in _SAYING:
            marks = self._said.get(value)
            if marks is None:
                marks = self._said[value] = _marks_of(value)
            if marks:
                self._mark(element, marks)

    def _mark(self, element: html.HtmlElement, marks: int) -> None:
        self.marks[element] = self.marks.get(element, ElementMark.NONE) | marks

    @cached_property
    def _classes(self) -> dict[str, list[list[html.HtmlElement]]]:
        """By class the elements that have it, in groups with all their classes in common: pages have few of these."""
        found: dict[str, list[list[html.HtmlElement]]] = defaultdict(list)
        for names, group in self._groups.items():
            for name in set(names.split()):
                found[name].append(group)
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
        conditions = _ATTRIBUTE.findall(parts[3])
        found: Collection[html.HtmlElement] = frozenset()
        sets = sorted((self.named(name) for name in wanted), key=len)
        if not wanted:
            found = self._with_attribute(conditions[0][0].lower()) if conditions else self.every
        elif sets[0]:
            found = frozenset.intersection(*sets)
        for name, sign, value in conditions:
            found = frozenset(
                one for one in found if _has_value(one.get(name.lower()), sign, value.strip("\"'"))
            )
        return frozenset(found)

    def _with_attribute(self, name: str) -> list[html.HtmlElement]:
        """The elements that have an attribute. Style sheets ask for the same few with many values."""
        if name not in self._having:
            self._having[name] = [one for one in self.every if one.get(name) is not None]
        return self._having[name]


def _kind_of(name: str) -> int:
    """The kind of an attribute that `_KINDS` does not name."""
    if name.startswith("data-") and any(word in name for word in _DATA_WORDS):
        return _DATA
    return _STRIKE if "strike" in name else 0


def _strikes(name: str, value: str) -> bool:
    """Whether an attribute says that the text is struck through."""
    if name == "style":
        return _LINE_THROUGH.search(value) is not None
    return "strike" in name and value != "false"


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


def _marks_of(names: str) -> int:
    marks = ElementMark.NONE
    for word in names.split():
        marks |= marks_of_name(word)
    return marks
