"""Tests of the shops of the demo web: their pages, and changes of offers while the web runs."""

import html
import json
import tomllib
from decimal import Decimal

import lxml.html
import pytest

from research_crawler.adapters.vendor_catalogue import read_vendors
from research_crawler.core.models.offers.products import Product
from research_crawler.core.vendors import Catalogue
from research_crawler.demo.content import load_world
from research_crawler.demo.process import local_web_process
from research_crawler.demo.shops.shop_data import (
    FIELDS,
    pages_for_search,
    planted_offers,
    read_purchases,
    read_shops,
    score_offer,
    search_url,
    vendors_toml,
)
from research_crawler.demo.shops.shop_words import money
from tests.cases import each_case

ARTICLES, SHOPS = read_shops()
OPEN = [shop for shop in SHOPS.values() if shop.behaviour == "plain"]


@each_case(
    ("locale", "amount", "shown"),
    [
        ("en-US", "1099.99", "$1,099.99"),
        ("de-DE", "1049.00", "1.049,00\u00a0€"),
        ("en-IN", "104990", "₹1,04,990"),
        ("en-IN", "12345678", "₹1,23,45,678"),
        ("en-IN", "990", "₹990"),
        ("sv-SE", "11490", "11\u00a0490\u00a0kr"),
        ("de-CH", "1049.00", "CHF 1'049.–"),
        ("de-CH", "319.50", "CHF 319.50"),
    ],
)
def test_a_shop_writes_amounts_by_the_conventions_of_its_country(locale, amount, shown):
    assert money(Decimal(amount), locale) == shown


def test_shops_differ_in_style_and_country():
    assert {shop.style for shop in SHOPS.values()} == {
        "json_ld",
        "microdata",
        "plain",
        "next",
        "nuxt",
        "script",
        "tangled",
    }
    assert {shop.currency for shop in SHOPS.values()} == {"USD", "EUR", "INR", "SEK", "CHF"}
    offers = [offer for shop in SHOPS.values() for offer in shop.offers]
    assert {offer.condition for offer in offers} == {"new", "open_box", "refurbished", "used"}
    assert len({offer.availability for offer in offers}) == 5
    assert len({offer.sku for offer in offers}) == len(offers)
    extras = ("list_price", "unit_price", "shipping", "member_price", "variants")
    assert all(any(getattr(offer, extra) for offer in offers) for extra in extras)


async def test_every_product_page_states_its_price_and_its_availability(web, get):
    for planted in web.shops.planted():
        shop = SHOPS[planted.shop]
        if shop.behaviour != "plain":
            continue
        api = "/api" if shop.style == "script" else ""
        status, body, _ = await get(planted.url.replace("/p/", f"{api}/p/"))
        text = json.dumps(json.loads(body), ensure_ascii=False) if api else html.unescape(body.decode())
        said = money(planted.price, shop.locale)
        assert status == 200
        assert said in text or said.strip("$").partition(".")[0] in text, planted
        assert planted.name in text
        assert planted.sku in text or shop.style == "next"


async def test_a_search_page_lists_matching_offers_with_sponsored_ones_first(web, get):
    _, body, _ = await get(search_url(SHOPS["voltmart"], web.hosts["voltmart"], "gaming laptop RTX 4060"))
    titles = [one.text_content() for one in lxml.html.fromstring(body).cssselect(".tile-title")]
    assert titles[0].startswith("Cooling Pad")
    assert titles[1].startswith(("Orlo Lynx", "Veska Blaze"))
    assert not any("Espresso" in title for title in titles)


async def test_a_search_may_have_its_query_in_the_path(web, get):
    base = web.hosts["elbkontor"]
    status, body, _ = await get(f"{base}/suche/orlo%20lynx/")
    assert (status, b"Orlo Lynx 15" in body) == (200, True)
    assert (await get(f"{base}/suche/"))[0] == 404


async def test_walls_and_failures_are_at_the_documented_shops(web, get):
    captcha = await get(search_url(SHOPS["gatekeep"], web.hosts["gatekeep"], "lynx"))
    assert (captcha[0], b"h-captcha" in captcha[1]) == (403, True)
    assert (await get(search_url(SHOPS["brownout"], web.hosts["brownout"], "lynx")))[0] == 503
    robots = (await get(web.hosts["hedge"] + "/robots.txt"))[1].decode()
    assert "Disallow: /catalogsearch/" in robots
    assert f"Sitemap: {web.hosts['hedge']}/sitemap.xml" in robots
    sitemap = (await get(web.hosts["hedge"] + "/sitemap.xml"))[1].decode()
    assert all(planted.url in sitemap for planted in web.shops.planted() if planted.shop == "hedge")


