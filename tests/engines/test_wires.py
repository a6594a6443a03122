"""Every provider against a server with its API, which answers well or badly."""

import pytest

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.bing import Bing
from research_crawler.engines.providers.brave import Brave
from research_crawler.engines.providers.duckduckgo import DuckDuckGo
from research_crawler.engines.providers.google import Google
from research_crawler.engines.providers.searxng import SearXNG
from research_crawler.engines.providers.tavily import Tavily
from research_crawler.engines.providers.wikipedia import Wikipedia
from tests.cases import each_case
from tests.engines.fake_engines import BAD
from tests.engines.keyed_answers import ENGINE_ID, KEY


def brave(base_url):
    return Brave(KEY, base_url)


def tavily(base_url):
    return Tavily(KEY, f"{base_url}/tavily")


def google(base_url):
    return Google(KEY, ENGINE_ID, base_url)


def bing(base_url):
    return Bing(KEY, base_url)


KEYED = [brave, tavily, google, bing]
PROVIDERS = [SearXNG, DuckDuckGo, Wikipedia, *KEYED]
REASONS = {
    "429": "http 429",
    "500": "http 500",
    "403": "http 403",
    "empty": "empty answer",
    "challenge": "challenge",
    "challenge 202": "challenge",
    "challenge 503": "challenge",
    "consent": "challenge",
}
"""The reason of a mode, where it is the same for all providers."""


def first_request(provider, **spec):
    return provider.requests(SearchSpec(query="honey", **spec))[0]


@each_case("kind", PROVIDERS)
async def test_a_good_answer_gives_results_in_order(kind, engines):
    provider = kind(engines.base_url)
    results = await engines.ask(provider, first_request(provider))
    assert len(results) >= 2
    assert all(
        one.url.startswith("http") and one.title and one.providers == [provider.name] for one in results
    )


@each_case("kind", PROVIDERS)
async def test_an_answer_without_results_is_not_a_failure(kind, engines):
    engines.mode = "none"
    provider = kind(engines.base_url)
    for request in provider.requests(SearchSpec(query="honey")):
        assert await engines.ask(provider, request) == []


@each_case("mode", BAD)
@each_case("kind", PROVIDERS)
async def test_a_bad_answer_is_a_failure_with_its_reason(kind, mode, engines):
    engines.mode = mode
    provider = kind(engines.base_url)
    for request in provider.requests(SearchSpec(query="honey")):
        with pytest.raises(SearchFailed) as raised:
            await engines.ask(provider, request)
        failed = raised.value
        assert (failed.provider, failed.status, failed.url) == (
            provider.name,
            BAD[mode].status,
            request.shown_url,
        )
        assert failed.reason and "\n" not in failed.reason.text
        assert KEY not in failed.url and KEY not in str(failed)
        if mode in REASONS and not (mode == "403" and kind in (SearXNG, *KEYED)):
            assert failed.reason.text == REASONS[mode]
        assert (failed.trouble == "challenge") == (failed.reason.text == "challenge")


@each_case("kind", KEYED)
@each_case(
    ("mode", "trouble", "words"),
    [("wrong key", "key", "the key is refused"), ("spent", "quota", "the provider's quota is used up")],
)
async def test_a_refused_key_and_a_spent_quota_are_distinguished(kind, mode, trouble, words, engines):
    engines.mode = mode
    provider = kind(engines.base_url)
    with pytest.raises(SearchFailed, match=words) as raised:
        await engines.ask(provider, first_request(provider))
    assert raised.value.trouble == trouble


@each_case("kind", PROVIDERS)
@each_case("vertical", ["web", "news", "images"])
async def test_every_vertical_that_a_provider_names_gives_results(kind, vertical, engines):
    provider = kind(engines.base_url)
    requests = provider.requests(SearchSpec(query="honey", vertical=vertical))
    assert bool(requests) == (vertical in provider.verticals)
    for request in requests[:1]:
        results = await engines.ask(provider, request)
        assert results and all(one.url.startswith("http") and one.title for one in results)
        if vertical == "images" and kind is not SearXNG:
            assert results[0].image == "https://pictures.example/jar.jpg"
            assert results[0].url == "https://pictures.example/jar"


@each_case("kind", PROVIDERS)
def test_no_shown_url_holds_a_key(kind):
    for vertical in ("web", "news", "images"):
        for request in kind("http://127.0.0.1:9").requests(
            SearchSpec(query="honey key=x", vertical=vertical)
        ):
            assert KEY not in request.shown_url and "honey" in request.shown_url + request.body.decode()
