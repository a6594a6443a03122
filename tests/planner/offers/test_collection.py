"""Tests of merging a product's row in a list with its own page."""

from decimal import Decimal

from planner.offers.collection import merged
from research_crawler.core.models.offers.products import Product


def test_a_page_without_a_price_keeps_the_rows_with_its_mark():
    row = Product(
        name="Aurora 15", price="from $899.00", price_numeric=Decimal(899), currency="USD", price_from=True
    )
    found = merged(row, Product(name="Aurora 15 Laptop", availability="out_of_stock"))
    assert (found.price, found.price_from, found.availability) == ("from $899.00", True, "out_of_stock")


def test_the_price_of_a_page_is_not_mixed_with_the_rows():
    row = Product(
        name="Aurora 15", price="from $899.00", price_numeric=Decimal(899), currency="USD", price_from=True
    )
    found = merged(row, Product(name="Aurora 15 Laptop", price="949,00 €", price_numeric=Decimal(949)))
    assert (found.price, found.price_from, found.currency) == ("949,00 €", False, "")
