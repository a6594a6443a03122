"""A question names the noun whose value it wants, or asks what a thing is or does."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.questions.asked_nouns import asked_nouns, asks_description
from tests.cases import each_case


@each_case(
    ("text", "nouns"),
    [
        ("In which version was it introduced?", ["version"]),
        ("What is its default value?", ["default", "value"]),
        ("Who is the designer?", ["designer"]),
        ("date of birth", ["date"]),
        ("When can it be set?", []),
        ("What does the setting do?", []),
    ],
)
def test_the_noun_of_a_question_is_told(text, nouns):
    assert asked_nouns(text) == nouns


@each_case(
    ("text", "is_description"),
    [
        ("What does the setting do?", True),
        ("what it does", True),
        ("What is it for?", True),
        ("Purpose", True),
        ("What does it cost?", False),
        ("error description", False),
        ("Who is it for?", False),
        ("What is its default value?", False),
    ],
)
def test_a_question_for_what_a_thing_does_is_told_from_one_for_a_value(text, is_description):
    assert asks_description(text) is is_description


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text):
    assert all(word in text.lower().replace("’", "'") for word in asked_nouns(text))
    assert asks_description(text) in (True, False)
