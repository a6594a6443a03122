"""Tests of reading visible prices by the markup and text around them."""

from decimal import Decimal

import pytest

from research_crawler.core.models.products import Product
from research_crawler.extraction.products.ladder import read_products
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

HEADING = "<h1>Aurora 15 Laptop</h1>"
BUTTON = "<button>Add to cart</button>"


def read(body: str, title: str = "Aurora 15 Laptop | Example Shop", url: str = URL) -> Product:
    (found,) = read_products(page(body, title=title), url=url)
    return found


def regular(amount: str) -> str:
    return (
        f'<div class="price-box"><span class="regular-price"><span class="price">{amount}</span></span></div>'
    )


def test_a_price_that_is_named_regular_is_the_price_if_there_is_no_lower_one_beside_it():
    found = read(HEADING + regular("$899.00") + BUTTON)
    assert (found.price_numeric, found.list_price) == (899, None)


def test_a_price_that_is_named_regular_is_the_list_price_beside_a_lower_one():
    body = regular("$899.00") + '<div class="price-box"><span class="special-price">$799.00</span></div>'
    found = read(HEADING + body + BUTTON)
    assert found.price_numeric == 799
    assert found.list_price is not None and found.list_price.amount == 899


def test_prices_after_a_heading_for_related_products_are_not_the_price():
    tiles = "".join(
        f'<li><a href="/p/{n}">Borealis {n} laptop sleeve</a>{regular(f"${n}9.00")}</li>' for n in range(2, 8)
    )
    body = f"<div>{HEADING}{regular('$899.00')}{BUTTON}</div><div><h2>You may also like</h2><ul>{tiles}</ul></div>"
    assert read(body).price_numeric == 899


def test_whole_and_cents_are_read_with_the_mark_in_the_element_before_them():
    body = (
        '<div><span><a href="#"><i>US$</i></a></span><span id="unit_price">55.<sup>99</sup></span>'
        + "".join(
            f"<dl><dd>{name}</dd></dl>" for name in ("Euro of the Union", "Pound of Great Britain", "Real")
        )
        + "</div>"
    )
    found = read(HEADING + body + BUTTON)
    assert (found.price_numeric, found.currency) == (Decimal("55.99"), "USD")


def test_the_first_of_prices_that_fall_with_the_quantity_is_the_price():
    cells = "".join(f'<td class="tier price">${amount}</td>' for amount in ("3.46", "2.49", "1.71", "1.44"))
    lowest = '<div>As low as <span class="price">$0.24</span> per bead</div>'
    body = f"{HEADING}{lowest}<table><tr>{cells}</tr></table>{BUTTON}"
    assert read(body).price_numeric == Decimal("3.46")


def test_a_price_for_two_products_together_is_not_the_price():
    both = '<div class="related-set"><b>Price for both:</b> <span class="our-price">$17.98</span></div>'
    assert read(f"{HEADING}{both}<p>Price <b>$8.99</b></p>{BUTTON}").price_numeric == Decimal("8.99")


def test_if_two_prices_look_alike_the_one_in_the_title_is_the_price():
    body = (
        "<table><tr><td><b>€ 430,00</b> prezzo online</td></tr>"
        "<tr><td><b>€ 450,00</b> prezzo in negozio</td></tr></table>"
        '<a href="/ordina?id=1093"><img src="/buy.jpg" alt="Acquista"></a>'
    )
    found = read(HEADING + body, title="Aurora 15 Laptop a € 430,00 solo da Example")
    assert (found.price_numeric, found.currency) == (430, "EUR")


def test_a_retail_price_above_the_price_is_its_list_price():
    body = "<p><b>Retail price:</b> $125.00</p><p>Your price: <span class='price'>$113.95</span></p>"
    found = read(HEADING + body + BUTTON)
    assert found.price_numeric == Decimal("113.95")
    assert found.list_price is not None and found.list_price.amount == 125


@pytest.mark.parametrize(
    ("shown", "amount"),
    [
        ("<p class='price'>$899.00</p><p class='price'>2 for $1,500.00</p>", 899),
        ("<p class='price'>$1,500.00 for two</p><p class='price'>$899.00</p>", 899),
        ("<p class='price'>Pack of 3: $2,400.00</p><p class='price'>$899.00</p>", 899),
        ("<p class='price'>3er-Pack 2.400,00 €</p><p class='price'>899,00 €</p>", 899),
        (
            "<div>Bundle price <b class='price'>$1,099.00</b></div><div><b class='price'>$899.00</b></div>",
            899,
        ),
        ("<h2>Sheet set</h2><p class='price'>$899.00</p><p class='price'>5 for $4,000.00</p>", 899),
    ],
)
def test_the_price_of_one_piece_is_preferred_to_that_of_several(shown, amount):
    assert read(HEADING + shown + BUTTON).price_numeric == amount


@pytest.mark.parametrize(
    ("shown", "text", "is_from"),
    [
        ("<p class='price'>From $899.00</p>", "From $899.00", True),
        ("<p>Starting at <b class='price'>$899.00</b></p>", "from $899.00", True),
        ("<p class='price'>ab 899,00 €</p>", "ab 899,00 €", True),
        ("<p class='price'>899円〜</p>", "from 899円", True),
        ("<p class='price'>$899.00</p>", "$899.00", False),
        ("<p class='price'>$899.00</p><p>Shipping from $5.00</p>", "$899.00", False),
    ],
)
def test_a_price_that_is_the_lowest_of_several_is_marked(shown, text, is_from):
    found = read(HEADING + shown + BUTTON)
    assert (found.price_numeric, found.price, found.price_from) == (899, text, is_from)


def test_a_stated_range_of_prices_is_marked_at_its_lowest():
    data = {"@type": "AggregateOffer", "lowPrice": "899", "highPrice": "1299", "priceCurrency": "USD"}
    (found,) = read_products(page(HEADING, head=json_ld(product(offers=data))), url=URL)
    assert (found.price_numeric, found.price_from) == (899, True)


@pytest.mark.parametrize(
    "shown",
    [
        "<p><del>$999.00</del> <b class='price'>$799.00</b></p>",
        "<p><span style='text-decoration:line-through'>$999.00</span> <span>$799.00</span></p>",
        "<p><span class='was-price'>$999.00</span><span class='sale-price'>$799.00</span></p>",
        "<p><s class='price'>$999.00</s> <span class='price'>Now $799.00</span></p>",
    ],
)
def test_a_sale_price_beside_a_struck_one_is_preferred_to_the_list_price_in_data(shown):
    head = (
        json_ld(product(offers=offer("999.00"))) + '<meta property="product:price:amount" content="999.00">'
    )
    (found,) = read_products(page(HEADING + shown + BUTTON, head=head), url=URL)
    assert found.price_numeric == 799
    assert found.list_price is not None and found.list_price.amount == 999
    assert "price" in {gap.field for gap in found.gaps}


def test_an_offer_for_one_piece_is_preferred_to_one_for_several():
    several = {"@type": "QuantitativeValue", "minValue": 3}
    offers = [offer("2400", eligibleQuantity=several), offer("899")]
    (found,) = read_products(page(HEADING, head=json_ld(product(offers=offers))), url=URL)
    assert found.price_numeric == 899
