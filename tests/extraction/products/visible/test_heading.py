"""Tests of finding the heading of pages that have no h1, or an unrelated one."""

from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.visible.heading import read_heading
from research_crawler.extraction.products.vocabulary.words import text_of

TITLE = "Harbour at Dawn 1000 Piece Puzzle: 4821 | Jigsaws | Example Shop"
URL = "https://shop.example.com/harbour-at-dawn-1000-piece-puzzle/4821"
NAME = "Harbour at Dawn 1000 Piece Puzzle"


def heading(body: str, title: str = TITLE, url: str = URL) -> str:
    root = parse_html(f"<html><body>{body}</body></html>")
    found = read_heading(root, list(root.iter()), title, url=url)
    return "" if found is None else text_of(found)


def test_of_several_h1_the_one_most_similar_to_the_title_is_the_heading():
    assert heading(f"<h1>Example Shop</h1><h1>{NAME}</h1>") == NAME


def test_an_unrelated_h1_is_replaced_by_an_element_that_repeats_title_and_url():
    assert heading(f"<div class='big'>{NAME}</div><h1>Free shipping above $35</h1>") == NAME


def test_an_h1_stays_the_heading_if_the_title_only_names_the_shop():
    body = "<div>Fine Old Jigsaws</div><h1>Harbour at Dawn</h1>"
    assert heading(body, title="Fine Old Jigsaws") == "Harbour at Dawn"


def test_without_an_h1_another_heading_that_repeats_the_title_is_used():
    assert heading(f"<h2>Our newsletter</h2><h2>{NAME}</h2>") == NAME


def test_without_any_heading_the_cell_with_most_words_of_the_title_is_used():
    title = "Harbour at Dawn | Nordlund | Puzzle of 1000 Pieces | Example Shop"
    body = (
        "<p><a href='/'>Home</a> <a href='/j'>Jigsaws</a> <span>Harbour at Dawn</span></p>"
        "<table><tr><td>Harbour at Dawn by Nordlund Puzzle of 1000 Pieces</td></tr></table>"
    )
    assert heading(body, title=title) == "Harbour at Dawn by Nordlund Puzzle of 1000 Pieces"


def test_links_and_menus_are_never_used_as_the_heading():
    assert heading(f"<a href='/x'>{NAME}</a><nav><span>{NAME}</span></nav><ul><li>{NAME}</li></ul>") == ""


def test_of_several_h1_unlike_the_title_the_one_in_the_address_is_the_heading():
    body = f"<h1>All our services</h1><h1>{NAME}</h1>"
    assert heading(body, title="Fine Old Shop") == NAME
