"""Tests of reading pages of results: with many hits, one or none, or a redirect to a product."""

import gzip

import pytest

from benchmarks.places import DATA
from research_crawler.extraction.products.event_products import read_results
from tests.extraction.products.shop_pages import json_ld, offer, page, product

URL = "https://shop.example.com/search?q=aurora+15"
QUERY = "Aurora 15"


def row(name: str, price: str, more: str = "") -> str:
    slug = name.lower().replace(" ", "-")
    return f"<li class='hit'><a href='/p/{slug}'>{name}</a> <b>{price}</b> {more}</li>"


def read(body: str, *, url: str = URL, query: str = QUERY):
    return read_results(page(body, title="Search").encode(), url=url, asked_url=URL, query=query)


def shown(*rows: str, after: str = "") -> str:
    return f"<h1>{len(rows)} results for “{QUERY}”</h1><ul>{''.join(rows)}</ul>{after}"


@pytest.mark.parametrize("count", [1, 2])
def test_a_list_of_one_or_two_rows_is_read(count):
    rows = [row("Aurora 15 Laptop", "$899.00", "In stock"), row("Aurora 15 Pro", "$1,099.00")]
    found = read(shown(*rows[:count]))
    assert [(one.name, str(one.price_numeric)) for one in found] == [
        ("Aurora 15 Laptop", "899.00"),
        ("Aurora 15 Pro", "1099.00"),
    ][:count]
    assert found[0].availability == "in_stock"
    assert found[0].url == "https://shop.example.com/p/aurora-15-laptop"


def test_a_single_hit_is_found_beside_recommended_products():
    others = "".join(
        f"<div class='also'><a href='/p/{n}'>Garden hose {n} m</a><i>${n}9.00</i></div>" for n in range(1, 6)
    )
    [found] = read(shown(row("Aurora 15 Laptop", "$899.00"), after=f"<h2>Others bought</h2>{others}"))
    assert (found.name, str(found.price_numeric)) == ("Aurora 15 Laptop", "899.00")


def test_without_a_hit_recommended_products_are_not_results():
    others = "".join(
        f"<div class='also'><a href='/p/{n}'>Garden hose {n} m</a><i>${n}9.00</i></div>" for n in range(1, 6)
    )
    assert read(f"<h1>No results for “{QUERY}”</h1><h2>You may like</h2>{others}") == []
    assert read(f"<h1>No results for “{QUERY}”</h1><p>Free shipping over $50</p>") == []


def test_the_price_of_one_row_is_never_given_to_another():
    found = read(shown(row("Cooling Pad for Aurora 15", "$24.99"), row("Aurora 15 Laptop", "$899.00")))
    assert [(one.name, str(one.price_numeric)) for one in found] == [("Aurora 15 Laptop", "899.00")]


def test_a_search_that_redirects_to_a_product_gives_that_product():
    head = json_ld(product(offers=offer("899.00"), sku="A15"))
    body = page(
        "<h1>Aurora 15 Laptop</h1><p class='price'>$899.00</p><button>Add to cart</button>", head=head
    ).encode()
    [found] = read_results(
        body, url="https://shop.example.com/p/aurora-15-laptop", asked_url=URL, query=QUERY
    )
    assert (found.sku, str(found.price_numeric)) == ("A15", "899.00")
    elsewhere = "https://shop.example.com/p/aurora-15-laptop"
    assert read_results(body, url=elsewhere, asked_url=URL, query="garden hose 25 m") == []


def test_rows_get_availability_and_condition_from_the_mention_of_their_url():
    def item(name: str, path: str, condition: str, stock: str, price: str) -> str:
        return (
            f"<li itemscope itemtype='https://schema.org/Product'><a itemprop='url' href='{path}'>"
            f"<span itemprop='name'>{name}</span></a><div itemprop='offers' itemscope itemtype='https://schema.org/Offer'>"
            f"<span itemprop='price' content='{price}'>${price}</span><meta itemprop='priceCurrency' content='USD'>"
            f"<link itemprop='availability' href='https://schema.org/{stock}'>"
            f"<link itemprop='itemCondition' href='https://schema.org/{condition}'></div></li>"
        )

    found = read(
        shown(
            item("Aurora 15 Laptop", "/p/1", "NewCondition", "InStock", "899.00"),
            item("Aurora 15 Laptop", "/p/2", "UsedCondition", "OutOfStock", "612.00"),
            item("Aurora 15 Laptop", "/p/3", "RefurbishedCondition", "InStock", "700.00"),
        )
    )
    assert {one.url[-1]: (one.condition, one.availability) for one in found} == {
        "1": ("new", "in_stock"),
        "2": ("used", "out_of_stock"),
        "3": ("refurbished", "in_stock"),
    }


@pytest.mark.skipif(
    not (DATA / "vendors").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)
@pytest.mark.parametrize(
    ("name", "url", "query", "least"),
    [
        ("amazon_search", "https://www.amazon.com/s?k=portable+charger", "portable charger", 30),
        ("microcenter_search", "https://www.microcenter.com/search/search_results.aspx?Ntt=mechanical+keyboard",
         "mechanical keyboard", 24),
    ],
)  # fmt: skip
def test_saved_result_pages_give_their_rows(name, url, query, least):
    body = gzip.decompress((DATA / "vendors" / f"{name}.html.gz").read_bytes())
    found = read_results(body, url=url, asked_url=url, query=query)
    assert len(found) >= least
    assert all(
        one.price_numeric and one.currency == "USD" and one.url.startswith("https://") for one in found
    )
    assert "QUICK VIEW" not in " ".join(one.name for one in found)
