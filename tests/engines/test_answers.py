import json

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.provider_answers import iso_date, plain_text
from research_crawler.engines.providers.duckduckgo import DuckDuckGo
from research_crawler.engines.providers.searxng import SearXNG
from research_crawler.engines.providers.wikipedia import Wikipedia
from tests.cases import each_case

KEYS = [
    "results", "url", "title", "content", "publishedDate", "unresponsive_engines", "query", "search", "pages",
    "snippet", "index", "fullurl", "error", "Results", "RelatedTopics", "Topics", "FirstURL", "Text",
    "AbstractURL", "Heading", "AbstractText",
]  # fmt: skip
SIMPLE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.just("https://a.example/")
)
JSON = st.recursive(
    SIMPLE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=15,
)
BODIES = JSON.map(json.dumps).map(str.encode) | st.binary(max_size=80)
PROVIDERS = [SearXNG("http://s.example"), DuckDuckGo(), Wikipedia()]


@given(BODIES, st.sampled_from([200, 202, 204, 302, 403, 404, 503]))
def test_any_body_is_parsed_to_results_or_raises_search_failed(body, status):
    for provider in PROVIDERS:
        for request in provider.requests(SearchSpec(query="x")):
            try:
                results = provider.parse(request, status=status, headers={}, body=body)
            except SearchFailed:
                continue
            assert all(
                result.url.startswith("http") and result.providers == [provider.name] for result in results
            )


@each_case(
    ("value", "date"),
    [
        ("2025-03-02T10:00:00", "2025-03-02"), ("2025-03-02", "2025-03-02"),
        ("\xa0 \xa0 2025-12-30T00:00", "2025-12-30"),
        ("2 March 2025", ""), ("", ""), (None, ""), (20250302, ""), ("٢٠٢٥-٠٣-٠٢", ""),
    ],
)  # fmt: skip
def test_a_date_is_read_from_a_timestamp(value, date):
    assert iso_date(value) == date


def test_text_has_no_tags_entities_or_runs_of_space():
    assert plain_text("<b>Wax</b> &amp;\n  honey&nbsp;comb") == "Wax & honey comb"
    assert plain_text(None) == plain_text(3) == ""
