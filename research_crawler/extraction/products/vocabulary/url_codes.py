"""Tells the URL of a product's page by its form."""

from urllib.parse import unquote, urlsplit

_NAMING = frozenset([
    "p", "ip", "dp", "pd", "pdp", "itm", "product", "products", "prod", "produkt", "produkte", "produit", "produits",
    "producto", "productos", "produto", "produtos", "prodotto", "prodotti", "artikel", "sku", "goods", "listing",
])  # fmt: skip
"""Path segments after which a product follows, and nothing else does. Newspapers have articles, forums have items."""


def is_product_url(url: str) -> bool:
    """Whether a URL has the form of a product's page: a segment such as `/product/`, with more after it."""
    segments = [unquote(part).lower() for part in urlsplit(url).path.split("/") if part]
    return any(segment in _NAMING for segment in segments[:-1])
