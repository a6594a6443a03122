"""The guard in front of requests, alone and inside a real engine."""

import json
import os
from pathlib import Path

import pytest
from scrapy import Request, Spider
from scrapy.crawler import Crawler

from research_crawler.core import crawler_services
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import NotStarted
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.middlewares.address_guard import AddressGuardMiddleware
from tests import warm
from tests.request_states import state_for

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def middleware():
    crawler = Crawler(Spider)
    guard = AddressGuard(allow_private=[], allowed_hosts=["example.com"], blocked_hosts=["bad.example.com"])
    crawler_services.provide(crawler, crawler_services.FetchServices(config=load_core_config(), guard=guard))
    # The middleware holds the crawler, so the services live as long as it does.
    return AddressGuardMiddleware.from_crawler(crawler)


def test_a_permitted_url_passes(middleware):
    assert middleware.process_request(Request("https://www.example.com/")) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://bad.example.com/", "host_list"),
        ("https://other.example/", "host_list"),
        ("http://10.0.0.1/", "guard: private_address"),
        ("http://169.254.169.254/", "guard: metadata"),
        ("ftp://example.com/", "guard: scheme"),
        ("http://example.com:25/", "guard: port"),
    ],
)
def test_a_refusal_says_why(middleware, url, reason):
    with pytest.raises(RequestRefused) as caught:
        middleware.process_request(Request(url))
    assert caught.value.reason.text == reason
    assert not caught.value.known


def test_only_a_marked_endpoint_may_be_private(middleware):
    url = "http://127.0.0.1:8080/search"
    assert middleware.process_request(Request(url, meta=state_for(url, service=True).meta)) is None
    with pytest.raises(RequestRefused):
        middleware.process_request(Request(url))


def test_without_a_guard_nothing_is_fetched():
    middleware = AddressGuardMiddleware.from_crawler(Crawler(Spider))
    with pytest.raises(NotStarted):
        middleware.process_request(Request("https://example.com/"))


def test_in_a_real_engine_every_request_ends_with_its_reason():
    """A process of its own: a Twisted reactor cannot be started twice."""
    script = Path(__file__).with_name("engine_process.py")
    done = warm.run([script], cwd=PROJECT, env=os.environ, timeout=60)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen.pop("loop") == "uvloop.Loop"
    assert seen.pop("handlers") == 1
    assert seen == {
        "page": "200 hello",
        "private": "guard: private_address",
        "metadata": "guard: metadata",
        "scheme": "guard: scheme",
        "service": "200 hello",
        "huge": "too_large",
        "endless": "too_large",
        "cut": "broken",
        "slow": "timeout",
        "bomb": "bomb",
        "closed": "connection_refused",
        "cancelled": "cancelled",
    }, done.stderr
