"""Nodes that are killed, frozen, or whose job goes away: nothing is lost and nothing counts twice."""

import contextlib
import signal
import time

import pytest

from tests.conftest import a_redis
from tests.crawler.crawl import Crawl

pytestmark = pytest.mark.long

PAGES = ("/ember-fern", "/ember-moss", "/marrowby", "/port-ansgar")


@contextlib.contextmanager
def two_nodes(crawl):
    """The first one gets all leases of what is pushed inside, as the other is frozen at first."""
    with crawl.node() as first, crawl.node() as other:
        crawl.wait_until(lambda: crawl.counts().nodes == 2)
        other.send(signal.SIGSTOP)
        yield first, other


@pytest.mark.long
@pytest.mark.timing
def test_commands_of_a_killed_node_are_queued_again_within_twelve_seconds_and_run_elsewhere(crawl, web):
    with two_nodes(crawl) as (first, other):
        visits = [crawl.visit(f"{web.hosts['lore']}{path}?slow=6") for path in PAGES]
        ids = crawl.push(*visits)
        crawl.wait_until(lambda: crawl.is_stored(*visits))
        assert set(crawl.leased()) == set(ids), "they are still being read"
        other.send(signal.SIGCONT)
        first.kill()
        killed_s = time.monotonic()
        crawl.wait_until(lambda: all((c := crawl.command(id_)) and c.attempt == 1 for id_ in ids), 20)
        assert time.monotonic() - killed_s <= 12
        events = crawl.wait_for(ids)
    assert all(event.page.from_store for event in events.values())
    assert len(web.log()) == len(ids) + 1


@pytest.mark.long
def test_a_frozen_node_drops_what_it_lost_and_asks_for_nothing_meanwhile(crawl, web):
    with two_nodes(crawl) as (frozen, other):
        visits = [crawl.visit(f"{web.hosts['lore']}{path}?slow=6") for path in PAGES]
        ids = crawl.push(*visits)
        crawl.wait_until(lambda: crawl.is_stored(*visits))
        assert set(crawl.leased()) == set(ids), "they are still being read"
        frozen.send(signal.SIGSTOP)
        other.send(signal.SIGCONT)
        held = {text.split()[0] for text in crawl.leased().values()}
        crawl.wait_until(lambda: held.isdisjoint(text.split()[0] for text in crawl.leased().values()), 20)
        frozen.send(signal.SIGCONT)
        events = crawl.wait_for(ids, 40)
        assert {event.outcome for event in events.values()} == {"ok"}
        time.sleep(2)
        assert len(crawl.mail()) == len(ids)
        assert all(event.page.from_store for event in events.values())
        assert frozen.process.poll() is None


def test_a_cancelled_job_ends_its_downloads_at_once(running, web):
    running.fetch(web.hosts["endless"] + "/")
    web.clear_log()
    running.push(running.visit(web.hazards["endless"]))
    running.wait_until(lambda: running.slot("127.0.30.10")["flying"])
    time.sleep(1)
    running.cancel_job()
    running.wait_until(web.log, 10)  # the log has a request once its answer has ended
    running.wait_until(lambda: not running.slot("127.0.30.10")["flying"], 5)
    assert not running.mail()
    running.new_job()
    [after] = running.fetch(web.hosts["lore"] + "/ember-fern")
    assert after.outcome == "ok"
    running.check_empty()


@pytest.mark.long
def test_a_search_of_a_cancelled_job_ends_at_once(kept_redis, tmp_path, hostile):
    crawl = Crawl(tmp_path, kept_redis, searxng_url=hostile.url(1))
    with crawl.node():
        crawl.push(crawl.search("fern slow"))
        crawl.wait_until(lambda: hostile.open == 1)
        crawl.cancel_job()
        crawl.wait_until(lambda: hostile.open == 0, 5)
        crawl.wait_until(lambda: not crawl.slot(hostile.ip(1))["flying"], 5)
    crawl.close()


@pytest.mark.long
def test_nothing_is_lost_while_redis_says_nothing(tmp_path, web):
    with a_redis() as (url, server):
        crawl = Crawl(tmp_path, url)
        with crawl.node() as node:
            ids = crawl.push(*(crawl.visit(f"{web.hosts['lore']}{path}?slow=3") for path in PAGES))
            ids += crawl.push(crawl.visit(web.hazards["crawl_delay"]), crawl.visit(web.hazards["slow"]))
            crawl.wait_until(lambda: len(web.log()) >= 3)
            server.send_signal(signal.SIGSTOP)
            time.sleep(12)
            asked = len(web.log())
            time.sleep(1)
            assert len(web.log()) == asked
            server.send_signal(signal.SIGCONT)
            events = crawl.wait_for(ids)
            assert {event.outcome for event in events.values()} == {"ok"}
            assert node.process.poll() is None
            crawl.check_empty()
        crawl.close()
