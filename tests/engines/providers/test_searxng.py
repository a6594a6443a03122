import json

import pytest

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.searxng import SearXNG
from tests.cases import each_case
from tests.engines.fake_engines import SEARXNG


def parse(document, status=200):
    provider = SearXNG("http://localhost:8888")
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    request = provider.requests(SearchSpec(query="honey"))[0]
    return provider.parse(request, status=status, headers={}, body=body)


async def test_a_search_carries_its_options(engines):
    provider = SearXNG(engines.base_url)
    spec = SearchSpec(
        query="honey", language="de-ch", date_restrict="w1", safe_search="strict", vertical="news"
    )
    for request in provider.requests(spec):
        await engines.ask(provider, request)
    [(method, path, asked, headers)] = engines.asked
    assert (method, path, headers["Accept"]) == ("GET", "/search", "application/json")
    assert asked == {
        "q": "honey",
        "format": "json",
        "categories": "news",
        "safesearch": "2",
        "language": "de-CH",
        "time_range": "week",
        "pageno": "1",
    }
    assert provider.ignores(spec) == []


@each_case(("max_results", "pages"), [(1, 1), (10, 1), (11, 2), (20, 2), (0, 1)])
def test_more_results_are_asked_for_by_page(max_results, pages):
    requests = SearXNG("http://s").requests(SearchSpec(query="x", max_results=max_results))
    assert [request.url.rpartition("=")[2] for request in requests] == [str(n + 1) for n in range(pages)]
    assert all(request.service for request in requests)


@each_case(
    "url", ["http://s:80/base", "http://s:80/base/", "http://s:80/base/search", "http://s:80/base/search/"]
)
def test_the_address_may_end_in_many_ways(url):
    [request] = SearXNG(url).requests(SearchSpec(query="x"))
    assert request.url.startswith("http://s:80/base/search?q=x&")


def test_a_malformed_language_is_left_out_and_reported():
    spec = SearchSpec(query="x", language="klingon; drop", date_restrict="y5")
    provider = SearXNG("http://s")
    assert "language" not in provider.requests(spec)[0].url
    assert provider.ignores(spec) == ["date_restrict", "language"]


def test_fields_are_read_and_entries_without_a_page_are_left_out():
    first, second = parse(SEARXNG)
    assert (first.url, first.title) == ("https://bees.example/honey", "How bees make honey")
    assert (first.snippet, first.published) == ("Nectar is thickened & stored.", "2025-03-02")
    assert (second.url, second.snippet, second.published) == ("https://other.example/", "", "")


def test_a_403_says_how_to_switch_json_on():
    with pytest.raises(SearchFailed, match=r"`json` in its settings under `search.formats`") as raised:
        parse(b"<title>403 Forbidden</title>", status=403)
    assert raised.value.status == 403


def test_engines_that_all_failed_are_named():
    silent = {"results": [], "unresponsive_engines": [["bing", "timeout"], ["google", "CAPTCHA"], "x", []]}
    with pytest.raises(SearchFailed, match=r"no engine answered: bing \(timeout\), google \(CAPTCHA\)"):
        parse(silent)


def test_json_of_another_service_is_a_failure():
    with pytest.raises(SearchFailed, match="is this a SearXNG instance"):
        parse({"status": "up"})
