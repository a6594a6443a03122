"""Tests of choosing availability and article number where the sources of a page disagree."""

import json

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


@pytest.mark.parametrize(
    ("url", "sku"),
    [
        ("https://shop.example.com/Aurora-Laptop/dp/B08N5WRWNW/ref=sr_1_1", "B08N5WRWNW"),
        ("https://shop.example.com/p/12345", "12345"),
        ("https://shop.example.com/Aurora-Laptop-i.123.html", "123"),
        ("https://shop.example.com/products/aurora-15-laptop", ""),
    ],
)
def test_the_code_in_the_url_is_the_article_number_where_the_page_names_none(url, sku):
    assert read(BUY, url=url).sku == sku


def test_a_labelled_number_beats_the_code_in_the_url():
    found = read(BUY + "<p>SKU: AU-15-512</p>", url="https://shop.example.com/p/12345")
    assert found.sku == "AU-15-512"


def test_the_number_of_one_of_several_variants_is_not_the_products():
    offers = [offer("899", sku="AU-15-RED"), offer("949", sku="AU-15-BLUE")]
    found = read(
        BUY, head=json_ld(product(sku="AU-15-RED", offers=offers)), url="https://shop.example.com/aurora"
    )
    assert found.sku == ""


def test_the_number_of_the_group_is_the_products():
    variants = [product(sku="AU-15-RED", offers=offer("899")), product(sku="AU-15-BLUE", offers=offer("949"))]
    group = product(productGroupID="AU-15", hasVariant=variants) | {"@type": "ProductGroup"}
    found = read(BUY, head=json_ld(group), url="https://shop.example.com/aurora")
    assert found.sku == "AU-15"


def test_the_number_of_the_only_offer_is_the_products():
    found = read(
        BUY, head=json_ld(product(offers=[offer("899", sku="AU-15")])), url="https://shop.example.com/a"
    )
    assert found.sku == "AU-15"


@pytest.mark.parametrize(
    ("case", "body", "head", "url"),
    [
        ("stated without a price", "", json_ld(product(sku="AU-15")), "https://shop.example.com/aurora"),
        ("a button that waits for scripts", "<button disabled>Add to cart</button>", "", URL),
        ("sold out", "<p class='stock'>Sold out</p>", "", URL),
        ("for members", "<p>Log in to see prices</p><p>Item number: AU-15-512</p>", "", URL),
        ("by its kind", "<p>SKU: AU-15-512</p>", '<meta property="og:type" content="product">', "https://a.example/x"),
        ("beside others", "".join(f"<li><a href='/p/{n}'>Borealis {n}</a><b class='price'>${n}9.00</b></li>"
                                  for n in range(2, 9)), json_ld(product(sku="AU-15")), URL),
    ],
)  # fmt: skip
def test_a_product_without_a_price_is_a_product(case, body, head, url):
    (found,) = read_products(page(f"<h1>Aurora 15 Laptop</h1>{body}", head=head), url=url)
    assert (found.name, found.price_numeric, found.price) == ("Aurora 15 Laptop", None, ""), case
    assert "price" in {gap.field for gap in found.gaps}


@pytest.mark.parametrize(
    ("case", "body", "head", "url"),
    [
        ("news", "<p>Sold out within hours.</p>", '<meta property="og:type" content="article">',
         "https://news.example/products/aurora"),
        ("documentation", "<p>sku: 12345</p><p>availability: in stock</p>", "", "https://docs.example/feeds"),
        ("software without a price", "", json_ld(product() | {"@type": "SoftwareApplication"}),
         "https://app.example/"),
    ],
)  # fmt: skip
def test_a_page_that_sells_nothing_has_no_product(case, body, head, url):
    assert read_products(page(f"<h1>Aurora 15 Laptop</h1>{body}", head=head), url=url) == [], case


def test_a_number_of_the_shops_database_is_no_article_number_but_confirms_one():
    def state(**fields: object) -> str:
        known = {"title": "Aurora 15 Laptop", "price": 899, "vendor": "Borealis", **fields}
        return f"<script>var item = {json.dumps(known)};</script>"

    url = "https://shop.example.com/products/aurora-15-laptop"
    system = "<link rel=stylesheet href='//shop.example.com/cdn/shop/t/7/base.css'>"
    shown = f"{system}<h1>Aurora 15 Laptop</h1><p class='price'>$899.00</p>"
    (without,) = read_products(page(shown + state(product_id="7296487424090")), url=url)
    assert without.sku == ""
    elsewhere = page((shown + state(product_id="7296487424090")).replace("/cdn/shop/", "/files/"))
    assert read_products(elsewhere, url=url)[0].sku == "7296487424090"
    both = state(product_id="7296487424090") + state(sku="AU-15", url="/products/aurora-15-laptop")
    (named,) = read_products(page(shown + both), url=url)
    assert named.sku == "AU-15"
    (confirmed,) = read_products(page(shown + state(product_id="562225800")), url=f"{url}/562225800")
    assert confirmed.sku == "562225800"


def test_the_form_for_the_cart_makes_a_page_with_many_others_that_of_one_product():
    row = "<li class='card'><a href='/p/{0}'>Lamp {0}</a><span class='price'>${0}.00</span></li>"
    rows = f"<ul>{''.join(row.format(n) for n in range(20, 32))}</ul>"
    form = "<form action='/cart/add'><input type=hidden name=product_id value=15><button>Add to cart</button></form>"
    shown = f"<h1>Aurora 15 Laptop</h1><p>From our workshop</p>{rows}"
    url = "https://shop.example.com/aurora"
    assert len(read_products(page(shown), url=url)) == 12
    one = shown.replace("</li>", form + "</li>", 1)  # only the first of a list can be ordered at once
    assert len(read_products(page(one), url=url)) == 12
    (found,) = read_products(page(shown.replace("</p><ul>", f"</p>{form}<ul>")), url=url)
    assert found.name == "Aurora 15 Laptop"
    every = row.replace("</li>", form.replace("15", "{0}") + "</li>")
    assert (
        len(
            read_products(
                page(f"<h1>Lamps</h1><ul>{''.join(every.format(n) for n in range(20, 32))}</ul>"), url=url
            )
        )
        == 12
    )


@pytest.mark.parametrize(
    ("meta", "currency"),
    [('<meta property="product:price:currency" content="CAD">', "CAD"),
     ('<meta itemprop="priceCurrency" name="currency" content="Nzd">', "NZD"),
     ('<meta property="og:price:currency" content="shop">', "")],
)  # fmt: skip
def test_the_currency_of_a_bare_number_is_the_one_that_the_page_names(meta, currency):
    shown = (
        "<h1>Aurora 15 Laptop</h1><b itemprop='price' class='price'>899.00</b><button>Add to cart</button>"
    )
    (found,) = read_products(page(shown, head=meta, lang="en"), url=URL)
    assert (found.price_numeric, found.currency) == (899, currency)
