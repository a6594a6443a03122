"""How much a product's name is what was searched for."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from research_crawler.core.models.products import Product

LEAST = 0.15
"""Rows below it share nothing with the query: shops fill their results up with such. Who asked judges the rest by the
whole goal: an accessory of what was searched for, a cheaper model."""
_SAME_WORD = 88.0
"""rapidfuzz ratio of two spellings of one word: laptop, laptops; colour, color. Numbers must be the same."""
_NUMBER_WEIGHT = 2.0
"""Of a word with a digit: 4060 says more than laptop."""
_ACCESSORY_WEIGHT = 0.3
"""Of a word that stands behind `for`: a sleeve for an X is no X."""
_WORD = re.compile(r"\w+(?:[.,]\d+)?")
_FOR = re.compile(
    r"\b(?:for|fits?|compatible (?:with|for)|für|passend|pour|compatible avec|para|per|voor|til|till|för|dla|pro|для)\b"
    r"|対応|适用|用于",
    re.I,
)


def likeness(name: str, query: str) -> float:
    """Share of the query's words that a name has, numbers counted double, 0 to 1.

    Words behind `for` count little, so that an accessory comes after what it belongs to.
    """
    wanted = _words(query)
    if not wanted:
        return 1.0
    head, _, tail = _split_at_for(name)
    own, other = _words(head), _words(tail)
    found = sum(_weight(word) * _has(word, own, other) for word in wanted)
    return found / sum(map(_weight, wanted))


def ranked(products: Iterable[Product], query: str) -> list[Product]:
    """Those that have to do with the query, likest first, in the shop's order where they are alike.

    Advertised rows come after others that are as like; their mark stays.
    """
    scored = [(likeness(f"{one.brand} {one.name}", query), one) for one in products]
    kept = [(score, one) for score, one in scored if score >= LEAST]
    return [one for _, one in sorted(kept, key=lambda pair: (-round(pair[0], 2), pair[1].sponsored))]


def _split_at_for(name: str) -> tuple[str, str, str]:
    mark = _FOR.search(name)
    return (name[: mark.start()], mark[0], name[mark.end() :]) if mark and mark.start() else (name, "", "")


@lru_cache(maxsize=4_096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(text.casefold())))


def _weight(word: str) -> float:
    return _NUMBER_WEIGHT if any(char.isdigit() for char in word) else 1.0


def _has(word: str, own: Sequence[str], other: Sequence[str]) -> float:
    if any(_is_same(word, one) for one in own):
        return 1.0
    return _ACCESSORY_WEIGHT if any(_is_same(word, one) for one in other) else 0.0


def _is_same(one: str, other: str) -> bool:
    if one == other:
        return True
    if any(char.isdigit() for char in one + other):
        return False
    return len(one) > 3 and fuzz.ratio(one, other) >= _SAME_WORD
