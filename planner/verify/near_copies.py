"""Find what a sentence changes in a sentence that it copies otherwise: a negation, or a name."""

from collections import Counter
from typing import Final

from planner.verify.names import names_of
from research_crawler.text.agreement import negations_in
from research_crawler.text.words import WORD, stem

_COPIED: Final = 0.8
_OWN: Final = 0.6
"""Least share of a source's words that a copy of it has, and least share of the copy's words that are the source's:
a copy may begin with "according to"."""


def is_copy(text: str, source: str) -> bool:
    """Whether a sentence is a copy of another one but for a few words."""
    return _is_copy(_words(text), _words(source))


def is_turned_round(text: str, source: str) -> bool:
    """Whether a sentence is a copy of another one but for one negation, so that it says the opposite."""
    own, others = negations_in(text), negations_in(source)
    if abs(own.total() - others.total()) != 1:
        return False
    return _is_copy(_words(text) - own, _words(source) - others)


def has_negations_of(text: str, source: str) -> bool:
    """Whether a sentence is made of a source's words and has as many negations, so that it turns none of them round."""
    own, others = negations_in(text), negations_in(source)
    if own.total() != others.total():
        return False
    mine, theirs = (Counter(map(stem, _words(one).elements())) for one in (text, source))
    return (mine & theirs).total() >= _COPIED * mine.total()


def is_renamed(text: str, source: str) -> bool:
    """Whether a sentence is a copy of another one with other names in the places of its names."""
    own, others = names_of(text), names_of(source)
    if not own - others or not others - own:
        return False
    named = own | others
    mine, theirs = (
        Counter({word: n for word, n in _words(one).items() if stem(word) not in named})
        for one in (text, source)
    )
    return _is_copy(mine, theirs)


def _is_copy(text: Counter[str], source: Counter[str]) -> bool:
    mine, theirs = (Counter(map(stem, words.elements())) for words in (text, source))
    shared = (mine & theirs).total()
    return shared >= _COPIED * theirs.total() > 0 and shared > _OWN * mine.total()


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower().replace("’", "'")))
