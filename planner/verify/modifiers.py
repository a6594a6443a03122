"""Take "without X" for a denial only where the other text has X: elsewhere it only says which case a sentence is about.

"`run` without a name starts all" is not denied by "`run` starts all", but "works without a battery" is by "needs a
battery".
"""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Final

from research_crawler.text.agreement import LIGHT
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_WITHOUT: Final = re.compile(r"\b(?:without|ohne|sans|senza|zonder|sem|bez)\b", re.I)
_REACH: Final = 60
"""Characters behind the word in which the name of what is left out stands."""
_NAMED: Final = 2
"""Most words of that name; behind them another part of the sentence may begin."""

_ARTICLES: Final = tuple([word] for word in ("a", "an", "the", "all", "its", "their", "your"))
"""What stands before an object, so that the word before it is a verb: "without a commit clears the index"."""


def compared(
    text: str, sentences: Sequence[str], *, said: Collection[str], missing: Collection[str]
) -> tuple[str, list[str]]:
    """A statement and the sentences of its source, without each "without" that the other side does not oppose.

    One opposes it that speaks of the same thing and nowhere has a "without" before it.

    Args:
        text: the statement.
        sentences: of its source.
        said: the stems of their words.
        missing: what they leave out by `things_left_out`.
    """
    own = things_left_out([text])
    if not own and not missing:
        return text, list(sentences)
    words = terms(text) if missing else ()
    return _plain(text, missing, said), [_plain(sentence, own, words) for sentence in sentences]


def things_left_out(texts: Iterable[str]) -> frozenset[str]:
    """The stems of what texts name behind "without"."""
    return frozenset(
        name for text in texts for match in _WITHOUT.finditer(text) for name in _names(text, match)
    )


def _plain(text: str, missing: Collection[str], said: Collection[str]) -> str:
    def kept(match: re.Match[str]) -> str:
        names = _names(text, match)
        is_opposed = names.isdisjoint(missing) and not names.isdisjoint(said)
        return match[0] if is_opposed or not names else ""

    return _WITHOUT.sub(kept, text)


def _names(text: str, match: re.Match[str]) -> frozenset[str]:
    """The stems of what a "without" leaves out."""
    words = WORD.findall(text[match.end() : match.end() + _REACH].lower())
    while words and words[0] in LIGHT:
        words.pop(0)
    named = list(takewhile(lambda word: word not in STOPWORDS and word not in LIGHT, words))
    if len(named) > 1 and words[len(named) : len(named) + 1] in _ARTICLES:
        named.pop()
    return frozenset(map(stem, named[:_NAMED]))
