"""Projects that were written for scrapy-redis, on our frontier: its own example spiders, unchanged."""

import json
import signal
from collections import Counter
from urllib.parse import urlsplit

import pytest

from research_crawler.core.models.messages.events import CommandDone, read_event
from research_crawler.demo.request_log import gaps_ms
from research_crawler.frontier.frontier_reader import Counts
from tests.crawler.example_project import DMOZ, MYCRAWLER, MYSPIDER, Project, no_indexer

pytestmark = pytest.mark.long


def dmoz(start: str) -> str:
    return DMOZ.replace("START", start + "/").replace("DOMAIN", urlsplit(start).hostname)


@pytest.fixture
def project(crawl, web, tmp_path):
    made = Project(
        tmp_path / "project", crawl, dmoz=dmoz(web.hosts["lore"]), myspider=MYSPIDER, mycrawler=MYCRAWLER
    )
    yield made
    for key in ("myspider:start_urls", "mycrawler:start_urls", *(f"{name}:items" for name in SPIDERS)):
        crawl.redis.delete(key)


LORE = ("/topic/places", "/topic/nature", "/ida-brannock", "/ember-fern", "/lake-sennet", "/page/2")
SPIDERS = ("dmoz", "myspider_redis", "mycrawler_redis")


def items(crawl, spider: str) -> list[dict]:
    """What scrapy-redis' own pipeline has put into Redis."""
    return [json.loads(text) for text in crawl.redis.lrange(f"{spider}:items", 0, -1)]


def outbox(crawl) -> list[CommandDone]:
    return [read_event(fields["event"]) for _, fields in crawl.redis.xrange(f"{crawl.prefix}outbox")]


def pages(web, host: str) -> Counter:
    return Counter(
        entry.path for entry in web.log() if entry.host.startswith(host) and entry.path != "/robots.txt"
    )


def is_done(counts: Counts) -> bool:
    """Nothing is queued and nothing leased, at one and the same moment."""
    return not any(counts.queued.values()) and not counts.leased


def test_the_crawl_spider_of_the_example_follows_its_links_once_each_and_ends(project, crawl, web):
    assert project.run("dmoz") == 0
    found = items(crawl, "dmoz")
    links = [item["link"] for item in found]
    assert len(links) == len(set(links)) > 20, crawl.logs()
    assert {item["spider"] for item in found} == {"dmoz"}
    fetched = pages(web, "127.0.20.8")
    assert {path: count for path, count in fetched.items() if count > 1}.keys() <= {"/"}, fetched
    assert min(gaps_ms(web.log())["127.0.20.8"]) > 10, "as far apart as our setting asks for"
    assert "/robots.txt" in {entry.path for entry in web.log()}
    crawl.check_empty()


def test_a_project_without_the_add_on_is_told_what_to_add(project, crawl):
    assert project.run("dmoz", ADDONS="{}") != 0
    assert 'ADDONS = {"research_crawler.runtime.addon.ResearchAddon": 0}' in crawl.logs()


def test_a_redis_spider_reads_its_key_and_shuts_down_when_it_has_been_idle_for_as_long_as_it_says(
    project, crawl, web
):
    urls = [f"{web.hosts['lore']}/{name}" for name in ("ember-fern", "ember-moss")]
    crawl.redis.rpush("myspider:start_urls", urls[0], json.dumps({"url": urls[1], "meta": {"job-id": "1"}}))
    assert project.run("myspider_redis") == 0
    assert sorted(item["url"] for item in items(crawl, "myspider_redis")) == urls
    assert not crawl.redis.exists("myspider:start_urls")
    crawl.check_empty()


def test_a_redis_crawl_spider_stays_open_for_what_is_pushed_later(project, crawl, web):
    with project.running("mycrawler_redis", "-a", "domain=127.0.20.9") as process:
        crawl.redis.rpush("mycrawler:start_urls", json.dumps({"url": web.hosts["council"]}))
        crawl.wait_until(lambda: len(items(crawl, "mycrawler_redis")) >= 10)
        crawl.redis.rpush("mycrawler:start_urls", json.dumps({"url": web.hosts["council"] + "/late"}))
        crawl.wait_until(lambda: "/late" in pages(web, "127.0.20.9"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not crawl.leased()
    assert all("127.0.20.9" in item["url"] for item in items(crawl, "mycrawler_redis"))


def test_what_a_killed_node_leaves_behind_is_crawled_by_the_next_one(project, crawl, web):
    everything = {"/", *(path for path in LORE if path)}
    with no_indexer(crawl):
        crawl.redis.rpush("mycrawler:start_urls", json.dumps({"url": web.hosts["lore"] + "/"}))
        domain = ("-a", "domain=127.0.20.8")
        with project.running("mycrawler_redis", *domain, failpoint="before-settle:4") as killed:
            assert killed.wait(100) == -signal.SIGKILL, crawl.logs()
        done_before = len(outbox(crawl))
        with project.running("mycrawler_redis", *domain) as second:
            crawl.wait_until(lambda: is_done(crawl.counts()))
            second.send_signal(signal.SIGTERM)
            assert second.wait(60) == 0
        events = Counter(event.command for event in outbox(crawl))
    assert done_before < len(events)
    assert set(events.values()) == {1}
    seen = crawl.redis.scard(f"{crawl.prefix}dupes:own.mycrawler_redis")
    assert len(events) == seen + 1, "each request that was made once, and the one that was pushed"
    assert everything <= set(pages(web, "127.0.20.8"))
    crawl.check_empty()
