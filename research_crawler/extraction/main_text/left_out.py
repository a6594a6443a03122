"""Leaves out what is chosen with the text around it but is no text of the page.

Forms to fill in (a lower price, an address for news), texts that show when a pointer rests on something and repeat a
paragraph, values that were meant for a script, and the path to the page ("Home > Manuals > Version 2.4").
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from lxml import etree

from research_crawler.extraction.html.blocks import Block

_FIELDS = etree.XPath(
    "boolean(.//textarea|.//input[not(@type) or @type='text' or @type='email' or @type='tel' or @type='url'])"
)
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?[$€£¥₹]")
"""A form with a price sells something; its texts describe what."""
_MOST_FORM_CHARS = 2_500
"""A form with more text holds a part of the page, as some systems put the whole page into one form."""
_HOVER_NAME = re.compile(r"tool-?tip|popover|hover-?card|hover-?text|info-?bubble", re.I)
_HOVER_REACH = 3
_MACHINE = re.compile(
    r"(?:\{\{[^{}]*+\}\}|\$\{[^{}]*+\}|%%\w++%%|\[object Object\]|undefined|NaN|null)[\s,;]*", re.I
)
_MACHINE_STARTS = frozenset("{[$%uUnN")
_MOST_JSON_CHARS = 20_000
_STEP = re.compile(r"[>›»→]")
"""What stands between the steps of the path to a page."""
_LEAST_STEPS, _MOST_STEP_CHARS, _LEAST_LINKED = 3, 60, 0.5
"""A path has so many steps, each so short, and so much of it is links: its last step, the page itself, often is none.
Menus in manuals ("File › Save as › PDF") have the same marks and no links."""


def leave_out(chosen: Sequence[Block]) -> list[Block]:
    """The chosen blocks without forms to fill in, hover texts that are said elsewhere, machine fields and paths."""
    found = [block for block in _without_forms(chosen) if not (_is_machine_field(block) or _is_path(block))]
    hovering = [block for block in found if _shows_on_hover(block)]
    if not hovering:
        return found
    said = " ".join(_key(block) for block in found if block not in hovering)
    return [block for block in found if block not in hovering or _key(block) not in said]


def _key(block: Block) -> str:
    return " ".join((block.text or " ".join(block.cells)).lower().split())


def _shows_on_hover(block: Block) -> bool:
    element, steps = block.origin, 0
    while element is not None and steps < _HOVER_REACH:
        names = element.get("class")
        if names is not None and _names_hover(names):
            return True
        element, steps = element.getparent(), steps + 1
    return False


@lru_cache(maxsize=5_000)
def _names_hover(names: str) -> bool:
    return _HOVER_NAME.search(names[:300]) is not None


def _is_machine_field(block: Block) -> bool:
    text = block.text
    if not text or text[0] not in _MACHINE_STARTS or block.kind == "code":
        return False
    if text[0] in "{[" and text[-1] in "}]" and len(text) <= _MOST_JSON_CHARS:
        try:
            return isinstance(json.loads(text), dict)
        except (ValueError, RecursionError):
            pass
    return _MACHINE.fullmatch(text) is not None


def _is_path(block: Block) -> bool:
    if block.kind == "code" or block.link_chars < _LEAST_LINKED * len(block.text) or not block.text:
        return False
    steps = [step.strip() for step in _STEP.split(block.text)]
    return len(steps) >= _LEAST_STEPS and all(0 < len(step) <= _MOST_STEP_CHARS for step in steps)


def _without_forms(chosen: Sequence[Block]) -> Iterator[Block]:
    origin = next((block.origin for block in chosen if block.origin is not None), None)
    forms = origin.getroottree().iter("form") if origin is not None else ()
    inside = {element for form in forms if _is_filled_in(form) for element in form.iter()}
    return (block for block in chosen if block.origin is None or block.origin not in inside)


def _is_filled_in(form: etree._Element) -> bool:
    """Whether a form asks for an address, a name or a text: its labels are no text of the page.

    Of 707 such forms on 915 real pages, four hold text that careful readers count as the page's.
    """
    if not _FIELDS(form) or int(_TEXT_LENGTH(form)) > _MOST_FORM_CHARS:
        return False
    return _PRICE.search("".join(form.itertext())) is None
