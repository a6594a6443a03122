"""Tests of the pages in tests/data/pages/products: one for each kind of markup that states a product."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from research_crawler.extraction.products.product_reader import read_products
from tests.cases import each_case

PAGES = Path(__file__).parents[2] / "data" / "pages" / "products"
EXPECTED: dict[str, dict[str, Any]] = json.loads((PAGES / "expected.json").read_text("utf-8"))


def test_each_page_has_its_expectations():
    assert {path.name for path in PAGES.glob("*.html")} == set(EXPECTED)


@each_case("name", EXPECTED)
def test_the_product_of_a_page_is_read_from_its_kind_of_markup(name):
    expected = EXPECTED[name]
    (found,) = read_products((PAGES / name).read_bytes(), url=expected["url"])
    assert found.name == expected["name"]
    if "price" in expected:
        assert found.price_numeric == (Decimal(expected["price"]) if expected["price"] else None)
    if "list_price" in expected:
        assert found.list_price is not None and found.list_price.amount == Decimal(expected["list_price"])
    for field in ("currency", "availability", "sku", "brand", "price_from"):
        if field in expected:
            assert getattr(found, field) == expected[field], field
    if "price_text" in expected:
        assert found.price == expected["price_text"]
    assert set(expected.get("gaps", [])) <= {gap.field for gap in found.gaps}
