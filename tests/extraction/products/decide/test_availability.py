"""Tests of choosing the availability among data for machines, classes, texts and buttons."""

import json

import pytest

from research_crawler.core.models.products import Product
from research_crawler.extraction.products.decide.weights import LEARNED, Weights
from research_crawler.extraction.products.ladder import inspect_page, read_products
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

HEADING = "<h1>Aurora 15 Laptop</h1><p class='price'>$899.00</p>"
IN, OUT = "https://schema.org/InStock", "https://schema.org/OutOfStock"


def read(body: str = "", *, head: str = "", heading: str = HEADING) -> Product:
    (found,) = read_products(page(f"{heading}{body}", head=head), url=URL)
    return found


def variants(*states: str) -> str:
    each = [product(sku=f"AU-{n}", offers=offer("899", availability=one)) for n, one in enumerate(states)]
    return json_ld(product(hasVariant=each) | {"@type": "ProductGroup"})


@pytest.mark.parametrize(
    ("states", "availability"),
    [
        ((OUT, IN), "in_stock"),
        ((OUT, OUT), "out_of_stock"),
        ((OUT, "https://schema.org/LimitedAvailability"), "limited"),
    ],
)
def test_one_variant_that_can_be_bought_is_enough(states, availability):
    assert read(head=variants(*states)).availability == availability
    offers = [offer("899", availability=one) for one in states]
    assert read(head=json_ld(product(sku="AU", offers=offers))).availability == availability


def state(*, is_available: bool) -> str:
    known = {
        "title": "Aurora 15 Laptop", "sku": "AU-15", "price": 899, "available": is_available,
    }  # fmt: skip
    return f"<script>var product = {json.dumps(known)};</script>"


@pytest.mark.parametrize(
    ("case", "body", "availability"),
    [
        ("the state has another variant", state(is_available=True), "in_stock"),
        ("the state agrees", state(is_available=False), "out_of_stock"),
        ("a text agrees", state(is_available=True) + "<p>Sold out</p>", "out_of_stock"),
        ("an offer to tell when it is back", state(is_available=True) + "<button>Notify me</button>", "out_of_stock"),
        ("a buy button", "<button>Add to cart</button>", "in_stock"),
        ("a buy button in another language", "<button name='add-to-cart'>Í körfu</button>", "in_stock"),
        ("an offer to tell far below", "<button>Add to cart</button>" + "<p>x</p>" * 400 + "<button>Notify me</button>",
         "in_stock"),
        ("a disabled button beside a text",
         "<button>Add to cart</button><p>In stock</p><button disabled>Order now</button>",
         "in_stock"),
        ("the only button, far below", "<p>x</p>" * 500 + "<button>Add to cart</button>", "in_stock"),
        ("many buttons, far below", "<p>x</p>" * 500 + "<button>Add to cart</button>" * 3, "out_of_stock"),
        ("a text for stock", "<p class='stock'>In stock</p>", "in_stock"),
        ("a text elsewhere", "<p>In stock</p>", "out_of_stock"),
        ("a disabled button", "<button>Add to cart</button><button disabled>Order now</button>", "out_of_stock"),
    ],
)  # fmt: skip
def test_data_that_says_sold_out_may_be_of_one_variant(case, body, availability):
    head = json_ld(product(sku="AU-15", offers=offer("899", availability=OUT)))
    assert read(body, head=head).availability == availability, case


@pytest.mark.parametrize(
    ("name", "availability"),
    [("instock", "in_stock"), ("outofstock", "out_of_stock"), ("onbackorder", "backorder")],
)
def test_the_class_of_the_product_says_what_its_text_does_not(name, availability):
    shown = f"<div class='product type-product {name}'>{HEADING}<p>Mæ</p></div>"
    others = "<ul><li class='product instock'><a href='/b'>B</a></li></ul>"
    assert read(others, heading=shown).availability == availability


def test_the_class_of_a_price_shows_its_badge():
    price = (
        "<h1>Aurora 15 Laptop</h1>"
        "<div class='price {}'><b class='price__regular'>$899</b><i class='badge'>Sold out</i></div>"
    )
    assert read(heading=price.format("price--sold-out")).availability == "out_of_stock"
    assert read(heading=price.format("price--large")).availability == "in_stock"


def test_the_class_of_a_stock_text_says_what_its_language_does_not():
    assert read("<p class='stock out-of-stock'>Uppselt</p>").availability == "out_of_stock"


@pytest.mark.parametrize(
    ("head", "availability"),
    [
        ('<meta property="og:type" content="product"><meta property="og:availability" content="oos">', "out_of_stock"),
        ('<meta property="product:availability" content="out of stock">', "out_of_stock"),
        ('<meta property="og:type" content="product"><meta name="twitter:label2" content="Availability">'
         '<meta name="twitter:data2" content="Out of stock">', "out_of_stock"),
    ],
)  # fmt: skip
def test_meta_elements_state_the_availability(head, availability):
    assert read(head=head + '<meta property="og:price:amount" content="899">').availability == availability


def test_a_link_to_schema_org_on_any_element_is_the_availability():
    marked = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Aurora 15 Laptop</h1>'
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        '<b itemprop="price" content="899">$899</b>'
        f'<span itemprop="availability" href="{OUT}">Uppselt</span></div></div>'
    )
    assert read(heading=marked).availability == "out_of_stock"


