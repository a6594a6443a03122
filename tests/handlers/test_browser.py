"""Pages in a real browser, with the handler as Scrapy creates it and a site on loopback."""

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import dataclass, replace
from typing import Any

import psutil
import pytest
import pytest_asyncio
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from research_crawler.adapters.browser_program import BrowserProgram
from research_crawler.core import crawler_services
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import FetchFailed
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.frontier.request_state import state_of
from research_crawler.handlers.composed import ComposedDownloadHandler
from tests.browser import real_browser
from tests.handlers.scripted_site import CLOSED_HOST, OPEN_HOST, OTHER_HOST, ScriptedSite, serve
from tests.request_states import state_for

pytestmark = pytest.mark.asyncio(loop_scope="module")
AGENT = "research-crawler/test (+mailto:test@example.org)"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def handler():
    browser = real_browser()
    if "twisted.internet.reactor" not in sys.modules:
        from twisted.internet import asyncioreactor

        asyncioreactor.install(asyncio.get_running_loop())
    crawler = Crawler(
        Spider, {"USER_AGENT": AGENT, "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_MAXSIZE": 10_000_000}
    )
    crawler._apply_settings()
    guard = AddressGuard(allow_private=["127.0.0.0/16"], allowed_hosts=[], blocked_hosts=["127.0.0.1"])
    crawler_services.provide(
        crawler, crawler_services.FetchServices(config=load_core_config(), guard=guard, browser=browser)
    )
    made = ComposedDownloadHandler.from_crawler(crawler)
    yield made
    await made.close()
    await made.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one_site():
    site = ScriptedSite()
    await serve(site)
    yield site
    await site.close()


@pytest.fixture
def site(one_site):
    one_site.seen.clear()
    one_site.referers.clear()
    return one_site


def ask(site, path, download_timeout=20.0):
    state = state_for(site.url(path), render=True)
    meta = state.meta | {"download_timeout": download_timeout}
    return Request(
        site.url(path), meta=meta, headers={"Accept-Encoding": "gzip", "Accept-Language": "de,en;q=0.7"}
    )


async def render(handler, site, path, **meta):
    request = ask(site, path, **meta)
    return await handler.download_request(request), state_of(request).gate


@dataclass
class Visit:
    """What became of a page, and what was asked of each host meanwhile."""

    response: Response
    gate: Any
    asked: dict[str, list[str]]


@pytest.fixture(scope="module")
def visit(handler, one_site):
    """Visits a page of the site; a page that several tests look at is rendered once."""
    visits = {}

    async def visited(path):
        if path not in visits:
            one_site.seen.clear()
            response, gate = await render(handler, one_site, path)
            asked = {host: one_site.paths(host) for host in (OPEN_HOST, CLOSED_HOST)}
            visits[path] = Visit(response, gate, asked)
        return visits[path]

    return visited


def processes():
    return {one.pid for one in psutil.Process().children(recursive=True) if "chrom" in _command_line(one)}


@pytest.mark.parametrize(
    "path", ["/shell", "/late", "/sockets", "/private", "/hop", "/popup", "/reload", "/saved"]
)
async def test_text_that_scripts_write_is_read(visit, path):
    response = (await visit(path)).response
    assert response.status == 200
    assert "<p>The depth at the quay is 6.4 metres. The" in response.text
    assert response.headers["Content-Type"] == b"text/html; charset=utf-8"


async def test_the_document_is_requested_once(visit):
    assert (await visit("/shell")).asked[OPEN_HOST] == ["/shell", "/data"]


async def test_the_text_of_web_components_is_read(handler, site):
    response, _ = await render(handler, site, "/shadow")
    assert "<p>In the shadow</p>" in response.text


@pytest.mark.parametrize(
    ("path", "to"),
    [("/redirect", "/shell"), ("/refresh", "/shell"), ("/form", "/found?q=x")],
)
async def test_a_page_that_goes_to_another_host_ends_as_a_redirect(handler, site, path, to):
    response, _ = await render(handler, site, path)
    assert (response.status, response.headers["Location"].decode()) == (302, site.url(to, OTHER_HOST))
    assert site.paths(OTHER_HOST) == []


async def test_a_page_that_goes_to_another_page_ends_as_a_redirect(handler, site):
    response, _ = await render(handler, site, "/same")
    assert response.headers["Location"].decode() == site.url("/shell?from=same")
    assert site.paths() == ["/same"]


@pytest.mark.parametrize("path", ["/private", "/hop", "/popup"])
async def test_nothing_on_a_page_reaches_a_private_address(visit, path):
    visited = await visit(path)
    assert visited.asked[CLOSED_HOST] == []
    if path != "/popup":
        assert visited.gate.refused["private_address"] >= 2


