"""Writes raised numbers so that they do not become part of the number or word before them.

Without its raising, 2³² on a page is "232" in its text, and the second footnote to "M1" makes it an "M12".
"""

import re

from lxml import etree

_DIGITS = re.compile(r"[-+−–]?\d{1,3}")
_POWER_BASE = re.compile(r"(?:^|[^\w.,$€£¥₹])(?<![$€£¥₹]\s)(?:2|10)$")
_WORD_END = re.compile(r"[^\W\d_]{4}$|[)\]\"”’]$")
_CURRENCY = re.compile(r"\s?[$€£¥₹]|\s?(?:USD|EUR|GBP|kr)\b")
_CONTEXT_CHARS = 16


def raised(element: etree._Element, text: str, before: str) -> str:
    """The text of a `sup` element as it is written after `before`: "^32" for a power, "[2]" for a footnote.

    Numbers behind other numbers stay as they are, since many shops raise the cents of a price.
    """
    number, base = text.strip(), before[-_CONTEXT_CHARS:]
    if not _DIGITS.fullmatch(number) or not base or base[-1].isspace():
        return text
    if number.isdigit() and _leads_to_note(element):
        return f"[{number}]"
    if base[-1].isdigit():
        is_price = _CURRENCY.match(element.tail or "") is not None
        is_power = _POWER_BASE.search(base) is not None or not number.isdigit()
        return f"^{number}" if is_power and not is_price else text
    return f"[{number}]" if number.isdigit() and _WORD_END.search(base) else text


def _leads_to_note(element: etree._Element) -> bool:
    parent = element.getparent()
    links = [*element.iter("a"), *([parent] if parent is not None and parent.tag == "a" else [])]
    return any("#" in (link.get("href") or "") for link in links)
