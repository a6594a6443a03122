"""Finds the signs that a shop's system writes into the page of one product: the form for its cart, the page's kind."""

import re
from typing import Final

from lxml import html

from research_crawler.extraction.products.visible.buttons import is_disabled
from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.visible.price_places import shape_of
from research_crawler.extraction.products.vocabulary.offer_words import BUY, BUY_NAME

_CART: Final = re.compile(
    r"cart|basket|trolley|panier|carrito|cesta|cesto|carrinho|carrello|warenkorb|winkelwagen|winkelmand|koszyk|ko[sš]ik"
    r"|kos[aá]r|varukorg|kundvagn|handlekurv|kurv|ostoskor|sepet|korzin|korpa|line-?item|shopping[-_]?bag",
    re.I,
)
_PRODUCT_FIELD: Final = re.compile(
    r"(?:^|[^a-z])(?:products?|item|article|artikel|sku|variant|variation|goods|pid|qty|quantity|amount|menge|anzahl"
    r"|quantit[ea]|cantidad|quantidade|antal|mnozstvi|ilosc|add-to-cart)(?:[^a-z]|id|$)",
    re.I,
)
"""A field for the product's number or for how many of it."""
_ADDS: Final = re.compile(r"(?:^|[^a-z])add|add[-_]?to", re.I)
_OTHER: Final = re.compile(r"wish|compar|review|remove|update|coupon|voucher|subscri|search", re.I)
_MAX_LABEL = 80
_NAMES: Final = ("action", "id", "name", "class")
_OF_PRODUCT_PAGE: Final = frozenset([
    "single-product", "product-template-default", "catalog-product-view", "template-product", "page-product",
    "page-node-type-product", "is-ctl-product", "page-type-product", "woocommerce-product-page",
])  # fmt: skip
"""Classes by which WooCommerce, Magento, Shopify's themes, Drupal and Shopware name the page of a product."""


def is_named_product_page(page: ProductPage) -> bool:
    """Whether the shop's system says in the names of the body that the page shows one product."""
    body = page.root.find("body")
    names = "" if body is None else f"{body.get('class') or ''} {body.get('id') or ''}"
    return not _OF_PRODUCT_PAGE.isdisjoint(names.lower().split())


def own_cart_form(page: ProductPage) -> html.HtmlElement | None:
    """The form that puts the product of the heading into the cart; None if there are only those of a list's products.

    It is the first such form around or after the heading. In a list, forms for other products have its shape.
    """
    forms = [form for form in page.root.iter("form") if _puts_into_cart(form)]
    if not forms or page.heading is None:
        return None
    first = _first_after(page, page.heading, set(forms))
    if first is None:
        return None
    shape, product = shape_of(first), _product_of(first)
    is_alone = all(_product_of(form) == product for form in forms if shape_of(form) == shape)
    return first if is_alone else None


def takes_orders(form: html.HtmlElement | None, concealed: frozenset[html.HtmlElement]) -> bool:
    """Whether a form for the cart has a button that buys, can be seen, and is not disabled."""
    if form is None or form in concealed:
        return False
    return any(
        _is_to_add(button) and button not in concealed and not is_disabled(button)
        for button in form.iter("button", "input", "a")
        if button.get("type") != "hidden"
    )


def _first_after(
    page: ProductPage, heading: html.HtmlElement, forms: set[html.HtmlElement]
) -> html.HtmlElement | None:
    around = set(heading.iterancestors())
    is_after = False
    for element in page.elements:
        is_after = is_after or element is heading
        if element in forms and (is_after or element in around):
            return element
    return None


def _puts_into_cart(form: html.HtmlElement) -> bool:
    action = form.get("action") or ""
    names = " ".join(form.get(name) or "" for name in _NAMES)
    if _OTHER.search(action):
        return False
    fields = list(form.iter("input", "select", "button"))
    has_product = _PRODUCT_FIELD.search(action) or any(
        _PRODUCT_FIELD.search(field.get("name") or "") for field in fields
    )
    if _CART.search(names) and has_product:
        return bool(_ADDS.search(names)) or any(map(_is_to_add, form.iter("button", "input", "a")))
    has_number = any(
        field.get("type") == "hidden" and (field.get("value") or "").isdigit() for field in fields
    )
    return bool(has_product or has_number) and any(map(_is_to_buy, form.iter("button", "input", "a")))


def _is_to_add(button: html.HtmlElement) -> bool:
    said = " ".join(button.get(name) or "" for name in ("name", "id", "class"))
    return bool(BUY_NAME.search(said) or _ADDS.search(button.get("name") or "")) or _is_to_buy(button)


def _is_to_buy(button: html.HtmlElement) -> bool:
    label = (button.get("value") or "") if button.tag == "input" else "".join(button.itertext())
    return len(label) <= _MAX_LABEL and BUY.search(label) is not None


def _product_of(form: html.HtmlElement) -> str:
    """What the form's fields say about which product it is for."""
    stated = (
        field.get("value") or ""
        for field in form.iter("input", "button")
        if field.get("type") in ("hidden", "submit", None) and _PRODUCT_FIELD.search(field.get("name") or "")
    )
    return next((value for value in stated if any(map(str.isdigit, value))), form.get("action") or "")
