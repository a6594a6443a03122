"""What the attributes of a page's elements say, read in one walk over the tree."""

import re
from typing import Final

from lxml import etree, html

from research_crawler.extraction.products.vocabulary.marks import ElementMark, marks_of_name

_LINE_THROUGH = re.compile(r"line-through", re.I)
_NAMING, _STRIKE = 5, 6
"""Kinds of attributes: those that name an element, and those that strike it through."""
_KINDS: Final = {
    "class": 1, "id": 2, "style": 3, "hidden": 4, "popover": 4, "itemscope": 4, "typeof": 4, "property": 4,
    "itemprop": _NAMING, "data-testid": _NAMING, "data-test": _NAMING, "data-qa": _NAMING, "data-hook": _NAMING,
    "data-automation": _NAMING,
}  # fmt: skip
"""The attributes that are read, besides those whose names say something themselves, such as `strikethrough`."""
_SAYING: Final = frozenset([1, 2, _NAMING])
"""Those whose values are names."""
_STRIKING: Final = frozenset([3, _STRIKE])
"""Those that may say that a text is struck through."""


class ElementNames:
    """The elements of a page with what their names say.

    Asking lxml for an attribute takes most of the time, so that each element is asked once for the names of all.
    """

    def __init__(self, root: html.HtmlElement) -> None:
        self.every: list[html.HtmlElement] = list(root.iter(etree.Element))
        self.styled: list[tuple[html.HtmlElement, str]] = []
        """The elements with a style of their own, in order."""
        self.hidden: list[html.HtmlElement] = []
        """The elements with the attribute `hidden`."""
        self.popovers: list[html.HtmlElement] = []
        self.microdata: list[html.HtmlElement] = []
        self.rdfa: list[html.HtmlElement] = []
        """The elements with `typeof` or `property` in the body, and (above) those with `itemscope` or `itemprop`."""
        self.marks: dict[html.HtmlElement, int] = {}
        """What names and style of an element say; nothing is stored for elements where they say nothing."""
        self._said: dict[str, int] = {}
        self._listed: dict[str, list[html.HtmlElement]] = {
            "hidden": self.hidden, "popover": self.popovers, "itemscope": self.microdata, "itemprop": self.microdata,
            "typeof": self.rdfa, "property": self.rdfa,
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
        if name == "style":
            self.styled.append((element, value))
        else:
            into = self._listed.get(name)
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


def _kind_of(name: str) -> int:
    """The kind of an attribute that `_KINDS` does not name."""
    return _STRIKE if "strike" in name else 0


def _strikes(name: str, value: str) -> bool:
    """Whether an attribute says that the text is struck through."""
    if name == "style":
        return _LINE_THROUGH.search(value) is not None
    return "strike" in name and value != "false"


def _marks_of(names: str) -> int:
    marks = ElementMark.NONE
    for word in names.split():
        marks |= marks_of_name(word)
    return marks
