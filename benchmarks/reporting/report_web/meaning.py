"""How the scripted model reads when it refines its search: by meaning and words, one thing after another.

A model that is led on by a name writes what answers the question, what its further searches were made for, and what
its evidence says of the names that it gives. So the question, each of these searches and each of these names take the
text that is nearest to them in turn, and nothing is taken twice. Nothing here knows an answer, and it is the same for a
loop that searches once.
"""

import asyncio
import threading
from collections.abc import Sequence
from itertools import cycle
from typing import Final

from benchmarks.reporting.report_web.refining import led_on_by
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.text.measures.likeness import Bm25, cosine, normalised

SAME: Final = 0.9
"""Cosine from which a text says what one before it has said; it comes last."""
MOST_BY_MEANING: Final = 150
"""Of more texts than this, those whose words are nearest to what is looked for are read; the others come last."""
WORDS: Final = 0.3
"""Share of the words in how near a text is; the rest is its meaning."""


class MeaningReader:
    """Puts texts in the order in which they are read, by the packaged vectors; made for one process with threads."""

    def __init__(self) -> None:
        self._embedder = SentenceEmbedder()
        self._vectors: dict[str, list[float]] = {}
        self._lock = threading.Lock()

    def order(self, goal: str, queries: Sequence[str], texts: Sequence[str]) -> list[int]:
        """The places of the texts, the one first that is read first."""
        read = self._likely([goal, *queries], texts)
        order = self._ordered(goal, queries, [texts[place] for place in read])
        rest = set(range(len(texts))) - set(read)
        return [*(read[place] for place in order), *sorted(rest)]

    def nearness(self, goal: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text with the goal."""
        [wanted] = self._vectors_of([goal])
        return [cosine(wanted, vector) for vector in self._vectors_of(texts)]

    @staticmethod
    def _likely(asked: Sequence[str], texts: Sequence[str]) -> list[int]:
        """The places of the texts that are read: a long page is looked over before it is read."""
        if len(texts) <= MOST_BY_MEANING:
            return list(range(len(texts)))
        bm25 = Bm25(texts)
        best = [max(scores) for scores in zip(*map(bm25.scores, asked), strict=True)]
        return sorted(sorted(range(len(texts)), key=best.__getitem__, reverse=True)[:MOST_BY_MEANING])

    def _ordered(self, goal: str, queries: Sequence[str], texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        [by_goal] = self._ranked([goal], texts)
        named = led_on_by(goal, [texts[place] for place in by_goal])
        asked = list(dict.fromkeys([goal, *queries, *named]))
        return self._in_turn(self._ranked(asked, texts), self._vectors_of(texts))

    def _ranked(self, asked: Sequence[str], texts: Sequence[str]) -> list[list[int]]:
        """For each thing that is asked, the places of the texts, the nearest first."""
        vectors, bm25 = self._vectors_of(texts), Bm25(texts)
        ranked = []
        for one, wanted in zip(asked, self._vectors_of(asked), strict=True):
            words = normalised(bm25.scores(one))
            near = [
                (1 - WORDS) * cosine(wanted, vector) + WORDS * word
                for vector, word in zip(vectors, words, strict=True)
            ]
            ranked.append(sorted(range(len(texts)), key=near.__getitem__, reverse=True))
        return ranked

    @staticmethod
    def _in_turn(ranked: Sequence[Sequence[int]], said: Sequence[Sequence[float]]) -> list[int]:
        order: list[int] = []
        later: list[int] = []
        for places in cycle(ranked):
            if len(order) + len(later) == len(said):
                break
            place = next(one for one in places if one not in order and one not in later)
            is_told = any(cosine(said[place], said[other]) >= SAME for other in order)
            (later if is_told else order).append(place)
        return order + later

    def _vectors_of(self, texts: Sequence[str]) -> list[list[float]]:
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            self._vectors |= dict(zip(new, asyncio.run(self._embedder.embed(new)), strict=True))
            return [self._vectors[text] for text in texts]
