import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.main_text.blocks.block_choice import choose_blocks, with_title
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage, view_page

CARDS = "".join(
    f"<div class=card><h3>Kettle {n}</h3><p>Boils fast, costs {n},90 euros.</p></div>" for n in range(30)
)
BLOCKS = 61


def page() -> ClassifiedPage:
    root = html.document_fromstring(f"<html><body><p>We use what you tell us.</p>{CARDS}</body></html>")
    return view_page(root, read_blocks(root.body))


def test_a_page_whose_blocks_are_all_doubtful_is_not_reduced_to_a_line():
    rates = np.full(BLOCKS, 0.15, dtype=np.float32)
    rates[0] = 0.25
    assert len(choose_blocks(page(), rates)) == BLOCKS


def test_blocks_with_a_low_rate_are_left_out_if_the_others_are_sure():
    rates = np.full(BLOCKS, 0.9, dtype=np.float32)
    rates[:3] = 0.1
    assert choose_blocks(page(), rates) == list(range(3, BLOCKS))


@given(st.lists(st.floats(0.0625, 1, width=32), min_size=BLOCKS, max_size=BLOCKS))
def test_the_chosen_blocks_have_the_highest_expected_f1_of_all_cuts_by_rate(listed):
    view, rates = page(), np.array(listed, dtype=np.float32)
    words = np.array([len(block.text.split()) for block in view.blocks])
    chosen = choose_blocks(view, rates)
    least = min((rates[place] for place in chosen), default=1.0)

    def expected(floor: float) -> float:
        taken = rates >= floor
        return float(2 * (rates * words)[taken].sum() / max(1.0, words[taken].sum() + (rates * words).sum()))

    best = max(expected(floor) for floor in [*np.unique(rates)])
    assert expected(least) == pytest.approx(best, abs=0.02)


def titled(markup: str) -> ClassifiedPage:
    root = html.document_fromstring(
        f"<html><head><title>Kettle A1 - Shop</title></head><body>{markup}</body></html>"
    )
    return view_page(root, read_blocks(root.body), title="Kettle A1 - Shop")


def test_a_page_keeps_its_main_heading_if_its_rate_is_not_low():
    view = titled("<h1>Shop of the year</h1><h1>Kettle A1</h1><p>Boils fast.</p>")
    assert with_title(view, np.array([0.3, 0.3, 0.9], dtype=np.float32), [2]) == [1, 2]
    assert with_title(view, np.array([0.3, 0.1, 0.9], dtype=np.float32), [2]) == [2]


def test_a_heading_that_is_not_the_title_is_not_added():
    view = titled("<h1>Search results</h1><p>Boils fast.</p>")
    assert with_title(view, np.array([0.4, 0.9], dtype=np.float32), [1]) == [1]
