"""How the scripted model reads when it refines its search: by meaning, one thing after another that it looked for.

A model that was led on by a name writes what answers the question and what its further searches were made for. So the
question and each of these searches take the text that is nearest to them in turn, and nothing is taken twice. Nothing
here knows an answer. It is the same for a loop that searches once, which has looked for one thing only.
"""

import asyncio
import threading
from collections.abc import Sequence
from itertools import cycle
from typing import Final

from planner.text.ranking import cosine
from research_crawler.adapters.models.embedder import SentenceEmbedder

SAME: Final = 0.9
"""Cosine from which a text says what one before it has said; it comes last."""


class MeaningReader:
    """Puts texts in the order in which they are read, by the packaged vectors; made for one process with threads."""

    def __init__(self) -> None:
        self._embedder = SentenceEmbedder()
        self._vectors: dict[str, list[float]] = {}
        self._lock = threading.Lock()

    def order(self, asked: Sequence[str], texts: Sequence[str]) -> list[int]:
        """The places of the texts, the one first that is read first."""
        if not texts:
            return []
        wanted, said = self._vectors_of(asked), self._vectors_of(texts)
        ranked = [
            sorted(range(len(texts)), key=lambda place, one=one: -cosine(one, said[place]))  # type: ignore[misc]
            for one in wanted
        ]
        order: list[int] = []
        later: list[int] = []
        for places in cycle(ranked):
            if len(order) + len(later) == len(texts):
                return order + later
            place = next(one for one in places if one not in order and one not in later)
            is_told = any(cosine(said[place], said[other]) >= SAME for other in order)
            (later if is_told else order).append(place)
        return order

    def _vectors_of(self, texts: Sequence[str]) -> list[list[float]]:
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            self._vectors |= dict(zip(new, asyncio.run(self._embedder.embed(new)), strict=True))
            return [self._vectors[text] for text in texts]
