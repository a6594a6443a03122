"""A lease ends in one event, wherever in Scrapy it falls out of our hands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from research_crawler.core.models.messages.events import CommandDone
from research_crawler.demo.process import RunningWeb
from tests.crawler.conftest import a_crawl

PAGE = "/ember-fern"
REASONS = {
    "callback_raises": "spider: RuntimeError: broken",
    "callback_is_silent": "dropped",
    "errback_raises": "spider: RuntimeError: broken",
    "ending_raises": "spider: RuntimeError: broken",
    "scheduler_refuses": "request_dropped",
    "scheduler_loses": "dropped",
    "first_pipeline_raises": "pipeline: RuntimeError: broken",
    "last_pipeline_raises": "pipeline: RuntimeError: broken",
    "pipeline_drops": "dropped: unwanted",
    "middleware_raises_before_all": "unexpected",
    "middleware_raises_with_a_permit": "unexpected",
    "middleware_raises_at_the_last_byte": "unexpected",
    "middleware_raises_after_all": "unexpected",
}


@pytest.fixture(scope="module")
def events(
    kept_redis: str, local_web: RunningWeb, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, CommandDone]]:
    with a_crawl(kept_redis, tmp_path_factory.mktemp("faults")) as crawl, crawl.node():
        urls = {name: f"{local_web.hosts['lore']}{PAGE}?fault={name}" for name in REASONS}
        urls["errback_raises"] = "http://127.0.0.1:8080/?fault=errback_raises"
        urls["ending_raises"] = local_web.hazards["not_found"] + "?fault=ending_raises"
        commands = {name: crawl.visit(url) for name, url in urls.items()}
        found = crawl.wait_for(crawl.push(*commands.values()))
        [after] = crawl.fetch(f"{local_web.hosts['lore']}{PAGE}")
        crawl.check_empty()
        yield {name: found[command.id] for name, command in commands.items()} | {"after": after}


@pytest.mark.parametrize("fault", REASONS)
def test_a_fault_becomes_the_one_event_of_its_command(events, fault):
    assert (events[fault].outcome, events[fault].reason.text) == ("failed", REASONS[fault])


def test_the_node_goes_on(events):
    assert events["after"].outcome == "ok"


def test_a_page_is_not_refused_to_others_because_our_code_failed(events):
    assert events["after"].page
    assert events["after"].pages_fetched == 1


@pytest.mark.long
def test_a_node_that_is_stopped_gives_back_what_it_has(
    kept_redis: str, tmp_path: Path, local_web: RunningWeb
):
    with a_crawl(kept_redis, tmp_path) as crawl:
        with crawl.node() as node:
            slow = crawl.visit(f"{local_web.hosts['lore']}{PAGE}?slow=60")
            never = crawl.visit(local_web.hazards["slow"])
            ids = crawl.push(slow, never)
            crawl.wait_until(lambda: len(crawl.leased()) == 2)
            assert node.stop() == 0
        assert not crawl.leased()
        counts = crawl.counts()
        assert counts.nodes == 0
        assert not counts.problems
        queued = {id_: crawl.command(id_) for id_ in ids if crawl.command(id_)}
        assert slow.id in queued
        assert all(command.attempt == 0 for command in queued.values())
