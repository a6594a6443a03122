"""The kind of product that a goal asks for, and whether a name or a text is about that kind or about another. Pure."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from planner.goal.report_language import report_language
from planner.goal.topic_match import NAMELESS, thing_words
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.offers.phase2 import Requirement
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import WORD, content_words, stem, terms
from research_crawler.text.offers.product_words import ASKING_TO_BUY, BESIDE, CHEAP, SAME_KIND, WEAK_HEADS
from research_crawler.text.offers.purchase import before_use
from research_crawler.text.offers.shopping import words_for_cheapest
from research_crawler.text.questions.question import kind_words

_NOUN_FIRST: Final = frozenset({"fr", "es", "it", "pt"})
"""Languages in which the noun comes before what describes it: `aspirateur sans sac`."""
_LEAST_COMPOUND: Final = 5
"""Least letters of a word that is looked for at the end of a compound: `Gamingnotebook`."""
_NEAR: Final = 2
"""How many words after the product's word may make it an accessory: `laptop cooling pad`."""
_PART: Final = re.compile(r",|\s[-–|/]\s|\(")


@dataclass(frozen=True)
class ProductKind:
    """What a goal asks for; without words, the goal names no kind (`Sony WH-1000XM5`, `the cheapest one`)."""

    words: frozenset[str] = frozenset()
    """Stems that name the kind: `laptop`, `notebook`."""
    describing: tuple[str, ...] = ()
    """Stems of the goal's words before it: `gaming`."""
    described: tuple[str, ...] = ()
    """The same words as the goal has them, without those that ask or rank."""
    is_weak: bool = False
    """The word alone names no kind: the one before it must be there too."""

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a word for the kind; true if the goal names none."""
        if not self.words:
            return True
        found = terms(text)
        if self.is_weak and self.describing:
            pairs = set(pairwise(found))
            return any((self.describing[-1], word) in pairs for word in self.words)
        return any(self._is_word(word) for word in found)

    def is_other(self, name: str, brand: str = "") -> bool:
        """Whether a product's name is that of another kind: a part, an accessory, or another thing for the same use.

        A name without any word for a kind (`Lenovo LOQ 15`) is not taken for another kind.
        """
        if not self.words:
            return False
        parts = _PART.split(before_use(name))
        nouns = [[word.casefold() for word in WORD.findall(part)] for part in parts]
        noun = next((one for one in nouns if any(map(self._is_word, map(stem, one)))), nouns[0])
        indexes = [index for index, word in enumerate(noun) if self._is_word(stem(word))]
        if indexes:
            return any(self._is_beside(word) for word in _plain_words(noun[indexes[-1] + 1 :])[:_NEAR])
        # What stands behind a comma or "with" comes along with the product: "Power Bank, Built-in Cable".
        if any(map(self._is_beside, noun)):
            return True
        return self._describes_another(noun, brand.casefold())

    def _is_word(self, word: str) -> bool:
        return any(
            word == own or (len(own) >= _LEAST_COMPOUND and len(word) > len(own) and word.endswith(own))
            for own in self.words
        )

    def _is_beside(self, word: str) -> bool:
        if stem(word) in self.words or stem(word) in self.describing:
            return False
        if word in _beside() or stem(word) in _beside():
            return True
        return any(
            word.startswith(own) and word.removeprefix(own).strip("s-") in _beside() for own in self.words
        )

    def _describes_another(self, noun: Sequence[str], brand: str) -> bool:
        """Whether a word that describes the kind stands before another noun: `gaming desktop` for a gaming laptop."""
        for word, after in pairwise(noun):
            is_common = after.isalpha() and after != brand and stem(after) not in self.describing
            if stem(word) in self.describing and is_common and len(after) > 2:
                return True
        return False


def product_kind_of(goal: str, language: str = "en") -> ProductKind:
    """The kind of product that a goal asks for.

    Args:
        language: of the goal, if the caller knows it.
    """
    wanted = [
        word
        for word in thing_words(goal)
        if word not in NAMELESS | kind_words("money", language) and word not in _stems(ASKING_TO_BUY)
    ]
    if not wanted:
        return ProductKind()
    first = report_language(goal, language) in _NOUN_FIRST
    head, before = (wanted[0], []) if first else (wanted[-1], wanted[:-1])
    if any(char.isdigit() for char in head):
        return ProductKind()
    same = next((names for names in SAME_KIND if head in _stems(names)), frozenset())
    words = frozenset({head, *_stems(same)})
    as_written = {stem(word.lower()): word.lower() for word in content_words(goal, detect(goal))}
    described = tuple(as_written.get(word, word) for word in before)
    return ProductKind(words, tuple(before), described, head in _stems(WEAK_HEADS))


def wants_cheap(goal: str) -> bool:
    """Whether a goal asks for a low price, with or without an amount."""
    return wants_cheapest(goal) or any(word.casefold() in CHEAP for word in WORD.findall(goal))


def wants_cheapest(goal: str) -> bool:
    """Whether a goal asks for the lowest price, not only for a low one."""
    return bool(words_for_cheapest(goal))


def leaves_shops_unasked(goal: str, intent: Intent) -> bool:
    """Whether a goal asks what is cheap, or the cheapest, and is answered as a question, for which no shop is asked."""
    return intent != "commerce" and wants_cheap(goal)


def described_requirements(kind: ProductKind, brands: Sequence[str] = ()) -> list[Requirement]:
    """The words before the kind of product as requirements: `gaming` of `gaming laptop`; makers' names are none."""
    makers = {brand.casefold() for brand in brands}
    return [Requirement(kind="spec", text=word) for word in kind.described if word not in makers]


def cheap_requirement(goal: str, limit: float | None, currency: str) -> Requirement:
    """The goal's word for a low price as a requirement; without a limit, no price can be compared with it."""
    low = next((word for word in WORD.findall(goal) if word.casefold() in CHEAP), "cheap")
    word = words_for_cheapest(goal) or low
    return Requirement(kind="price", text=word, most=limit, currency=currency)


def _plain_words(words: Sequence[str]) -> list[str]:
    """The words up to the first one with a digit, where the specs begin."""
    first = next((index for index, word in enumerate(words) if any(c.isdigit() for c in word)), len(words))
    return list(words[:first])


@functools.cache
def _beside() -> frozenset[str]:
    """The words for what stands beside a product, made at their first use: who only submits a job loads no stemmer."""
    return _stems(BESIDE)


def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in words) | words
