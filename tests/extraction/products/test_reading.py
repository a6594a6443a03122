"""Tests of the products of a page as events contain them."""

from decimal import Decimal

import pytest

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.offers.products import Product, WantedProducts
from research_crawler.extraction.process.pool import ParsePool
from research_crawler.extraction.products.event_products import MAX_SPECS_READ, of_vendor, read_wanted
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

BODY = page("<h1>Aurora 15 Laptop</h1>", head=json_ld(product(offers=offer("899.00"), sku="A15"))).encode()


@pytest.fixture(scope="module")
def pool():
    made = ParsePool(1)
    made.start()
    yield made
    made.close()


def test_a_price_without_a_currency_gets_the_vendors_marked_as_inferred():
    bare = Product(name="x", price="799", price_numeric=Decimal(799))
    given = of_vendor(bare, WantedProducts(currency="CAD", vendor="shop.example"))
    assert (given.currency, given.vendor) == ("CAD", "shop.example")
    assert given.provenance["currency"].source == "inferred"


def test_a_currency_that_the_page_states_stays_and_a_product_without_a_price_gets_none():
    stated = Product(name="x", price="$799", price_numeric=Decimal(799), currency="USD")
    assert of_vendor(stated, WantedProducts(currency="EUR")).currency == "USD"
    assert of_vendor(Product(name="x"), WantedProducts(currency="EUR")).currency == ""


def test_the_sizes_of_specs_urls_and_names_are_limited():
    long = Product(
        name="n" * 900,
        url="https://a.example/p?utm_source=x&b=1",
        specs={str(n): "v" * 900 for n in range(90)},
    )
    kept = of_vendor(long, WantedProducts())
    assert (len(kept.name), len(kept.specs), len(kept.specs["0"])) == (300, MAX_SPECS_READ, 200)
    assert kept.url == "https://a.example/p?b=1"


def test_at_most_the_wanted_number_of_rows_is_returned():
    rows = "".join(
        f"<li class='hit'><a href='/p/{n}'>Aurora 15 no {n}</a> <b>${n}99.00</b></li>" for n in range(1, 9)
    )
    body = page(f"<ul>{rows}</ul>", title="Search").encode()
    wanted = WantedProducts(query="Aurora 15", asked_url=URL, most=3)
    assert len(read_wanted(body, url=URL, headers={}, wanted=wanted)) == 3


async def test_a_parse_process_gives_the_same_result(pool):
    wanted = WantedProducts(vendor="shop.example.com")
    headers = {"content-type": "text/html; charset=utf-8"}
    read = await pool.read_products(BODY, url=URL, headers=headers, wanted=wanted)
    assert read == read_wanted(BODY, url=URL, headers=headers, wanted=wanted)
    assert read[0].price_numeric == Decimal("899.00")


async def test_bytes_that_are_not_a_page_are_refused_and_the_next_page_is_read(pool):
    with pytest.raises(PageUnreadable, match="empty"):
        await pool.read_products(b"", url=URL, headers={}, wanted=WantedProducts())
    assert await pool.read_products(BODY, url=URL, headers={}, wanted=WantedProducts())
