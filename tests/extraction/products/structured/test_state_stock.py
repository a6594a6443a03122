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
        ({"stock": {"stockLevelStatus": "lowStock", "stockLevel": 2}}, "limited"),
        ({"availability": {"status": "IN_STOCK"}}, "in_stock"),
        ({"availability": {"messages": ["x"], "orderable": False}}, "out_of_stock"),
        ({"quantity": 0, "stock": None}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_stock_of_a_products_object_is_read(keys, availability):
    assert stock_of(keys) == availability


def test_an_object_that_is_nested_too_deep_says_nothing():
    assert stock_of({"stock": {"stock": {"stock": {"stock": {"instock": True}}}}}) == "unknown"
