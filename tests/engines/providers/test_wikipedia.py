import json
from urllib.parse import parse_qs, urlsplit

import pytest

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.wikipedia import Wikipedia
from tests.cases import each_case
from tests.engines.fake_engines import DATA


def parse(document, base_url=""):
    provider = Wikipedia(base_url)
    request = provider.requests(SearchSpec(query="x"))[0]
    return provider.parse(request, status=200, headers={}, body=json.dumps(document).encode())


def test_the_edition_of_the_language_is_asked():
    [request] = Wikipedia().requests(SearchSpec(query="honey bee", language="de-AT", max_results=7))
    assert urlsplit(request.url).netloc == "de.wikipedia.org" and urlsplit(request.url).path == "/w/api.php"
    asked = parse_qs(urlsplit(request.url).query)
    assert asked["srsearch"] == ["honey bee"] and asked["srlimit"] == ["7"]
    assert asked["action"] == ["query"] and asked["list"] == ["search"] and asked["format"] == ["json"]
    assert request.service


@each_case(("language", "host"), [("nb", "no"), ("", "en"), ("evil.example/", "en"), ("x" * 9, "en")])
def test_a_language_never_chooses_a_host_outside_wikipedia(language, host):
    [request] = Wikipedia().requests(SearchSpec(query="x", language=language))
    assert urlsplit(request.url).hostname == f"{host}.wikipedia.org"


@pytest.mark.parametrize(
    "base", ["http://127.0.0.1:9", "http://127.0.0.1:9/", "http://127.0.0.1:9/w/api.php"]
)
def test_another_address_can_be_configured(base):
    provider = Wikipedia(base)
    [request] = provider.requests(SearchSpec(query="x", language="fr"))
    assert request.url.startswith("http://127.0.0.1:9/w/api.php?action=query")
    assert provider.ignores(SearchSpec(query="x", language="fr")) == ["language", "safe_search"]


def test_unsupported_options_are_reported():
    provider = Wikipedia()
    assert provider.ignores(SearchSpec(query="x", safe_search="off")) == []
    assert provider.ignores(SearchSpec(query="x", date_restrict="d1")) == ["date_restrict", "safe_search"]
    assert provider.requests(SearchSpec(query="x", vertical="images")) == []


def test_the_recorded_answer_is_read_in_order():
    recorded = json.loads((DATA / "wikipedia_search.json").read_text(encoding="utf-8"))
    results = parse(recorded)
    assert [result.title for result in results] == [entry["title"] for entry in recorded["query"]["search"]]
    assert results[0].url == "https://en.wikipedia.org/wiki/Python_(programming_language)"
    assert results[0].snippet.startswith("Python is a high-level, general-purpose programming language.")
    assert not any("<" in result.snippet or result.published for result in results)


def test_titles_become_addresses_that_mediawiki_understands():
    titles = ["C++", "AC/DC", "Émile Zola", 'Who\'s "Who"?', "100% Design", ""]
    results = parse({"query": {"search": [{"title": title} for title in titles]}}, "http://wiki.example")
    assert [result.url.removeprefix("http://wiki.example/wiki/") for result in results] == [
        "C++",
        "AC/DC",
        "%C3%89mile_Zola",
        "Who's_%22Who%22%3F",
        "100%25_Design",
    ]


@pytest.mark.parametrize("as_list", [True, False])
def test_the_answer_of_a_generator_is_read_too(as_list):
    pages = [
        {"pageid": 2, "title": "Second", "index": 2, "fullurl": "https://en.wikipedia.org/wiki/Second"},
        {
            "pageid": 1,
            "title": "First",
            "index": 1,
            "fullurl": "https://en.wikipedia.org/wiki/First",
            "extract": "One.",
        },
        {"pageid": 3, "title": "Unplaced"},
    ]
    document = {"query": {"pages": pages if as_list else {str(page["pageid"]): page for page in pages}}}
    results = parse(document)
    assert [result.title for result in results] == ["First", "Second", "Unplaced"]
    assert results[0].snippet == "One."
    assert parse({"batchcomplete": ""}) == []


def test_an_error_of_the_api_is_a_failure():
    with pytest.raises(SearchFailed, match="ratelimited: You have exceeded"):
        parse({"error": {"code": "ratelimited", "info": "You have exceeded your rate limit."}})
    with pytest.raises(SearchFailed, match="is this a MediaWiki API"):
        parse({"hello": 1})
