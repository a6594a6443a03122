"""Rates how well the name of a product matches a query."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from research_crawler.core.models.offers.products import Product

LEAST = 0.15
"""Rows with a lower likeness have nothing to do with the query: shops fill up their results with them. The
caller judges the others by the goal, such as an accessory of the product or a cheaper model."""
_SAME_WORD = 88.0
"""The least rapidfuzz ratio of two spellings of one word (laptop, laptops; colour, color). Numbers must be
equal."""
_NUMBER_WEIGHT = 2.0
"""The weight of a word with a digit, because "4060" is more specific than "laptop"."""
_ACCESSORY_WEIGHT = 0.3
"""The weight of a match after the word "for": a sleeve for a laptop is not a laptop."""
_WORD = re.compile(r"\w+(?:[.,]\d+)?")
_FOR = re.compile(
    r"\b(?:for|fits?|compatible (?:with|for)|für|passend|pour|compatible avec|para|per|voor|til|till|för|dla|pro|для)\b"
    r"|対応|适用|用于",
    re.I,
)


def likeness(name: str, query: str) -> float:
    """The share of the query's words that a name has, 0 to 1. Numbers count double.

    Words after "for" count little, so that an accessory comes after the product it belongs to.
    """
    wanted = _words(query)
    if not wanted:
        return 1.0
    head, _, tail = _split_at_for(name)
    own, other = _words(head), _words(tail)
    found = sum(_weight(word) * _has(word, own, other) for word in wanted)
    return found / sum(map(_weight, wanted))


def ranked(products: Iterable[Product], query: str) -> list[Product]:
    """The products that match the query, best match first. Equal matches stay in the shop's order.

    Advertised rows come after other rows that match as well. They stay marked as sponsored.
    """
    scored = [(likeness(f"{one.brand} {one.name}", query), one) for one in products]
    matching = [(score, product) for score, product in scored if score >= LEAST]
    matching.sort(key=lambda pair: (-round(pair[0], 2), pair[1].sponsored))
    return [product for _, product in matching]


def _split_at_for(name: str) -> tuple[str, str, str]:
    mark = _FOR.search(name)
    return (name[: mark.start()], mark[0], name[mark.end() :]) if mark and mark.start() else (name, "", "")


@lru_cache(maxsize=4_096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(text.casefold())))


def _weight(word: str) -> float:
    return _NUMBER_WEIGHT if any(char.isdigit() for char in word) else 1.0


def _has(word: str, own: Sequence[str], of_accessories: Sequence[str]) -> float:
    if any(_is_same(word, own_word) for own_word in own):
        return 1.0
    return _ACCESSORY_WEIGHT if any(_is_same(word, accessory) for accessory in of_accessories) else 0.0


def _is_same(word: str, counterpart: str) -> bool:
    if word == counterpart:
        return True
    if any(char.isdigit() for char in word + counterpart):
        return False
    return len(word) > 3 and fuzz.ratio(word, counterpart) >= _SAME_WORD
