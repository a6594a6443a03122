"""Tests of reading stock from the objects in a page's scripts, as different shop systems write them."""

from research_crawler.extraction.products.structured.script_state import stock_of
from tests.cases import each_case


@each_case(
    ("keys", "availability"),
    [
        ({"available": True}, "in_stock"),
        ({"available": False}, "out_of_stock"),
        ({"availableforsale": True, "inventory": 0}, "in_stock"),
        ({"soldout": False, "instock": False}, "out_of_stock"),
        ({"isinstock": "true"}, "in_stock"),
        ({"stockstatus": "OUT_OF_STOCK"}, "out_of_stock"),
        ({"quantity": 0, "stock": None}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_stock_of_a_products_object_is_read(keys, availability):
    assert stock_of(keys) == availability
