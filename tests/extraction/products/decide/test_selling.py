"""Tests of telling the page of a product whose price says little from lists, articles and documentation."""

import pytest

from research_crawler.extraction.products.ladder import read_products
from tests.extraction.products.shop_pages import page

URL = "https://shop.example.com/lamps/aurora"
HEADING = "<h1>Aurora 15 Laptop</h1>"
NO_PRICE = "<p>Ask for the price</p>"


def form(action: str, number: int = 15) -> str:
    fields = f"<input type=hidden name=product_id value={number}><input name=quantity>"
    return f"<form action='{action}' class='form-{number}'>{fields}<button>Add to cart</button></form>"


@pytest.mark.parametrize(
    ("case", "body"),
    [
        ("a form for the cart", NO_PRICE + form("/cart/add")),
        ("a form that only says buy", NO_PRICE + "<form action='/service/380'><input type=hidden name=s value=380>"
         "<a href='#'>Kupi</a></form><p>Item number: AU-15-512</p>"),
        ("sold out for good", "<p>Product code: ALD-00601</p><p>This product is no longer available.</p>"),
        ("a number, its stock, a plain price", "<p>Item ID: AU-15-512</p><p>In Stock!</p><p>$299.99</p>"),
        ("a button for this product in a part named slider", "<div class='slider'><form action='/x'>"
         "<input type=hidden name=n value=12><a data-name='Aurora 15 Laptop' href='#'>Buy now</a></form></div>"),
    ],
)  # fmt: skip
def test_signs_of_a_shop_make_a_product_without_structured_data(case, body):
    (found,) = read_products(page(HEADING + body), url=URL)
    assert found.name == "Aurora 15 Laptop", case


def test_a_shop_whose_plugin_calls_all_pages_articles_still_sells():
    kind = '<meta property="og:type" content="article">'
    (found,) = read_products(page(HEADING + NO_PRICE + form("/cart/add"), head=kind), url=URL)
    assert found.price_numeric is None
    assert read_products(page(HEADING + NO_PRICE, head=kind), url=URL) == []


@pytest.mark.parametrize(
    ("case", "body"),
    [
        ("each product of a list has its form", "".join(form("/cart/add", 1) + form("/cart/add", 2))),
        ("the wish list", "<form action='/wishlist/add'><input name=product_id value=15></form>"),
        ("a search", "<form action='/search'><input type=hidden name=t value=15><button>Go</button></form>"),
        ("documentation of feeds", "<p>sku: 12345</p><p>availability: in stock</p>"),
    ],
)
def test_other_forms_and_fields_make_no_product(case, body):
    body = body.replace("class='form-2'", "class='form-1'")
    assert (
        read_products(page(f"{HEADING}<p>Read on.</p>{body}".replace("Add to cart", "+")), url=URL) == []
    ), case


def test_what_holds_the_heading_is_no_row_of_a_list():
    own = f"<div class='item'>{HEADING}<a href='/x'>Details of it</a><b class='price'>$899.00</b></div>"
    others = "".join(
        f"<div class='item'><h3><a href='/p/{n}'>Borealis {n}</a></h3><b class='price'>${n}9.00</b></div>"
        for n in (2, 3)
    )
    found = read_products(page(f"<main>{own}{others}</main>"), url="https://shop.example.com/product/aurora")
    assert [one.name for one in found] == ["Aurora 15 Laptop"]
