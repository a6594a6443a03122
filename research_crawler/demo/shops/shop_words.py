"""The words of shops by country: amounts of money, availability, condition, and the labels of their pages."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.offers.products import Availability, Condition

NBSP: Final = "\u00a0"


class Words(Frozen):
    """The words of one language."""

    lang: str
    availability: dict[Availability, str]
    conditions: dict[Condition, str]
    labels: dict[str, str]


ENGLISH: Final = Words(
    lang="en",
    availability={
        "in_stock": "In stock",
        "out_of_stock": "Out of stock",
        "limited": "Only 3 left in stock",
        "preorder": "Pre-order now, ships in spring",
        "backorder": "On backorder, ships in 3 weeks",
    },
    conditions={"open_box": "Open Box", "refurbished": "Refurbished", "used": "Used"},
    labels={
        "cart": "Cart", "buy": "Add to cart", "notify": "Notify me when available", "search": "Search", "sku": "SKU",
        "brand": "Brand", "was": "Was", "members": "Members pay", "shipping": "Shipping", "free": "Free shipping",
        "specs": "Specifications", "others": "Customers also viewed", "results": "results for", "none": "No result for",
        "sponsored": "Sponsored", "condition": "Condition", "price": "Price", "each": "Capacity", "model": "Model",
        "promise": "Free shipping on orders over", "tax": "plus sales tax where it applies",
    },
)  # fmt: skip
GERMAN: Final = Words(
    lang="de",
    availability={
        "in_stock": "Auf Lager, in 2 Werktagen bei Ihnen",
        "out_of_stock": "Derzeit nicht verfügbar",
        "limited": "Nur noch 2 Stück auf Lager",
        "preorder": "Jetzt vorbestellen",
        "backorder": "Auf Bestellung",
    },
    conditions={"open_box": "Vorführgerät", "refurbished": "Generalüberholt", "used": "Gebraucht"},
    labels={
        "cart": "Warenkorb", "buy": "In den Warenkorb", "notify": "Benachrichtigen", "search": "Suchen",
        "sku": "Artikelnummer", "brand": "Marke", "was": "Statt", "members": "Kundenkarte", "shipping": "Versand",
        "free": "Versandkostenfrei", "specs": "Technische Daten", "others": "Das könnte Ihnen auch gefallen",
        "results": "Treffer für", "none": "Keine Treffer für", "sponsored": "Anzeige", "condition": "Zustand",
        "price": "Preis", "each": "Kapazität", "model": "Modell", "promise": "Versandkostenfrei ab",
        "tax": "inkl. MwSt.",
    },
)  # fmt: skip
SWEDISH: Final = Words(
    lang="sv",
    availability={
        "in_stock": "I lager, skickas i dag",
        "out_of_stock": "Slut i lager",
        "limited": "Få kvar",
        "preorder": "Förboka",
        "backorder": "Beställningsvara",
    },
    conditions={"open_box": "Öppnad förpackning", "refurbished": "Renoverad", "used": "Begagnad"},
    labels={
        "cart": "Varukorg", "buy": "Lägg i varukorgen", "notify": "Bevaka", "search": "Sök", "sku": "Artikelnr",
        "brand": "Varumärke", "was": "Ord. pris", "members": "Medlemspris", "shipping": "Frakt", "free": "Fri frakt",
        "specs": "Specifikationer", "others": "Andra tittade också på", "results": "träffar för",
        "none": "Inga träffar för", "sponsored": "Annons", "condition": "Skick", "price": "Pris", "each": "Kapacitet",
        "model": "Modell", "promise": "Fri frakt över", "tax": "inkl. moms",
    },
)  # fmt: skip


def words_for(locale: str) -> Words:
    """The words of a locale such as de-CH."""
    return {"de": GERMAN, "sv": SWEDISH}.get(locale[:2], ENGLISH)


def money(amount: Decimal, locale: str) -> str:
    """Write an amount as shops of this country do."""
    return _FORMS[locale](amount)


def _grouped(amount: Decimal, group: str, point: str) -> str:
    text = f"{amount:,.2f}"
    return text.replace(",", "\0").replace(".", point).replace("\0", group)


def _us(amount: Decimal) -> str:
    return f"${amount:,.2f}"


def _german(amount: Decimal) -> str:
    return f"{_grouped(amount, '.', ',')}{NBSP}€"


def _indian(amount: Decimal) -> str:
    """Write groups of two digits above the thousands: 1,04,990."""
    head, tail = divmod(int(amount), 1000)
    groups: list[str] = []
    while head > 99:
        head, pair = divmod(head, 100)
        groups.insert(0, f"{pair:02d}")
    front = [str(head), *groups] if head or groups else []
    return "₹" + ",".join([*front, f"{tail:03d}" if front else str(tail)])


def _swedish(amount: Decimal) -> str:
    return f"{int(amount):,}".replace(",", NBSP) + f"{NBSP}kr"


def _swiss(amount: Decimal) -> str:
    """Write whole francs with a dash in place of the centimes."""
    text = _grouped(amount, "'", ".")
    return "CHF " + (text[:-2] + "–" if text.endswith(".00") else text)


_FORMS: Final[dict[str, Callable[[Decimal], str]]] = {
    "en-US": _us,
    "de-DE": _german,
    "en-IN": _indian,
    "sv-SE": _swedish,
    "de-CH": _swiss,
}
