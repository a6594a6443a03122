"""Reads the visible prices beside the price: list price, unit price, price for members, shipping."""

from collections.abc import Callable, Iterator
from typing import Final

from research_crawler.core.models.offers.products import PriceReading
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.price_words import UNIT_WORDS
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.name_comparison import text_on_one_line

_NEAR: Final = 25
"""The most elements between the price and a price beside it. On 61 saved product pages the old price is up to
6 elements away (once 17, in a description), and prices of other products are at least 29 away. Tables of
shipping costs, in which the buyer's own line is not known, begin at 70."""
_LONGEST_TEXT = 120
"""Longest text around a price that says what it is."""
_NOT_BESIDE = ElementMark.SIDE | ElementMark.HIDDEN


def read_side_prices(
    chosen: PriceCandidate | None, candidates: list[PriceCandidate]
) -> dict[str, PriceReading]:
    """The nearest price of each kind by field: `list_price`, `unit_price`, `member_price`, `shipping`.

    The markup says which kind a price is: struck through, or an element that is named for it. A unit price has its unit
    behind it.
    """
    if chosen is None:
        return {}
    near = sorted(
        _beside(chosen, candidates),
        key=lambda candidate: abs(candidate.text_element.order - chosen.text_element.order),
    )
    found: dict[str, PriceReading] = {}
    for candidate in near:
        kind = next((field for field, is_one in _KINDS.items() if is_one(candidate, chosen)), "")
        if kind:
            found.setdefault(kind, _reading(candidate, chosen))
    return found


def _beside(chosen: PriceCandidate, candidates: list[PriceCandidate]) -> Iterator[PriceCandidate]:
    for candidate in candidates:
        is_near = abs(candidate.text_element.order - chosen.text_element.order) <= _NEAR
        same_money = candidate.price.currency in ("", chosen.price.currency) or not chosen.price.currency
        is_other = (
            candidate is not chosen
            and candidate.price.amount > 0
            and not candidate.text_element.marks & _NOT_BESIDE
        )
        if is_other and is_near and same_money:
            yield candidate


def _is_unit_price(candidate: PriceCandidate, _: PriceCandidate) -> bool:
    return bool(_unit_of(candidate))


def _is_cheaper(mark: int) -> Callable[[PriceCandidate, PriceCandidate], bool]:
    return lambda candidate, chosen: (
        bool(candidate.text_element.marks & mark) and candidate.price.amount < chosen.price.amount
    )


def _is_list_price(candidate: PriceCandidate, chosen: PriceCandidate) -> bool:
    is_old = candidate.text_element.marks & (ElementMark.STRUCK | ElementMark.OLD)
    return bool(is_old) and candidate.price.amount > chosen.price.amount


_KINDS: Final[dict[str, Callable[[PriceCandidate, PriceCandidate], bool]]] = {
    "unit_price": _is_unit_price,
    "shipping": _is_cheaper(ElementMark.SHIPPING),
    "member_price": _is_cheaper(ElementMark.MEMBER),
    "list_price": _is_list_price,
}
"""In the order in which they are tried: a unit price that is struck through is a unit price."""


def _text(candidate: PriceCandidate) -> str:
    text = text_on_one_line(candidate.element)
    return text if len(text) <= _LONGEST_TEXT else candidate.text_element.text


def _unit_of(candidate: PriceCandidate) -> str:
    _, found, after = _text(candidate).partition(candidate.price.text)
    unit = UNIT_WORDS.match(after.lstrip(" \u00a0*")) if found else None
    return " ".join(unit[1].split()) if unit else ""


def _reading(candidate: PriceCandidate, chosen: PriceCandidate) -> PriceReading:
    return PriceReading(
        text=candidate.price.text,
        amount=candidate.price.amount,
        currency=candidate.price.currency or chosen.price.currency,
        unit=_unit_of(candidate),
    )
