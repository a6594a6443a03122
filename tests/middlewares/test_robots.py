"""Whose time a Crawl-delay is, and when a host that could not be reached is tried again."""

import asyncio
import time

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from research_crawler.core import crawler_services
from research_crawler.core.config import Config
from research_crawler.core.crawler_services import FetchServices
from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import origin_of
from research_crawler.extraction.formats.robots_txt import parse_robots
from research_crawler.frontier.request_state import state_of
from research_crawler.frontier.store import Frontier
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.middlewares import robots
from research_crawler.middlewares.robots import RobotsMiddleware
from tests.crawl_services import crawl_services
from tests.request_states import state_for

URL = "https://shop.example/p/1"


@pytest.fixture
def middleware(tmp_path):
    """One that knows a host which asks for 40 s between pages."""
    crawler = get_crawler()
    guard = AddressGuard(allow_private=[], allowed_hosts=[], blocked_hosts=[])
    crawler_services.provide(crawler, FetchServices(config=Config(home=tmp_path), guard=guard))
    made = RobotsMiddleware(crawler)
    rules = parse_robots(200, b"User-agent: *\nCrawl-delay: 40\n", now_ms=int(time.time() * 1000))
    made._rules[origin_of(URL)] = (rules, time.monotonic() + 60)
    return made


def request_of(*, patient: bool) -> Request:
    return Request(URL, meta=state_for(URL, command={"patient": patient}).meta)


async def test_a_research_job_does_not_wait_for_a_host_that_asks_for_much_time(middleware):
    with pytest.raises(RequestRefused) as refused:
        await middleware.process_request(request_of(patient=False))
    assert "too_slow(40 s)" in str(refused.value)


async def test_a_watch_waits_as_long_as_the_host_asks_for(middleware):
    request = request_of(patient=True)
    await middleware.process_request(request)
    assert state_of(request).crawl_delay_ms == 40_000


class Host:
    """The engine's way to a host whose robots.txt cannot be fetched until it is back."""

    def __init__(self) -> None:
        self.is_back, self.asked, self.fault = False, 0, Reason.CONNECTION

    async def download_async(self, request: Request) -> Response:
        self.asked += 1
        if not self.is_back:
            raise FetchFailed(Why(self.fault), transient=True)
        return Response(request.url, status=404, request=request)


@pytest.fixture
async def unreachable(tmp_path, redis_client):
    """A middleware and its host, which is away."""
    crawler = get_crawler()
    guard = AddressGuard(allow_private=[], allowed_hosts=[], blocked_hosts=[])
    crawled = crawl_services(config=Config(home=tmp_path), frontier=Frontier(redis_client), guard=guard)
    crawler_services.provide(crawler, crawled)
    crawler.engine = Host()
    yield RobotsMiddleware(crawler), crawler.engine
    await crawled.frontier.close()


def visit(**command) -> Request:
    return Request(URL, meta=state_for(URL, command=command).meta)


async def test_a_host_that_does_not_exist_is_said_to_be_none(unreachable):
    middleware, host = unreachable
    host.fault = Reason.DNS
    for _ in range(2):
        with pytest.raises(RequestRefused, match=r"\bdns"):
            await middleware.process_request(visit())


async def test_a_host_that_was_away_is_tried_again_soon_and_its_visits_say_when(unreachable, monkeypatch):
    middleware, host = unreachable
    with pytest.raises(RequestRefused, match=r"robots_unreachable: until \d\d:\d\d:\d\d UTC"):
        await middleware.process_request(visit())
    with pytest.raises(RequestRefused):
        await middleware.process_request(visit())
    assert host.asked == 1
    host.is_back = True
    monkeypatch.setattr(robots, "_now_ms", lambda: int(time.time() * 1000) + 31_000)
    middleware._rules.clear()
    await middleware.process_request(visit())


async def test_a_person_who_asks_for_a_page_of_a_host_that_was_away_has_it_tried_once(unreachable):
    middleware, host = unreachable
    with pytest.raises(RequestRefused):
        await middleware.process_request(visit())
    await asyncio.sleep(0.01)
    with pytest.raises(RequestRefused):
        await middleware.process_request(visit(retries_unreachable=True))
    assert host.asked == 2
    host.is_back = True
    await asyncio.sleep(0.01)
    await middleware.process_request(visit(retries_unreachable=True))
    await middleware.process_request(visit())
    assert host.asked == 3
