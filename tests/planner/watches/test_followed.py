"""Alerts of a watch and what its pages show agree on which offers count: those of the condition that it follows."""

from decimal import Decimal

import pytest

from planner.watches.followed import checked_condition, followed_condition, is_followed
from planner.watches.settlement import settle_readings
from research_crawler.core.errors import UsageError
from research_crawler.core.models.watches.watch import AlertRule, Watch, WatchPage
from tests.planner.watches.watch_samples import a_reading, a_watch, an_identity

SEARCH = WatchPage(url="https://shop.example/s?q=laptop", kind="search", host="shop.example", query="laptop")
BELOW = AlertRule(below=Decimal(900), currency="EUR")


def a_search(query: str = "laptop", **more) -> Watch:
    return a_watch(SEARCH, rule=BELOW, query=query, **more)


def alerts_of(watch: Watch, condition: str, *, asked: str = "", price: str = "850") -> list[str]:
    """The titles of the alerts after two fetches that show an offer of this condition."""
    offer = an_identity(condition=condition, asked=asked)
    first = settle_readings(watch, [], [a_reading(1, price, identity=offer)], run="a")
    known = list(first.products.values())
    second = settle_readings(watch, known, [a_reading(2, price, identity=offer, fetch_attempt=2)], run="a")
    return [alert.title for alert in second.alerts]


def test_a_watch_tells_of_the_condition_that_it_follows_and_of_no_other():
    assert followed_condition(a_search()) == "new"
    assert len(alerts_of(a_search(), "new")) == len(alerts_of(a_search(), "unknown")) == 1
    assert alerts_of(a_search(), "open_box") == alerts_of(a_search(), "refurbished") == []
    assert "open box" in alerts_of(a_search(condition="any"), "open_box")[0]
    assert "open box" in alerts_of(a_search(condition="open_box"), "open_box")[0]
    assert alerts_of(a_search(condition="open_box"), "new") == []


def test_a_query_that_names_a_condition_follows_it():
    assert followed_condition(a_search("refurbished laptop")) == "refurbished"
    assert followed_condition(a_search("refurbished laptop", condition="any")) == "any"


def test_a_watch_of_product_pages_follows_what_they_sell():
    watch = a_watch(rule=BELOW)
    assert followed_condition(watch) == "any"
    assert len(alerts_of(watch, "open_box", asked="https://shop.example/p/1")) == 1


def test_an_opened_product_that_becomes_cheaper_is_told_only_where_it_is_followed():
    for watch, told in ((a_search(), 0), (a_search(condition="any"), 1)):
        offer = an_identity(condition="open_box", asked="")
        known = []
        alerts = []
        for number, price in enumerate(["950", "950", "850", "850"], 1):
            reading = a_reading(number, price, identity=offer, fetch_attempt=2 - number % 2)
            settled = settle_readings(watch, known, [reading], run=f"r{number // 3}")
            known, alerts = list(settled.products.values()) or known, alerts + settled.alerts
        assert len(alerts) == told


def test_a_condition_is_checked_where_it_is_asked_for():
    assert checked_condition("Open box") == "open_box"
    assert checked_condition("") is None
    assert is_followed(a_search(), "unknown")
    with pytest.raises(UsageError, match="refurbished"):
        checked_condition("mint")
