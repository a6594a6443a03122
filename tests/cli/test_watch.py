"""Watches as users run them: on the local web's shops, whose prices change while they are served."""

import csv
import io
import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from planner.watches.price_tables import TICKS
from research_crawler.core.models.watches.watch import DEFAULT_EVERY
from research_crawler.demo.shops.shop_data import planted_offers
from tests.cli.conftest import Research
from tests.price_csv import read_csv

FAST = {"RESEARCH_WATCH_CONFIRM_SECONDS": "0.1", "RESEARCH_LOG_LEVEL": "ERROR"}


@pytest.fixture
def shops(web):
    """The local web with its shops reset before and after the test."""
    web.change_shops(reset=True)
    yield web
    web.change_shops(reset=True)


@pytest.fixture(scope="module")
def watching(web, web_settings) -> Iterator[Research]:
    """The command on a data folder where `research up` is running, with the local web's shops for vendors."""
    with tempfile.TemporaryDirectory(prefix="research-watch-") as folder:
        vendors = Path(folder, "my-vendors.toml")
        vendors.write_text(web.vendors_toml())
        own = {"RESEARCH_HOME": f"{folder}/home", "RESEARCH_VENDORS": str(vendors)}
        research = Research(web_settings | FAST | own, Path(folder))
        with research.running("up") as running:
            running.until("are up")
            yield research


def an_offer(web, shop: str, name: str = "Lynx 15"):
    return next(offer for offer in planted_offers(web.hosts) if offer.shop == shop and name in offer.name)


def added(research: Research, *what: str) -> str:
    answer = research("watch", "add", *what, "--json")
    assert answer.code == 0, answer.err
    return answer.json["id"]


def view(research: Research, watch: str, *, runs: int = 0) -> dict:
    """The view of a watch, once it has this many finished runs."""
    give_up_at = time.monotonic() + 60
    while time.monotonic() < give_up_at:
        seen = research("watch", "show", watch, "--json").json
        if len([run for run in seen["runs"] if run["state"] in ("done", "failed")]) >= runs:
            return seen
        time.sleep(0.2)
    raise AssertionError(f"{watch} has no {runs} finished runs: {seen}")


def rows(research: Research) -> int:
    with sqlite3.connect(research.home / "archive.sqlite3") as archive:
        return archive.execute("SELECT count(*) FROM watches").fetchone()[0]


