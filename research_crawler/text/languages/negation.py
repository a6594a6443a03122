"""A plain negation: the same words in the same order, once with a "not" between them and once without.

Whatever else turns a meaning round ("lacks", "rarely", "far from") is read by a reader.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.language import Language, detect, language_of
from research_crawler.text.languages.words import WORD, without_elisions

_LONGEST: Final = 20_000
"""Most characters of a text that are read."""
_DO: Final = frozenset({"do", "does", "did"})
"""They mostly stand beside a negation: "does not work" denies "works"."""
_SHORT: Final = {"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not"}
_CONTRACTED: Final = re.compile(r"n't\b")


Window = tuple[int, tuple[str, ...]]
"""Words around a place of a sentence, and how many of them stand before it."""
_WINDOWS: Final = ((2, 2), (2, 1), (1, 2))
"""Words before and behind a negation that the other sentence must have too: two on each side, or one at the beginning
or the end of a sentence. One word on each side would find "is not" anywhere."""


@dataclass(frozen=True)
class _Signs:
    """Where a sentence denies: whether a negation stands at the place in the middle of each window of its words."""

    at: Mapping[Window, frozenset[bool]]
    denied: tuple[Window, ...]
    """The windows of its negations."""
    count: int
    """How many negations it has."""


def is_negated(text: str, language: str = "") -> bool:
    """Whether a text has a negation; without a language, one of the language that its words show."""
    words = {word.lower().replace("’", "'") for word in WORD.findall(text)}
    return not words.isdisjoint(language_of(language or detect(text)).negations)


def is_turned_round(statement: str, sentence: str, language: str = "en") -> bool:
    """Whether a statement says with a negation what a sentence says without one, or the other way round."""
    one, other = _signs(statement, language), _signs(sentence, language)
    return _denies(one, other) or _denies(other, one)


def negations(text: str, language: str = "en") -> int:
    """How many negations a text has."""
    return _signs(text, language).count


def _denies(one: _Signs, other: _Signs) -> bool:
    """Whether a denial of the first stands in the other without its negation, and nowhere with one."""
    return any(other.at.get(window) == frozenset((False,)) for window in one.denied)


@lru_cache(maxsize=4_096)
def _signs(text: str, code: str) -> _Signs:
    language = language_of(code)
    words, denied = _without_negations(text[:_LONGEST], language)
    stems = tuple(map(language.stem, words))
    at: dict[Window, set[bool]] = {}
    for place in range(1, len(stems)):
        for window in _windows_of(stems, place):
            at.setdefault(window, set()).add(place in denied)
    around = (next(iter(_windows_of(stems, place)), None) for place in sorted(denied))
    return _Signs(
        {window: frozenset(signs) for window, signs in at.items()},
        tuple(dict.fromkeys(filter(None, around))),
        len(denied),
    )


def _windows_of(words: tuple[str, ...], place: int) -> Iterator[Window]:
    """The windows around a place that fit into a sentence, the widest first."""
    for before, behind in _WINDOWS:
        if place >= before and place + behind <= len(words):
            yield before, words[place - before : place + behind]


def _without_negations(text: str, language: Language) -> tuple[list[str], set[int]]:
    """The words of a text without its negations, and the places where these stood."""
    low = text.lower().replace("’", "'")
    for short, full in _SHORT.items():
        low = low.replace(short, full)
    words: list[str] = []
    denied: set[int] = set()
    for word in WORD.findall(without_elisions(_CONTRACTED.sub(" not", low), language.code)):
        if word in language.negations:
            denied.add(len(words))
        elif word not in _DO:
            words.append(word)
    return words, denied
