"""Credibility of each source with its parts, and diversity of all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sources.credibility import (
    PART_WEIGHTS,
    by_credibility,
    diversity_of,
    freshness,
    with_credibility,
)
from research_crawler.core.models.reports.cited_parts import Source
from tests.cases import each_case

TODAY = "2026-06-01"
DOCS, FORUM, SHOP = (
    "https://docs.example.org/a",
    "https://forum.example.com/t/1",
    "http://shop.example.net/product/2",
)


def a_source(url, *, published="", content="", n=1):
    host = url.split("/")[2]
    return Source(n=n, title="", url=url, host=host, published=published, content_hash=content or url)


def rated(*sources, cited=()):
    return {source.url: source for source in with_credibility(sources, cited, TODAY)}


def test_each_part_is_shown_and_the_sum_is_weighted():
    found = rated(a_source(DOCS, published="2026-05-01"), a_source(SHOP))
    assert found[DOCS].credibility_parts.model_dump() == {
        "authority": 1.0, "https": 1.0, "freshness": 1.0, "cross_references": 0.0,
    }  # fmt: skip
    assert found[DOCS].credibility == pytest.approx(0.7)
    assert found[SHOP].credibility == pytest.approx(0.3 * 0.4 + 0.5 * 0.2)
    assert sum(PART_WEIGHTS.values()) == pytest.approx(1)


def test_sites_that_are_cited_for_the_same_statement_confirm_each_other():
    found = rated(a_source(DOCS), a_source(FORUM), a_source(SHOP), cited=[(DOCS, FORUM), (SHOP,)])
    assert [one.credibility_parts.cross_references for one in found.values()] == [0.5, 0.5, 0.0]


def test_a_copy_and_another_page_of_the_same_site_confirm_nothing():
    mirror, sibling = "https://mirror.example.com/a", "https://www.example.org/b"
    found = rated(
        a_source(DOCS, content="same"),
        a_source(mirror, content="same"),
        a_source(sibling),
        cited=[(DOCS, mirror), (DOCS, sibling)],
    )
    assert {one.credibility_parts.cross_references for one in found.values()} == {0.0}


def test_the_callers_own_file_is_an_authority():
    source = Source(n=1, title="notes", url="file:///notes.md", host="")
    assert rated(source)["file:///notes.md"].credibility_parts.authority == 1.0


def test_sources_are_ordered_by_credibility_and_equal_ones_stay_in_their_order():
    sources = with_credibility([a_source(SHOP), a_source(FORUM), a_source(DOCS)], [], TODAY)
    assert [source.url for source in by_credibility(sources)] == [DOCS, FORUM, SHOP]
    twins = with_credibility([a_source(f"https://{name}.example/x") for name in "cab"], [], TODAY)
    assert [source.url for source in by_credibility(twins)] == [one.url for one in twins]


def test_the_callers_own_files_come_first():
    notes = Source(n=1, title="notes", url="file:///notes.md", host="")
    confirmed = with_credibility([a_source(DOCS, published=TODAY), notes], [(DOCS, FORUM)], TODAY)
    assert [source.url for source in by_credibility(confirmed)] == ["file:///notes.md", DOCS]


@each_case(
    ("published", "expected"),
    [("2026-05-31", 1.0), ("", 0.5), ("yesterday", 0.5), ("1999-01-01", 0.1), ("2030-01-01", 1.0)],
)
def test_freshness_falls_with_age_and_is_half_without_a_date(published, expected):
    assert freshness(published, TODAY) == expected


@given(st.dates(), st.dates())
def test_freshness_never_rises_with_age(one, other):
    older, newer = sorted((one, other))
    assert 0 <= freshness(older.isoformat(), TODAY) <= freshness(newer.isoformat(), TODAY) <= 1


def test_diversity_counts_sites_and_the_same_content_once():
    copies = [a_source(f"https://m{n}.example/x", content="same") for n in range(5)]
    seen = diversity_of([*copies, a_source(DOCS), a_source("https://www.example.org/b")])
    assert (seen.hosts, seen.sources, seen.share, seen.is_enough) == (2, 3, 0.667, True)


def test_diversity_under_the_limit_is_said_and_under_two_sources_not_computed():
    one_site = [a_source(f"https://docs.example.org/{n}") for n in range(3)]
    assert diversity_of(one_site).is_enough is False
    for few in ([], one_site[:1]):
        assert (diversity_of(few).share, diversity_of(few).is_enough) == (None, None)


def test_the_callers_own_files_come_before_more_credible_pages():
    notes = Source(n=9, title="notes", url="file:///notes.md", host="")
    sources = with_credibility([a_source(DOCS, published="2026-05-01"), notes], [], TODAY)
    assert [source.url for source in by_credibility(sources)] == ["file:///notes.md", DOCS]


def test_the_callers_own_files_are_no_sites_of_which_there_could_be_too_few():
    files = [Source(n=n, title="", url=f"file:///{n}.md", host="", content_hash=f"{n}") for n in range(4)]
    assert diversity_of(files).is_enough is None
    assert diversity_of([*files, a_source(DOCS), a_source(FORUM)]).share == 1.0


def test_a_page_that_reads_like_documentation_is_an_authority_unless_its_address_says_what_it_is():
    plain = "https://git.example.org/git-rebase.html"
    kinds = {plain: "documentation", FORUM: "documentation"}
    found = with_credibility([a_source(plain), a_source(FORUM)], [], TODAY, kinds)
    assert [one.credibility_parts.authority for one in found] == [1.0, 0.4]
