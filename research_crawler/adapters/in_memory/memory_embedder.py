"""An embedder for tests: it hashes words into a vector, without a model."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence

_WORDS = re.compile(r"\w+")


class HashEmbedder:
    """Bag of hashed words: texts that share words are similar. The same in every process."""

    def __init__(self, dimensions: int = 384) -> None:
        self.name, self.dimensions = "hash", dimensions

    async def warm(self) -> None:
        """Do nothing: there is no model to load."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of unit length per text; a text without words gets the first axis."""
        return [self._vector(text) for text in texts]

    def count_tokens(self, text: str) -> int:
        """Number of words."""
        return len(_WORDS.findall(text))

    def count_tokens_many(self, texts: Sequence[str]) -> list[int]:
        """Number of words of each text."""
        return [self.count_tokens(text) for text in texts]

    async def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word, count in Counter(_WORDS.findall(text.lower())).items():
            digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
            vector[int.from_bytes(digest[:4], "little") % self.dimensions] += math.sqrt(count)
        length = math.hypot(*vector)
        if not length:
            vector[0] = length = 1.0
        return [value / length for value in vector]
