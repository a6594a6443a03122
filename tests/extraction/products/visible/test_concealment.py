"""Tests that a price which readers do not see is not the price of a product."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.products import Product
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.ladder import read_products
from research_crawler.extraction.products.visible.concealment import concealed_elements
from research_crawler.extraction.products.visible.element_names import ElementNames
from research_crawler.extraction.products.visible.style_sheets import sheet_rules
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

SEEN = '<p class="cost"><span class="amount">$899.00</span></p><button>Add to cart</button>'
STYLES = [
    "display:none",
    "display: none !important",
    "visibility:hidden",
    "visibility: collapse",
    "opacity:0",
    "opacity: 0.0",
    "font-size:0",
    "font-size: 0px",
    "font-size:1px",
    "position:absolute;left:-9999px",
    "position:fixed; top:-200vh",
    "text-indent:-99em;overflow:hidden",
    "margin-left:-5000px",
    "position:absolute;clip:rect(0,0,0,0)",
    "clip-path: inset(50%)",
    "clip-path:circle(0)",
    "height:0;overflow:hidden",
    "max-height:0; overflow-y:hidden",
    "width:1px;height:1px;overflow:hidden",
    "transform:scale(0)",
    "transform: translateX(-9999px)",
    "filter:opacity(0)",
    "content-visibility:hidden",
    "color:#fff;background:#ffffff",
    "color:rgb(255, 255, 255);background-color:white",
    "color:transparent",
    "color:rgba(0,0,0,0)",
]


def read(body: str, *, head: str = "") -> Product:
    (found,) = read_products(page(f"<h1>Aurora 15 Laptop</h1>{body}", head=head), url=URL)
    return found


@pytest.mark.parametrize("style", STYLES)
def test_a_price_that_an_inline_style_hides_is_not_the_price(style):
    assert read(f'<p class="price" style="{style}">$9.00</p>{SEEN}').price_numeric == 899


@pytest.mark.parametrize("style", STYLES)
def test_a_price_that_a_style_sheet_of_the_page_hides_is_not_the_price(style):
    sheet = f"<style>/* shop */ .a, .box > .price.now {{ {style} }}</style>"
    body = f'<div class="box"><p class="price now">$9.00</p></div>{SEEN}'
    assert read(body, head=sheet).price_numeric == 899


@pytest.mark.parametrize(
    "hidden",
    [
        '<p class="price" hidden>$9.00</p>',
        '<template><p class="price">$9.00</p></template>',
        '<noscript><p class="price">$9.00</p></noscript>',
        '<dialog><p class="price">$9.00</p></dialog>',
        '<div popover><p class="price">$9.00</p></div>',
        '<div style="display:none"><div><p class="price">$9.00</p></div></div>',
        '<p class="price" style="font-size:0"><b>$9.00</b></p>',
        '<input type="hidden" class="price" value="$9.00">',
    ],
)
def test_a_price_in_an_element_that_is_hidden_is_not_the_price(hidden):
    assert read(hidden + SEEN).price_numeric == 899


def test_hidden_digits_inside_a_price_are_left_out():
    body = '<p class="price">$<i style="display:none">1</i>899.00</p><button>Add to cart</button>'
    assert read(body).price_numeric == 899


def test_a_price_in_white_on_a_page_without_a_ground_is_not_the_price():
    assert read(f'<p class="price" style="color:#fff">$9.00</p>{SEEN}').price_numeric == 899


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", '<p class="price" style="color:#fff;background:#c00">$899.00</p>'),
        ("<style>.price{display:none} .shop .price{display:block}</style>",
         '<div class="shop"><p class="price">$899.00</p></div>'),
        ("<style>.price{display:none}</style>", '<p class="price" style="display:block">$899.00</p>'),
        ("<style>@media print{.price{display:none}} @media (max-width:600px){.price{display:none}}</style>",
         '<p class="price">$899.00</p>'),
        ("<noscript><style>.price{display:none}</style></noscript>", '<p class="price">$899.00</p>'),
        ("<style>@keyframes in{from{opacity:0}to{opacity:1}} .price:hover{display:none}</style>",
         '<p class="price">$899.00</p>'),
        ("<style>.price{font-size:0} .price b{font-size:20px}</style>", '<p class="price"><b>$899.00</b></p>'),
        ("<style>body{opacity:0}</style>", '<p class="price">$899.00</p>'),
        ("<style>.price{color:transparent;background-clip:text;background:linear-gradient(red,blue)}</style>",
         '<p class="price">$899.00</p>'),
        ('<link rel="stylesheet" href="/shop.css">', '<p class="price" style="color:#fff">$899.00</p>'),
    ],
)  # fmt: skip
def test_a_price_that_readers_see_is_the_price(head, body):
    assert read(body + "<button>Add to cart</button>", head=head).price_numeric == 899


def test_a_segment_that_is_streamed_hidden_and_moved_into_place_is_seen():
    body = f'<div hidden id="S:0">{SEEN}</div><script>$RC("B:0","S:0")</script>'
    assert read(body).price_numeric == 899


def test_structured_data_that_disagrees_with_the_visible_price_is_a_gap():
    data = json_ld(product(offers=offer("9.00")))
    found = read('<p style="display:none" class="price">$9.00</p>' + SEEN, head=data)
    gaps = {gap.field: gap for gap in found.gaps}
    assert set(gaps["price"].candidates) >= {"9.00", "899.00"}


def test_a_product_whose_only_price_is_hidden_has_none_and_says_so():
    found = read(
        '<p class="price" style="display:none">$9.00</p><button>Add to cart</button>',
        head=json_ld(product(sku="AU-15")),
    )
    assert found.price_numeric is None
    assert "price" in {gap.field for gap in found.gaps}


@given(st.text(alphabet="{}@;:.#,/*>~ \\\"'()[]apx0-%!\n", max_size=400))
def test_any_style_sheet_can_be_read(css):
    root = parse_html(page("<p class='a'>$9.00</p>", head=f"<style>{css}</style>"))
    list(sheet_rules(root))
    concealed_elements(root, ElementNames(root))


@pytest.mark.parametrize(
    "unit", ["{", "a{", "a{}", "/*", "*/", ".a>", ".a,", "(", "@media{", "a:not(", ";", ".a~"]
)
@pytest.mark.long
def test_a_crafted_style_sheet_takes_time_in_proportion_to_its_length(unit):
    def seconds(length: int) -> float:
        css = unit * (length // len(unit)) + "{display:none}"
        root = parse_html(page("<p class='a'>$9.00</p>" * 50, head=f"<style>{css}</style>"))
        names = ElementNames(root)
        begun = time.process_time()
        concealed_elements(root, names)
        return time.process_time() - begun

    assert seconds(200_000) < 12 * seconds(50_000) + 0.1
