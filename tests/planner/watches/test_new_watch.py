from decimal import Decimal

import pytest

from planner.watches.new_watch import WatchRequest, make_watch
from research_crawler.core.errors import UsageError
from research_crawler.core.models.watches.watch import Watch
from research_crawler.core.vendors import Catalogue, Vendor
from tests.cases import each_case

NOW = 1_766_000_000_000
SHOP = "https://shop.example/p/1"


def vendor(name: str, host: str, currency: str, country: str) -> Vendor:
    search = f"https://{host}/s?q={{query}}"
    return Vendor(name=name, host=host, search=search, currency=currency, country=country)


CATALOGUE = Catalogue(
    vendors=(
        vendor("Alpha", "alpha.com", "USD", "US"),
        vendor("Beta", "beta.com", "USD", "US"),
        vendor("Alpha", "alpha.de", "EUR", "DE"),
        vendor("Gamma", "gamma.de", "EUR", "DE"),
    )
)


def a_watch(*what: str, **more) -> Watch:
    request = WatchRequest(what=what or (() if "urls" in more else ("RTX 4060 laptop",)), **more)
    return make_watch(request, CATALOGUE, now_ms=NOW, permits=lambda url: "127.0.0.1" not in url)


def test_a_query_becomes_the_search_pages_of_its_vendors():
    watch = a_watch(vendors=("alpha.com,Beta",), every="6h", below="900")
    assert [page.url for page in watch.pages] == [
        "https://alpha.com/s?q=RTX+4060+laptop",
        "https://beta.com/s?q=RTX+4060+laptop",
    ]
    assert {page.kind for page in watch.pages} == {"search"}
    assert (watch.rule.below, watch.rule.currency) == (Decimal(900), "USD")
    assert watch.schedule.every_ms == 6 * 3_600_000


def test_the_vendors_are_those_of_the_buyers_country():
    assert a_watch(region="de").vendors == ["alpha.de", "gamma.de"]
    assert a_watch().vendors == ["alpha.com", "beta.com"]
    assert a_watch(vendors=("1",)).vendors == ["alpha.com"]
    assert a_watch(vendors=("Alpha",), region="DE", below="900").rule.currency == "EUR"


def test_product_urls_are_watched_directly():
    watch = a_watch(SHOP, "https://alpha.de/p/2?utm_source=x")
    assert [(page.url, page.host, page.currency) for page in watch.pages] == [
        (SHOP, "shop.example", ""),
        ("https://alpha.de/p/2", "alpha.de", "EUR"),
    ]
    assert watch.name == SHOP
    assert a_watch(SHOP, below="900").rule.currency == ""


def test_a_query_may_look_a_little_like_a_url():
    for query in ("Node.js book", "USB 3.2/4 dock", "24/7 camera", "AC/DC adapter 19.5V"):
        assert a_watch(query).query == query


def test_options_that_are_not_given_have_useful_defaults():
    watch = a_watch(SHOP, notify=("https://hook.example/x",))
    assert watch.rule.any_change
    assert watch.schedule.every_ms == 6 * 3_600_000
    assert a_watch(SHOP).rule.is_empty
    assert not a_watch(SHOP, notify=("https://hook.example/x",), drop="10%").rule.any_change
    assert a_watch(SHOP, drop="12.5").rule.drop_percent == 12.5
    assert a_watch(SHOP, below="EUR 899.99").rule.currency == "EUR"


@each_case(
    ("what", "more", "words"),
    [
        ((), {"vendors": ("nosuchshop",)}, "not a known vendor"),
        ((), {"vendors": ("\u00b2",)}, "not a known vendor"),
        ((), {"vendors": ("9" * 5000,)}, "not a known vendor"),
        ((), {"vendors": ("alpha.com,https://evil.example",)}, "not a known vendor"),
        ((), {"vendors": ("alpha.com", "alpha.de"), "below": "900"}, "several currencies"),
        ((), {"vendors": ("alpha.com",), "below": "EUR 900"}, "none in EUR"),
        ((SHOP, "https://other.example/p/3"), {"below": "900"}, "several currencies"),
        ((SHOP, "https://alpha.de/p"), {"below": "900"}, "several currencies"),
        ((), {"below": "EUR 900", "currency": "USD"}, "two currencies"),
        ((), {"below": "cheap"}, "not an amount"),
        ((), {"below": "-5"}, "not an amount"),
        ((), {"below": "0"}, "above 0"),
        ((), {"below": "900", "currency": "ZZZ"}, "not a currency code"),
        ((), {"drop": "a lot"}, "not a percentage"),
        ((), {"drop": "100%"}, "not a percentage"),
        ((), {"drop": "0"}, "not a percentage"),
        ((), {"region": "Narnia"}, "not a country code"),
        ((), {"every": "6h", "cron": "0 9 * * *"}, "either an interval"),
        ((), {"cron": "30 2 31 2 *"}, "never fires"),
        ((), {"zone": "Mars/Olympus"}, "not a time zone"),
        (("https://",), {}, "not an http"),
        (("htp://shop.example/p",), {}, "not an http"),
        (("javascript://alert(1)",), {}, "not an http"),
        (("shop.example/p/1",), {}, "write it with https"),
        (("www.shop.example",), {}, "write it with https"),
        ((), {"urls": ("notaurl",)}, "not an http"),
        (("https://shop.example/",), {}, "home page"),
        (("http://127.0.0.1/p",), {}, "address guard"),
        ((SHOP, "laptop"), {}, "not both"),
        (("  ",), {}, "say what to watch"),
        ((SHOP,), {"vendors": ("Alpha",)}, "names its shop"),
        (tuple(f"{SHOP}{n}" for n in range(21)), {}, "more than 20"),
        (("x" * 300,), {}, "longer than"),
    ],
)
def test_a_wrong_request_is_refused_in_one_clear_line(what, more, words):
    with pytest.raises(UsageError, match=words) as refused:
        a_watch(*what, **more)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
