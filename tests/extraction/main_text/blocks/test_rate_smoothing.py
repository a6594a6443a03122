import numpy as np
from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage, view_page
from research_crawler.extraction.main_text.blocks.rate_smoothing import (
    PART_SHARE,
    TEMPLATE_SHARE,
    smooth_rates,
)
from research_crawler.extraction.main_text.page_kinds import KINDS

POST = "<div class=post><h3>Name {n}</h3><p>What the writer of post number {n} has to say.</p></div>"
PAGE = f"<html><body><p class=lead>One</p>{''.join(POST.format(n=n) for n in range(6))}</body></html>"


def page() -> ClassifiedPage:
    root = html.document_fromstring(PAGE)
    return view_page(root, read_blocks(root.body))


def of_kind(kind: str) -> np.ndarray:
    return np.array([float(one == kind) for one in KINDS], dtype=np.float32)


def test_the_rate_of_a_part_of_a_post_moves_towards_its_mean_over_all_posts():
    view = page()
    rates = np.full(len(view.blocks), 0.2, dtype=np.float32)
    texts = [place for place, block in enumerate(view.blocks) if block.text.startswith("What")]
    rates[texts] = 0.9
    rates[texts[-1]] = 0.3
    smooth = smooth_rates(view, rates, of_kind("forum"))
    mean = (5 * 0.9 + 0.3) / 6
    assert np.isclose(smooth[texts[-1]], (1 - TEMPLATE_SHARE) * 0.3 + TEMPLATE_SHARE * mean)
    assert np.allclose(smooth[[place for place in range(len(rates)) if place not in texts]], 0.2)


def test_on_a_page_of_prose_the_blocks_of_a_repeated_section_get_similar_rates():
    view = page()
    rates = np.full(len(view.blocks), 0.2, dtype=np.float32)
    rates[[place for place, block in enumerate(view.blocks) if block.text.startswith("What")]] = 0.9
    names = [place for place, block in enumerate(view.blocks) if block.text.startswith("Name")]
    assert (smooth_rates(view, rates, of_kind("documentation"))[names] > 0.2 + 0.5 * PART_SHARE * 0.7).all()
    assert np.allclose(smooth_rates(view, rates, of_kind("product"))[names], 0.2)


def test_a_block_without_similar_blocks_keeps_its_rate():
    view = page()
    rates = np.full(len(view.blocks), 0.2, dtype=np.float32)
    rates[0] = 0.7
    assert view.blocks[0].text == "One"
    assert np.isclose(smooth_rates(view, rates, of_kind("service"))[0], 0.7)
