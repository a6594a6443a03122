import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.manual_words import in_manual_words, manual_words, with_manual_words
from research_crawler.text.query_words import query_words


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How big can a silo get?", {"maximum", "size"}),
        ("How long may a label be?", {"maximum", "length"}),
        ("How many boats can be moored at the same time?", {"maximum", "number", "concurrent"}),
        ("Does the pump start by itself?", {"automatically"}),
        ("How do I have it watered every night?", {"scheduled", "daily", "task"}),
        ("How can I take my last order back?", {"undo", "revert"}),
        ("How do I throw away my drafts and get the old text back?", {"discard", "restore"}),
        ("How can I put a stamp in?", {"add", "include"}),
        ("How do I get rid of the old stuff in a folder?", {"remove", "unnecessary", "directory"}),
        ("Can I give it a fixed address?", {"static"}),
    ],
)
def test_everyday_ways_of_asking_have_the_words_of_manuals(asked, said):
    assert set(manual_words(asked).split()) == said
    assert with_manual_words(asked) == f"{asked} ({manual_words(asked)})"
    assert said <= set(query_words(asked))


@pytest.mark.parametrize(
    "asked",
    [
        "How big is the tower?",
        "How long does a visit take?",
        "How many people live in Marrow?",
        "Who fixed the clock?",
        "When would I put one in front of a shop?",
        "What is the maximum size of a table?",
        "Wie groß darf eine Tabelle sein?",
        "",
    ],
)
def test_a_question_that_asks_for_something_else_is_left_as_it_is(asked):
    assert in_manual_words(asked) == asked
    assert with_manual_words(asked) == asked


def test_what_a_question_asks_of_stays_in_its_search():
    assert query_words("How can I take back my most recent Orlo order?") == [
        "undo",
        "revert",
        "recent",
        "Orlo",
        "order",
    ]


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_is_not_changed_twice(text):
    assert with_manual_words(with_manual_words(text)) == with_manual_words(text)
    assert in_manual_words(text) is not None
