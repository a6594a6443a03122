"""Tests of reading the rows of search and category pages."""

import gzip

import pytest

from benchmarks.places import DATA
from research_crawler.extraction.products.product_reader import read_products
from tests.extraction.products.shop_pages import page

URL = "https://shop.example.com/search?q=laptop"


def row(number: int, badge: str = "", old: str = "") -> str:
    return (
        f'<div class="card"><a href="/p/{number}"><img alt="picture"></a>{badge}'
        f'<h3><a href="/p/{number}?from=search">Laptop model {number} with 16 GB</a></h3>{old}'
        f'<span class="price">${number}99.00</span><a href="/cart/add/{number}">Add to cart</a></div>'
    )


def test_every_row_has_name_url_price_and_currency():
    found = read_products(page("".join(map(row, range(3, 11))), title="laptop - search"), url=URL)
    assert [one.name for one in found] == [f"Laptop model {n} with 16 GB" for n in range(3, 11)]
    assert [one.price_numeric for one in found] == [n * 100 + 99 for n in range(3, 11)]
    assert {one.currency for one in found} == {"USD"}
    assert all(one.url.startswith("https://shop.example.com/p/") for one in found)
    assert found[0].vendor == "shop.example.com"


def test_sponsored_rows_are_marked():
    rows = [row(n, '<span class="badge">Sponsored</span>' if n in (3, 5) else "") for n in range(3, 9)]
    found = read_products(page("".join(rows), title="laptop"), url=URL)
    assert [one.sponsored for one in found] == [True, False, True, False, False, False]


def test_the_price_of_a_row_is_the_one_that_is_not_struck_through():
    rows = [row(n, old=f'<s class="was">${n}999.00</s>') for n in range(3, 9)]
    found = read_products(page("".join(rows), title="laptop"), url=URL)
    assert [one.price_numeric for one in found] == [n * 100 + 99 for n in range(3, 9)]
    assert found[0].list_price is not None
    assert found[0].list_price.amount == 3999


def test_a_redirect_of_the_shop_itself_is_resolved():
    rows = [row(n).replace("/p/", "/click?url=%2Fp%2F").replace("?from=search", "") for n in range(3, 9)]
    found = read_products(page("".join(rows), title="laptop"), url=URL)
    assert [one.url for one in found] == [f"https://shop.example.com/p/{n}" for n in range(3, 9)]


def test_two_products_side_by_side_are_not_a_list():
    assert len(read_products(page(row(3) + row(4), title="laptop"), url=URL)) <= 1


@pytest.mark.skipif(
    not (DATA / "vendors").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)
@pytest.mark.parametrize(
    ("name", "url", "least"),
    [
        ("amazon_search", "https://www.amazon.com/s?k=portable+charger", 22),
        ("microcenter_search", "https://www.microcenter.com/search/search_results.aspx?Ntt=keyboard", 24),
    ],
)
def test_saved_search_pages_give_all_rows_with_all_fields(name, url, least):
    found = read_products(gzip.decompress((DATA / "vendors" / f"{name}.html.gz").read_bytes()), url=url)
    assert len(found) >= least
    assert all(
        one.name and one.url.startswith("https://") and one.price_numeric and one.currency == "USD"
        for one in found
    )
    assert any(one.sponsored for one in found) == (name == "amazon_search")
    assert not all(one.sponsored for one in found)
