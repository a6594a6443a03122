"""Tests of the marks that a page's texts get from their markup."""

import pytest

from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.visible.layout import ProductLayout, read_layout
from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from tests.extraction.products.shop_pages import URL, page

HEADING = "<h1>Aurora 15 Laptop</h1>"


def layout(body: str) -> ProductLayout:
    return read_layout(ProductPage.of(parse_html(page(body)), url=URL))


def marks_of(text: str, body: str) -> int:
    return next(spot.marks for spot in layout(body).spots if spot.text == text)


@pytest.mark.parametrize(
    "button",
    [
        "<button>Add to cart</button>",
        '<input type="submit" value="Add to cart">',
        '<input type="image" src="/buy.png" alt="Add to cart">',
        '<input type="submit" value="" title="Add to cart">',
        '<button><img src="/buy.png" alt="Add to cart"></button>',
        '<a href="/cart?add=17">Add to cart</a>',
    ],
)
def test_a_buy_button_is_recognised_by_its_text_or_that_of_its_image(button):
    assert len(layout(HEADING + button).buy_buttons) == 1


def test_buy_links_do_not_count_if_each_product_of_a_list_has_one():
    links = "".join(f'<p><a href="/cart?add={n}">Add to cart</a></p>' for n in range(5))
    assert layout(HEADING + links).buy_buttons == []


def test_a_buy_link_to_another_site_does_not_count():
    assert layout(HEADING + '<a href="https://other.example.net/x">Buy now</a>').buy_buttons == []


def test_content_after_a_heading_for_other_products_is_marked_as_side():
    body = f"<div>{HEADING}<p>Price</p></div><div><div><h3>You may also like:</h3></div><p>Sleeve</p></div><p>Terms</p>"
    assert marks_of("Sleeve", body) & ElementMark.SIDE
    assert not marks_of("Price", body) & ElementMark.SIDE
    assert not marks_of("Terms", body) & ElementMark.SIDE


def test_a_part_with_the_heading_is_never_marked_as_side():
    once = f'<aside class="product-sidebar">{HEADING}<p>Price</p></aside>'
    assert not marks_of("Price", once) & ElementMark.SIDE
    assert not marks_of("Price", f"<header>{HEADING}</header>{once}") & ElementMark.SIDE
