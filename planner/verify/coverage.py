"""How much of a statement's wording stands in a source: the weight of its rare words, in at most four sentences."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from research_crawler.text.words import terms

MOST_SENTENCES: Final = 4
_LEAST_TEXTS: Final = 100
"""Few texts do not show which words are rare; they count as a part of so many. A cited article of WiCE has 119
sentences, and the log-odds of the ladder were fitted to such weights."""


@dataclass(frozen=True)
class Coverage:
    """What sentences of a source cover of a statement."""

    share: float
    """Of the weight of the statement's words, 0 to 1."""
    places: tuple[int, ...] = ()
    """The sentences that cover it, the one that covers most first."""


class WordWeights:
    """The weight of words by how few of the known texts have them (BM25's idf), so that "the" counts nothing.

    The texts are the job's own: its quotes, or the sentences of a page. A word that none of them has weighs most.
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        """`texts`: the words of each known text, as `word_set` gives them."""
        sets = [set(words) for words in texts]
        self._counts = Counter(word for words in sets for word in words)
        self._texts = max(len(sets), _LEAST_TEXTS)

    def knows(self, word: str) -> bool:
        """Whether one of the texts has the word."""
        return word in self._counts

    def of(self, word: str) -> float:
        """The weight of a word, above 0."""
        count = self._counts[word]
        return math.log(1 + (self._texts - count + 0.5) / (count + 0.5))


def word_set(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, as stems, and its numbers."""
    return frozenset(terms(text))


def word_pairs(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    """The pairs of neighbours among the words of a text in their order, which tell a phrase from words that occur."""
    return frozenset(pairwise(words))


def pair_share(text: str, known: Collection[tuple[str, str]]) -> float:
    """The share of a text's neighbouring words that stand side by side in its source too."""
    pairs = word_pairs(terms(text))
    return sum(pair in known for pair in pairs) / max(1, len(pairs))


def weight_share(weights: Mapping[str, float], known: Collection[str]) -> float:
    """The weight of those words that a source has anywhere, 0 to 1."""
    return sum(weight for word, weight in weights.items() if word in known) / (sum(weights.values()) or 1.0)


def coverage(
    words: Iterable[str], sentences: Sequence[frozenset[str]], weights: Mapping[str, float]
) -> Coverage:
    """How far at most four sentences together have the words, chosen one by one by what each adds."""
    left = set(words)
    whole = sum(weights[word] for word in left)
    if not whole:
        return Coverage(1.0)
    places: list[int] = []
    covered = 0.0
    while left and len(places) < MOST_SENTENCES:
        gains = [sum(weights[word] for word in left & sentence) for sentence in sentences]
        best = max(range(len(gains)), key=gains.__getitem__, default=-1)
        if best < 0 or gains[best] <= 0:
            break
        covered += gains[best]
        places.append(best)
        left -= sentences[best]
    return Coverage(covered / whole, tuple(places))
