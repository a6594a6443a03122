"""How well pages are read if no model was trained on their site."""

import numpy as np
import pytest

from benchmarks.places import DATA
from benchmarks.reading.page_folds import FOLDS, fold_of, fold_weights, folds_of_pages, weights_from
from benchmarks.reading.page_labels import after_the_cut, label_blocks, load_score
from benchmarks.reading.pages import Saved, read_left_out
from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.blocks.block_choice import block_model
from research_crawler.extraction.metadata.page_facts import is_same_site

LONG = "The kettle boils a litre in two minutes and ten seconds."
needs_pages = pytest.mark.skipif(
    not (DATA / "pages").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)


def test_of_two_copies_on_a_page_one_is_labelled_main_text():
    blocks = [Block("paragraph", LONG), Block("item", "Share"), Block("paragraph", LONG)]
    assert label_blocks(blocks, LONG).tolist() == [1, 0, 0]


def test_a_short_block_is_labelled_in_the_main_text_and_not_in_the_navigation():
    nav = [Block("item", text) for text in ("Home", "Kettle A1", *(f"Thing {n}" for n in range(40)))]
    blocks = [*nav, Block("heading", "Kettle A1", 1), Block("paragraph", LONG)]
    labels = label_blocks(blocks, f"Kettle A1\n{LONG}")
    assert labels[-2:].tolist() == [1, 1]
    assert not labels[:-2].any()


def test_posts_after_the_end_of_a_cut_truth_are_not_used():
    labels = np.array([1, 1, 1, 1, 0, 0], dtype=np.float32)
    sizes = np.array([20, 20, 20, 20, 20, 20])
    post, footer = (1, 2, 3, 4), (5, 6, 7, 8)
    unknown = after_the_cut(labels, sizes, [post, post, post, post, post, footer])
    assert unknown.tolist() == [False, False, False, False, True, False]


@needs_pages
def test_no_page_is_tested_with_models_that_saw_its_site():
    pages = Saved.load("pages")
    folds = folds_of_pages()
    assert set(folds.values()) == set(range(FOLDS))
    assert all(
        fold == fold_of(pages.url(name)) for (folder, name), fold in folds.items() if folder == "pages"
    )
    urls = {name: pages.url(name) for name in pages.truth}
    for one, url in urls.items():
        assert all(
            folds["pages", one] == folds["pages", other]
            for other, second in urls.items()
            if is_same_site(url, second)
        )


@needs_pages
@pytest.mark.long
def test_pages_of_unseen_sites_are_read():
    pages = Saved.load("pages")
    pages.truth = {name: pages.truth[name] for name in sorted(pages.truth)[::4]}
    found = load_score().score_pages(pages.truth, read_left_out(pages, "pages"))["all"]
    assert found["f1"] > 0.77
    assert found["must_not"] < 0.1


def test_pages_of_one_owner_are_in_one_fold_whatever_the_country():
    urls = ("https://www.kettles.example.com/a", "http://example.com/", "https://shop.example.co.uk/b?c=d")
    for seed in range(20):
        assert len({fold_of(url, seed) for url in urls}) == 1


def test_the_division_of_sites_never_changes():
    sites = [f"https://site-{number}.com/" for number in range(12)]
    assert [fold_of(site) for site in sites] == [3, 2, 4, 1, 3, 3, 2, 1, 2, 1, 0, 3]
    assert {fold_of(f"https://site-{number}.com/") for number in range(100)} == set(range(FOLDS))


def test_weights_of_a_fold_are_read_only_inside_its_block():
    shipped = block_model()
    with weights_from(fold_weights(0)):
        inside = block_model()
    assert not np.array_equal(inside.leaves, shipped.leaves)
    assert np.array_equal(block_model().leaves, shipped.leaves)
