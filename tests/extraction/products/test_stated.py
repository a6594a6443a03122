"""What a shop's data says of its product and its text does not is written below the text, so that quotes have it."""

import json

import pytest

from research_crawler.core.models.web.pages import OFFER_CONDITION, OFFER_CURRENCY, OFFER_PRICE
from research_crawler.extraction.page import read_page

WORDS = "The Corva C3 grinds coffee in small amounts, quietly, and it is easy to clean after each use. " * 6


def shop(offer: dict[str, str], *, text: str = "", kind: str = "Product") -> str:
    data = {
        "@context": "https://schema.org",
        "@type": kind,
        "name": "Corva C3",
        "sku": "CC-3",
        "offers": offer,
    }
    return (
        f'<html lang="en"><head><title>Corva C3</title><meta property="og:type" content="product">'
        f'<script type="application/ld+json">{json.dumps(data)}</script></head><body><main><h1>Corva C3</h1>'
        f"<p>{WORDS}</p>{text}</main></body></html>"
    )


OFFER = {
    "@type": "Offer",
    "price": "329.00",
    "priceCurrency": "EUR",
    "availability": "https://schema.org/InStock",
}


def read(html: str):
    return read_page(
        html.encode(), url="https://shop.example/p/corva-c3", headers={"content-type": "text/html"}
    )


def test_a_price_that_only_the_data_has_is_in_the_markdown_and_the_metadata():
    page = read(shop(OFFER))
    assert "## Product data: Corva C3" in page.markdown
    assert "- Price: 329.00 EUR" in page.markdown
    assert "- Availability: in stock" in page.markdown
    assert "- SKU: CC-3" in page.markdown
    assert (page.metadata[OFFER_PRICE], page.metadata[OFFER_CURRENCY]) == ("329.00", "EUR")
    assert "Product data" not in page.text


def test_a_price_that_the_text_shows_is_not_repeated():
    page = read(shop(OFFER, text="<p>Price with tax: <b>329,00 €</b> for one piece</p>"))
    assert "329,00 €" in page.markdown
    assert "- Price:" not in page.markdown
    assert page.metadata[OFFER_PRICE]


def test_a_stock_that_the_text_denies_is_told_both_ways():
    page = read(shop(OFFER, text="<p>329,00 €</p><p class='stock'>Out of stock</p>"))
    assert "- Availability: in stock\n- Availability: out of stock (elsewhere on the page)" in page.markdown


@pytest.mark.parametrize(
    "html",
    [
        f"<html><body><article><h1>How coffee is ground</h1><p>{WORDS}</p></article></body></html>",
        f'<html><body><article><h1>Our prices rose</h1><p itemprop="price">{WORDS}</p></article></body></html>',
    ],
)
def test_a_page_that_sells_nothing_has_no_product_data(html):
    page = read(html)
    assert "Product data" not in page.markdown
    assert OFFER_PRICE not in page.metadata


def test_a_page_cannot_name_the_price_itself():
    html = shop(OFFER).replace("<head>", '<head><meta name="offer:price" content="1.00">')
    assert read(html).metadata[OFFER_PRICE] == "329.00"


def test_the_condition_that_the_data_has_is_in_the_metadata():
    used = OFFER | {"itemCondition": "https://schema.org/UsedCondition"}
    assert read(shop(used)).metadata[OFFER_CONDITION] == "used"
    assert OFFER_CONDITION not in read(shop(OFFER)).metadata
