"""What `research doctor` and the page Doctor say of watches and search providers."""

from research_crawler.configuration import SystemConfig
from research_crawler.core.models.watches.watch import RunEntry, WatchEntry
from research_crawler.engines.registry import ProviderStatus
from research_crawler.services.doctor.check import HealthCheck
from research_crawler.services.doctor.examine import examine
from research_crawler.services.doctor.service_checks import ProviderCheck, search_check
from research_crawler.services.doctor.store_checks import watch_checks
from research_crawler.services.watch_control import Overview
from tests.planner.watches.watch_samples import NOW, a_watch

HOUR_MS = 3_600_000


def due(at_ms: int) -> WatchEntry:
    return WatchEntry(watch=a_watch(), next_due_ms=at_ms)


async def test_each_check_is_told_as_soon_as_it_has_ended(tmp_path):
    config = SystemConfig(home=tmp_path / "home")
    checks = examine(config)
    first = await anext(checks)
    assert (first.name, first.state) == ("python", "ok")
    assert not (tmp_path / "home").exists()  # the stores are opened only after that
    await checks.aclose()


def test_without_watches_doctor_says_how_to_make_one():
    assert [one.line for one in watch_checks(Overview(), NOW)] == ["none; `research watch add` makes one"]


def test_doctor_counts_watches_and_names_the_next_run():
    seen = Overview(active=2, paused=1, next_watch=due(NOW + HOUR_MS))
    [one] = watch_checks(seen, NOW)
    assert (one.state, one.line) == ("ok", "2 active, 1 paused; next run 2025-12-17 20:33 UTC (laptop)")


def test_doctor_warns_of_a_watch_that_is_overdue():
    [one] = watch_checks(Overview(active=1, next_watch=due(NOW - HOUR_MS)), NOW)
    assert one.state == "warn"
    assert "overdue; `research up` or `research plan`" in one.line
    [one] = watch_checks(Overview(active=1, next_watch=due(NOW - 1_000)), NOW)
    assert one.state == "ok"
    assert "overdue" not in one.line


def test_doctor_counts_paused_watches():
    assert watch_checks(Overview(paused=3), NOW) == [HealthCheck("ok", "watches", "0 active, 3 paused")]


def test_doctor_names_some_of_the_watches_whose_last_run_failed():
    runs = [
        RunEntry(id=f"run{n}", watch="", slot_ms=NOW, state="failed", note="no\x1b[31m time")
        for n in range(5)
    ]
    failed = [(a_watch(id=f"watch{n}"), run) for n, run in enumerate(runs)]
    _, one = watch_checks(Overview(active=5, next_watch=due(NOW), failed=failed), NOW)
    assert one.state == "warn"
    assert one.text.startswith("5 failed in their last run: watch0 (no [31m time), watch1 (")
    assert one.text.endswith("watch2 (no [31m time) and 2 more")


def test_a_provider_is_ok_only_after_it_has_answered():
    standing = ProviderStatus(name="searxng", on=True)
    good = ProviderCheck("searxng", is_ok=True, text="answered with a result in 0.2 s")
    assert search_check(standing, good) == HealthCheck(
        "ok", "search", "searxng: answered with a result in 0.2 s; on"
    )
    bad = ProviderCheck("searxng", is_ok=False, text="does not answer: HTTP 403")
    assert search_check(standing, bad).state == "warn"
    assert search_check(
        ProviderStatus(name="brave", on=False, missing=("BRAVE_API_KEY",)), None
    ) == HealthCheck(
        "off",
        "search",
        "brave: off: set BRAVE_API_KEY",
    )