@pytest.mark.parametrize(
    ("said", "availability"),
    [
        ("Not available for purchase", "out_of_stock"),
        ("No longer available in green", "in_stock"),
        ("Unavailable in your region", "in_stock"),
        ("Non disponible en magasin", "in_stock"),
    ],
)
def test_what_else_is_unavailable_says_nothing_of_the_product(said, availability):
    assert read(f"<p>{said}</p>").availability == availability


@pytest.mark.parametrize(
    ("shown", "availability"),
    [
        ("<ul><li>Small <b>$899</b></li><li>Large <b>$949</b></li></ul>", "in_stock"),
        ("<p class='saving'>Save $50.00</p>", "unknown"),
        ("<p><s>$899</s></p>", "unknown"),
    ],
)
def test_a_page_with_several_likely_prices_sells_its_product(shown, availability):
    found = read("<p>SKU: AU-15-512</p>", heading=f"<h1>Aurora 15 Laptop</h1>{shown}")
    assert (found.price_numeric, found.availability) == (None, availability)


def test_offers_that_say_nothing_are_left_out():
    empty = {"@type": "Offer", "url": "https://shop.example.com/p/aurora-15-laptop-482913?size=8"}
    stated = product(offers=[offer("899", sku="AU-15"), empty, offer("949", sku="AU-16")])
    assert [one.sku for one in read(head=json_ld(stated)).offers] == ["AU-15", "AU-16"]


def test_the_text_of_a_price_in_data_has_no_digits_of_binary_fractions():
    listed = {
        "@type": "UnitPriceSpecification",
        "priceType": "https://schema.org/ListPrice",
        "price": "998.99996",
    }
    found = read(head=json_ld(product(offers=offer("899", priceSpecification=listed))))
    assert found.list_price is not None
    assert (found.list_price.text, str(found.list_price.amount)) == ("999", "999")


def test_a_price_that_says_little_does_not_hide_the_other_signs_of_a_product():
    text = page("<h1>Aurora 15 Laptop</h1><p>Now £ 899</p><p>SKU: AU-15-512</p>")
    seen = inspect_page(text, url=URL).candidates[0]
    weak = Weights(tuple(weight * 1.6 / seen.score for weight in LEARNED.dom), LEARNED.fusion)
    (found,) = read_products(text, url=URL, weights=weak)
    assert (found.name, found.price_numeric, found.sku) == ("Aurora 15 Laptop", 899, "AU-15-512")
    assert read_products(text, url="https://example.com/notes/aurora", weights=weak) == []


def test_a_form_for_the_cart_that_can_be_sent_overrules_data_that_says_sold_out():
    data = json_ld(product(sku="AU-15", offers=offer("899", availability=OUT)))
    fields = "<input type=hidden name=product_id value=15><input name=quantity value=1>"
    away = "<p>x</p>" * 300  # too far from heading and price for a button alone, and another one is disabled
    other = "<button disabled>Buy now</button>"
    sent = (
        f"{other}{away}<form action='/cart/add'>{fields}<button class='add-to-cart'>Put aside</button></form>"
    )
    assert read(sent, head=data).availability == "in_stock"
    for without in (sent.replace("class='add", "disabled class='add"), sent + "<p>Sold out</p>", other):
        assert read(without, head=data).availability == "out_of_stock"


@pytest.mark.parametrize(
    "button",
    [
        "<button>Buy from our EU store</button>",
        "<button>Buy</button>",
        "<button>Buy for $899.00</button>",
        "<button>Submit bid</button>",
        "<a href='/p/aurora-15-laptop-482913/order'>Buy</a>",
        "<div class='btn add-to-cart'>Add to cart <i>Choose a colour or a plug to add it to the cart</i></div>",
        "<span id='buy-now-btn'>Í körfu</span>",
        "<div class='add-to-cart-box'><form><button>Add to cart</button></form></div>",
    ],
)
def test_whatever_buys_overrules_data_that_says_sold_out(button):
    head = json_ld(product(sku="AU-15", offers=offer("899", availability=OUT)))
    assert read(button, head=head).availability == "in_stock"


@pytest.mark.parametrize(
    "other",
    [
        "<button>Buy more, save more</button>",
        "<button>Buyer's guide</button>",
        "<div class='add-to-cart'>Sold out</div>",
        "<div class='add-to-cart is-disabled'>Add to cart</div>",
    ],
)
def test_a_button_that_does_not_buy_leaves_data_as_it_is(other):
    head = json_ld(product(sku="AU-15", offers=offer("899", availability=OUT)))
    assert read(other, head=head).availability == "out_of_stock"


@pytest.mark.parametrize(
    ("below", "availability"),
    [
        ("<button disabled>Order now</button>", "in_stock"),
        ("<p>I asked: is the old one sold out?</p>", "in_stock"),
        ("<p>This item is sold out.</p>", "out_of_stock"),
    ],
)
def test_what_stands_far_below_is_about_something_else_unless_it_names_the_product(below, availability):
    head = json_ld(product(sku="AU-15", offers=offer("899", availability=OUT)))
    body = "<button>Add to cart</button>" + "<p>x</p>" * 400 + below
    assert read(body, head=head).availability == availability


def test_one_of_several_texts_that_say_sold_out_is_enough_to_overrule_data():
    head = json_ld(product(sku="AU-15", offers=offer("899", availability=IN)))
    assert read("<b>Discontinued</b>", head=head).availability == "in_stock"
    said = "<b>Discontinued</b><p>This product is no longer available.</p>"
    assert read(said, head=head).availability == "out_of_stock"
