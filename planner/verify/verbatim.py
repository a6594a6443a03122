"""A whole clause that is copied from its quote says what the quote says: it needs no reader."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from research_crawler.text.normal_quote import normal_quote

_LINKS_BEFORE: Final = frozenset(
    ("and", "but", "so", "then", "while", "und", "aber", "et", "mais", "y", "pero", "e")
)
_LINKS_BEHIND: Final = frozenset(("and", "so", "while", "whereas", "which", "und", "et", "y", "e"))
"""What stands between two clauses, before and behind one of them."""
_SIGNS: Final = "−–-"
_SIGNED: Final = re.compile(rf"(?<![\w{_SIGNS}])[{_SIGNS}]\d[\d.,]*")


def is_whole_clause(text: str, sentences: Sequence[str]) -> bool:
    """Whether a statement is one of the clauses of its source as a whole, with the signs of its numbers.

    "The plan is free" leaves out "for up to five users".
    """
    wording = normal_quote(text).split()
    words = [normal_quote(sentence).split() for sentence in sentences]
    ends = {0, *accumulate(map(len, words))}
    source = [word for one in words for word in one]
    is_there = bool(wording) and any(
        source[at : (end := at + len(wording))] == wording
        and (at in ends or source[at - 1] in _LINKS_BEFORE)
        and (end in ends or source[end] in _LINKS_BEHIND)
        for at in range(len(source) - len(wording) + 1)
    )
    return is_there and _SIGNED.findall(text) == [
        one for one in _SIGNED.findall(" ".join(sentences)) if one.lstrip(_SIGNS) in text
    ]
