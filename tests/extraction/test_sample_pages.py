"""The pages in tests/data/pages, read as a crawler reads them: bytes to a parse process, text and products back."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from research_crawler.core.errors import PageBlocked
from research_crawler.core.models.offers.products import WantedProducts
from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.process.pool import ParsePool
from tests.cases import each_case

PAGES = Path(__file__).parents[1] / "data" / "pages"
EXPECTED: dict[str, dict[str, Any]] = json.loads((PAGES / "expected.json").read_text("utf-8"))
OPEN = [name for name, expected in EXPECTED.items() if "blocker" not in expected]
WALLS = [name for name, expected in EXPECTED.items() if "blocker" in expected]
HEADERS = {"content-type": "text/html"}


@pytest.fixture(scope="module")
def pool() -> Iterator[ParsePool]:
    made = ParsePool(1)
    yield made
    made.close()


async def read(pool: ParsePool, name: str) -> PageText:
    return await pool.read((PAGES / name).read_bytes(), url=EXPECTED[name]["url"], headers=HEADERS)


def test_each_page_has_its_expectations():
    assert {path.name for path in PAGES.glob("*.html")} == set(EXPECTED)


@each_case("name", OPEN)
async def test_the_text_of_a_page_is_found_in_order_and_what_stands_around_it_is_left_out(pool, name):
    expected, markdown = EXPECTED[name], (await read(pool, name)).markdown
    places = [markdown.find(phrase) for phrase in expected["text"]]
    assert -1 not in places, markdown
    assert places == sorted(places)
    assert [phrase for phrase in expected["left_out"] if phrase in markdown] == []


@each_case("name", OPEN)
async def test_what_a_page_says_of_itself_is_found(pool, name):
    expected, page = EXPECTED[name], await read(pool, name)
    assert {field: getattr(page, field) for field in expected["fields"]} == expected["fields"]
    assert [heading.text for heading in page.headings][: len(expected["headings"])] == expected["headings"]
    assert set(expected.get("links", [])) <= {link.url for link in page.links}
    posts = [[post.author, post.date, post.votes] for post in page.posts]
    assert posts == expected.get("posts", [])


@each_case("name", OPEN)
async def test_what_a_page_sells_is_found_with_its_price(pool, name):
    body, expected = (PAGES / name).read_bytes(), EXPECTED[name]
    wanted = WantedProducts(query=expected.get("query", ""))
    found = await pool.read_products(body, url=expected["url"], headers=HEADERS, wanted=wanted)
    assert len(found) == len(expected["products"])
    for product, fields in zip(found, expected["products"], strict=True):
        assert product.price_numeric == Decimal(fields["price"])
        for field in set(fields) - {"price", "specs"}:
            assert getattr(product, field) == fields[field]
        assert fields.get("specs", {}).items() <= product.specs.items()


@each_case("name", WALLS)
async def test_a_wall_in_the_place_of_a_page_is_named(pool, name):
    with pytest.raises(PageBlocked) as caught:
        await read(pool, name)
    assert caught.value.blocker.kind == EXPECTED[name]["blocker"]
