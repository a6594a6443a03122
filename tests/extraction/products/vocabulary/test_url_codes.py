"""Tests of reading the number that a shop's URL gives to its product."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.products.vocabulary.url_codes import code_of_product, is_product_url


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/Some-Name/dp/B08N5WRWNW/ref=sr_1_1", "B08N5WRWNW"),
        ("/dp/0306406152", "0306406152"),
        ("/gp/product/B0CX23V2ZK", "B0CX23V2ZK"),
        ("/p/12345", "12345"),
        ("/p/12345/aurora-laptop", "12345"),
        ("/ip/Some-Blender/562225800", "562225800"),
        ("/p/iron-skillet/-/A-89287867", "89287867"),
        ("/product/227955/trail-25-pack", "227955"),
        ("/Aurora-Laptop-i.123.html", "123"),
        ("/Aurora-Laptop-i.8123.44556677", "44556677"),
        ("/products/aurora-laptop-i123456-s789012.html", "123456"),
        ("/aurora-laptop_p4711.html", "4711"),
        ("/laptops/aurora-15-4060123.html", "4060123"),
        ("/itm/335330783890", "335330783890"),
        ("/store/product.php?pid=260591", "260591"),
        ("/catalog?category=7&sku=AU-15-512", "AU-15-512"),
        ("/products/mens-wool-runners", ""),
        ("/2026/11/22/laptop-prices-fall", ""),
        ("/laptops/page-2", ""),
        ("/", ""),
    ],
)
def test_the_code_of_a_product_is_read_where_shops_write_it(path, code):
    assert code_of_product(f"https://shop.example.com{path}") == code


@pytest.mark.parametrize(
    ("path", "is_product"),
    [
        ("/products/aurora-15", True),
        ("/en/p/aurora/123", True),
        ("/produkt/aurora", True),
        ("/products", False),
        ("/blog/aurora-15", False),
        ("/articles/products-of-the-year", False),
    ],
)
def test_a_url_has_the_form_of_a_product_page_if_something_follows_the_naming_segment(path, is_product):
    assert is_product_url(f"https://shop.example.com{path}") is is_product


@given(st.text(max_size=200))
def test_any_path_can_be_read(path):
    code = code_of_product(f"https://shop.example.com/{path}")
    assert len(code) <= 64
