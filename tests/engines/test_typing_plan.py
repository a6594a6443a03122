from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.browser_typed import BrowserTyped
from research_crawler.engines.typing_plan import plan_typing
from tests.engines.result_page_samples import EXPECTED, PAGES


@given(st.text(max_size=60), st.randoms(use_true_random=False))
def test_every_pause_stays_in_its_range(query, random):
    plan = plan_typing("https://find.example/", query, draw=random.randint)
    assert 3_000 <= plan.before_ms <= 5_000 and 2_000 <= plan.results_ms <= 3_000
    assert len(plan.keys_ms) == len(query) and all(50 <= pause <= 150 for pause in plan.keys_ms)
    assert plan.total_ms == plan.before_ms + sum(plan.keys_ms) + plan.results_ms


def test_a_search_is_a_typing_plan_and_not_a_download():
    provider = BrowserTyped()
    [request] = provider.requests(SearchSpec(query="honey  bees\n"))
    assert request.typed and request.typed.query == "honey bees"
    assert request.url == request.typed.home_url == "https://www.mojeek.com/"
    assert not request.service and not request.configured
    assert BrowserTyped("http://127.0.0.1:1/").requests(SearchSpec(query="x"))[0].configured
    assert provider.requests(SearchSpec(query="x", vertical="news")) == []
    spec = SearchSpec(query="x", max_results=20, date_restrict="d1", language="de")
    assert provider.ignores(spec) == ["max_results (one page)", "date_restrict", "language", "safe_search"]


def test_the_page_that_the_browser_shows_is_read():
    provider = BrowserTyped("https://www.bing.com/")
    page_url, html = PAGES["bing"]
    results = provider.parse(
        provider.requests(SearchSpec(query="honey"))[0],
        status=200,
        headers={"content-location": page_url},
        body=html.encode(),
    )
    assert [(one.url, one.title, one.snippet) for one in results] == EXPECTED
    assert results[0].providers == ["browser"]
