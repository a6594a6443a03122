"""Names compared by their words."""

import re

from lxml import html

TITLE_BREAK = re.compile(r"\s+[|–—•·»:/-]\s+|\s*[|»]\s*")
"""Between the parts of a title: product, category, shop."""
_WORD = re.compile(
    r"[^\W\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7a3]+|[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7a3]{1,2}"
)
"""Words; of scripts without spaces, pairs of characters."""


def words_of(text: str) -> frozenset[str]:
    """Its words in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared words over the mean number of words (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def text_of(element: html.HtmlElement) -> str:
    """Its text on one line."""
    return " ".join(" ".join(element.itertext()).split())
