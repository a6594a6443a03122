"""Watches as users run them: on the local web's shops, whose prices change while they are served."""

import csv
import io
import json
from decimal import Decimal

import pytest

from planner.price_history import read_csv
from research_crawler.demo.shops import planted_offers

FAST = {"RESEARCH_WATCH_CONFIRM_SECONDS": "0.1", "RESEARCH_LOG_LEVEL": "ERROR"}


@pytest.fixture
def shops(web, tmp_path):
    """The shops as they are in their file, before and after."""
    web.change_shops(reset=True)
    (tmp_path / "vendors.toml").write_text(web.vendors_toml())
    yield web
    web.change_shops(reset=True)


@pytest.fixture
def watching(research, shops):
    return research.having(**FAST)


def an_offer(web, shop: str, name: str = "Lynx 15"):
    return next(one for one in planted_offers(web.hosts) if one.shop == shop and name in one.name)


@pytest.mark.long
def test_a_watched_page_from_its_first_look_to_an_alert(watching, shops):
    offer = an_offer(shops, "voltmart")
    added = watching("watch", "add", offer.url, "--every", "6h", "--drop", "10%", "--json")
    assert added.code == 0, added.err
    watch = added.json["id"]
    first = watching("watch", "run", watch, "--json").json
    assert {one["confirmed"] for one in first["observations"][1:]} == {True}
    assert [one["price"] for one in first["observations"]] == [float(offer.price)] * 2
    shops.change_shops(sku=offer.sku, flicker="1.00")
    flicker = watching("watch", "run", watch, "--json").json
    assert [one["price"] for one in flicker["observations"]] == [1.0, float(offer.price)]
    assert flicker["alerts"] == []
    lower = (offer.price * 8 / 10).quantize(Decimal("0.01"))
    shops.change_shops(sku=offer.sku, price=str(lower))
    dropped = watching("watch", "run", watch)
    assert dropped.code == 0, dropped.err
    assert "20 % down" in dropped.out
    shops.change_shops(shop=offer.shop)
    blocked = watching("watch", "run", watch, "--json").json
    assert [(one["state"], one["price"]) for one in blocked["observations"]] == [("blocked", None)]
    view = watching("watch", "show", watch, "--json").json
    assert len(view["alerts"]) == 1
    assert [run["state"] for run in view["runs"]] == ["done"] * 4
    shown = watching("prices", "show", watch)
    assert "blocked" in shown.out
    assert "▁" in shown.out
    exported = watching("prices", "export", watch)
    kept = read_csv(exported.out)
    assert len(kept) == 7
    assert all(one.page_sha for one in kept if one.state == "offer")
    lines = watching("prices", "export", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [one.id for one in kept]
    assert next(csv.reader(io.StringIO(exported.out)))[0] == "at"
