"""The product that a goal names by maker and model: its words say which thing is wanted, not what it must be like."""

from collections.abc import Collection, Iterable, Sequence

from research_crawler.core.models.offers.phase2 import Requirement
from research_crawler.core.models.offers.products import Product
from research_crawler.text.languages.words import WORD, stem


def named_product(
    goal: str, products: Sequence[tuple[str, str]], kind: Collection[str] = ()
) -> frozenset[str]:
    """Stems of the name in a goal: a maker's with the words of a model behind it; none of a maker alone.

    Args:
        goal: what is asked.
        products: maker and name of each product that was found.
        kind: stems of words for the kind of product, which name no model.
    """
    words = _stems(goal)
    for brand in dict.fromkeys(brand for brand, _ in products if brand):
        maker = _stems(brand)
        own = _words_of(name for of, name in products if of == brand)
        other = _words_of(name for of, name in products if of != brand)
        model = own - other - set(kind) - set(maker)
        for start in range(len(words) - len(maker) + 1):
            first = end = start + len(maker)
            if words[start:first] != maker:
                continue
            while end < len(words) and (
                words[end] in model or (words[end] in own and _has_digit(words[end]))
            ):
                end += 1
            if end > first:
                return frozenset(words[start:end])
    return frozenset()


def without_name(requirements: Sequence[Requirement], name: Collection[str]) -> list[Requirement]:
    """The requirements that are more than words of the product's name."""
    return [
        one
        for one in requirements
        if one.kind not in ("brand", "spec") or not name or not set(_stems(one.text)) <= set(name)
    ]


def is_called(product: Product, name: Collection[str]) -> bool:
    """Whether a product has a name, or there is none to have."""
    return set(name) <= set(_stems(f"{product.brand} {product.name} {product.variant}"))


def _words_of(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in _stems(name)}


def _stems(text: str) -> list[str]:
    return [stem(word.lower()) for word in WORD.findall(text)]


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
