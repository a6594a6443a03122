"""Tests of choosing availability and article number where the sources of a page disagree."""

import pytest

from research_crawler.core.models.products import Product
from research_crawler.extraction.products.ladder import read_products
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

HEADING = "<h1>Aurora 15 Laptop</h1><p class='price'>$899.00</p>"
BUY = "<button>Add to cart</button>"
NOTIFY = "<button type='submit'>Notify me when it is back</button>"


def read(body: str, *, head: str = "", url: str = URL) -> Product:
    (found,) = read_products(page(f"{HEADING}{body}", head=head), url=url)
    return found


def stated(availability: str) -> str:
    return json_ld(
        product(sku="AU-15", offers=offer("899", availability=f"https://schema.org/{availability}"))
    )


@pytest.mark.parametrize(
    ("case", "body", "availability"),
    [
        ("a form beside the buy button", BUY + f"<form>{NOTIFY}</form>", "in_stock"),
        ("a form in the place of the buy button", f"<form>{NOTIFY}</form>", "out_of_stock"),
        ("the same in German", "<button>Benachrichtigen Sie mich</button>", "out_of_stock"),
        ("the same in French", "<button>Prévenez-moi du retour</button>", "out_of_stock"),
        ("a form far below", "<p>Nice.</p>" * 300 + f"<form>{NOTIFY}</form>", "in_stock"),
        ("a form that is hidden", f"<form style='display:none'>{NOTIFY}</form>", "in_stock"),
        ("a text about a form", "<p>We can notify me when it is back in stock</p>", "in_stock"),
        ("a button that waits for scripts", "<button disabled>Add to cart</button>", "in_stock"),
        ("a badge that a style sheet shows or not", "<span class='price__badge'>Sold out</span>", "in_stock"),
        ("a notice of stock", "<p class='stock'>Sold out</p>", "out_of_stock"),
        ("a sentence that denies buying", "<p class='stock'>Cannot be ordered at the moment</p>", "out_of_stock"),
        ("a size that is sold out", "<ul><li><label><input type=radio>S <i class='stock'>Sold out</i></label></li>"
         "<li><label><input type=radio>M</label></li></ul>", "in_stock"),
        ("a variant's row", "<table><tr><td>Blue</td><td>$9</td><td class='stock'>Sold out</td></tr></table>",
         "in_stock"),
        ("a long description", "<p>Please note: the version of last year in green is no longer available here.</p>",
         "in_stock"),
    ],
)  # fmt: skip
def test_only_what_stands_in_the_place_of_the_buy_button_overrules_data_that_says_in_stock(
    case, body, availability
):
    assert read(body, head=stated("InStock")).availability == availability, case


def test_data_that_says_sold_out_holds_beside_an_offer_to_tell_when_it_is_back():
    assert read(BUY + NOTIFY, head=stated("OutOfStock")).availability == "out_of_stock"


def test_a_link_with_the_attribute_disabled_can_still_be_pressed():
    found = read("<a class='button' role='button' href='#buy' disabled>Buy it now</a>")
    assert found.availability == "in_stock"
