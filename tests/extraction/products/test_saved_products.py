"""Tests product reading on pages that were saved from real shops."""

import pytest

from benchmarks.commerce.product_pages import SCORED, saved_products
from benchmarks.commerce.products import LEAST, _f1, _judge
from benchmarks.places import DATA
from research_crawler.extraction.products.product_reader import read_products

pytestmark = pytest.mark.skipif(
    not (DATA / "products").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)


@pytest.mark.long
def test_price_availability_and_article_number_are_read_as_well_as_published_extractors_do():
    hits = []
    for page in saved_products():
        found = read_products(page.body, url=page.url)
        assert len(found) <= 1, page.id
        hits.append({name: _judge(page, found, name) for name in SCORED})
    reached = {name: round(_f1([one[name] for one in hits]), 3) for name in SCORED}
    assert reached["price"] >= LEAST["price"]
    assert reached["sku"] >= LEAST["sku"]
    assert reached["availability"] >= 0.92
