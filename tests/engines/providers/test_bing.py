from datetime import date
from urllib.parse import parse_qs, urlsplit

from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.bing import Bing
from tests.cases import each_case
from tests.engines.keyed_answers import KEY

DAY = date(2026, 11, 20)


def options_of(request):
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


async def test_a_search_carries_its_options_and_the_key_in_its_header(engines):
    provider = Bing(KEY, f"{engines.base_url}/v7.0/search", today=lambda: DAY)
    spec = SearchSpec(query="honey", language="de-CH", date_restrict="y1", max_results=70)
    requests = provider.requests(spec)
    [first, _] = await engines.ask(provider, requests[0])
    [(method, path, asked, headers)] = engines.asked
    assert (method, path, headers["Ocp-Apim-Subscription-Key"]) == ("GET", "/v7.0/search", KEY)
    assert asked == {
        "q": "honey",
        "count": "50",
        "offset": "0",
        "mkt": "de-CH",
        "safeSearch": "Moderate",
        "freshness": "2025-11-20..2026-11-20",
        "responseFilter": "Webpages",
    }
    assert (options_of(requests[1])["offset"], options_of(requests[1])["count"]) == ("50", "20")
    assert requests[1].further and provider.ignores(spec) == []
    assert first.published == "2026-03-02"


@each_case(
    ("vertical", "restrict", "freshness", "ignored"),
    [
        ("web", "w1", "Week", []),
        ("web", "d3", "2026-11-17..2026-11-20", []),
        ("web", "never", None, ["date_restrict"]),
        ("news", "d3", "Week", ["date_restrict (widened to week)"]),
        ("news", "d1", "Day", []),
        ("images", "m6", None, ["date_restrict"]),
    ],
)
def test_a_period_is_met_or_reported_as_ignored(vertical, restrict, freshness, ignored):
    provider, spec = (
        Bing(KEY, today=lambda: DAY),
        SearchSpec(query="x", vertical=vertical, date_restrict=restrict),
    )
    assert options_of(provider.requests(spec)[0]).get("freshness") == freshness
    assert provider.ignores(spec) == ignored


def test_a_language_without_a_market_is_left_out_and_reported():
    spec = SearchSpec(query="x", language="tlh")
    assert "mkt" not in options_of(Bing(KEY).requests(spec)[0])
    assert Bing(KEY).ignores(spec) == ["language"]
