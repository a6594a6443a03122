"""Reads the visible prices beside the price: list price, unit price, price for members, shipping."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final

from research_crawler.core.models.products import PriceReading
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.layout import ProductLayout
from research_crawler.extraction.products.visible.price_words import OLD_WORDS, UNIT_WORDS
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.words import text_of

NEAR: Final = 25
"""The most elements between the price and a price beside it. On 61 saved product pages the old price is up to
6 elements away (once 17, in a description), and prices of other products are at least 29 away. Tables of
shipping costs, in which the buyer's own line is not known, begin at 70."""
_LONGEST_TEXT = 120
_SHIPPING = re.compile(
    r"\b(?:shipping|delivery|postage|p&p|versand(?:kosten)?|lieferung|livraison|frais de port|env[ií]o|frete|spedizione"
    r"|verzend(?:ing|kosten)|wysyłka|dostawa|doprava|doručení|frakt|fragt|toimitus|доставка|szállítás|kargo)\b|送料|運費",
    re.I,
)
_THRESHOLD = re.compile(
    r"\b(?:over|above|from|under|below|ab|über|unter|dès|à partir|desde|a partir|över|från|vanaf|od|от|spend"
    r"|orders?|members?|with)\b",
    re.I,
)
_FREE = re.compile(
    r"\bfree (?:standard |express |home )?(?:shipping|delivery|postage)\b|\b(?:shipping|delivery): ?free\b"
    r"|\bversandkostenfrei\b|\bkostenlose[rn]? (?:versand|lieferung)\b|\b(?:livraison|port) (?:gratuite?|offerte?)\b"
    r"|\benv[ií]o gratis\b|\bfrete grátis\b|\bspedizione gratuita\b|\bgratis (?:verzending|levering|frakt)\b"
    r"|\bfri frakt\b|\bdarmowa (?:dostawa|wysyłka)\b|\bdoprava zdarma\b|送料無料|包邮|免運",
    re.I,
)
_LONGEST_FREE = 48
_MEMBER = re.compile(
    r"\b(?:members?(?:hip)?|club|loyalty|with (?:your )?card|kundenkarte|mitglied\w*|vorteilskarte|adhérents?|socios?"
    r"|medlem\w*|klubb?|rewards?)\b|会員",
    re.I,
)
_NOT_BESIDE = ElementMark.SIDE | ElementMark.HIDDEN


def read_side_prices(
    chosen: PriceCandidate | None, candidates: list[PriceCandidate], layout: ProductLayout
) -> dict[str, PriceReading]:
    """The nearest price of each kind by field: `list_price`, `unit_price`, `member_price`, `shipping`."""
    if chosen is None:
        return {}
    near = sorted(
        _beside(chosen, candidates), key=lambda candidate: abs(candidate.spot.order - chosen.spot.order)
    )
    found: dict[str, PriceReading] = {}
    for candidate in near:
        for field, is_one in _KINDS.items():
            if is_one(candidate, chosen):
                found.setdefault(field, _reading(candidate, chosen))
                break
    if "shipping" not in found and (free := _free_shipping(chosen, layout)):
        found["shipping"] = free
    return found


def _free_shipping(chosen: PriceCandidate, layout: ProductLayout) -> PriceReading | None:
    """Shipping of 0, if a text beside the price says that it is free, and not only above an order value."""
    for spot in layout.spots:
        is_beside = abs(spot.order - chosen.spot.order) <= NEAR and not spot.marks & _NOT_BESIDE
        if is_beside and _says_free(spot.text):
            return PriceReading(text=spot.text, amount=Decimal(0), currency=chosen.price.currency)
    return None


def _says_free(text: str) -> bool:
    if len(text) > _LONGEST_FREE or any(map(str.isdigit, text)):
        return False
    return bool(_FREE.search(text)) and not _THRESHOLD.search(text)


def _beside(chosen: PriceCandidate, candidates: list[PriceCandidate]) -> Iterator[PriceCandidate]:
    for candidate in candidates:
        is_near = abs(candidate.spot.order - chosen.spot.order) <= NEAR
        same_money = candidate.price.currency in ("", chosen.price.currency) or not chosen.price.currency
        is_other = (
            candidate is not chosen and candidate.price.amount > 0 and not candidate.spot.marks & _NOT_BESIDE
        )
        if is_other and is_near and same_money:
            yield candidate


def _is_unit_price(candidate: PriceCandidate, _: PriceCandidate) -> bool:
    return bool(_unit_of(candidate))


def _is_shipping(candidate: PriceCandidate, chosen: PriceCandidate) -> bool:
    before = _before(candidate)
    said = _SHIPPING.search(before) or (candidate.spot.marks & ElementMark.SHIPPING and not before)
    return bool(said) and not _THRESHOLD.search(before) and candidate.price.amount < chosen.price.amount


def _is_member_price(candidate: PriceCandidate, chosen: PriceCandidate) -> bool:
    said = candidate.spot.marks & ElementMark.MEMBER or _MEMBER.search(_before(candidate))
    return bool(said) and candidate.price.amount < chosen.price.amount


def _is_list_price(candidate: PriceCandidate, chosen: PriceCandidate) -> bool:
    said = candidate.spot.marks & (ElementMark.STRUCK | ElementMark.OLD) or OLD_WORDS.search(
        _before(candidate)
    )
    return bool(said) and candidate.price.amount > chosen.price.amount


_KINDS: Final[dict[str, Callable[[PriceCandidate, PriceCandidate], bool]]] = {
    "unit_price": _is_unit_price,
    "shipping": _is_shipping,
    "member_price": _is_member_price,
    "list_price": _is_list_price,
}
"""In the order in which they are tried: a unit price that is struck through is a unit price."""


def _text(candidate: PriceCandidate) -> str:
    text = text_of(candidate.element)
    return text if len(text) <= _LONGEST_TEXT else candidate.spot.text


def _before(candidate: PriceCandidate) -> str:
    """The text before the price in its element, back to the end of another sentence or amount."""
    before, found, _ = _text(candidate).partition(candidate.price.text)
    return re.split(r"[.;!)]\s|\d", before)[-1] if found else ""


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
