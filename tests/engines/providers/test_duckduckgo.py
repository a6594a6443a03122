import json
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.provider import joined_results
from research_crawler.engines.providers.duckduckgo import (
    HOME_REGIONS,
    REGIONS,
    DuckDuckGo,
    region_of,
    target_of_link,
)
from tests.cases import each_case
from tests.engines.fake_engines import INSTANT


def test_the_page_and_instant_answers_are_asked_for():
    page, instant = DuckDuckGo().requests(SearchSpec(query="make honey", safe_search="off"))
    assert (page.method, page.url) == ("POST", "https://html.duckduckgo.com/html/")
    assert page.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert parse_qs(page.body.decode(), keep_blank_values=True) == {
        "q": ["make honey"],
        "b": [""],
        "kl": ["wt-wt"],
        "kp": ["-2"],
    }
    assert (instant.method, urlsplit(instant.url).netloc) == ("GET", "api.duckduckgo.com")
    assert parse_qs(urlsplit(instant.url).query) == {
        "q": ["make honey"],
        "format": ["json"],
        "no_html": ["1"],
        "skip_disambig": ["1"],
    }


def test_robots_txt_applies_to_its_hosts_and_to_a_configured_address():
    for provider in (DuckDuckGo(), DuckDuckGo("http://127.0.0.1:9/")):
        assert not any(request.service for request in provider.requests(SearchSpec(query="x")))
    assert [request.configured for request in DuckDuckGo().requests(SearchSpec(query="x"))] == [False, False]
    assert [r.url for r in DuckDuckGo("http://127.0.0.1:9/").requests(SearchSpec(query="x"))] == [
        "http://127.0.0.1:9/html/",
        "http://127.0.0.1:9/?q=x&format=json&no_html=1&skip_disambig=1",
    ]


def test_a_date_restriction_leaves_instant_answers_out():
    [page] = DuckDuckGo().requests(SearchSpec(query="x", date_restrict="m1", language="de-CH"))
    assert parse_qs(page.body.decode())["df"] == ["m"]
    assert parse_qs(page.body.decode())["kl"] == ["ch-de"]
    assert page.headers["Accept-Language"] == "de"


def test_unsupported_options_are_reported():
    provider = DuckDuckGo()
    assert provider.ignores(SearchSpec(query="x", language="de")) == []
    assert provider.ignores(SearchSpec(query="x", language="sw", date_restrict="m6")) == [
        "date_restrict (widened to year)",
        "language",
    ]
    assert provider.requests(SearchSpec(query="x", vertical="news")) == []


async def test_organic_results_are_read_and_advertisements_left_out(engines):
    provider = DuckDuckGo(engines.base_url)
    page, _ = provider.requests(SearchSpec(query="honey"))
    first, second = await engines.ask(provider, page)
    assert (first.url, first.title) == ("https://bees.example/honey?a=1&b=2", "How bees make honey & wax")
    assert (first.snippet, first.published) == ("Nectar is thickened until it is honey.", "2025-12-30")
    assert (second.url, second.title, second.snippet) == (
        "https://straight.example/page",
        "A straight link",
        "",
    )


async def test_instant_answers_come_after_the_page_and_lead_elsewhere(engines):
    provider = DuckDuckGo(engines.base_url)
    requests = provider.requests(SearchSpec(query="honey"))
    answers = [(request, await engines.ask(provider, request)) for request in reversed(requests)]
    assert [result.url for result in joined_results(answers, max_results=1)] == [
        "https://bees.example/honey?a=1&b=2",
        "https://en.wikipedia.org/wiki/Honey",
    ]
    every = joined_results(answers, max_results=10)
    assert [(result.url, result.title) for result in every[2:]] == [
        ("https://en.wikipedia.org/wiki/Honey", "Honey"),
        ("https://honey.example/", "Official site"),
        ("https://mead.example/", "Mead"),
        ("https://nectar.example/", "Nectar"),
        ("https://wax.example/", "Wax"),
    ]


def test_deeply_nested_topics_are_cut_off():
    endless: list[object] = []
    for _ in range(200):
        endless = [{"Name": "again", "Topics": endless}]
    provider = DuckDuckGo()
    _, instant = provider.requests(SearchSpec(query="x"))
    body = json.dumps({**INSTANT, "RelatedTopics": endless}).encode()
    assert len(provider.parse(instant, status=200, headers={}, body=body)) == 2


@each_case(
    ("href", "target"),
    [
        ("https://a.example/x?uddg=y", "https://a.example/x?uddg=y"),
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F%3Fq%3D1&rut=2", "https://a.example/?q=1"),
        ("https://duckduckgo.com/l?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("https://duckduckgo.com/y.js?u3=https%3A%2F%2Fads.example", ""),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad", ""),
        ("https://duckduckgo.com/?q=more", ""),
        ("http://127.0.0.1:9/y.js?ad", ""),
        ("http://[", ""),
        ("/html/?q=more", ""),
    ],
)
def test_a_link_is_followed_to_where_it_leads(href, target):
    assert target_of_link(href, "https://html.duckduckgo.com/html/") == target


@given(st.text(max_size=60))
def test_a_malformed_link_never_raises(href):
    target_of_link(href, "https://html.duckduckgo.com/html/")


def test_a_page_of_another_kind_is_a_failure():
    provider = DuckDuckGo()
    page, _ = provider.requests(SearchSpec(query="x"))
    with pytest.raises(SearchFailed, match="not its results page"):
        provider.parse(page, status=200, headers={}, body=b"<html><p>Hello</p></html>")
    only_ads = (
        b'<div id="links"><div class="result result--ad"><a class="result__a" href="/y.js">x</a></div></div>'
    )
    assert provider.parse(page, status=200, headers={}, body=only_ads) == []


def test_every_language_has_a_region_of_the_form():
    assert set(HOME_REGIONS.values()) <= REGIONS
    assert [region_of(tag) for tag in ("en", "en-GB", "en-US", "de", "pt_BR", "zh-Hant-TW", "xx", "")] == [
        "wt-wt", "uk-en", "us-en", "de-de", "br-pt", "cn-zh", "wt-wt", "wt-wt",
    ]  # fmt: skip
