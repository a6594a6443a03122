"""Vendors' pages through a whole node: what the shops of the local web sell, and the ways in which they do not."""

import json
import threading
from collections.abc import Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from research_crawler.core.models.messages.commands import Command, VendorCommand, VendorSpec
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.demo.process import RunningWeb
from research_crawler.demo.shops.shop_data import (
    PlantedOffer,
    planted_offers,
    read_shops,
    score_offer,
    search_url,
)
from tests.browser import real_browser
from tests.cases import each_case
from tests.crawler.crawl import Crawl

ARTICLES, SHOPS = read_shops()
OPEN = [key for key, shop in SHOPS.items() if shop.behaviour == "plain" and shop.style != "script"]
SEARCHED = [key for key in OPEN if key not in ("hedge", "tangle")]
QUERY = "Orlo Lynx 15 RTX 4060"


def vendor(crawl: Crawl, url: str, *, page: str, query: str = "", **fields) -> Command:
    """A command for a vendor's page, not yet pushed."""
    crawl.count += 1
    target = frontier_target(canonical_url(url))
    spec = VendorSpec(host=target.slot, query=query, page=page)
    identity = {"id": f"{crawl.job}:{crawl.count}", "job": crawl.job, "vendor": spec}
    return VendorCommand(url=target.url, slot=target.slot, page_key=target.page_key, **(identity | fields))


def asked(crawl: Crawl, *commands: Command) -> list[CommandDone]:
    events = crawl.wait_for(crawl.push(*commands))
    return [events[command.id] for command in commands]


def results(crawl: Crawl, web: RunningWeb, shop: str, query: str = QUERY, **fields) -> Command:
    return vendor(
        crawl, search_url(SHOPS[shop], web.hosts[shop], query), page="search", query=query, **fields
    )


@pytest.fixture(scope="module")
def pages(shared_node: Crawl, local_web: RunningWeb) -> Iterator[list[tuple[PlantedOffer, CommandDone]]]:
    """Every product page that is open, read by one node."""
    shared_node.new_job()
    shared_node.forget_pages()
    planted = [one for one in planted_offers(local_web.hosts) if one.shop in OPEN]
    events = asked(shared_node, *(vendor(shared_node, one.url, page="product") for one in planted))
    return list(zip(planted, events, strict=True))


@pytest.fixture(scope="module")
def lists(shared_node: Crawl, local_web: RunningWeb, pages) -> dict[str, CommandDone]:
    """The results of every shop that may be searched."""
    commands = [results(shared_node, local_web, shop) for shop in SEARCHED]
    return dict(zip(SEARCHED, asked(shared_node, *commands), strict=True))


def test_every_product_page_gives_price_currency_availability_and_condition_as_planted(pages):
    assert len(pages) >= 50
    wrong = {
        (planted.shop, planted.sku): score.wrong or "not found"
        for planted, event in pages
        for score in [score_offer(planted, event.products[0] if event.products else None)]
        if score.wrong or not score.found
    }
    # Of one invented page only a style sheet says what of it is seen: no real shop that we have hides stock so.
    assert wrong in ({}, {("tangle", "TC-903"): ("availability",)})


def test_a_product_page_says_who_sells_it_where_and_how_that_is_known(pages):
    for planted, event in pages:
        [product, *_] = event.products
        assert product.vendor == SHOPS[planted.shop].ip
        assert product.url == planted.url
        assert product.name == planted.name
        assert product.sku == planted.sku
        assert ARTICLES[planted.offer.article].specs.items() <= product.specs.items()
        assert product.provenance["price"].confidence > 0
        assert event.page and event.page.sha


def test_old_price_unit_price_shipping_members_price_and_variants_are_not_taken_for_the_price(pages):
    for planted, event in pages:
        [product, *_] = event.products
        for name in ("list_price", "member_price", "shipping"):
            true, read = getattr(planted.offer, name), getattr(product, name)
            # Shipping and prices for members are read from data alone: a text may say nothing of it, and nothing wrong.
            is_unread = name in ("shipping", "member_price") and read is None
            assert is_unread or (read.amount if read else None) == true, (planted.sku, name)
        variants = {one.variant: (one.price.amount, one.price.currency) for one in product.offers}
        assert variants == {name: (price, "USD") for name, price in planted.offer.variants.items()}
        unit = product.unit_price
        assert ((unit.amount, unit.unit) if unit else None) == planted.offer.unit_price


@each_case("shop", SEARCHED)
def test_a_search_page_gives_the_rows_that_fit_with_what_is_true_of_them(lists, local_web, shop):
    event = lists[shop]
    assert (event.outcome, event.reason.text) == ("ok", "")
    planted = {one.url: one for one in planted_offers(local_web.hosts)}
    best = event.products[0]
    assert "Orlo Lynx 15" in best.name
    assert "Cooling Pad" not in best.name
    for product in event.products:
        row = planted[product.url]
        assert (product.price_numeric, product.currency) == (row.price, row.currency)
        assert product.vendor == SHOPS[shop].ip
        if product.availability != "unknown":
            assert product.availability == row.availability


def test_a_search_for_what_a_shop_does_not_have_gives_no_product(running, web):
    [event] = asked(running, results(running, web, "voltmart", "garden hose 25 m"))
    assert (event.outcome, event.products) == ("ok", [])


def test_a_search_page_that_robots_forbids_is_refused_and_its_product_pages_are_not(running, web):
    [page] = [one for one in planted_offers(web.hosts) if one.sku == "HD-1"]
    refused, read = asked(running, results(running, web, "hedge"), vendor(running, page.url, page="product"))
    assert (refused.outcome, refused.reason.text, refused.products) == ("refused", "robots", [])
    assert (read.outcome, read.products[0].price_numeric) == ("ok", Decimal("894.00"))
    assert not any(entry.path.startswith("/catalogsearch") for entry in web.log())


