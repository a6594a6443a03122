"""What a host sees of all nodes together: one polite client."""

import contextlib
from itertools import pairwise

import pytest

from research_crawler.demo.process import local_load_process
from research_crawler.demo.request_log import Served
from tests.crawler.crawl import Crawl


def gaps_ms(entries: list[tuple[float, float]]) -> list[float]:
    """From the end of each answer to the next request."""
    return [after[0] - before[1] for before, after in pairwise(sorted(entries))]


def between_starts_ms(log: list[Served]) -> list[float]:
    """From request to request: on a busy machine the local web notes the end of an answer late."""
    return [after - before for before, after in pairwise(sorted(entry.start_ms for entry in log))]


@pytest.mark.long
def test_three_nodes_together_keep_the_delay_of_every_host(kept_redis, tmp_path):
    crawl = Crawl(tmp_path, kept_redis, phase1_visit_delay_seconds=0.1)
    with local_load_process(hosts=10, latency_ms=5) as load, contextlib.ExitStack() as nodes:
        for _ in range(3):
            nodes.enter_context(crawl.node(node_leases=8))
        visits = [crawl.visit(f"{host}/p/{n}") for n in range(15) for host in load.hosts]
        events = crawl.wait_for(crawl.push(*visits), 60)
        assert {event.outcome for event in events.values()} == {"ok"}
        seen = 0
        for log in load.log().values():
            entries = list(zip(log["start_ms"], log["end_ms"], strict=True))
            seen += len(entries)
            assert min(gaps_ms(entries)) >= 100
        assert seen == 160
    crawl.close()


def test_a_host_whose_pages_take_long_to_read_is_fetched_at_its_delay(running, web):
    paths = ("ember-fern", "ember-moss", "marrowby", "port-ansgar")
    running.fetch(web.hosts["lore"] + "/ida-brannock")
    web.clear_log()
    ids = running.push(*(running.visit(f"{web.hosts['lore']}/{path}?slow=60") for path in paths))
    running.wait_until(lambda: len(web.log()) == len(paths))
    assert min(between_starts_ms(web.log())) >= 50
    assert not [event for event in running.mail() if event.command in ids]
    assert set(running.leased()) == set(ids)
    running.cancel_job()
    running.wait_until(lambda: not running.leased())


@pytest.mark.long
def test_calls_to_a_provider_keep_its_pause_also_where_hosts_have_no_delay(crawl, web):
    with crawl.node(phase1_visit_delay_seconds=0, searxng_delay_seconds=1, searxng_concurrency=1):
        ids = crawl.push(*(crawl.search(f"ember fern {n}") for n in range(4)))
        events = crawl.wait_for(ids)
    assert {event.outcome for event in events.values()} == {"ok"}
    calls = [entry for entry in web.log() if entry.path.startswith("/search")]
    assert len(calls) == 4
    assert min(between_starts_ms(calls)) >= 1_000


@pytest.mark.long
def test_a_host_that_is_busy_is_not_waited_for_under_a_lease(crawl, web):
    """Its commands go back into the queue, uncounted, so that the node's places serve other hosts."""
    with crawl.node(phase1_visit_delay_seconds=4):
        pages = [web.hosts["lore"] + path for path in ("/ember-fern", "/ember-moss", "/marrowby")]
        crawl.push(*(crawl.visit(url) for url in pages))
        crawl.wait_until(crawl.mail)
        crawl.wait_until(lambda: not crawl.leased(), 20)
        waiting = [crawl.command(f"{crawl.job}:{n}") for n in (1, 2, 3)]
        assert [command.attempt for command in waiting if command] == [0, 0]
