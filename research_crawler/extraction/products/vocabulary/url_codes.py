"""Reads the number that a shop's URL gives to its product: `/dp/B08N5WRWNW`, `/p/12345`, `-i.123.html`."""

import re
from urllib.parse import unquote, urlsplit

from research_crawler.extraction.products.vocabulary.identifiers import is_code, named_codes

_NAMING = frozenset([
    "p", "ip", "dp", "pd", "pdp", "itm", "item", "items", "product", "products", "prod", "produkt", "produkte",
    "produit", "produits", "producto", "productos", "produto", "produtos", "prodotto", "prodotti", "produs",
    "artikel", "article", "articulo", "articolo", "sku", "goods", "offer", "oferta", "listing", "urun", "tovar",
    "vare", "tuote", "termek", "detail", "details", "buy", "shop", "store",
])  # fmt: skip
"""Path segments after which a product follows."""
_SURELY = _NAMING - {
    "article",
    "articles",
    "detail",
    "details",
    "buy",
    "shop",
    "store",
    "offer",
    "item",
    "items",
}
"""Those after which nothing else does. Newspapers have articles, forums have items."""
_ASIN = re.compile(r"B0[A-Z0-9]{8}|\d{9}[\dX]")
"""An Amazon Standard Identification Number, or an ISBN-10, which serves as one."""
_MAX_PREFIX = re.compile(r"[A-Za-z]-(?=\d{6,}$)")
"""A letter before a number that is not part of it: `A-89287867`."""
_FILE = re.compile(r"\.(?:html?|php|aspx?|jsp|do|action)$", re.I)
_ENDING = re.compile(
    r"(?:^|[-_.,~])(?:(?:i|p|pid|id|pr|prod|art|a|g|m|v|ref|dp|itm|item|sku|nr)[-_.]?)(\d{3,}(?:\.\d{3,})?)$",
    re.I,
)
"""A number behind a letter or word for "product" at the end of a segment: `-i.123`, `_p123`, `-dp-123`."""
_LAZADA = re.compile(r"-i(\d{3,})-s\d{3,}$")
_NUMBER = re.compile(r"(?:^|[-_.,])(\d{5,})$")
_PLAIN = re.compile(r"(?=\d*[A-Z]*\d)[A-Z0-9]{4,}(?:[-.][A-Z0-9]+)*|\d{3,}")
"""A segment that is nothing but a code."""


def code_of_product(url: str) -> str:
    """The code that stands in the URL where a shop writes its product's; "" if there is none."""
    if named := named_codes(url):
        return named[0]
    segments = _segments(url)
    for before, segment in zip(["", *segments], segments, strict=False):
        if before.lower() in _SURELY and (found := _whole(segment)):
            return found
    for segment in reversed(segments[-2:]):
        if lazada := _LAZADA.search(segment):
            return lazada[1]
        if ending := _ENDING.search(segment):
            return ending[1].rpartition(".")[2]
        if number := _NUMBER.search(segment):
            return number[1]
        if len(segments) > 1 and (found := _whole(segment)) and any(map(_is_naming, segments[:-1])):
            return found
    return ""


def is_product_url(url: str) -> bool:
    """Whether a URL has the form of a product's page: a segment such as `/product/`, with more after it."""
    segments = _segments(url)
    return any(segment.lower() in _SURELY for segment in segments[:-1])


def _is_naming(segment: str) -> bool:
    return segment.lower() in _NAMING


def _whole(segment: str) -> str:
    """A segment that is a code: an ASIN, or letters and digits without any word."""
    if _ASIN.fullmatch(segment):
        return segment
    code = _MAX_PREFIX.sub("", segment)
    return code if _PLAIN.fullmatch(code) and is_code(code) else ""


def _segments(url: str) -> list[str]:
    parts = [unquote(part) for part in urlsplit(url).path.split("/") if part]
    return [_FILE.sub("", part) for part in parts]
