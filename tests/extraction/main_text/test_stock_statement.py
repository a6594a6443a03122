import pytest

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.blocks.block_features import view_page
from research_crawler.extraction.main_text.stock_statement import with_stock_statement

IN_STOCK = (
    '<script type="application/ld+json">{"offers": {"availability": "https://schema.org/InStock"}}</script>'
)


def added(markup: str) -> list[str]:
    root = parse_html(f"<html><body>{markup}</body></html>")
    view = view_page(root, read_blocks(root.body))
    return [view.blocks[index].text for index in with_stock_statement(view, [])]


@pytest.mark.parametrize(
    "state", ["Currently unavailable", "Sold out", "In stock", "Only 3 left", "Derzeit nicht verfügbar."]
)
def test_the_statement_below_the_name_is_added(state):
    assert added(f"<h1>Kettle</h1><p>$40</p><p>{state}</p><p>Sold out</p>") == [state]


@pytest.mark.parametrize(
    "markup",
    [
        f"<h1>Kettle</h1><p>Discontinued</p>{IN_STOCK}",
        "<h1>Kettle</h1><p>Sold out</p><link itemprop=availability href=https://schema.org/InStock>",
        "<p>Sold out</p><h1>Kettle</h1>",
        "<p>Sold out</p>",
        "<h1>Kettle</h1><p><a href=/sold>Sold out</a></p>",
        "<h1>Kettle</h1><p>Sold out three times in its first year, and again in its second, it came back.</p>",
    ],
    ids=["contradicted", "contradicted by microdata", "above the name", "no name", "a link", "a sentence"],
)
def test_other_words_are_not(markup):
    assert added(markup) == []


def test_words_for_a_positive_state_stay_where_structured_data_agrees():
    assert added(f"<h1>Kettle</h1><p>In stock</p>{IN_STOCK}") == ["In stock"]
