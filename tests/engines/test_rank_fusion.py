import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.web.urls import dedupe_key, site_of
from research_crawler.engines.rank_fusion import RANK_CONSTANT, fuse

ADDRESSES = st.builds(
    lambda scheme, prefix, site, path, tail: f"{scheme}://{prefix}{site}/{path}{tail}",
    st.sampled_from(["http", "https"]),
    st.sampled_from(["", "www.", "m."]),
    st.sampled_from(
        ["a.example", "b.example", "c.co.uk", "127.0.0.5:81", "127.0.0.5:82", "d.github.io", "e.github.io"]
    ),
    st.sampled_from(["", "x", "y", "z"]),
    st.sampled_from(["", "/", "?utm_source=q", "#part"]),
)
RESULTS = st.builds(
    SearchResult, url=ADDRESSES, title=st.text("ab", max_size=3), snippet=st.text("ab", max_size=3)
)
LISTS = st.dictionaries(
    st.sampled_from(["searxng", "duckduckgo", "wikipedia"]), st.lists(RESULTS, max_size=8)
)


def found(*urls):
    return [SearchResult(url=url) for url in urls]


def pages(**lists):
    return [result.url for result in fuse(lists, limit=50, per_host=50)]


def essence(results):
    return [result.model_dump(exclude={"fused"}) for result in results]


@given(LISTS, st.permutations(["searxng", "duckduckgo", "wikipedia"]))
def test_the_order_of_the_providers_does_not_matter(lists, order):
    shuffled = {name: lists[name] for name in order if name in lists}
    assert fuse(lists, limit=10, per_host=3) == fuse(shuffled, limit=10, per_host=3)


@given(LISTS, st.integers(0, 12), st.integers(1, 4))
def test_no_page_twice_no_site_over_its_cap_and_no_more_than_asked(lists, limit, per_host):
    fused = fuse(lists, limit=limit, per_host=per_host)
    keys = [dedupe_key(result.url) for result in fused]
    assert len(keys) == len(set(keys)) <= limit
    sites = [site_of(result.url) for result in fused]
    one_site = len({site_of(result.url) for results in lists.values() for result in results}) == 1
    assert one_site or all(sites.count(site) <= per_host for site in sites)
    assert [result.rank for result in fused] == list(range(1, len(fused) + 1))
    assert sorted((result.fused for result in fused), reverse=True) == [result.fused for result in fused]


@given(LISTS)
def test_fusing_again_changes_nothing(lists):
    once = fuse(lists, limit=20, per_host=3)
    assert essence(fuse({"fused": once}, limit=20, per_host=3)) == essence(once)


@given(LISTS)
def test_every_page_keeps_an_address_that_a_provider_returned(lists):
    keys = {dedupe_key(result.url) for results in lists.values() for result in results}
    fused = fuse(lists, limit=100, per_host=100)
    assert {dedupe_key(result.url) for result in fused} == keys


@given(st.integers(0, 6), st.integers(0, 6))
def test_two_providers_never_count_less_than_one_at_the_same_place(place, other_place):
    filler = [f"https://filler{n}.example/" for n in range(20)]
    lists = {
        "one": found(*filler[:place], "https://both.example/"),
        "two": found(*filler[10 : 10 + other_place], "https://both.example/"),
        "three": found(*[f"https://more{n}.example/" for n in range(place)], "https://single.example/"),
    }
    ranked = pages(**lists)
    assert ranked.index("https://both.example/") < ranked.index("https://single.example/")


def test_scores_are_those_of_reciprocal_rank_fusion():
    first, second = fuse(
        {"a": found("https://x.example/", "https://y.example/"), "b": found("https://y.example/")},
        limit=5,
        per_host=3,
    )
    assert (first.url, first.fused) == (
        "https://y.example/",
        pytest.approx(1 / (RANK_CONSTANT + 1) + 1 / (RANK_CONSTANT + 2)),
    )
    assert (second.url, second.fused) == ("https://x.example/", pytest.approx(1 / (RANK_CONSTANT + 1)))


def test_variants_of_one_page_are_one_result_under_the_best_address():
    lists = {
        "a": [SearchResult(url="http://m.x.example/p/", title="P", snippet="long snippet", published="")],
        "b": [SearchResult(url="https://www.x.example/p?utm_source=b", title="A page", snippet="short")],
        "c": [
            SearchResult(
                url="http://x.example/p", title="", snippet="", published="2025-01-02", providers=["z"]
            )
        ],
    }
    [only] = fuse(lists, limit=5, per_host=3)
    assert only.url == "https://www.x.example/p"
    assert (only.title, only.snippet, only.published) == ("A page", "long snippet", "2025-01-02")
    assert only.providers == ["a", "b", "z"]


def test_a_repeat_within_one_list_does_not_count_twice():
    first, second = fuse(
        {"a": found("https://x.example/", "http://x.example", "https://y.example/")}, limit=5, per_host=3
    )
    assert (first.fused, second.fused) == (1 / (RANK_CONSTANT + 1), 1 / (RANK_CONSTANT + 2))


def test_the_cap_per_site_is_hard_and_leaves_room_for_others():
    lists = {"a": found(*[f"https://s{n}.big.test.com/" for n in range(9)], "https://small.org/")}
    assert len(fuse(lists, limit=10, per_host=3)) == 4
    assert fuse(lists, limit=3, per_host=2)[2].url == "https://small.org/"


def test_where_the_web_is_one_site_its_results_are_not_cut():
    lists = {"wiki": found(*[f"https://en.wiki.test.com/{n}" for n in range(9)])}
    assert len(fuse(lists, limit=8, per_host=3)) == 8


def test_addresses_without_a_suffix_are_capped_by_host_and_port():
    lists = {"a": found(*[f"http://127.0.0.1:{port}/{n}" for port in (1, 2) for n in range(4)])}
    assert len(fuse(lists, limit=10, per_host=1)) == 2


def test_disallowed_urls_and_urls_that_are_not_pages_are_left_out():
    lists = {"a": found("https://no.example/", "javascript:1", "https://yes.example/")}
    [only] = fuse(lists, limit=5, per_host=3, allowed=lambda url: "no." not in url)
    assert (only.url, only.rank) == ("https://yes.example/", 1)


def test_no_lists_give_no_results():
    assert fuse({}, limit=5, per_host=3) == fuse({"a": []}, limit=5, per_host=3) == []
