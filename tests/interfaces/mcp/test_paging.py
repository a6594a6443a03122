"""Answers stay within their tokens, and their parts are the whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import UsageError
from research_crawler.interfaces.mcp.tools.paging import Cursor, TokenBudget, first_letters, tokens_as_json

TEXTS = st.lists(
    st.one_of(st.text(max_size=300), st.sampled_from(["A paragraph. Two.\n\n", "字" * 90, "\x00\\\"" * 40, " "])),
    max_size=40,
).map("".join)  # fmt: skip


@given(TEXTS, st.integers(700, 3_000))
def test_the_pages_of_a_text_are_the_text_and_none_costs_more_than_its_room(text, tokens):
    place, pages = 0, []
    while place < len(text):
        budget = TokenBudget(tokens)
        allowed = budget.left
        end = budget.take_text(text, place)
        assert end > place
        pages.append(text[place:end])
        assert tokens_as_json(pages[-1]) <= allowed
        place = end
    assert "".join(pages) == text


@given(st.lists(st.text(max_size=200), max_size=60), st.integers(700, 3_000))
def test_the_pages_of_a_list_are_the_list(items, tokens):
    place, seen = 0, []
    while place < len(items):
        end = TokenBudget(tokens).take_items(items, place, str)
        assert end > place
        seen += items[place:end]
        place = end
    assert seen == items


def test_a_text_is_cut_after_a_paragraph_where_there_is_one():
    text = "\n\n".join("A sentence of a paragraph. " * 4 for _ in range(200))
    end = TokenBudget(2_000).take_text(text, 0)
    assert text[:end].endswith("\n\n")


def test_letters_of_other_scripts_cost_more_than_ascii():
    assert tokens_as_json("字" * 100) > 3 * tokens_as_json("a" * 100)
    assert tokens_as_json('"' * 100) > 1.9 * tokens_as_json("a" * 100)  # as JSON writes them


@given(st.text(max_size=20))
def test_a_cursor_is_one_of_ours_or_refused(text):
    try:
        cursor = Cursor.of(text, ["report", "sources"])
    except UsageError as error:
        assert "no cursor" in str(error)
    else:
        assert text == "" or Cursor.of(str(cursor), ["report", "sources"]) == cursor


def test_the_cursor_of_another_tool_is_refused():
    with pytest.raises(UsageError, match="no cursor"):
        Cursor.of("results:3", ["report", "sources"])


def test_shortened_texts_say_so():
    assert (first_letters("abcdef", 4), first_letters("abcd", 4)) == ("abc…", "abcd")
