"""Reads the availability that a text, a word of schema.org or a value of a page's state gives.

A statement of "in stock" after a word that denies it says "out of stock"; of several statements, the worst wins.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from research_crawler.core.models.offers.products import Availability

_SCHEMA: Final[dict[str, Availability]] = {
    "instock": "in_stock", "onlineonly": "in_stock", "instoreonly": "in_stock", "madetoorder": "in_stock",
    "available": "in_stock", "availablefororder": "backorder", "outofstock": "out_of_stock", "soldout": "out_of_stock",
    "discontinued": "out_of_stock", "reserved": "out_of_stock", "unavailable": "out_of_stock",
    "notavailable": "out_of_stock", "notinstock": "out_of_stock", "nostock": "out_of_stock", "outstock": "out_of_stock",
    "preorder": "preorder", "presale": "preorder", "comingsoon": "preorder", "backorder": "backorder",
    "onbackorder": "backorder", "backordered": "backorder", "limitedavailability": "limited", "limitedstock": "limited",
    "lowstock": "limited", "limited": "limited", "instocklimited": "limited", "oos": "out_of_stock",
    "pending": "out_of_stock", "ended": "out_of_stock", "sold": "out_of_stock", "true": "in_stock",
    "false": "out_of_stock", "yes": "in_stock", "no": "out_of_stock",
}  # fmt: skip
_SAID: Final[dict[Availability, str]] = {
    "out_of_stock": r"out of stock|sold out|(?:un|not )available|no longer available|discontinued|not for sale"
    r"|ausverkauft|vergriffen|nicht (?:verfugbar|lieferbar|vorratig)|epuise\w*|rupture de stock|indisponi\w*|agotad\w*"
    r"|sin (?:stock|existencias)|no disponible|esgotad\w*|sem (?:stock|estoque)|esaurit\w*|non disponibil\w*"
    r"|uitverkocht|niet (?:leverbaar|beschikbaar)|wyprzedan\w*|niedostepn\w*|brak w magazynie",
    "preorder": r"pre ?order\w*|coming soon|vorbestell\w*|precommand\w*|preventa|pre venda|preordin\w*|przedsprzedaz",
    "limited": r"(?:only|just|nur noch|plus que|solo quedan?|nog) \d+ ?(?:left|available|in stock|remaining)?"
    r"|\d+ left|low stock|limited stock|last (?:one|items|few)|stock limite|ultim[aoi]s? (?:unidades|pezzi)"
    r"|ostatni\w* sztuk\w*",
    "backorder": r"back ?order\w*|on order|auf bestellung|sur commande|bajo pedido|su ordinazione|na zamowienie",
    "in_stock": r"in stock|available|auf lager|lagernd|lieferbar|verfugbar|vorratig|en stock|disponib\w*|em estoque"
    r"|op voorraad|leverbaar|beschikbaar|dostepn\w*|w magazynie",
}  # fmt: skip
"""The statements by what they say, worst first, in small letters without accents."""
_DENIED: Final = r"(?:not|no|isn't|don't|nicht|kein|pas|plus|sin|non|niet|geen|nie|nao)"
_STATEMENTS: Final = {said: re.compile(rf"(?<!\w)(?:{words})(?!\w)") for said, words in _SAID.items()}
_DENYING: Final = re.compile(rf"(?<!\w){_DENIED}(?: \w+){{0,6}} ?$|(?<!\w)0 ?$")
_BREAK: Final = re.compile(r"[.,;!?()|•·–—]")
_MARKS: Final = re.compile("[\u0300-\u036f]+")
_SPACES: Final = re.compile(r"[\s_-]+")
_MAX_TEXT = 600
"""So much of a text is read for its availability."""


def read_availability(value: object) -> Availability:
    """Read an availability from schema.org, OpenGraph or a page's state, which may also be in words."""
    if isinstance(value, bool):
        return "in_stock" if value else "out_of_stock"
    text = str(value or "").strip()
    bare = re.sub(r"[\W_]", "", text.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]).lower()
    return _SCHEMA.get(bare) or words_of_availability(text)


def words_of_availability(text: str) -> Availability:
    """The availability that a short text states. If it states several, the worst one wins."""
    return _said(text[:_MAX_TEXT])


@lru_cache(maxsize=4_096)
def _said(text: str) -> Availability:
    found = set(_statements(_plain(text)))
    return next((said for said in _STATEMENTS if said in found), "unknown")


def _statements(text: str) -> Iterator[Availability]:
    for stated, statement in _STATEMENTS.items():
        for match in statement.finditer(text):
            before = _BREAK.split(text[: match.start()])[-1]
            yield "out_of_stock" if stated == "in_stock" and _DENYING.search(before) else stated


def _plain(text: str) -> str:
    """A text in small letters without accents."""
    small = text.casefold().replace("’", "'").replace("ł", "l")
    if not small.isascii():
        small = unicodedata.normalize("NFKC", _MARKS.sub("", unicodedata.normalize("NFKD", small)))
    return _SPACES.sub(" ", small)
