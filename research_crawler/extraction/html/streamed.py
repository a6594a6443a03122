"""Puts text that a page streams and moves into place by script where a browser would show it.

React sends what is ready first, with a placeholder (`<template id="B:0">`) for the rest, and later the rest in
a hidden element (`<div hidden id="S:0">`) with a call that moves it: `$RC("B:0","S:0")` for a boundary with its
fallback, `$RS("S:1","P:1")` for a segment (react-dom, `ReactDOMFizzInstructionSet`). Solid does the same with
`$df("0")`, `<template id="pl-0">` and `<template id="0">` (dom-expressions, `$df`). Nothing is run: the calls are
only read for the ids in them.
"""

import re
from collections.abc import Iterator

from lxml import etree, html

_MARKS = ("$RC", "$RS", "$RR", "data-sid", "$df(")
_CALL = re.compile(
    r"""\$R(?P<kind>[CSR])\(\s*+["'](?P<first>[^"'\\\s]{1,80})["']\s*+,\s*+["'](?P<second>[^"'\\\s]{1,80})["']"""
    r"""|\$df\(\s*+["'](?P<solid>[^"'\\\s]{1,80})["']"""
)
_MOST_DEPTH = 250
"""Elements that are deeper after the moves are dropped. (The parser allows 256; later steps recurse.)"""
_COMMENTS_OPEN, _COMMENT_END = ("$", "$?", "$!", "$~"), "/$"


def is_streamed(text: str) -> bool:
    """Whether markup may contain parts that scripts move into place. The moves need its comments."""
    return "<template" in text and any(mark in text for mark in _MARKS)


def place_streamed(root: html.HtmlElement) -> None:
    """Move every streamed part to its placeholder, in the place of the fallback there, and drop all comments."""
    known: dict[str, etree._Element] = {}
    for element in root.iter(etree.Element):
        name = element.get("id")
        if name:
            known.setdefault(name, element)
    moved = False
    for target, source, replaces in list(_moves(root)):
        place, part = known.pop(target, None), known.pop(source, None)
        if place is not None and part is not None and _is_apart(place, part):
            _move(part, place, replaces=replaces)
            moved = True
    etree.strip_tags(root, etree.Comment)
    if moved:
        _bound_depth(root)


def _moves(root: html.HtmlElement) -> Iterator[tuple[str, str, bool]]:
    """The id of a placeholder, the id of its part, and whether a fallback stands after the placeholder."""
    for element in root.iter("script", "template"):
        if element.tag == "template":
            source, boundary = element.get("data-sid"), element.get("data-bid")
            target = boundary or element.get("data-pid")
            if source and target:
                yield target, source, boundary is not None
            continue
        for call in _CALL.finditer(element.text or ""):
            first, second, solid = call["first"], call["second"], call["solid"]
            if solid:
                yield f"pl-{solid}", solid, True
            elif call["kind"] == "S":
                yield second, first, False
            else:
                yield first, second, True


def _is_apart(place: etree._Element, part: etree._Element) -> bool:
    return place.tag == "template" and place is not part and part not in place.iterancestors()


def _move(part: etree._Element, place: etree._Element, *, replaces: bool) -> None:
    if replaces:
        _drop_fallback(place)
    parent = place.getparent()
    if parent is None:
        return
    inner = html.Element("span") if (part.text or "").strip() else None
    if inner is not None:
        inner.text = part.text
        place.addprevious(inner)
    for child in list(part):
        place.addprevious(child)
    for emptied in (place, part):
        emptied.text = None
        if emptied.getparent() is not None:
            emptied.drop_tree()


def _drop_fallback(place: etree._Element) -> None:
    """Remove what stands between a placeholder and the comment that ends its boundary, if there is one."""
    found, depth = [], 0
    for sibling in place.itersiblings():
        if sibling.tag is etree.Comment:
            text = (sibling.text or "").strip()
            if text == _COMMENT_END or (depth == 0 and text == (place.get("id") or "")):
                if depth == 0:
                    break
                depth -= 1
            elif text in _COMMENTS_OPEN:
                depth += 1
        found.append(sibling)
    else:
        return
    place.tail = None
    for sibling in found:
        place.getparent().remove(sibling)


def _bound_depth(root: html.HtmlElement) -> None:
    depth = 0
    too_deep: list[etree._Element] = []
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        depth += 1 if event == "start" else -1
        if event == "start" and depth > _MOST_DEPTH:
            too_deep.append(element)
            walker.skip_subtree()
    for element in too_deep:
        element.getparent().remove(element)
