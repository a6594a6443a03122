"""Words that mean nearly the same, told by their vectors: pets are dogs, a picture is a photograph."""

from collections.abc import Collection, Iterable
from typing import Final, Self

from planner.audit.lexicon.contrasts import are_rivals
from planner.audit.restrictions import is_one_of
from research_crawler.core.ports.models import Embedder
from research_crawler.text.ranking import cosine
from research_crawler.text.words import STOPWORDS, WORD, stem

AKIN: Final = 0.65
"""Least cosine of two words that stand for each other. Dogs and pets have 0.82, photograph and picture 0.78, rail and
train 0.60; what are two of one kind (train and bus, winter and summer) have 0.47 to 0.62, dogs and cats 0.72."""
ABOUT_THE_SAME: Final = 0.5
"""Least cosine of two words of which one says what the other one is about: rain and waterproof."""
MOST_AKIN_WORDS: Final = 48
"""Most words that are embedded for one question, at 1.3 ms each."""


class AkinWords:
    """The words of some texts with their vectors."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self._vectors = vectors

    @classmethod
    async def of(cls, texts: Iterable[str], embedder: Embedder) -> Self:
        """The vectors of the words of texts, of the first MOST_AKIN_WORDS of them."""
        found = dict.fromkeys(word for text in texts for word in _content_words(text))
        words = list(found)[:MOST_AKIN_WORDS]
        return cls(dict(zip(words, await embedder.embed(words), strict=True)) if words else {})

    def are_akin(self, word: str, other: str, least: float = AKIN) -> bool:
        """Whether two words in lower case mean nearly the same, and are not two of one kind."""
        if is_one_of(stem(word), {stem(other)}):
            return True
        if word not in self._vectors or other not in self._vectors or are_rivals(word, other):
            return False
        return cosine(self._vectors[word], self._vectors[other]) >= least

    def told(self, wanted: Collection[str], text: str) -> float:
        """The share of some words for which a text has the word or one that is akin; 1 if none is wanted."""
        words = _content_words(text)
        have = sum(any(self.are_akin(one, word) for word in words) for one in wanted)
        return have / len(wanted) if wanted else 1.0

    def related(self, text: str, known: str) -> str:
        """The words of a text that are about the same as a word of another one."""
        others = _content_words(known)
        found = (
            word
            for word in _content_words(text)
            if any(self.are_akin(word, one, ABOUT_THE_SAME) for one in others)
        )
        return " ".join(found)


def _content_words(text: str) -> list[str]:
    words = (word.lower().replace("’", "'").removesuffix("'s") for word in WORD.findall(text))
    return list(dict.fromkeys(word for word in words if word not in STOPWORDS and not word[0].isdigit()))
