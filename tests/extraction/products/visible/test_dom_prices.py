"""Tests of reading visible prices by the markup and text around them."""

from decimal import Decimal

from research_crawler.core.models.products import Product
from research_crawler.extraction.products.ladder import read_products
from tests.extraction.products.shop_pages import URL, page

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
