"""Tests of composing a product from readings that are not quite what a buyer wants to see."""

import json

from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.products.product_reader import read_products
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

HEADING = "<h1>Aurora 15 Laptop</h1><p class='price'>$899.00</p>"


def read(body: str = "", *, head: str = "") -> Product:
    (found,) = read_products(page(HEADING + body, head=head), url=URL)
    return found


def test_tags_in_a_stated_name_are_taken_out():
    head = json_ld(product(offers=offer("899")) | {"name": "Aurora 15 Lap&lt;wbr/&gt;top"})
    assert read(head=head).name == "Aurora 15 Laptop"


def test_a_brand_with_only_an_address_has_no_name():
    head = json_ld(product(brand={"@id": "https://shop.example.com/#brand"}, offers=offer("899")))
    assert read(head=head).brand == ""


def test_variants_of_a_state_that_counts_cents_have_prices_in_whole_units():
    variants = [
        {"title": size, "sku": f"AU-{size}", "price": cents, "available": True}
        for size, cents in (("small", 89900), ("large", 109900))
    ]
    known = {"title": "Aurora 15 Laptop", "price": 89900, "sku": "AU-15", "variants": variants}
    found = read(f"<script>var product = {json.dumps(known)};</script>")
    assert [one.price.amount for one in found.offers if one.price] == [899, 1099]


def test_a_script_that_is_too_long_does_not_hide_those_after_it():
    long = f"<script>var prices = '{'x' * 1_600_000}';</script>"
    known = {"title": "Aurora 15 Laptop", "price": 899, "sku": "AU-15-512", "available": False}
    assert read(f"{long}<script>var product = {json.dumps(known)};</script>").availability == "out_of_stock"
