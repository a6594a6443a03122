"""Which source says whether a product can be bought."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.products.product_reader import read_products
from research_crawler.extraction.products.vocabulary.stock_words import (
    read_availability,
    words_of_availability,
)
from tests.cases import each_case
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

AVAILABILITIES = {"in_stock", "limited", "preorder", "backorder", "out_of_stock", "unknown"}


def availability(body: str, *, stated: str = "") -> str:
    head = json_ld(product(offers=offer("799.00", availability=stated))) if stated else ""
    (found,) = read_products(page(f"<h1>Aurora 15 Laptop</h1>{body}", head=head), url=URL)
    return found.availability


@each_case(
    ("body", "stated", "expected"),
    [
        ("<p>$799.00</p>", "InStock", "in_stock"),
        ("<p>$799.00</p>", "OutOfStock", "out_of_stock"),
        ("<p>$799.00</p><button>Add to cart</button>", "OutOfStock", "in_stock"),
        ("<p>$799.00</p><p>Sold out</p><button>Add to cart</button>", "OutOfStock", "out_of_stock"),
        ("<p class='price'>$799.00</p><p>Out of stock</p>", "", "out_of_stock"),
        ("<p class='price'>$799.00</p><button>Add to cart</button>", "", "in_stock"),
    ],
)
def test_data_is_believed_unless_the_product_is_for_sale_on_the_page(body, stated, expected):
    assert availability(body, stated=stated) == expected


def test_data_that_the_page_contradicts_is_marked_as_contradictory():
    head = json_ld(product(offers=offer("799.00", availability="InStock")))
    (found,) = read_products(
        page("<h1>Aurora 15 Laptop</h1><p>$799.00</p><p>Sold out</p>", head=head), url=URL
    )
    assert [gap.reason for gap in found.gaps if gap.field == "availability"] == ["contradictory"]


@given(st.text(max_size=200))
def test_any_text_has_an_availability(text):
    assert words_of_availability(text) in AVAILABILITIES
    assert read_availability(text) in AVAILABILITIES
