"""Searches wait for their turn at a provider: none is refused or lost, and the provider sees what it allows."""

from collections.abc import Iterator

import pytest

from research_crawler.core.models.messages.events import CommandDone
from tests.crawler.crawl import Crawl
from tests.crawler.search_service import SearchService, a_search_service

JOBS = 100


@pytest.fixture
def service() -> Iterator[SearchService]:
    with a_search_service("127.0.62.1") as made:
        yield made


def searches_of_jobs(crawl: Crawl, *counts: int, words: str = "ember fern") -> list[list[str]]:
    """One job after the other pushes this many searches; their ids by job."""
    pushed = []
    for number, count in enumerate(counts):
        crawl.new_job()
        pushed.append(crawl.push(*(crawl.search(f"{words} j{number} s{n}") for n in range(count))))
    return pushed


def events_of(crawl: Crawl, pushed: list[list[str]], timeout_s: float = 120.0) -> list[CommandDone]:
    events = crawl.wait_for([id_ for ids in pushed for id_ in ids], timeout_s)
    return [events[id_] for ids in pushed for id_ in ids]


@pytest.mark.long
@pytest.mark.timeout(240)
def test_a_hundred_jobs_at_once_have_a_hundred_searches_at_the_operators_own_instance(
    kept_redis, tmp_path, web
):
    crawl = Crawl(tmp_path, kept_redis, searxng_url=web.search)
    pushed = searches_of_jobs(crawl, *[1] * JOBS)
    with crawl.node():
        events = events_of(crawl, pushed)
        crawl.check_empty()
    assert {(event.outcome, event.reason.text) for event in events} == {("ok", "")}
    assert all(event.results for event in events)
    asked = [entry for entry in web.log() if "/search" in entry.path]
    assert len(asked) == JOBS
    moments = sorted((at, step) for one in asked for at, step in ((one.start_ms, 1), (one.end_ms, -1)))
    assert max(sum(step for _, step in moments[: n + 1]) for n in range(len(moments))) <= 8
    crawl.close()


@pytest.mark.timeout(180)
@pytest.mark.long
def test_an_instance_is_asked_as_much_at_once_as_the_operator_allows_and_no_more(
    kept_redis, tmp_path, service
):
    service.takes_s = 0.15
    crawl = Crawl(tmp_path, kept_redis, searxng_url=service.base_url, searxng_concurrency=3)
    pushed = searches_of_jobs(crawl, *[1] * 30)
    with crawl.node(), crawl.node():
        events = events_of(crawl, pushed)
    assert [event.outcome for event in events] == ["ok"] * 30
    assert service.most_at_once() == 3
    assert crawl.slot("searxng@127.0.62.1")["most"] == 3
    crawl.close()


@pytest.mark.timeout(180)
@pytest.mark.long
def test_a_provider_without_a_key_is_asked_once_at_a_time_with_its_pause_and_jobs_take_turns(
    kept_redis, tmp_path, service
):
    crawl = Crawl(
        tmp_path,
        kept_redis,
        providers=["wikipedia"],
        wikipedia_base_url=service.base_url,
        wikipedia_delay_seconds=0.2,
    )
    pushed = searches_of_jobs(crawl, 14, 3, 3)
    with crawl.node():
        events = events_of(crawl, pushed)
        crawl.check_empty()
    assert [event.outcome for event in events] == ["ok"] * 20
    assert service.most_at_once() == 1
    assert min(service.gaps_s()) >= 0.19
    order = [call.query.split()[-2] for call in service.of("/w/api.php")]
    assert len(order) == 20
    # The first calls go out while the others are still on their way into the queue.
    assert order[:11].count("j1") == order[:11].count("j2") == 3, order
    crawl.close()


@pytest.mark.long
@pytest.mark.timeout(180)
def test_a_provider_that_gets_too_many_calls_closes_its_slot_for_all_and_no_search_is_lost(
    kept_redis, tmp_path, service
):
    service.refusals = 1
    crawl = Crawl(tmp_path, kept_redis, searxng_url=service.base_url, searxng_concurrency=1)
    pushed = searches_of_jobs(crawl, *[1] * 12)
    with crawl.node():
        events = events_of(crawl, pushed)
    assert [event.outcome for event in events] == ["ok"] * 12
    calls = service.of("/search")
    assert len(calls) == 13
    refused, first_after = calls[:2]
    assert first_after.begun_s - refused.ended_s >= 0.95
    crawl.close()


@pytest.mark.long
@pytest.mark.timeout(180)
def test_a_search_whose_provider_fails_waits_for_the_next_one_and_keeps_what_it_has_tried(
    kept_redis, tmp_path, service
):
    service.broken = ("/search",)
    crawl = Crawl(
        tmp_path,
        kept_redis,
        providers=["searxng", "brave"],
        searxng_url=service.base_url,
        brave_base_url=service.base_url,
        brave_api_key="k",
        brave_concurrency=1,
        brave_delay_seconds=0.3,
    )
    pushed = searches_of_jobs(crawl, *[1] * 12)
    with crawl.node():
        events = events_of(crawl, pushed)
        crawl.check_empty()
    assert [event.outcome for event in events] == ["ok"] * 12
    assert len(service.of("/res/v1")) == 12
    assert min(service.gaps_s("/res/v1")) >= 0.29
    reported = [report for event in events for report in event.providers if report.status == 500]
    assert len(reported) == len(service.of("/search")) >= 1
    assert sum(event.downloads for event in events) == len(service.calls)
    assert all({report.provider: report.ok for report in event.providers}["brave"] for event in events)
    crawl.close()


@pytest.mark.timeout(180)
@pytest.mark.long
def test_a_kill_loses_no_search_that_waits_and_none_is_counted_twice(kept_redis, tmp_path, service):
    service.takes_s = 0.2
    crawl = Crawl(tmp_path, kept_redis, searxng_url=service.base_url, searxng_concurrency=2)
    pushed = searches_of_jobs(crawl, *[1] * 24)
    with crawl.node() as node:
        crawl.wait_for(pushed[0])
        node.kill()
    with crawl.node():
        events = events_of(crawl, pushed)
        crawl.check_empty()
    assert [event.outcome for event in events] == ["ok"] * 24
    assert service.most_at_once() <= 2
    crawl.close()


@pytest.mark.long
@pytest.mark.timeout(180)
def test_a_service_with_a_rate_is_called_so_often_from_beginning_to_beginning(kept_redis, tmp_path, service):
    service.takes_s = 0.6
    crawl = Crawl(
        tmp_path,
        kept_redis,
        searxng_url=service.base_url,
        searxng_concurrency=12,
        searxng_delay_seconds=0.25,
    )
    pushed = searches_of_jobs(crawl, *[1] * 12)
    with crawl.node():
        events = events_of(crawl, pushed)
    assert [event.outcome for event in events] == ["ok"] * 12
    begun = [call.begun_s for call in service.of("/search")]
    # The permits take 2.75 s; the first may come late. Without a rate all twelve begin at once.
    assert begun[-1] - begun[0] >= 1.5
    assert 1 < service.most_at_once() < 12
    crawl.close()
