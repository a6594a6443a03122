from urllib.parse import parse_qs, urlsplit

from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.google import Google
from tests.cases import each_case
from tests.engines.keyed_answers import ENGINE_ID, KEY


def options_of(request):
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


async def test_a_search_carries_key_engine_and_options(engines):
    provider = Google(KEY, ENGINE_ID, f"{engines.base_url}/customsearch/v1")
    spec = SearchSpec(query="honey", language="de", date_restrict="m6", safe_search="strict", max_results=7)
    [first, _] = await engines.ask(provider, provider.requests(spec)[0])
    [(method, path, asked, _)] = engines.asked
    assert (method, path) == ("GET", "/customsearch/v1")
    assert asked == {
        "key": KEY,
        "cx": ENGINE_ID,
        "q": "honey",
        "num": "7",
        "start": "1",
        "dateRestrict": "m6",
        "safe": "active",
        "lr": "lang_de",
        "hl": "de",
    }
    assert provider.ignores(spec) == []
    assert (first.snippet, first.published) == ("Nectar is thickened & stored.", "2026-03-02")


def test_results_come_by_tens_and_a_hundred_at_most():
    requests = Google(KEY, ENGINE_ID).requests(SearchSpec(query="x", max_results=25))
    assert [(options_of(one)["start"], options_of(one)["num"]) for one in requests] == [
        ("1", "10"),
        ("11", "10"),
        ("21", "5"),
    ]
    assert [one.further for one in requests] == [False, True, True]
    many = SearchSpec(query="x", max_results=500)
    assert len(Google(KEY, ENGINE_ID).requests(many)) == 10
    assert Google(KEY, ENGINE_ID).ignores(many)[0] == "max_results (100 at most)"


def test_images_are_supported_and_news_are_not():
    [request] = Google(KEY, ENGINE_ID).requests(SearchSpec(query="x", vertical="images"))
    assert options_of(request)["searchType"] == "image"
    assert Google(KEY, ENGINE_ID).requests(SearchSpec(query="x", vertical="news")) == []


@each_case(
    ("language", "restriction"),
    [("en", "lang_en"), ("he", "lang_iw"), ("zh-HK", "lang_zh-TW"), ("tlh", None)],
)
def test_languages_are_restricted_where_google_can(language, restriction):
    spec = SearchSpec(query="x", language=language, safe_search="off", date_restrict="d0")
    [request] = Google(KEY, ENGINE_ID).requests(spec)
    assert options_of(request).get("lr") == restriction and "dateRestrict" not in options_of(request)
    assert Google(KEY, ENGINE_ID).ignores(spec) == ["date_restrict", *([] if restriction else ["language"])]


def test_the_shown_url_of_a_request_masks_the_key():
    [request] = Google(KEY, ENGINE_ID).requests(SearchSpec(query="x"))
    assert "key=***&" in request.shown_url and KEY not in request.shown_url and KEY in request.url
