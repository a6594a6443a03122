"""Tests of reading visible article numbers, brands and stock beside their labels."""

import pytest

from research_crawler.core.models.products import Product
from research_crawler.extraction.products.ladder import read_products
from tests.extraction.products.shop_pages import URL, page

OFFER = '<h1>Aurora 15 Laptop</h1><span class="price">$899.00</span><button>Add to cart</button>'


def read(beside: str, url: str = URL) -> Product:
    (found,) = read_products(page(OFFER + beside), url=url)
    return found


@pytest.mark.parametrize(
    "beside",
    [
        "<ul><li>Manufacturer: Borealis</li><li>Colour: grey</li></ul>",
        "<ul><li><span>Manufacturer:</span> Borealis</li><li><span>Colour:</span> grey</li></ul>",
        "<p><b>Brand:</b> Borealis<br><b>Designer:</b> Nordlund</p>",
        "<p>Brand: <b>Borealis</b></p>",
        "<table><tr><th>Brand</th><td>Borealis</td></tr><tr><th>Colour</th><td>grey</td></tr></table>",
        "<dl><dt>Producent</dt><dd><a href='/b/7'>Borealis</a></dd></dl>",
    ],
)
def test_a_brand_is_read_from_the_line_or_the_row_of_its_label(beside):
    assert read(beside).brand == "Borealis"


def test_the_name_of_a_tab_is_not_a_label_of_the_text_below_it():
    tabs = "<ul><li><a>Details</a></li><li><a>Manufacturer</a></li></ul><div><p>A light laptop.</p></div>"
    assert read(tabs).brand == ""


def test_an_article_number_that_is_written_twice_is_read_once():
    assert (
        read('<div>Item #: <span>14013</span> <span style="display:none">14013</span></div>').sku == "14013"
    )


def test_an_article_number_of_letters_is_read_if_nothing_else_follows_its_label():
    assert (
        read("<div>Product code: <b>PHLR</b></div>", url="https://shop.example.com/p?productId=597430").sku
        == "PHLR"
    )
    assert read("<div>Product code: SEE the label inside</div>").sku == "482913"


def test_in_the_head_of_a_table_the_next_label_is_not_a_value():
    table = "<table><tr><th>SKU:</th><th>UPC</th></tr><tr><th>Brand</th><th>EAN</th></tr></table>"
    found = read(table)
    assert (found.sku, found.brand) == ("482913", "")


def test_a_brand_that_is_escaped_twice_is_unescaped():
    marked = (
        '<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Aurora 15 Laptop</span>'
        '<meta itemprop="brand" content="L&amp;amp;#8217;atelier"></div>'
    )
    assert read(marked).brand == "L’atelier"


def test_a_number_of_pieces_left_is_a_limited_stock():
    assert read('<div class="stock">2 left!</div>').availability == "limited"
    assert read('<div class="stock">Turn the 2 left screws to open it</div>').availability == "in_stock"


def test_a_brand_in_microdata_that_is_a_link_is_its_text_and_not_its_url():
    marked = (
        '<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Aurora 15 Laptop</span>'
        '<a itemprop="manufacturer" href="/search?m=14">Borealis</a></div>'
    )
    assert read(marked).brand == "Borealis"


@pytest.mark.parametrize(
    ("beside", "availability"),
    [
        ("<p>Ready to ship</p>", "in_stock"),
        ("<p>Only 3 left</p>", "limited"),
        ("<p>Ready to ship</p><p>Sold out</p>", "out_of_stock"),
        ("", "in_stock"),
        ("<p>Sold out</p>", "out_of_stock"),
    ],
)
def test_a_disabled_button_waits_for_a_choice_or_for_scripts_unless_a_text_says_sold_out(
    beside, availability
):
    shown = '<h1>Aurora 15 Laptop</h1><span class="price">$899.00</span><button disabled>Add to cart</button>'
    (found,) = read_products(page(shown + beside), url=URL)
    assert found.availability == availability


BANNER = '<div class="message"><p>This item is currently out of stock and may not be restocked.</p></div>'


def test_a_notice_far_above_the_heading_that_names_this_item_says_that_it_is_sold_out():
    between = "".join(f"<div><p>Line {number}</p></div>" for number in range(60))
    shown = '<h1>Aurora 15 Laptop</h1><span class="price">$899.00</span>'
    (found,) = read_products(page(BANNER + between + shown), url=URL)
    assert found.availability == "out_of_stock"
    (found,) = read_products(
        page(BANNER.replace("This item is", "Some colours are") + between + shown), url=URL
    )
    assert found.availability == "in_stock"


def test_a_sentence_about_this_item_overrules_data_that_says_in_stock_where_nothing_can_be_bought():
    data = (
        '<script type="application/ld+json">{"@type": "Product", "name": "Aurora 15 Laptop", "offers":'
        ' {"price": "899.00", "priceCurrency": "USD", "availability": "InStock"}}</script>'
    )
    shown = '<h1>Aurora 15 Laptop</h1><span class="price">$899.00</span>'
    (found,) = read_products(page(data + shown + BANNER), url=URL)
    assert found.availability == "out_of_stock"
    (found,) = read_products(page(data + shown + BANNER + "<button>Add to cart</button>"), url=URL)
    assert found.availability == "in_stock"


@pytest.mark.parametrize(
    ("said", "availability"),
    [
        ("Voorradig", "in_stock"),
        ("Niet meer voorradig", "out_of_stock"),
        ("Skladom", "in_stock"),
        ("Momentálne nie je skladom", "out_of_stock"),
        ("Heti saatavilla", "in_stock"),
        ("Ei saatavilla", "out_of_stock"),
        ("Usually dispatched within 24 hours", "in_stock"),
    ],
)
def test_stock_is_read_in_the_words_of_many_languages(said, availability):
    shown = '<h1>Aurora 15 Laptop</h1><span class="price">$899.00</span>'
    (found,) = read_products(page(f"{shown}<div>{said}</div>"), url=URL)
    assert found.availability == availability


@pytest.mark.parametrize("label", ["Kupi odmah", "Į krepšelį", "Zum Warenkorb", "Bestel nu"])
def test_a_buy_button_is_known_in_many_languages(label):
    (found,) = read_products(page(f"<h1>Aurora 15 Laptop</h1><button>{label}</button>"), url=URL)
    assert found.availability == "in_stock"