class Reader(BaseHTTPRequestHandler):
    """An endpoint whose model reads one price off every product page, and remembers what it was shown."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append("\n".join(message["content"] for message in body["messages"]))
        message = {"role": "assistant", "content": json.dumps({"price": "$779.00"})}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "usage": {"prompt_tokens": 900, "completion_tokens": 9, "total_tokens": 909},
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        }
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.long
def test_a_model_settles_prices_that_contradict_each_other_and_is_not_asked_where_none_do(crawl, web):
    by_sku = {one.sku: one for one in planted_offers(web.hosts)}
    with ThreadingHTTPServer(("127.0.0.1", 0), Reader) as endpoint:
        threading.Thread(target=endpoint.serve_forever, daemon=True).start()
        settings = {"openai_base_url": f"http://127.0.0.1:{endpoint.server_port}/v1", "mind_model": "reader"}
        with crawl.node(**settings):
            commands = [vendor(crawl, by_sku[sku].url, page="product") for sku in ("TC-902", "VM-20417")]
            tangled, plain = asked(crawl, *commands)
        endpoint.shutdown()
    assert (tangled.usage.model_calls, plain.usage.model_calls) == (1, 0)
    assert tangled.products[0].price_numeric == by_sku["TC-902"].price
    assert tangled.products[0].provenance["price"].source == "model"
    assert [gap.field for gap in tangled.products[0].gaps] == []
    [shown] = Reader.asked
    assert "- price: the page gives several values\n" in shown
    assert "779" in shown


@pytest.mark.long
def test_a_shop_made_of_scripts_is_read_through_the_browser(crawl, web):
    real_browser()
    [page] = [one for one in planted_offers(web.hosts) if one.sku == "LK100"]
    with crawl.node():
        rows, read = asked(crawl, results(crawl, web, "lumen"), vendor(crawl, page.url, page="product"))
    assert (rows.outcome, read.outcome) == ("ok", "ok"), (rows.reason, read.reason)
    assert score_offer(page, read.products[0]).wrong == ()
    assert rows.products[0].url == page.url
    assert rows.products[0].price_numeric == page.price


def test_the_sitemap_that_robots_names_leads_to_the_product_pages(running, web):
    def found(url: str) -> list[str]:
        spec = VendorSpec(host=SHOPS["hedge"].ip, query=QUERY, sitemap=True)
        [event] = asked(running, vendor(running, url, page="search", vendor=spec, max_age_s=0))
        assert (event.outcome, event.page) == ("ok", None)
        return [result.url for result in event.results]

    base = web.hosts["hedge"]
    assert found(f"{base}/robots.txt") == [f"{base}/sitemap.xml"]
    first, *_ = found(f"{base}/sitemap.xml")
    [page] = [one for one in planted_offers(web.hosts) if one.sku == "HD-1"]
    assert first == page.url


def test_a_captcha_is_a_state_and_never_a_price(running, web):
    [event] = asked(running, results(running, web, "gatekeep"))
    assert (event.outcome, event.reason.text) == ("blocked", "captcha by hcaptcha (http 403)")
    assert event.products == []


@pytest.mark.long
def test_a_shop_that_is_down_fails_with_its_status(running, web):
    [event] = asked(running, results(running, web, "brownout"))
    assert (event.outcome, event.reason.text, event.products) == ("failed", "http 503", [])


def test_a_watch_sees_every_price_anew_and_a_job_shares_the_page_of_another(running, web):
    [page] = [one for one in planted_offers(web.hosts) if one.sku == "ST-15"]

    def price(**fields) -> Decimal:
        [event] = asked(running, vendor(running, page.url, page="product", **fields))
        assert event.outcome == "ok"
        return event.products[0].price_numeric

    try:
        assert price(max_age_s=0) == Decimal("949.00")
        web.change_shops(sku="ST-15", price="899.00")
        assert price(max_age_s=0) == Decimal("899.00")
        web.change_shops(sku="ST-15", flicker="89.90")
        assert [price(max_age_s=0), price(max_age_s=0)] == [Decimal("89.90"), Decimal("899.00")]
        assert price() == Decimal("899.00")
        web.change_shops(sku="ST-15", price="879.00")
        assert price() == Decimal("899.00")
        web.change_shops(sku="ST-15", availability="out_of_stock")
        [event] = asked(running, vendor(running, page.url, page="product", max_age_s=0))
        assert (event.products[0].availability, event.products[0].in_stock) == ("out_of_stock", False)
        web.change_shops(shop="steadfast")
        [event] = asked(running, vendor(running, page.url, page="product", max_age_s=0))
        assert (event.outcome, event.products) == ("blocked", [])
    finally:
        web.change_shops(reset=True)


def test_a_page_that_is_stored_already_gives_the_same_products_without_a_fetch(running, web):
    [page] = [one for one in planted_offers(web.hosts) if one.sku == "VM-20417"]
    first, second = (asked(running, vendor(running, page.url, page="product"))[0] for _ in range(2))
    assert second.page.from_store
    assert second.pages_fetched == 0
    assert second.products == first.products


def test_a_visited_page_that_is_about_a_product_notes_what_it_costs(running, web):
    [page] = [one for one in planted_offers(web.hosts) if one.sku == "VM-20418"]
    [visit] = running.fetch(page.url)
    [forum] = running.fetch(web.hosts["forum"] + "/t/cheap-gaming-laptop-rtx")
    assert [product.price_numeric for product in visit.products] == [page.price]
    assert forum.products == []
