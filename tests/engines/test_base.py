from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.engines.provider import ProviderRequest, joined_results, provider_slots
from research_crawler.engines.providers.brave import Brave
from research_crawler.engines.providers.duckduckgo import DuckDuckGo
from research_crawler.engines.providers.tavily import Tavily
from research_crawler.engines.providers.wikipedia import Wikipedia

PAGE_1 = ProviderRequest(url="https://s.example/?p=1", service=True)
PAGE_2 = ProviderRequest(url="https://s.example/?p=2", service=True)
EXTRA = ProviderRequest(url="https://s.example/extra", service=False, extra=True)


def results(*urls):
    return [SearchResult(url=url) for url in urls]


def urls(answers, max_results):
    return [result.url for result in joined_results(answers, max_results)]


def test_pages_follow_each_other_without_repeats():
    answers = [
        (PAGE_1, results("https://a.example/", "https://b.example/")),
        (PAGE_2, results("http://www.b.example", "https://c.example/")),
    ]
    assert urls(answers, 10) == ["https://a.example/", "https://b.example/", "https://c.example/"]


def test_extra_results_come_last_and_are_not_counted():
    answers = [
        (
            EXTRA,
            results("https://x.example/", "https://a.example/", "https://y.example/", "https://z.example/"),
        ),
        (PAGE_1, results("https://a.example/", "https://b.example/", "https://c.example/")),
    ]
    assert urls(answers, 2) == [
        "https://a.example/",
        "https://b.example/",
        "https://x.example/",
        "https://y.example/",
    ]


def test_results_without_a_page_url_are_left_out():
    assert urls([(PAGE_1, results("mailto:a@b.example", ""))], 5) == []


def test_services_have_slots_of_their_own_but_those_without_a_key_share_the_slot_of_their_host():
    spec = SearchSpec(query="x", language="de")
    apart = [Brave("k"), Tavily("k"), DuckDuckGo(), Wikipedia()]
    keyless = {"duckduckgo", "wikipedia"}
    assert provider_slots(apart, spec, of_host=keyless) == {
        "brave": "brave@api.search.brave.com",
        "tavily": "tavily@api.tavily.com",
        "duckduckgo": "html.duckduckgo.com",
        "wikipedia": "de.wikipedia.org",
    }
    base = "http://127.0.0.1"
    together = [Brave("k", f"{base}:1"), Tavily("k", f"{base}:2"), DuckDuckGo(f"{base}:3")]
    assert provider_slots(together, spec, of_host=keyless) == {
        "brave": "brave@127.0.0.1",
        "tavily": "tavily@127.0.0.1",
        "duckduckgo": "127.0.0.1",
    }


def test_a_shown_url_masks_the_argument_that_holds_the_key():
    named = ProviderRequest(url="https://h/?q=a&token=hush&n=1", service=True, key_argument="token")
    assert named.shown_url == "https://h/?q=a&token=***&n=1"
    assert ProviderRequest(url="https://h/?key=hush", service=True).shown_url == "https://h/?key=***"
