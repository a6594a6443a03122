"""Whole nodes and the browser: shells on the local web, nodes without a browser, and what a killed node leaves."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from research_crawler.core.models.messages.events import CommandDone
from research_crawler.demo.process import RunningWeb
from tests.browser import real_browser
from tests.crawler.crawl import Crawl

BUILT = ("script_built", "script_private", "script_endless")


@pytest.fixture(autouse=True)
def browser() -> None:
    real_browser()


def visit_all(crawl: Crawl, web: RunningWeb, names: Iterator[str]) -> dict[str, CommandDone]:
    ids = {name: crawl.push(crawl.visit(web.hazards[name]))[0] for name in names}
    events = crawl.wait_for(list(ids.values()), 90)
    return {name: events[id_] for name, id_ in ids.items()}


@pytest.mark.long
def test_pages_made_by_scripts_are_read_through_the_browser(crawl: Crawl, web: RunningWeb):
    with crawl.node():
        events = visit_all(crawl, web, [*BUILT, "script_redirect", "redirect_chain_end"])
    for name in BUILT:
        assert events[name].outcome == "ok", events[name].reason.text
        assert events[name].page.tokens > 100
        assert events[name].page.title
    moved = events["script_redirect"]
    assert (moved.outcome, moved.page.final_url) == ("ok", web.hazards["private_links"])
    assert events["redirect_chain_end"].outcome == "ok"


@pytest.mark.long
def test_a_page_is_asked_for_once_plainly_and_once_for_the_browser(crawl: Crawl, web: RunningWeb):
    with crawl.node():
        visit_all(crawl, web, ["script_built"])
        visit_all(crawl, web, ["script_built"])
    asked = [entry.path for entry in web.log() if entry.path.startswith("/harbour-depths")]
    assert asked.count("/harbour-depths.json") == 1
    assert 2 <= asked.count("/harbour-depths") <= 3


@pytest.mark.long
def test_a_node_without_a_browser_says_what_is_missing(crawl: Crawl, web: RunningWeb):
    with crawl.node(browser="off"):
        events = visit_all(crawl, web, ["script_built", "redirect_chain_end"])
    assert (events["script_built"].outcome, events["script_built"].reason.text) == (
        "failed",
        "needs_render: no browser",
    )
    assert events["redirect_chain_end"].outcome == "ok"


@pytest.mark.long
def test_a_node_without_a_browser_leaves_pages_to_one_that_has_it(crawl: Crawl, web: RunningWeb):
    with crawl.node(), crawl.node(browser="off"):
        time.sleep(1)
        events = visit_all(crawl, web, BUILT)
    assert {event.outcome for event in events.values()} == {"ok"}


@pytest.mark.parametrize("way", ["stop", "kill"])
@pytest.mark.long
def test_nothing_of_the_browser_outlives_its_node(crawl: Crawl, web: RunningWeb, way: str):
    with crawl.node() as node:
        visit_all(crawl, web, ["script_built"])
        children = psutil.Process(node.pid).children(recursive=True)
        browsers = [child for child in children if _names(child, "chrom", "playwright")]
        assert browsers
        getattr(node, way)()
        _, left = psutil.wait_procs(browsers, timeout=10)
    assert left == []


def _names(process: psutil.Process, *names: str) -> bool:
    try:
        return any(name in " ".join(process.cmdline()) for name in names)
    except psutil.Error:
        return False


@pytest.mark.long
def test_a_query_is_typed_where_robots_txt_allows_the_results(crawl: Crawl, web: RunningWeb, tmp_path: Path):
    script = Path(__file__).with_name("typed_engine.py")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as engine:
        try:
            home = engine.stdout.readline().strip()
            with crawl.node(providers=["browser"], search_timeout_seconds=60, typed_engine_url=home):
                (id_,) = crawl.push(crawl.search("heat pump", max_results=5))
                event = crawl.wait_for([id_], 60)[id_]
        finally:
            engine.terminate()
    assert event.outcome == "ok", (event.reason, event.providers)
    assert [result.url for result in event.results] == [
        f"https://result-{n}.example/heat+pump" for n in (1, 2, 3)
    ]
    assert event.providers[0].ok


@pytest.mark.long
def test_a_query_is_not_typed_where_robots_txt_disallows_the_results(crawl: Crawl, web: RunningWeb):
    with crawl.node(providers=["browser"], search_timeout_seconds=60, typed_engine_url=web.search + "/"):
        (id_,) = crawl.push(crawl.search("heat pump"))
        event = crawl.wait_for([id_], 60)[id_]
    assert event.outcome == "failed"
    assert "robots" in event.reason.text
    assert not [entry for entry in web.log() if entry.path.startswith("/search")]
