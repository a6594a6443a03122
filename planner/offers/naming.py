"""Decide which of the offered products a sentence names, by the words that distinguish them."""

import re
from collections import Counter
from collections.abc import Sequence

from planner.offers.search_terms import is_component, thing_named
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.offers.products import Product
from research_crawler.text.languages.words import WORD, stem, terms
from research_crawler.text.offers.product_names import product_names

_MIN_CHARS = 2
"""A shorter word does not distinguish products."""
_SHARED = 0.5
"""A word in the names of more than this part of the different products names their kind, not a model."""
_NAME_WORDS = 5
"""Words at the start of a product's name that are looked at: makers write the name and model first."""


class Names:
    """The products on offer, each with its brand and the words of its model."""

    def __init__(self, products: Sequence[Product], generic: str) -> None:
        """`generic`: the goal's words for the kind of product, which name no model."""
        things = {frozenset(_leading(product)): product for product in products}
        counts = Counter(stem(word.lower()) for thing in things for word in thing)
        self._common = set(terms(generic))
        if len(things) > 2:
            self._common |= {word for word, times in counts.items() if times > _SHARED * len(things)}
        brands = (product.brand or next(iter(WORD.findall(product.name)), "") for product in products)
        self._brands = {stem(word.lower()) for brand in brands for word in WORD.findall(brand)}
        self._products = products

    def named_in(self, product: Product, text: str) -> bool:
        """Whether a text names this product. If it names others too, it must name this one in full."""
        words = [match.group() for match in WORD.finditer(text)]
        if not self._is_named(product, words):
            return False
        own = set(self.model_words(product))
        others = (other for other in self._products if not own & set(self.model_words(other)))
        is_only = not any(self._is_named(other, words) for other in others) and not _other_models(
            product, text
        )
        return is_only or self._is_in_full(product, words)

    def model_words(self, product: Product) -> list[str]:
        """The words of a product's name that name its model: "Lynx", but not "Orlo", "Gaming" or "15"."""
        return [
            word
            for word in _leading(product)
            if len(word) >= _MIN_CHARS
            and any(char.isalpha() for char in word)
            and stem(word.lower()) not in self._common | self._brands
        ]

    def _is_named(self, product: Product, words: Sequence[str]) -> bool:
        numbers = {word for word in _leading(product) if word.isdigit()}
        return any(_matches(word, words, numbers) for word in self.model_words(product))

    def _is_in_full(self, product: Product, words: Sequence[str]) -> bool:
        """Whether the words contain the model's name with its number, or the brand with the name."""
        numbers = {word for word in _leading(product) if word.isdigit()}
        for model in self.model_words(product):
            for index, word in enumerate(words):
                after = words[index + 1] if index + 1 < len(words) else ""
                before = stem(words[index - 1].lower()) if index else ""
                if word.casefold() == model.casefold() and (after in numbers or before in self._brands):
                    return True
        return False


def places_warning(product: Product, findings: Sequence[Finding], names: Names) -> list[int]:
    """Indexes of the findings that warn about this product; the row of a table is never a warning."""
    return [
        index
        for index, finding in enumerate(findings)
        if finding.kind == "warning" and "|" not in finding.quote and names.named_in(product, finding.quote)
    ]


def places_naming(product: Product, findings: Sequence[Finding], names: Names) -> list[int]:
    """Indexes of the findings that recommend this product."""
    return [
        index
        for index, finding in enumerate(findings)
        if finding.kind in ("recommended_product", "recommendation")
        and names.named_in(product, finding.quote)
    ]


def _other_models(product: Product, text: str) -> list[str]:
    """The names of other products in a text, offered or not."""
    own = set(terms(f"{product.brand} {product.name}"))
    names = (name for name in product_names(text) if not is_component(name))
    return [name for name in names if len(terms(name)) > 1 and not set(terms(name)) <= own]


def _leading(product: Product) -> list[str]:
    return WORD.findall(thing_named(product.name))[:_NAME_WORDS]


def _matches(model: str, words: Sequence[str], numbers: set[str]) -> bool:
    """Whether the words contain a word of the model, without another number after it (`Lynx 13` is not `Lynx 15`)."""
    for index, word in enumerate(words):
        if word.casefold() != model.casefold() or not re.search(r"[A-Z\d]", word):
            continue
        after = words[index + 1] if index + 1 < len(words) else ""
        if not (after.isdigit() and numbers and after not in numbers):
            return True
    return False