@pytest.mark.long
def test_a_drop_is_alerted_a_flicker_is_not_and_a_blocked_page_is_a_state(watching, shops):
    offer = an_offer(shops, "voltmart")
    watch = added(watching, offer.url, "--every", "6h", "--drop", "10%")
    first = view(watching, watch, runs=1)  # the first run is at once
    assert [one["standing"]["price"] for one in first["products"]] == [float(offer.price)]
    shops.change_shops(sku=offer.sku, flicker="1.00")
    flicker = watching("watch", "run", watch, "--json").json
    assert [one["price"] for one in flicker["observations"]] == [1.0, float(offer.price)]
    assert [one["confirmed"] for one in flicker["observations"]] == [False, True]
    assert flicker["alerts"] == []
    dropped_to = (offer.price * 8 / 10).quantize(Decimal("0.01"))
    shops.change_shops(sku=offer.sku, price=str(dropped_to))
    dropped = watching("watch", "run", watch)
    assert dropped.code == 0, dropped.err
    assert "20 % down" in dropped.out
    shops.change_shops(shop=offer.shop)
    blocked = watching("watch", "run", watch, "--json").json
    assert [(one["state"], one["price"]) for one in blocked["observations"]] == [("blocked", None)]
    last = view(watching, watch)
    assert len(last["alerts"]) == 1
    assert [run["state"] for run in last["runs"]] == ["done"] * 4
    shown = watching("prices", "show", watch).out
    assert "blocked" in shown
    assert f"USD {dropped_to:,.2f} … USD {offer.price:,.2f}" in shown
    assert set(shown) & set(TICKS)
    exported = watching("prices", "export", watch).out
    kept = read_csv(exported)
    assert len(kept) == 7
    assert all(one.page_sha for one in kept if one.state == "offer")
    lines = watching("prices", "export", watch, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [one.id for one in kept]
    assert next(csv.reader(io.StringIO(exported)))[0] == "at"


@pytest.mark.long
def test_a_query_is_watched_at_its_vendors_and_a_removed_watch_leaves_its_prices(watching, shops):
    host = shops.hosts["voltmart"].split("/")[2].split(":")[0]
    watch = added(watching, "RTX 4060 laptop", "--vendors", host, "--every", "1d", "--below", "900")
    seen = view(watching, watch, runs=1)
    known = {(one["name"], one["standing"]["price"]) for one in seen["products"] if one["standing"]}
    offer = an_offer(shops, "voltmart")
    assert (offer.name, float(offer.price)) in known, seen
    assert all("4060" in name for name, _ in known)
    assert any(alert["reasons"] == ["below"] for alert in seen["alerts"])
    assert watching("watch", "pause", watch).code == 0
    assert next(one for one in watching("watch", "list", "--json").json if one["id"] == watch)["next"] is None
    assert "its next run is at" in watching("watch", "resume", watch).out
    assert watching("watch", "remove", watch).code == 0
    assert watch not in watching("watch", "list").out
    assert watching("prices", "show", watch, "--json").json
    assert watching("watch", "remove", watch, "--with-prices").code == 0
    assert watching("prices", "show", watch).code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["RTX 4060", "--vendors", "nosuchshop"], "not a known vendor"),
        (["RTX 4060", "--cron", "30 2 31 2 *"], "never fires"),
        (["https://", "--every", "6h"], "not an http(s) URL"),
    ],
)
def test_a_bad_watch_is_one_line_and_nothing_is_added(watching, arguments, words):
    before = rows(watching)
    answer = watching("watch", "add", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert rows(watching) == before


def test_a_limit_needs_a_currency_if_shops_have_several(watching, shops):
    hosts = [shops.hosts[shop].split("/")[2].split(":")[0] for shop in ("voltmart", "brenner")]
    answer = watching("watch", "add", "RTX 4060", "--vendors", ",".join(hosts), "--below", "900")
    assert answer.code == 2
    assert "EUR 900" in answer.err


def test_an_unknown_watch_is_reported(watching):
    answer = watching("prices", "show", "nosuchwatch")
    assert answer.code == 2, answer
    assert "research watch list" in answer.err


@pytest.mark.long
def test_research_watch_run_works_without_any_other_process(research, shops):
    offer = an_offer(shops, "gizmora")
    alone = research.having(**FAST)
    watch = added(alone, offer.url)
    looked = alone("watch", "run", watch, "--json")
    assert looked.code == 0, looked.err
    assert [one["price"] for one in looked.json["observations"]] == [float(offer.price)] * 2


@pytest.mark.long
@pytest.mark.parametrize("failpoint", ["before-commit:2", "after-commit:2", "after-take:3"])
def test_a_killed_process_repeats_no_reading_and_no_alert(research, shops, failpoint):
    offer = an_offer(shops, "voltmart")
    alone = research.having(**FAST)
    watch = added(alone, offer.url, "--below", "1000", "--every", "1d")
    killed = alone.having(RESEARCH_FAILPOINT=failpoint)("watch", "run", watch)
    assert killed.code == -9
    with alone.running("up") as running:
        running.until("are up")
        seen = view(alone, watch, runs=2)  # the killed one, and the first slot of the schedule
    assert {run["state"] for run in seen["runs"]} == {"done"}
    assert len(seen["products"]) == 1
    assert len(seen["alerts"]) == 1
    kept = read_csv(alone("prices", "export", watch).out)
    assert len({one.id for one in kept}) == len(kept)
    assert {float(one.price) for one in kept} == {float(offer.price)}


@pytest.mark.long
def test_several_planners_on_one_archive_run_each_slot_once(research, shops):
    fast = research.having(**FAST)
    urls = [one.url for one in planted_offers(shops.hosts) if one.shop in ("voltmart", "gizmora")][:6]
    watches = [added(fast, url, "--every", "1d", "--any-change") for url in urls]
    with fast.running("up") as first, fast.running("plan") as second, fast.running("plan") as third:
        for process, words in ((first, "are up"), (second, "is up"), (third, "is up")):
            process.until(words)
        seen = [view(fast, watch, runs=1) for watch in watches]
    assert [len(one["runs"]) for one in seen] == [1] * len(urls)
    assert {run["state"] for one in seen for run in one["runs"]} == {"done"}
    kept = read_csv(fast("prices", "export").out)
    assert len(kept) == len({one.id for one in kept})
    assert all(one.confirmed for one in kept if one.price is not None)
    assert len({one.run for one in kept}) == len(urls)


def test_a_watch_is_changed_and_what_is_not_given_stays(watching, shops):
    offer = an_offer(shops, "voltmart")
    watch = added(
        watching, offer.url, "--every", "6h", "--drop", "10%", "--jitter", "5m", "--confirm-by", "extractor"
    )
    changed = watching(
        "watch", "edit", watch, "--every", "1d", "--below", "USD 900", "--any-change", "--name", "mine"
    )
    assert changed.code == 0, changed.err
    assert "below: none → USD 900.00" in changed.out and "schedule: every 6h → every 1d" in changed.out
    assert "drop" not in changed.out
    shown = watching("watch", "show", "mine").out
    assert "tells when: below USD 900.00, drop 10 %, any change" in shown
    assert "below: none → USD 900.00" in shown
    assert "Default" not in watching("watch", "edit", "--help").out.replace("\n", " ")
    assert DEFAULT_EVERY in watching("watch", "add", "--help").out
    seen = watching("watch", "show", "mine", "--json").json
    assert (seen["id"], seen["schedule"]) == (watch, "every 1d")
    rule = seen["rule"]
    assert (rule["below"], rule["currency"], rule["drop_percent"]) == (900.0, "USD", 10.0)
    assert rule["any_change"] and rule["by_extractor"] and "back_in_stock" not in rule
    assert watching("watch", "edit", "mine", "--cron", "0 9 * * *", "--below", "").code == 0
    seen = watching("watch", "show", watch, "--json").json
    assert (seen["schedule"], "below" in seen["rule"]) == ("0 9 * * * UTC", False)
    for wrong in (("--every", "often"), ()):
        refused = watching("watch", "edit", watch, *wrong)
        assert (refused.code, refused.out) == (2, "")
