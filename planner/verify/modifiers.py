"""Take "without X" for a denial only where the other text has X: elsewhere it only says which case a sentence is about.

"`run` without a name starts all" is not denied by "`run` starts all", but "works without a battery" is by "needs a
battery".
"""

import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Final

from planner.text.agreement import LIGHT
from planner.text.words import STOPWORDS, WORD, stem, terms

_WITHOUT: Final = re.compile(r"\b(?:without|ohne|sans|senza|zonder|sem|bez)\b", re.I)
_REACH: Final = 60
"""Characters behind the word in which the name of what is left out stands."""
_NAMED: Final = 2
"""Most words of that name; behind them another part of the sentence may begin."""

_ARTICLES: Final = tuple([word] for word in ("a", "an", "the", "all", "its", "their", "your"))
"""What stands before an object, so that the word before it is a verb: "without a commit clears the index"."""


def compared(text: str, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """A statement and the sentences of its source, without each "without" that the other side does not oppose.

    One opposes it that speaks of the same thing and has no "without" before it.
    """
    if not any(map(_WITHOUT.search, (text, *sentences))):
        return text, list(sentences)
    own, others = _left_out([text]), _left_out(sentences)
    said, told = _spoken_of([text]), _spoken_of(sentences)
    return (
        _plain(text, others, told),
        [_plain(sentence, own, said) for sentence in sentences],
    )


def _plain(text: str, left_out: Collection[str], spoken_of: Collection[str]) -> str:
    def kept(match: re.Match[str]) -> str:
        names = _names(text, match)
        is_opposed = names.isdisjoint(left_out) and not names.isdisjoint(spoken_of)
        return match[0] if is_opposed or not names else ""

    return _WITHOUT.sub(kept, text)


def _left_out(texts: Sequence[str]) -> set[str]:
    return {name for text in texts for match in _WITHOUT.finditer(text) for name in _names(text, match)}


def _spoken_of(texts: Sequence[str]) -> set[str]:
    """The stems of texts that do not stand behind a "without"."""
    return {term for text in texts for term in terms(text)} - _left_out(texts)


def _names(text: str, match: re.Match[str]) -> frozenset[str]:
    """The stems of what a "without" leaves out."""
    words = WORD.findall(text[match.end() : match.end() + _REACH].lower())
    while words and words[0] in LIGHT:
        words.pop(0)
    named = list(takewhile(lambda word: word not in STOPWORDS and word not in LIGHT, words))
    if len(named) > 1 and words[len(named) : len(named) + 1] in _ARTICLES:
        named.pop()
    return frozenset(map(stem, named[:_NAMED]))
