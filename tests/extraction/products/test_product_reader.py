"""Tests of reading products from complete pages, for each source and their combination."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.product_reader import read_products
from tests.cases import each_case
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

HEADING = "<h1>Aurora 15 Laptop</h1>"


def read(html: str, url: str = URL) -> Product:
    found = read_products(html, url=url)
    assert len(found) == 1
    return found[0]


def test_json_ld_gives_every_field_with_its_provenance():
    block = product(
        sku="AU-15-512", mpn="NX.482", gtin13="4006381333931", brand={"@type": "Brand", "name": "Aurora"},
        offers=offer("1299.99", availability="https://schema.org/InStock", itemCondition="https://schema.org/NewCondition"),
        additionalProperty=[{"@type": "PropertyValue", "name": "RAM", "value": "16 GB"}],
    )  # fmt: skip
    found = read(page(HEADING + '<div class="price">$1,299.99</div>', head=json_ld(block)))
    assert found.name == "Aurora 15 Laptop"
    assert (found.price, found.price_numeric, found.currency) == ("$1,299.99", Decimal("1299.99"), "USD")
    assert (found.sku, found.mpn, found.gtin, found.brand) == (
        "AU-15-512",
        "NX.482",
        "4006381333931",
        "Aurora",
    )
    assert (found.in_stock, found.availability, found.condition) == (True, "in_stock", "new")
    assert found.specs == {"RAM": "16 GB"}
    assert (found.vendor, found.url) == ("shop.example.com", URL)
    assert found.provenance["price"].source == "json_ld"
    assert found.provenance["price"].path.endswith("price")
    assert found.provenance["sku"].confidence > 0.6
    assert found.confidence > 0.8


def test_a_price_survives_json_exactly():
    found = read(page(HEADING, head=json_ld(product(offers=offer("19.99")))))
    assert '"price_numeric":19.99' in found.model_dump_json()
    assert Product.model_validate_json(found.model_dump_json()) == found


def test_microdata_is_read_with_nested_items_and_values_in_attributes():
    body = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Aurora 15 Laptop</h1>'
        '<meta itemprop="sku" content="482913"><span itemprop="brand" itemscope itemtype="https://schema.org/Brand">'
        '<span itemprop="name">Aurora</span></span><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        '<span itemprop="price" content="899.00">899,00 €</span><meta itemprop="priceCurrency" content="EUR">'
        '<link itemprop="availability" href="https://schema.org/OutOfStock"></div></div>'
    )
    found = read(page(body, lang="de"))
    assert (found.price_numeric, found.currency, found.price) == (899, "EUR", "899,00 €")
    assert (found.in_stock, found.brand, found.sku) == (False, "Aurora", "482913")
    assert found.provenance["price"].source == "microdata"


def test_rdfa_is_read():
    body = (
        '<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Aurora 15 Laptop</h1>'
        '<div property="offers" typeof="Offer"><span property="price">899.00</span>'
        '<meta property="priceCurrency" content="GBP"></div></div>'
    )
    found = read(page(body))
    assert (found.price_numeric, found.currency) == (899, "GBP")
    assert found.provenance["price"].source == "rdfa"


def test_open_graph_is_read_with_its_sale_price():
    head = (
        '<meta property="og:type" content="product"><meta property="og:title" content="Aurora 15 Laptop">'
        '<meta property="product:price:amount" content="999"><meta property="product:price:currency" content="USD">'
        '<meta property="product:sale_price:amount" content="899"><meta property="product:availability" content="oos">'
    )
    found = read(page(HEADING, head=head))
    assert (found.price_numeric, found.availability) == (899, "out_of_stock")
    assert found.list_price is not None
    assert found.list_price.amount == 999


def test_products_in_the_state_of_scripts_are_found_by_shape():
    detail = {"name": "Aurora 15 Laptop", "sku": "482913", "price": {"value": 899, "currency": "EUR"}}
    state = json.dumps({"props": {"pageProps": {"detail": detail}}})
    script = f'<script id="__NEXT_DATA__" type="application/json">{state}</script>'
    found = read(page(HEADING + "<button>Add to cart</button>" + script))
    assert (found.price_numeric, found.currency, found.sku) == (899, "EUR", "482913")
    assert found.provenance["price"].source == "state"


@each_case(
    ("language", "markup", "amount", "currency"),
    [
        ("en", '<p class="product-price">$1,299.00</p><button>Add to cart</button>', "1299.00", "USD"),
        ("de", '<span class="preis">1.299,00 €</span><button>In den Warenkorb</button>', "1299.00", "EUR"),
        ("fr", '<div class="prix">1 299,00 €</div><button>Ajouter au panier</button>', "1299.00", "EUR"),
        (
            "cs",
            '<strong class="cena">12 990 Kč</strong><a class="btn" href="#kosik">Do košíku</a>',
            "12990",
            "CZK",
        ),
        ("ja", '<span class="price">12,800円</span><button>カートに入れる</button>', "12800", "JPY"),
        ("ru", '<div class="price">12 990 ₽</div><button>В корзину</button>', "12990", "RUB"),
    ],
)
def test_a_page_with_visible_text_only_is_read(language, markup, amount, currency):
    found = read(page(f"<main>{HEADING}{markup}</main>", lang=language))
    assert (found.price_numeric, found.currency) == (Decimal(amount), currency)
    assert found.provenance["price"].source == "dom"
    assert found.in_stock is True


def test_a_price_that_is_split_over_several_elements_is_read():
    markup = (
        '<div class="price"><span>$</span><span>1,299</span><sup>99</sup></div><button>Add to cart</button>'
    )
    assert read(page(HEADING + markup)).price_numeric == Decimal("1299.99")
    markup = '<div class="price"><span>$1,299</span><sup>99</sup></div><button>Add to cart</button>'
    assert read(page(HEADING + markup)).price_numeric == Decimal("1299.99")


def test_the_price_to_pay_is_neither_the_old_one_nor_shipping_nor_an_instalment():
    markup = (
        '<div class="product-info"><del class="old-price">$1,499.00</del> <span class="price now">$1,299.00</span>'
        "<p>You save $200.00</p><p>or $54.12 per month</p><p class='shipping'>Shipping $9.90</p>"
        "<button>Add to cart</button></div>"
    )
    assert read(page(HEADING + markup)).price_numeric == 1299


def test_related_products_are_left_out():
    related = "".join(
        f'<li><a href="/p/other-{n}"><h3>Other laptop number {n}</h3><span class="price">${n}99.00</span></a></li>'
        for n in range(2, 8)
    )
    block = product(offers=offer("1299"), isRelatedTo=[product(name="Bag", offers=offer("49"))])
    own = f'{HEADING}<span class="price">$1,299.00</span>'
    body = f'{own}<section class="related-products"><ul>{related}</ul></section>'
    assert read(page(body, head=json_ld(block))).price_numeric == 1299
    without_data = f'<main>{HEADING}<span class="price">$1,299.00</span><button>Add to cart</button></main>'
    assert (
        read(page(f'{without_data}<section class="related"><ul>{related}</ul></section>')).price_numeric
        == 1299
    )


def test_a_visible_labelled_number_wins_over_an_internal_one():
    body = f"{HEADING}<p>Product code: <b>LX-77120</b></p><span class='price'>$12.00</span>"
    found = read(page(body, head=json_ld(product(sku="900813377", offers=offer("12")))))
    assert found.sku == "LX-77120"
    assert found.provenance["sku"].source == "dom"


def test_an_article_number_is_reported_as_the_page_writes_it():
    body = f"{HEADING}<p>Article no. <span>904.230.19</span></p><span class='price'>$12.00</span>"
    assert read(page(body, head=json_ld(product(sku="90423019", offers=offer("12"))))).sku == "904.230.19"


def test_a_number_in_the_url_is_used_last():
    found = read(page(HEADING + '<p class="price">$12.00</p><button>Buy now</button>'))
    assert (found.sku, found.provenance["sku"].source) == ("482913", "url")


@each_case(
    ("words", "availability", "in_stock"),
    [
        ("Out of stock", "out_of_stock", False),
        ("Derzeit nicht verfügbar", "out_of_stock", False),
        ("Rupture de stock", "out_of_stock", False),
        ("Agotado", "out_of_stock", False),
        ("Only 3 left in stock", "limited", True),
        ("Nur noch 2 Stück", "limited", True),
        ("Pre-order now", "preorder", None),
        ("On backorder", "backorder", None),
        ("In stock", "in_stock", True),
        ("Op voorraad", "in_stock", True),
    ],
)
def test_availability_is_read_in_many_languages(words, availability, in_stock):
    body = f'<main>{HEADING}<span class="price now">$12.00</span><p class="availability">{words}</p></main>'
    found = read(page(body, head='<meta property="og:type" content="product">'))
    assert (found.availability, found.in_stock) == (availability, in_stock)


def test_a_disabled_buy_button_makes_data_doubtful_but_does_not_overrule_it():
    block = product(offers=offer("12", availability="InStock"))
    found = read(
        page(
            f"{HEADING}<p class='price'>$12.00</p><button disabled>Add to cart</button>", head=json_ld(block)
        )
    )
    assert found.in_stock is True
    assert [gap.candidates for gap in found.gaps if gap.field == "availability"] == [
        ["in_stock", "out_of_stock"]
    ]


@each_case(
    ("beside", "in_stock"),
    [
        ("<button>Add to your basket</button>", True),
        ("<p class='stock'>Out of stock</p><button>Add to your basket</button>", False),
        ("<button disabled>Add to your basket</button>", False),
        ("", False),
    ],
)
def test_an_enabled_buy_button_overrules_outdated_data_unless_the_page_agrees_with_it(beside, in_stock):
    block = product(offers=offer("12", availability="OutOfStock"))
    body = f"{HEADING}<p class='price'>$12.00</p>{beside}"
    assert read(page(body, head=json_ld(block))).in_stock is in_stock


def test_a_product_without_store_pickup_can_be_in_stock():
    block = product(offers=offer("12", availability="InStock"))
    body = (
        f"{HEADING}<p class='price'>$12.00</p><p>Unavailable for store pickup</p><button>Add to cart</button>"
    )
    assert read(page(body, head=json_ld(block))).in_stock is True


def test_availability_without_any_sign_is_marked_as_inferred():
    found = read(page(HEADING, head=json_ld(product(offers=offer("12")))))
    assert (found.availability, found.provenance["availability"].source) == ("in_stock", "inferred")
    assert found.provenance["availability"].confidence <= 0.5


@each_case(
    ("stated", "title", "condition"),
    [
        ("https://schema.org/RefurbishedCondition", "Aurora 15 Laptop", "refurbished"),
        ("UsedCondition", "Aurora 15 Laptop", "used"),
        ("", "Aurora 15 Laptop (Open Box)", "open_box"),
        ("", "Aurora 15 Laptop, generalüberholt", "refurbished"),
        ("", "Aurora 15 Laptop", "unknown"),
    ],
)
def test_the_condition_is_read_as_stated_or_from_the_title(stated, title, condition):
    block = product(name=title, offers=offer("12", **({"itemCondition": stated} if stated else {})))
    assert read(page(f"<h1>{title}</h1>", head=json_ld(block), title=title)).condition == condition


def test_list_price_unit_price_member_price_and_shipping_are_separate_from_the_price():
    specification = [
        {"@type": "UnitPriceSpecification", "price": "10.00", "priceCurrency": "EUR"},
        {"@type": "UnitPriceSpecification", "price": "12.50", "priceCurrency": "EUR", "priceType": "https://schema.org/ListPrice"},
        {"@type": "UnitPriceSpecification", "price": "4.00", "priceCurrency": "EUR",
         "referenceQuantity": {"@type": "QuantitativeValue", "value": "1", "unitText": "kg"}},
        {"@type": "UnitPriceSpecification", "price": "9.00", "priceCurrency": "EUR",
         "validForMemberTier": {"name": "Club"}},
    ]  # fmt: skip
    shipping = {
        "@type": "OfferShippingDetails",
        "shippingRate": {"@type": "MonetaryAmount", "value": 4.9, "currency": "EUR"},
    }
    block = product(
        offers={"@type": "Offer", "priceSpecification": specification, "shippingDetails": shipping}
    )
    found = read(page(HEADING, head=json_ld(block), lang="de"))
    assert found.price_numeric == 10
    prices = (found.list_price, found.unit_price, found.member_price, found.shipping)
    assert [one.amount if one else None for one in prices] == [Decimal("12.50"), 4, 9, Decimal("4.9")]
    assert found.unit_price is not None
    assert found.unit_price.unit == "1 kg"


def test_all_offers_are_reported_and_one_in_stock_is_enough():
    offers = [
        offer("899", availability="OutOfStock", seller={"@type": "Organization", "name": "First"}),
        offer(
            "949",
            availability="InStock",
            seller={"@type": "Organization", "name": "Second"},
            itemCondition="UsedCondition",
        ),
    ]
    found = read(page(HEADING, head=json_ld(product(offers=offers))))
    assert [(one.seller, one.price and one.price.amount) for one in found.offers] == [
        ("First", 899),
        ("Second", 949),
    ]
    assert [one.condition for one in found.offers] == ["unknown", "used"]
    assert found.availability == "in_stock"


def test_variants_are_offers_with_their_names():
    variants = [
        product(name=f"Aurora 15 {size}", size=size, sku=f"A-{size}", offers=offer(price))
        for size, price in (("256", "899"), ("512", "999"))
    ]
    group = {
        "@context": "https://schema.org",
        "@type": "ProductGroup",
        "name": "Aurora 15 Laptop",
        "hasVariant": variants,
        "offers": offer("899"),
    }
    found = read(page(HEADING, head=json_ld(group)))
    assert [(one.variant, one.sku) for one in found.offers if one.variant] == [
        ("256", "A-256"),
        ("512", "A-512"),
    ]


def test_a_contradiction_is_reported_with_both_values():
    block = product(offers=offer("999"))
    shown = '<span class="price current-price">$1,299.00</span><button>Add to cart</button>'
    body = f'<main>{HEADING}<div class="product-info">{shown}</div></main>'
    found = read(page(body, head=json_ld(block)))
    gap = next(one for one in found.gaps if one.field == "price")
    assert gap.reason == "contradictory"
    assert {Decimal(one) for one in gap.candidates} == {999, 1299}


def test_stated_prices_are_used_if_scripts_have_not_written_the_price_yet():
    body = (
        f"{HEADING}<p>Free delivery on orders over $50</p><div id='price'></div><p>Gift cards from $10.00</p>"
    )
    found = read(page(body, head=json_ld(product(offers=offer("1299")))))
    assert found.price_numeric == 1299
    assert found.price == "1299 USD"


def test_missing_fields_are_reported():
    found = read(
        page("<h1>Aurora</h1>", head=json_ld(product(name="Aurora", offers=offer("12"))), title="Aurora"),
        "https://shop.example.com/aurora",
    )
    assert {one.field for one in found.gaps if one.reason == "missing"} == {"sku", "brand"}


def test_a_price_of_zero_is_not_a_price():
    found = read(page(HEADING, head=json_ld(product(offers=offer("0", availability="OutOfStock")))))
    assert found.price_numeric is None
    assert found.in_stock is False


def test_an_article_that_mentions_prices_has_no_product():
    text = "<p>The phone costs $799, its rival $699, and both were $50 cheaper a year ago.</p>" * 6
    assert (
        read_products(
            page(f"<article><h1>Two phones compared</h1>{text}</article>"), url="https://news.example.com/a"
        )
        == []
    )


def test_a_tree_gives_the_same_result_as_its_text_and_is_not_changed():
    html = page(
        HEADING + '<p class="price">$12.00</p><button>Buy now</button>',
        head=json_ld(product(offers=offer("12"))),
    )
    tree = parse_html(html)
    assert (
        read_products(tree, url=URL) == read_products(html, url=URL) == read_products(html.encode(), url=URL)
    )


def test_bytes_that_are_not_a_page_are_refused():
    with pytest.raises(PageUnreadable):
        read_products(b"", url=URL)


@given(st.text(max_size=300), st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=20),
       lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
           ["@type", "@graph", "name", "offers", "price", "sku", "availability", "priceSpecification", "hasVariant"]),
           inner, max_size=5), max_leaves=15))  # fmt: skip
def test_any_structured_data_is_read_without_an_error(text, value):
    blocks = json_ld(value) + json_ld({"@type": "Product", "name": text, "offers": value})
    for one in read_products(page(f"<h1>{HEADING}</h1><p class='price'>{value}</p>", head=blocks), url=URL):
        assert one.name


@each_case(
    ("shown", "stated", "condition"),
    [
        ("Condition: <b>Refurbished</b>", "", "refurbished"),
        ("Zustand: Gebraucht", "", "used"),
        ("Item condition: New", "", "new"),
        ("Condition: <b>Open Box</b>", "NewCondition", "open_box"),
        ("In mint condition", "NewCondition", "new"),
        ("", "UsedCondition", "used"),
        ("", "", "unknown"),
    ],
)
def test_a_visible_labelled_condition_wins_over_new_in_structured_data(shown, stated, condition):
    said = {"itemCondition": f"https://schema.org/{stated}"} if stated else {}
    head = json_ld(product(offers=offer("799.00", **said), sku="A15"))
    body = f"<h1>Aurora 15 Laptop</h1><p>{shown}</p><p class='price'>$799.00</p><button>Add to cart</button>"
    [found] = read_products(page(body, head=head), url=URL)
    assert found.condition == condition


def test_a_list_price_in_cents_is_converted_like_the_price_beside_it():
    state = {"title": "Aurora 15 Laptop", "price": 1199, "compare_at_price": 1999, "sku": "AU-15"}
    script = f"<script>var product = {json.dumps(state)};</script>"
    meta = '<meta property="og:price:amount" content="11.99"><meta property="og:title" content="Aurora 15 Laptop">'
    found = read(page(HEADING + '<span class="price">$11.99</span>' + script, head=meta))
    assert found.price_numeric == Decimal("11.99")
    assert found.list_price is not None and found.list_price.amount == Decimal("19.99")


def test_a_sold_out_product_with_a_price_of_zero_is_a_product_without_a_price():
    body = (
        '<h1>Aurora 15 Laptop</h1><p class="state">Sold out</p><span class="price">$0.00</span>'
        "<a href='#' class='buy'>Add to cart</a><p>Item number: AU-15-512</p>"
    )
    found = read(page(body))
    assert (found.price_numeric, found.availability, found.sku) == (None, "out_of_stock", "AU-15-512")
    news = "https://news.example.com/2026/aurora-15-sells-out"
    assert read_products(page("<h1>Aurora 15 Laptop</h1><p>Sold out</p><p>Cart: $0.00</p>"), url=news) == []


def test_a_page_that_shows_the_article_number_of_its_url_is_not_a_list():
    rows = "".join(
        f'<li><a href="/p/{n}"><h3>Borealis {n} light bulb</h3></a><span class="price">${n}.49</span></li>'
        for n in range(3, 9)
    )
    own = (
        "<h1>Aurora 15 Laptop</h1><p>SKU: <b>482913</b></p><div><i>US$</i><span>55.<sup>99</sup></span></div>"
    )
    found = read_products(page(f"{own}<div class='deals'><ul>{rows}</ul></div>"), url=URL)
    assert [one.name for one in found] == ["Aurora 15 Laptop"]
    assert len(read_products(page(f"<h1>Deals</h1><div class='deals'><ul>{rows}</ul></div>"), url=URL)) == 6


def test_a_code_below_the_heading_that_is_in_the_url_too_is_the_article_number():
    shown = "<p>HB095BLK</p><span class='price'>$34.95</span><button>Add to cart</button>"
    assert read(page(HEADING + shown), url="https://shop.example.com/shorts?q=hb095blk").sku == "HB095BLK"
    labelled = shown.replace("HB095BLK", "ID : 201500014845")
    assert (
        read(page(HEADING + labelled), url="https://shop.example.com/prod201500014845/").sku == "201500014845"
    )


BUY = "<button>Add to cart</button>"


def test_an_amount_in_the_money_of_another_country_is_not_in_that_of_the_page():
    crowns = HEADING + '<p class="price">9.990 Kronen</p>' + BUY
    found = read(page(crowns, lang="de"), url="https://shop.example.de/p/1")
    assert (found.price_numeric, found.currency) == (9990, "")


def test_an_extra_to_add_is_not_the_price():
    body = f"<main>{HEADING}<p>Padded sleeve +$29.00</p><p>$1,299.00</p><button>Add to cart</button></main>"
    assert read(page(body)).price_numeric == 1299
