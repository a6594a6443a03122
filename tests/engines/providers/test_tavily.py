import json
import os
from datetime import date
from pathlib import Path

import pytest

from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.tavily import Tavily
from tests.engines.keyed_answers import KEY

DATA = Path(os.environ.get("RESEARCH_TEST_DATA") or Path(__file__).parents[3] / "../shared/data") / "serp"


def recorded():
    yaml = pytest.importorskip("yaml")
    path = DATA / "tavily_search.yaml"
    if not path.is_file():
        pytest.skip(f"no tavily_search.yaml in {DATA}; set RESEARCH_TEST_DATA")
    return yaml.safe_load(path.read_text(encoding="utf-8"))["interactions"][0]


async def test_a_search_carries_its_options_and_the_key_in_its_header(engines):
    provider = Tavily(KEY, f"{engines.base_url}/tavily/search", today=lambda: date(2026, 11, 20))
    spec = SearchSpec(query="honey", vertical="news", date_restrict="d3", safe_search="off", max_results=50)
    [first, _] = await engines.ask(provider, provider.requests(spec)[0])
    [(method, path, asked, headers)] = engines.asked
    assert (method, path, headers["Authorization"]) == ("POST", "/tavily/search", f"Bearer {KEY}")
    assert asked == {
        "query": "honey",
        "topic": "news",
        "search_depth": "basic",
        "max_results": 20,
        "start_date": "2026-11-17",
    }
    assert provider.ignores(spec) == ["max_results (20 at most)"]
    assert (first.published, first.snippet) == ("2026-11-19", "A bad summer.")


def test_a_period_with_a_name_goes_by_its_name():
    [request] = Tavily(KEY).requests(SearchSpec(query="x", date_restrict="m1"))
    assert json.loads(request.body)["time_range"] == "month"
    assert Tavily(KEY).ignores(SearchSpec(query="x", date_restrict="q1", language="de")) == [
        "date_restrict",
        "language",
        "safe_search",
    ]


def test_a_recorded_exchange_gives_the_same_request_and_results():
    exchange = recorded()
    provider = Tavily(KEY)
    [request] = provider.requests(SearchSpec(query="What is Pydantic AI?", max_results=5))
    asked, was = json.loads(request.body), exchange["request"]
    assert (request.method, request.url) == (was["method"], was["uri"])
    assert {name: asked[name] for name in was["parsed_body"]} == was["parsed_body"]
    answer = exchange["response"]["parsed_body"]
    results = provider.parse(request, status=200, headers={}, body=json.dumps(answer).encode())
    assert len(results) == len(answer["results"]) == 5
    assert [one.title for one in results] == [one["title"] for one in answer["results"]]
    assert results[1].url == "https://ai.pydantic.dev/" and all(one.snippet for one in results)
