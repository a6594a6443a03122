"""Tests of the search index."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.demo.content import Page
from research_crawler.demo.index import MAX_RESULTS, RESULTS_PER_PAGE, SearchIndex, match_expression


def entry(number: int, title: str, text: str) -> tuple[str, Page, str]:
    return f"here:/{number}", Page(host="here", path=f"/{number}", title=title, body=text), text


def test_stop_words_are_left_out() -> None:
    assert match_expression("What is the best way to the harbour?") == '"best" OR "way" OR "harbour"'
    assert match_expression("what is it") == ""


def test_a_title_counts_more_than_the_text() -> None:
    index = SearchIndex([entry(1, "Nothing", "a lighthouse"), entry(2, "Lighthouse", "some text")])
    hits, total = index.search("lighthouse")
    assert [hit.reference for hit in hits] == ["here:/2", "here:/1"]
    assert total == 2


def test_pages_of_results_follow_each_other_up_to_the_limit() -> None:
    index = SearchIndex(entry(number, f"Ship {number}", "a ship") for number in range(80))
    pages = [index.search("ship", number=number)[0] for number in range(1, 7)]
    assert [len(page) for page in pages] == [RESULTS_PER_PAGE] * 5 + [0]
    assert len({hit.reference for page in pages for hit in page}) == MAX_RESULTS


def test_the_snippet_shows_the_words_that_were_looked_for() -> None:
    text = "Nothing to see here. " * 50 + "The keeper kept a bonfire. " + "More of nothing. " * 50
    hits, _ = SearchIndex([entry(1, "Story", text)]).search("bonfire")
    assert "bonfire" in hits[0].snippet
    assert len(hits[0].snippet.split()) < 60


@given(st.text(max_size=60))
def test_any_query_is_a_valid_expression(query: str) -> None:
    SearchIndex([entry(1, "Ship", "a ship")]).search(query)
