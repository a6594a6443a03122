"""The steps of a watch's run, without Redis and archive."""

from decimal import Decimal

from planner.watches.readings import readings_of
from planner.watches.watch_transitions import MOST_FETCHES, ROUND_MS, next_action, read_run, run_job
from research_crawler.core.models.messages.events import (
    CommandDone,
    JobResumed,
    JobStarted,
    NextStepDue,
    RoundDue,
)
from research_crawler.core.models.offers.products import FieldGap, Provenance
from research_crawler.core.models.watches.watch import WatchPage
from tests.planner.watches.watch_samples import NOW, SHOP, a_product, a_watch, an_event

SEARCH = WatchPage(
    url="https://shop.example/s?q=x", kind="search", host="shop.example", query="RTX 4060 laptop"
)


def begun(*pages: WatchPage):
    job = run_job(a_watch(*pages), NOW, created_at="")
    start = JobStarted(uid="s", job=job.id)
    return next_action(read_run(job, [start], NOW), [], NOW)


def test_a_run_fetches_every_page_and_uses_no_stored_one():
    pages = [WatchPage(url=f"https://shop.example/{name}", host="shop.example") for name in "ab"]
    first = begun(*pages)
    assert [command.url for command in first.commands] == [page.url for page in pages]
    assert {(c.kind, c.spider, c.max_age_s) for c in first.commands} == {("vendor", "vendor", 0)}
    assert first.timers == {("round", 1): NOW + ROUND_MS}
    assert first.job.state == "executing"


def test_a_run_waits_for_all_answers_and_ends_when_nothing_is_new():
    first = begun(WatchPage(url="https://a.example/1"), WatchPage(url="https://b.example/1"))
    one, two = (command.id for command in first.commands)
    half = read_run(first.job, [an_event(one, a_product())], NOW + 1)
    assert next_action(half, [], NOW + 1).timers == {("round", 1): NOW + ROUND_MS}
    done = next_action(
        read_run(half.job, [an_event(two, outcome="failed", reason="http 503")], NOW + 2), [], NOW + 2
    )
    assert done.job.state == "completed"
    assert not done.commands


def test_a_page_with_something_new_is_fetched_again_after_a_pause_and_at_most_twice():
    step, now = begun(), NOW
    for again in range(1, MOST_FETCHES):
        reading = read_run(step.job, [an_event(step.commands[0].id, a_product(str(100 + again)))], now)
        step = next_action(reading, [0], now)
        assert step.timers == {("go", again): now + 60_000}
        woken = next_action(read_run(step.job, [JobResumed(uid="r")], now), [0], now)
        assert woken.timers == step.timers, "an event during the pause changes nothing"
        now += 60_000
        step = next_action(read_run(step.job, [NextStepDue(uid="g", no=again)], now), [0], now)
        assert len(step.commands) == 1
    last = next_action(read_run(step.job, [an_event(step.commands[0].id, a_product("1"))], now), [0], now)
    assert last.job.state == "completed"


def test_an_answer_counts_once_and_only_while_its_round_is_open():
    first = begun()
    answer = an_event(first.commands[0].id, a_product())
    reading = read_run(first.job, [answer, answer], NOW + 1)
    assert len(reading.readings) == 1
    assert read_run(reading.job, [answer], NOW + 2).readings == []


def test_a_page_that_was_not_fetched_in_time_is_a_failed_reading():
    first = begun()
    late = read_run(first.job, [RoundDue(uid="t", no=1)], NOW + ROUND_MS)
    assert [(one.state, one.price) for one in late.readings] == [("failed", None)]
    assert "timeout" in late.readings[0].reason.text
    assert next_action(late, [], NOW + ROUND_MS).job.state == "completed"
    assert not read_run(first.job, [RoundDue(uid="t", no=7)], NOW).readings


def reading_of(event: CommandDone, page: WatchPage | None = None):
    page = page or WatchPage(url=SHOP, host="shop.example", currency="EUR")
    return readings_of(event, page, target=0, fetch_attempt=1, now_ms=NOW)


def test_a_page_without_a_price_gives_a_reading_with_a_state():
    (blocked,) = reading_of(an_event("j:1", outcome="blocked", reason="captcha by hcaptcha"))
    assert (blocked.state, blocked.price, blocked.reason.text) == ("blocked", None, "captcha by hcaptcha")
    (refused,) = reading_of(an_event("j:1", outcome="refused", reason="robots"))
    assert refused.state == "blocked"
    (failed,) = reading_of(an_event("j:1", outcome="failed", reason="http 404"))
    assert failed.state == "failed"
    (empty,) = reading_of(an_event("j:1"))
    assert (empty.state, empty.reason.text) == ("unclear", "no product on the page")
    (unpriced,) = reading_of(an_event("j:1", a_product(None)))
    assert unpriced.state == "unclear"
    (sold,) = reading_of(an_event("j:1", a_product("10", availability="out_of_stock")))
    assert (sold.state, sold.price, sold.currency) == ("out_of_stock", None, "")


def test_a_product_page_is_read_for_its_main_product_and_its_hash():
    (one,) = reading_of(an_event("j:1", a_product("10", currency=""), a_product("20")))
    assert (one.price, one.currency, one.page_sha) == (Decimal(10), "EUR", "ab" * 32)
    assert one.identity.asked == SHOP


def test_results_that_do_not_fit_the_query_are_left_out():
    found = reading_of(
        an_event(
            "j:1",
            a_product("900", url="https://shop.example/1"),
            a_product("19", name="Cooling pad for Laptop 16"),
            a_product("21", name="RTX 4060 Gaming Laptop Cooling Pad", url="https://shop.example/2"),
            a_product("800", sponsored=True),
        ),
        SEARCH,
    )
    assert [one.price for one in found] == [900]
    assert found[0].identity.asked == ""


def test_a_price_that_the_page_contradicts_is_marked_as_doubtful():
    gap = FieldGap(field="price", reason="contradictory", candidates=["10", "12"])
    (one,) = reading_of(an_event("j:1", a_product("10", gaps=[gap])))
    assert one.doubtful
    assert one.reason.text == "the page contradicts itself"


def test_all_extractors_that_found_the_price_are_kept():
    source = Provenance(source="json_ld", also=["dom"])
    (one,) = reading_of(an_event("j:1", a_product("10", provenance={"price": source})))
    assert one.sources == ["json_ld", "dom"]


def test_a_run_waits_as_long_as_the_planner_is_set_that_works_on_it():
    first = begun()
    reading = read_run(first.job, [an_event(first.commands[0].id, a_product("100"))], NOW)
    assert next_action(reading, [0], NOW, confirm_ms=5_000).timers == {("go", 1): NOW + 5_000}
