"""Whose time a Crawl-delay is."""

import time

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from research_crawler.core import services
from research_crawler.core.config import Config
from research_crawler.core.services import FetchServices
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import origin_of
from research_crawler.extraction.formats.robots import parse_robots
from research_crawler.frontier.request_state import state_of
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.middlewares.robots import RobotsMiddleware
from tests.request_states import state_for

URL = "https://shop.example/p/1"


@pytest.fixture
def middleware(tmp_path):
    """One that knows a host which asks for 40 s between pages."""
    crawler = get_crawler()
    guard = AddressGuard(allow_private=[], allowed_hosts=[], blocked_hosts=[])
    services.provide(crawler, FetchServices(config=Config(home=tmp_path), guard=guard))
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