async def test_an_offer_can_be_changed_while_it_is_served(web, get):
    [planted] = [one for one in web.shops.planted() if one.sku == "ST-15"]

    async def page():
        return (await get(planted.url))[1].decode()

    assert "$949.00" in await page()
    web.shops.set_price("ST-15", "899.00")
    assert "$899.00" in await page()
    web.shops.flicker("ST-15", "89.90")
    assert "$89.90" in await page()
    assert "$899.00" in await page()
    web.shops.set_availability("ST-15", "out_of_stock")
    assert "Out of stock" in await page()
    [now] = [one for one in web.shops.planted() if one.sku == "ST-15"]
    assert (now.price, now.availability) == (Decimal("899.00"), "out_of_stock")
    web.shops.block("steadfast")
    assert "h-captcha" in await page()
    web.shops.block("steadfast", blocked=False)
    web.shops.reset()
    assert "$949.00" in await page()


async def test_a_search_with_site_finds_pages_of_that_shop_only(web, get):
    host = SHOPS["hedge"].ip
    _, body, _ = await get(f"{web.search_url}/search?q=site:{host}+gaming+laptop&format=json")
    urls = [result["url"] for result in json.loads(body)["results"]]
    assert urls
    assert all(url.startswith(web.hosts["hedge"] + "/p/") for url in urls)
    _, body, _ = await get(f"{web.search_url}/search?q=site:nowhere.example+laptop&format=json")
    assert json.loads(body)["results"] == []


@pytest.mark.parametrize("purchase", read_purchases(), ids=lambda purchase: purchase.id)
def test_the_shops_that_a_purchase_names_sell_what_is_recommended(purchase):
    world = load_world()
    pages = [world.pages[reference] for reference in (*purchase.forum, *purchase.reviews)]
    texts = [" ".join([page.body, *(post.body for post in page.posts)]) for page in pages]
    for article in (purchase.recommended[0], *purchase.warned):
        said = " ".join(ARTICLES[article].name.split()[1:3])
        assert all(said in text for text in texts), (article, said)
    for key in purchase.vendors:
        assert any(SHOPS[key].name in text for text in texts)
        assert any(offer.article == purchase.recommended[0] for offer in SHOPS[key].offers)
    least, most = purchase.price_range
    prices = [
        offer.price for key in purchase.vendors for offer in SHOPS[key].offers if offer.article == "lynx-15"
    ]
    assert all(least <= price <= most for price in prices)


async def test_the_forum_and_a_test_are_among_the_first_results_for_a_purchase(web, get):
    for purchase in read_purchases():
        url = f"{web.search_url}/search?q={purchase.goal.replace(' ', '+')}&format=json"
        first = [result["url"] for result in json.loads((await get(url))[1])["results"]]
        references = (one.split(":") for one in (*purchase.forum, *purchase.reviews))
        wanted = {web.hosts[key] + path for key, path in references}
        assert web.hosts["forum"] + "/t/cheap-gaming-laptop-rtx" in first
        assert len(wanted & set(first)) >= 2, first


def test_the_vendor_catalogue_contains_the_demo_shops_only():
    hosts = {key: f"http://{shop.ip}:8080" for key, shop in SHOPS.items()}
    document = tomllib.loads(vendors_toml(hosts))
    known = Catalogue(vendors=tuple(read_vendors(document, "shops")))
    assert document["packaged"] is False
    for shop in SHOPS.values():
        vendor = known.match(shop.name)
        assert vendor.host == shop.ip
        assert vendor.search_url("lynx").startswith(hosts[shop.key])
    assert len(known.for_region("DE")) == 3
    assert len(known.for_region("US")) >= 6


def test_every_offer_is_in_the_index_of_the_search_engine():
    assert len(list(pages_for_search())) == sum(len(shop.offers) for shop in SHOPS.values())


def test_a_reading_is_scored_by_field():
    hosts = {key: f"http://{shop.ip}" for key, shop in SHOPS.items()}
    planted = next(one for one in planted_offers(hosts) if one.condition == "open_box")
    right = Product(
        name="x",
        price_numeric=planted.price,
        currency="USD",
        availability="in_stock",
        condition="open_box",
    )
    assert score_offer(planted, right).wrong == ()
    assert score_offer(planted, Product(name="x")).wrong == FIELDS
    assert not score_offer(planted, None).found


def test_a_web_in_another_process_can_be_changed(get):
    with local_web_process() as running:
        running.change_shops(sku="ST-16", price="1.00")
        assert 'host = "127.0.21.7"' in running.vendors_toml()
        import urllib.request

        [planted] = [one for one in planted_offers(running.hosts) if one.sku == "ST-16"]
        with urllib.request.urlopen(planted.url) as answer:
            assert b"$1.00" in answer.read()
