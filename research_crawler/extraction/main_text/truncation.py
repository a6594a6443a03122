"""Says whether a page's text looks cut: much shorter than what the page declares or shows."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_WORD = re.compile(r"\w+")
_PART = 0.5
"""A text with less than this share of the declared words looks cut. Of 700 pages that are read whole none is
below it, but for one whose publisher shows 443 words of the 1,205 that it declares."""
_LEAST_WORDS = 100
_DIGITS = 7


def looks_cut(text: str, declared: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a text has less than half of the words that the page declares for its article.

    Args:
        text: the page's main text.
        declared: the nodes of the page's JSON-LD: the properties `wordCount` and `articleBody` of schema.org.
    """
    wanted = max((_declared_words(node) for node in declared), default=0)
    return wanted >= _LEAST_WORDS and len(_WORD.findall(text)) < _PART * wanted


def _declared_words(node: Mapping[str, Any]) -> int:
    body, count = node.get("articleBody"), str(node.get("wordCount", "")).replace(",", "")
    of_body = len(_WORD.findall(body)) if isinstance(body, str) else 0
    return max(of_body, int(count) if count.isdecimal() and len(count) <= _DIGITS else 0)
