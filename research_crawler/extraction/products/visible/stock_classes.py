"""Third rung: reads the availability that shop systems write into the classes of a product's elements."""

from typing import Final

from lxml import html

from research_crawler.core.models.products import Availability
from research_crawler.extraction.products.visible.layout import ProductLayout, Spot
from research_crawler.extraction.products.vocabulary.marks import ElementMark

_CLASSES: Final[dict[str, Availability]] = {
    "instock": "in_stock", "in-stock": "in_stock", "in_stock": "in_stock", "is-in-stock": "in_stock",
    "stock-in": "in_stock", "product-available": "in_stock", "delivery-available": "in_stock",
    "outofstock": "out_of_stock", "out-of-stock": "out_of_stock", "out_of_stock": "out_of_stock",
    "is-out-of-stock": "out_of_stock", "sold-out": "out_of_stock", "soldout": "out_of_stock",
    "stock-out": "out_of_stock", "product-unavailable": "out_of_stock", "delivery-not-available": "out_of_stock",
    "delivery-soldout": "out_of_stock", "onbackorder": "backorder", "available-on-backorder": "backorder",
    "product-last-items": "limited",
}  # fmt: skip
"""Classes of WooCommerce, PrestaShop, Shopware and of themes after their model."""
_PRODUCT: Final = frozenset(["product", "type-product"])
_OF_SYSTEM: Final = frozenset(["instock", "outofstock", "onbackorder"])
"""What WooCommerce writes beside `_PRODUCT` on the element of a product."""
_PRICE_SOLD: Final = frozenset(["price--sold-out", "price--soldout", "price-sold-out"])
"""Classes of Shopify's themes on the price of a product of which no variant can be bought."""
_CLIMB, _NEAR = 12, 120


def availability_of_class(element: html.HtmlElement) -> Availability:
    """What the classes of an element whose text is about stock say; "unknown" if they contradict each other."""
    said = {_CLASSES[name] for name in _names(element) if name in _CLASSES}
    return said.pop() if len(said) == 1 else "unknown"


def marked_availability(layout: ProductLayout, price_order: int | None) -> Availability:
    """What the classes around the heading, and those around the price, say of the page's product."""
    heading = next((spot.element for spot in layout.spots if spot.order == layout.heading), None)
    if heading is not None:
        for above, _ in zip(heading.iterancestors(), range(_CLIMB), strict=False):
            names = _names(above)
            if not _PRODUCT.isdisjoint(names) and (own := _OF_SYSTEM.intersection(names)):
                return _CLASSES[next(iter(own))] if len(own) == 1 else "unknown"
    if any(_is_of_price(spot, layout, price_order) for spot in layout.spots):
        return "out_of_stock"
    return "unknown"


def _is_of_price(spot: Spot, layout: ProductLayout, price_order: int | None) -> bool:
    if spot.marks & ElementMark.SIDE or not spot.marks & ElementMark.PRICE:
        return False
    place = price_order if price_order is not None else layout.heading
    if place < 0 or abs(spot.order - place) > _NEAR:
        return False
    around = (above for above, _ in zip(spot.element.iterancestors(), range(_CLIMB), strict=False))
    return any(not _PRICE_SOLD.isdisjoint(_names(above)) for above in around)


def _names(element: html.HtmlElement) -> list[str]:
    return (element.get("class") or "").lower().split()