async def test_a_window_that_a_page_opens_makes_no_requests(visit):
    assert (await visit("/popup")).asked[OPEN_HOST] == ["/popup"]


async def test_no_datagram_leaves_the_browser(handler, site):
    await render(handler, site, "/datagrams")
    await asyncio.sleep(0.5)
    assert site.datagrams == 0


async def test_images_and_media_are_not_fetched(visit):
    assert (await visit("/saved")).asked[OPEN_HOST] == ["/saved"]


async def test_the_browser_sends_the_configured_user_agent(handler, site):
    response, _ = await render(handler, site, "/agent")
    assert f"{AGENT} de first=1" in response.text


@pytest.mark.long
async def test_nothing_is_kept_from_page_to_page(handler, site):
    await render(handler, site, "/cookie")
    response, _ = await render(handler, site, "/recall")
    assert "kept: first=1null" in response.text


@pytest.mark.long
async def test_service_workers_are_blocked(handler, site):
    await render(handler, site, "/worker")
    assert "/sw.js" not in site.paths()


async def test_other_hosts_get_no_referrer(handler, site):
    await render(handler, site, "/refer")
    assert site.referers == [""]


async def test_a_page_cannot_exceed_its_limit_of_bytes(handler, site):
    _, gate = await render(handler, site, "/heavy")
    assert 20_000_000 <= gate.moved_bytes < 22_000_000
    assert gate.refused["too_large"] > 0


@pytest.mark.long
async def test_a_page_that_never_stops_changing_is_read_anyway(handler, site):
    response, _ = await render(handler, site, "/endless", download_timeout=5.0)
    assert "more more" in response.text


@pytest.mark.long
async def test_a_page_that_hangs_ends_in_time(handler, site):
    with pytest.raises(FetchFailed, match="timeout"):
        await render(handler, site, "/spin", download_timeout=2.0)
    assert (await render(handler, site, "/shell"))[0].status == 200


@pytest.mark.parametrize(("path", "status"), [("/pdf", 200), ("/gone", 410), ("/nowhere", 404)])
async def test_a_document_that_is_not_html_is_returned_unchanged(handler, site, path, status):
    response, gate = await render(handler, site, path)
    assert (response.status, gate) == (status, None)


async def test_a_cancelled_page_ends_at_once(handler, site):
    running = asyncio.ensure_future(handler.download_request(ask(site, "/spin")))
    await asyncio.sleep(0.5)
    running.cancel()
    with pytest.raises(IgnoreRequest, match="cancelled"):
        await running
    inner = handler.rendering._handler
    assert inner is None or not inner.context_wrappers


@pytest.mark.long
async def test_pages_are_rendered_concurrently_each_behind_its_own_gate(handler, site):
    pages = [render(handler, site, path) for path in ("/shell", "/late", "/private", "/sockets")]
    gates = [gate for _, gate in await asyncio.gather(*pages)]
    assert [bool(gate.refused) for gate in gates] == [False, False, True, False]
    assert not handler.rendering._handler.context_wrappers


@pytest.mark.long
async def test_a_browser_that_dies_is_started_again(handler, site):
    await render(handler, site, "/shell")
    before = processes()
    for pid in before:
        with contextlib.suppress(ProcessLookupError):  # it ended with its parent
            os.kill(pid, signal.SIGKILL)
    await asyncio.sleep(0.5)
    response, _ = await render(handler, site, "/shell")
    assert response.status == 200
    assert not before & processes()


@pytest.mark.long
async def test_a_driver_that_dies_is_started_again(handler, site):
    await render(handler, site, "/shell")
    for child in psutil.Process().children():
        if "playwright" in " ".join(child.cmdline()):
            child.kill()
    await asyncio.sleep(0.5)
    response, _ = await render(handler, site, "/shell")
    assert response.status == 200


def _command_line(process: psutil.Process) -> str:
    """The command line of a process; "" if the process has ended."""
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""


@pytest.mark.long
async def test_there_is_one_browser(handler, site):
    await asyncio.gather(*(render(handler, site, "/shell") for _ in range(3)))
    lines = [_command_line(child) for child in psutil.Process().children(recursive=True)]
    assert sum("--remote-debugging-pipe" in line and "--type=" not in line for line in lines) == 1


@pytest.mark.long
async def test_a_browser_that_does_not_start_fails_only_the_page(handler, site, tmp_path):
    mine = crawler_services.fetching_of(handler.crawler)
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    await handler.rendering.close()
    options = mine.browser.options | {"executable_path": str(program)}
    broken = replace(mine, browser=BrowserProgram("broken", str(program), options))
    crawler_services.provide(handler.crawler, broken)
    with pytest.raises(FetchFailed, match="browser_unusable"):
        await render(handler, site, "/shell")
    crawler_services.provide(handler.crawler, mine)
    assert (await render(handler, site, "/shell"))[0].status == 200
