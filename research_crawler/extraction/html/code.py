"""Reads the lines of a `pre` element, without line numbers and without the buttons around it.

Highlighters divide code into lines by elements instead of line breaks, and put the numbers of the lines beside
them (Prism, Shiki, highlight.js, Pygments, Rouge).
"""

import re

from lxml import etree

_LINES = frozenset({"div", "p", "li", "tr"})
_LINE_NAME = re.compile(r"(?:^|[\s_-])line(?:$|\s)")
_NUMBERS_NAME = re.compile(
    r"(?:^|[\s_-])(?:linenos?|lineno|linenodiv|gutter|hljs-ln-n\w*|line-?numbers?-rows|line-?number|blob-num)(?:$|[\s_-])"
)
_SILENT = frozenset({"script", "style", "template", "noscript", "svg", "button", "select", "textarea"})
_PAGE_PARTS = ("h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "blockquote", "form")
_CONTROL = re.compile(
    r"(?:code\s*+:?\s*+)?(?:select all|copy|copy code|copy to clipboard|copied!?|copy snippet)|code:", re.I
)
_NUMBERS = re.compile(r"(?:\d{1,5}+[.:]?+\s++)+\d{1,5}[.:]?")


def is_code_element(element: etree._Element, tag: str) -> bool:
    """Whether a `pre` element or a table holds code alone.

    A `pre` that is never closed holds the rest of its page. A table does if its first cell holds line numbers.
    """
    if tag == "table":
        cell = next(element.iter("td", "th"), None)
        return cell is not None and _holds_numbers(cell)
    return next(element.iter(*_PAGE_PARTS), None) is None


def is_code_control(text: str) -> bool:
    """Whether a text beside code is a label of its buttons ("Copy", "Code: Select all")."""
    return len(text) <= 30 and _CONTROL.fullmatch(text.strip()) is not None


def read_code(element: etree._Element) -> str:
    """The lines of code in an element; "" if they are nothing but the numbers of lines."""
    pieces: list[str] = []
    line_ended = False

    def add(text: str | None) -> None:
        nonlocal line_ended
        if text:
            if line_ended and text[0] != "\n":
                pieces.append("\n")
            line_ended = False
            pieces.append(text)

    walker = etree.iterwalk(element, events=("start", "end"))
    for event, part in walker:
        is_line = part is not element and _is_line(part)
        if event == "start":
            if not isinstance(part.tag, str) or part.tag in _SILENT or _holds_numbers(part):
                walker.skip_subtree()
            else:
                if is_line and (line_ended or (pieces and pieces[-1][-1] != "\n")):
                    pieces.append("\n")
                    line_ended = False
                add("\n" if part.tag == "br" else part.text)
        else:
            line_ended = line_ended or is_line
            if part is not element:
                add(part.tail)
    text = "".join(pieces).strip("\n").rstrip()
    return "" if _NUMBERS.fullmatch(text.strip()) else text


def _is_line(part: etree._Element) -> bool:
    return part.tag in _LINES or (
        part.tag == "span" and _LINE_NAME.search(part.get("class") or "") is not None
    )


def _holds_numbers(part: etree._Element) -> bool:
    names = part.get("class")
    return names is not None and part.tag not in ("pre", "code") and _NUMBERS_NAME.search(names) is not None
