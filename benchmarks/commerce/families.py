"""The families of rules for products that `ablations` switches off, each at its entry points."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from research_crawler.extraction.products import product_reader
from research_crawler.extraction.products.decide import choices, selling
from research_crawler.extraction.products.visible import (
    buttons,
    dom_facts,
    dom_prices,
    layout,
    product_page,
    rows,
)
from research_crawler.extraction.products.vocabulary import marks, stock_words

_NEVER = re.compile(r"(?!)")
_MARKS = (
    "SIDE", "PRICE", "OLD", "NOW", "BUYING", "UNIT", "MEMBER", "SHIPPING",
)  # fmt: skip


@dataclass(frozen=True)
class Patch:
    """A name of a module or class, and what stands in its place."""

    owner: Any
    name: str
    value: Any


@dataclass(frozen=True)
class Family:
    """Rules that stand or fall together."""

    name: str
    what: str
    patches: tuple[Patch, ...]
    weighs: bool = False
    """Whether the features of prices depend on them, so that the weights are learned anew."""


REMEMBERING: tuple[Callable[[], None], ...] = (stock_words._said.cache_clear, marks._marks_of_names.clear)


def _without_mark(name: str) -> tuple[tuple[int, Any], ...]:
    left_out = getattr(marks.ElementMark, name)
    return tuple((mark, words) for mark, words in marks._WORDS if mark != left_out)


def _silent(owners: tuple[Any, ...], name: str, value: Any) -> tuple[Patch, ...]:
    return tuple(Patch(owner, name, value) for owner in owners)


FAMILIES: tuple[Family, ...] = (
    Family(
        "concealment",
        "elements that are hidden by attributes and their own styles",
        (Patch(product_page, "concealed_elements", lambda root, names: frozenset()),),
        weighs=True,
    ),
    Family(
        "stock words",
        "statements about stock in eight languages",
        _silent((dom_facts, buttons, rows), "words_of_availability", lambda _: "unknown"),
    ),
    Family(
        "buttons",
        "labels and names of buy buttons",
        (Patch(layout, "kind_of_button", lambda *_, **__: ""),),
        weighs=True,
    ),
    Family(
        "button labels",
        "labels of buy buttons in many languages (their names stay)",
        (Patch(buttons, "BUY", _NEVER),),
        weighs=True,
    ),
    *(
        Family(
            f"mark {name}",
            f"names that say {name}",
            (Patch(marks, "_WORDS", _without_mark(name)),),
            weighs=True,
        )
        for name in _MARKS
    ),
    Family(
        "codes in URLs",
        "article numbers from the address",
        (Patch(choices, "codes_in_url", lambda _: []), Patch(choices, "named_codes", lambda _: [])),
    ),
    Family(
        "labels",
        "labels of article numbers",
        (Patch(dom_facts, "SKU_LABEL", _NEVER), Patch(dom_facts, "MPN_LABEL", _NEVER)),
    ),
    Family(
        "has signs",
        "products without a clear price, by other signs",
        (Patch(product_reader, "has_signs", lambda *_, **__: False),),
    ),
    Family(
        "shop addresses",
        "addresses that name a product",
        (Patch(selling, "is_product_url", lambda _: False),),
    ),
    Family(
        "list page",
        "rows make a page a list",
        (Patch(product_reader, "is_list_page", lambda *_, **__: False),),
    ),
    Family(
        "state", "the state that scripts start from", (Patch(product_reader, "read_state", lambda *_: []),)
    ),
    Family(
        "cents apart",
        "cents in an element of their own",
        (Patch(dom_prices, "_with_cents", lambda candidate, *_: candidate),),
        weighs=True,
    ),
    Family(
        "marks apart",
        "marks of money in another element than the number",
        (
            Patch(dom_prices, "_climbed", lambda *_: None),
            Patch(dom_prices, "_marked_before", lambda *_: None),
        ),
        weighs=True,
    ),
    Family(
        "lowest price",
        "words of the lowest price of several",
        (Patch(dom_prices, "FROM_WORDS", _NEVER), Patch(dom_prices, "FROM_AFTER", _NEVER)),
    ),
    Family(
        "shown code",
        "a code below the heading that is in the address",
        (Patch(choices, "_shown_code", lambda *_: None),),
    ),
    Family(
        "as shown", "numbers as the page writes them", (Patch(choices, "_as_shown", lambda code, _: code),)
    ),
)
