from datetime import date
from urllib.parse import parse_qs, urlsplit

from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.brave import Brave, language_code
from tests.cases import each_case
from tests.engines.keyed_answers import KEY

DAY = date(2026, 11, 20)


def asked(**spec):
    provider = Brave(KEY, today=lambda: DAY)
    requests = provider.requests(SearchSpec(query="honey", **spec))
    return [
        (urlsplit(one.url), {k: v[0] for k, v in parse_qs(urlsplit(one.url).query).items()})
        for one in requests
    ]


async def test_a_search_carries_its_options_and_the_key_in_its_header(engines):
    provider = Brave(f" {KEY} ", f"{engines.base_url}/res/v1", today=lambda: DAY)
    spec = SearchSpec(
        query="honey", language="de-CH", date_restrict="w2", safe_search="strict", max_results=7
    )
    [first, second] = await engines.ask(provider, provider.requests(spec)[0])
    [(method, path, options, headers)] = engines.asked
    assert (method, path, headers["X-Subscription-Token"]) == ("GET", "/res/v1/web/search", KEY)
    assert options == {
        "q": "honey",
        "count": "7",
        "search_lang": "de",
        "country": "CH",
        "safesearch": "strict",
        "freshness": "2026-11-06to2026-11-20",
        "result_filter": "web",
        "text_decorations": "false",
    }
    assert provider.ignores(spec) == []
    assert (first.title, first.snippet) == ("How bees make honey", "Nectar is thickened & stored.")
    assert (first.published, second.published) == ("2026-03-02", "")


@each_case(
    ("restrict", "freshness"),
    [
        ("d1", "pd"),
        ("w1", "pw"),
        ("m1", "pm"),
        ("y1", "py"),
        ("d3", "2026-11-17to2026-11-20"),
        ("", None),
        ("x", None),
    ],
)
def test_a_period_is_met_to_the_day(restrict, freshness):
    [(_, options)] = asked(date_restrict=restrict)
    assert options.get("freshness") == freshness


def test_pages_are_counted_by_offset_and_all_but_the_first_are_optional():
    provider = Brave(KEY)
    requests = provider.requests(SearchSpec(query="x", max_results=45))
    assert [one.further for one in requests] == [False, True, True]
    assert [parse_qs(urlsplit(one.url).query).get("offset") for one in requests] == [None, ["1"], ["2"]]
    assert len(provider.requests(SearchSpec(query="x", max_results=999))) == 10
    assert provider.ignores(SearchSpec(query="x", max_results=999)) == ["max_results (200 at most)"]


def test_image_search_reports_that_it_has_neither_dates_nor_a_moderate_filter():
    [(parts, options)] = asked(vertical="images", date_restrict="w1", max_results=150)
    assert parts.path == "/res/v1/images/search"
    assert options == {"q": "honey", "count": "150", "search_lang": "en", "safesearch": "strict"}
    spec = SearchSpec(query="x", vertical="images", date_restrict="w1")
    assert Brave(KEY).ignores(spec) == ["date_restrict", "safe_search (as strict)"]


def test_long_queries_are_cut_to_what_the_service_accepts():
    [request] = Brave(KEY).requests(SearchSpec(query="word " * 300))
    query = parse_qs(urlsplit(request.url).query)["q"][0]
    assert len(query.split()) == 50 and len(query) <= 400


@each_case(
    ("tag", "code"),
    [("en", "en"), ("en-GB", "en-gb"), ("ja", "jp"), ("zh-TW", "zh-hant"), ("zh", "zh-hans"), ("pt-BR", "pt-br"),
     ("no", "nb"), ("tlh", ""), ("klingon; x", ""), ("", "")],
)  # fmt: skip
def test_languages_are_named_as_the_service_names_them(tag, code):
    assert language_code(tag) == code
    assert Brave(KEY).ignores(SearchSpec(query="x", language=tag)) == ([] if code else ["language"])
