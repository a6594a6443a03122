"""Tests of reading visible list prices, unit prices, prices for members and shipping."""

from research_crawler.extraction.products.product_reader import read_products
from tests.cases import each_case
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product


def read(beside: str, *, lang: str = "en", price: str = "$799.00", head: str = ""):
    body = page(
        f"<h1>Aurora 15 Laptop</h1><div class='price'>{price}</div>{beside}<button>Add to cart</button>"
        "<h2>Others</h2>"
        + "".join(f"<p class='related'>Other {n} <i>$1,{n}99.00</i></p>" for n in range(1, 5)),
        lang=lang,
        head=head or json_ld(product(offers=offer("799.00"))),
    )
    [found] = read_products(body, url=URL)
    return found


@each_case(
    ("beside", "field", "amount", "unit"),
    [
        ("<s>$999.00</s>", "list_price", "999.00", ""),
        ("<p class='old-price'>$999.00</p>", "list_price", "999.00", ""),
        ("<p class='unit-price'>($1.60 / 100 g)</p>", "unit_price", "1.60", "100 g"),
        ("<p>$3.20 per kg</p>", "unit_price", "3.20", "kg"),
        ("<p class='club-price'>$749.00</p>", "member_price", "749.00", ""),
        ("<p class='shipping-cost'>$9.95</p>", "shipping", "9.95", ""),
    ],
)
def test_a_price_beside_the_price_gets_the_right_kind(beside, field, amount, unit):
    found = read(beside)
    reading = getattr(found, field)
    assert (str(reading.amount), reading.unit, reading.currency) == (amount, unit, "USD")
    assert found.provenance[field].source == "dom"
    assert str(found.price_numeric) == "799.00"


@each_case(
    "beside",
    [
        "<p>Free shipping on orders over $50.00</p>",
        "<p>Was cheaper: $699.00</p>",
        "<p>Free delivery from $35</p>",
        "<p>Free shipping for members</p><p>Free shipping from 2 pieces</p>",
        "<p class='related'>Free shipping</p>",
        "<p class='related'><s>$999.00</s></p>",
    ],
)
def test_thresholds_and_prices_of_other_products_are_ignored(beside):
    found = read(beside)
    assert (found.list_price, found.shipping, found.member_price, found.unit_price) == (
        None,
        None,
        None,
        None,
    )


def test_stated_prices_win_over_visible_ones():
    stated = offer("799.00", shippingDetails={
        "@type": "OfferShippingDetails",
        "shippingRate": {"@type": "MonetaryAmount", "value": 4.5, "currency": "USD"},
    })  # fmt: skip
    found = read("<p>Shipping: $9.95</p>", head=json_ld(product(offers=stated)))
    assert str(found.shipping.amount) == "4.5"
    assert found.provenance["shipping"].source == "json_ld"


def test_an_old_price_that_is_not_higher_is_ignored():
    stated = offer("799.00", priceSpecification={
        "@type": "UnitPriceSpecification", "priceType": "https://schema.org/ListPrice", "price": "799.00",
        "priceCurrency": "USD",
    })  # fmt: skip
    assert read("", head=json_ld(product(offers=stated))).list_price is None
