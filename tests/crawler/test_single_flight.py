"""Many who want one page cause one fetch."""

import contextlib
from collections import Counter

import pytest

from research_crawler.core.web.urls import page_key
from research_crawler.demo.process import RunningLoad, local_load_process
from tests.crawler.crawl import Crawl


def asked(load: RunningLoad) -> Counter[tuple[str, str]]:
    return Counter(
        (ip, path) for ip, log in load.log().items() for path in log["path"] if path != "/robots.txt"
    )


def push_for_jobs(crawl: Crawl, urls: list[str], jobs: int) -> list[str]:
    ids: list[str] = []
    for _ in range(jobs):
        crawl.new_job()
        ids += crawl.push(*(crawl.visit(url) for url in urls))
    return ids


@pytest.mark.long
def test_twenty_jobs_that_want_the_same_pages_cause_one_fetch_each(kept_redis, tmp_path):
    crawl = Crawl(tmp_path, kept_redis)
    with local_load_process(hosts=10, latency_ms=20) as load, contextlib.ExitStack() as nodes:
        for _ in range(2):
            nodes.enter_context(crawl.node())
        urls = [f"{host}/p/{n}" for n in range(5) for host in load.hosts]
        events = crawl.wait_for(push_for_jobs(crawl, urls, 20), 90)
        assert {event.outcome for event in events.values()} == {"ok"}
        assert set(asked(load).values()) == {1}
        assert len(asked(load)) == 50
        assert sum(event.pages_fetched for event in events.values()) == 50
        assert sum(event.page.from_store for event in events.values() if event.page) == 950
    crawl.check_empty()
    crawl.close()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_pages_of_a_node_that_is_killed_are_fetched_twice_at_most(kept_redis, tmp_path):
    crawl = Crawl(tmp_path, kept_redis)
    with local_load_process(hosts=10, latency_ms=200) as load, crawl.node() as first, crawl.node():
        urls = [f"{host}/p/{n}" for n in range(5) for host in load.hosts]
        ids = push_for_jobs(crawl, urls, 4)
        crawl.wait_until(lambda: asked(load).total() >= 15)
        first.kill()
        events = crawl.wait_for(ids, 120)
        assert {event.outcome for event in events.values()} == {"ok"}
        counts = asked(load)
        assert len(counts) == 50
        assert max(counts.values()) <= 2
    crawl.close()


def test_a_stored_page_is_served_without_a_fetch_until_it_is_too_old(running, web):
    url = web.hosts["lore"] + "/ember-fern"
    [first] = running.fetch(url)
    [again] = running.fetch(url)
    assert (again.outcome, again.downloads, again.pages_fetched) == ("ok", 0, 0)
    assert again.page.from_store
    assert again.page.sha == first.page.sha
    [fresh] = running.fetch(url, max_age_s=0)
    assert (fresh.pages_fetched, fresh.page.from_store) == (1, False)


def test_a_page_that_the_archive_has_lost_is_fetched_again(running, web):
    url = web.hosts["lore"] + "/ember-fern"
    [first] = running.fetch(url)
    key = f"{running.prefix}page:{page_key(url)}"
    running.redis.set(key, running.redis.get(key).replace(first.page.sha, "0" * 64))
    [again] = running.fetch(url)
    assert (again.outcome, again.pages_fetched) == ("ok", 1)
    assert again.page.sha == first.page.sha


@pytest.mark.parametrize(
    ("hazard", "what", "reason"),
    [
        ("gone", "refused", "http 410"),
        ("empty", "failed", "empty"),
        ("gzip_bomb", "failed", "bomb"),
        ("captcha", "blocked", "captcha by hcaptcha (http 403)"),
        ("login_wall", "blocked", "login_page"),
    ],
)
def test_what_is_no_page_is_shared_too_and_ends_alike(running, web, hazard, what, reason):
    [first, again] = [running.fetch(web.hazards[hazard])[0] for _ in range(2)]
    assert [(event.outcome, event.reason.text) for event in (first, again)] == [(what, reason)] * 2
    assert again.pages_fetched == 0
    assert first.downloads >= 1
    assert again.downloads == 0
