"""A plain negation: the same words in the same order, once with a "not" between them and once without.

Whatever else turns a meaning round ("lacks", "rarely", "far from") is read by a reader.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.language import language_of
from research_crawler.text.words import WORD

_AROUND: Final = 2
"""Words on each side of a negation that the other sentence must have too. One would find "is not" anywhere; with three
a negation near the end of a clause is missed."""
_LEAST: Final = 3
"""Least words around a negation at the end of a sentence."""
_DO: Final = frozenset({"do", "does", "did"})
"""They stand beside a negation only: "does not work" denies "works"."""
_SHORT: Final = {"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not"}
_CONTRACTED: Final = re.compile(r"n't\b")


@dataclass(frozen=True)
class _Stripped:
    """A sentence without its negations."""

    words: tuple[str, ...]
    denied: frozenset[int]
    """The words before which a negation stood."""


def is_turned_round(statement: str, sentence: str, language: str = "en") -> bool:
    """Whether a statement says with a negation what a sentence says without one, or the other way round."""
    one, other = _stripped(statement, language), _stripped(sentence, language)
    return _denies(one, other) or _denies(other, one)


def negations(text: str, language: str = "en") -> int:
    """How many negations a text has."""
    return len(_stripped(text, language).denied)


def _denies(one: _Stripped, other: _Stripped) -> bool:
    """Whether a denial of the first stands in the other without its negation, and nowhere with one."""
    return any(_is_opposed(one.words, at, other) for at in one.denied)


def _is_opposed(words: tuple[str, ...], at: int, other: _Stripped) -> bool:
    start, end = max(0, at - _AROUND), min(len(words), at + _AROUND)
    around = words[start:end]
    if len(around) < _LEAST or at == start:
        return False
    signs = [
        place + at - start in other.denied
        for place in range(len(other.words) - len(around) + 1)
        if other.words[place : place + len(around)] == around
    ]
    return bool(signs) and not any(signs)


@lru_cache(maxsize=4_096)
def _stripped(text: str, code: str) -> _Stripped:
    language = language_of(code)
    low = text.lower().replace("’", "'")
    for short, full in _SHORT.items():
        low = low.replace(short, full)
    words: list[str] = []
    denied: set[int] = set()
    for word in WORD.findall(_CONTRACTED.sub(" not", low)):
        if word in language.negations:
            if words and words[-1] in _DO:
                words.pop()
            denied.add(len(words))
        else:
            words.append(word)
    return _Stripped(tuple(map(language.stem, words)), frozenset(denied))
