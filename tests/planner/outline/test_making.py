import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from planner.goal.report_language import report_language
from planner.outline.making import first_outline, leaf_texts
from planner.outline.parts import MOST_SUB_QUESTIONS, question_parts
from research_crawler.text.languages.words import terms

QUESTIONS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))["questions"]
WORDS = ["how", "tall", "?", "and", "who", "Orlo", "X2", ",", ";", "vs", "\n- ", "wann", "und"]


def test_questions_are_split_where_a_reader_answers_separately_and_hardly_ever_elsewhere():
    found = [len(question_parts(one["text"], report_language(one["text"]))) for one in QUESTIONS]
    wrong = [one["text"] for one, n in zip(QUESTIONS, found, strict=True) if n != one["parts"]]
    assert not [one["text"] for one, n in zip(QUESTIONS, found, strict=True) if n > one["parts"]]
    assert len(wrong) <= 4, wrong


def test_a_simple_question_has_one_leaf_with_its_words_as_the_query():
    (leaf,) = first_outline("How do heat pumps work in winter?", by="extractive").leaves
    assert (leaf.id, leaf.question, leaf.state) == ("1.1", "How do heat pumps work in winter?", "open")
    assert leaf.query == "heat pumps work winter"


def test_each_part_is_searched_with_the_names_of_the_question():
    question = "How tall is the Skelder lighthouse, and can it be visited?"
    tall, visited = first_outline(question, by="x").leaves
    assert (tall.question, visited.question) == ("How tall is the Skelder lighthouse?", "Can it be visited?")
    assert set(terms("Skelder lighthouse visited")) <= set(terms(visited.query))


def test_a_part_about_another_thing_is_searched_without_the_names_of_the_first():
    question = "When does the Marrowby tram open, and what is error E47 of a Brightwell dishwasher?"
    _, error = first_outline(question, by="x").leaves
    assert set(error.query.split()) == {"E47", "Brightwell", "error", "dishwasher"}


def test_each_side_of_a_comparison_has_a_leaf():
    assert [leaf.question for leaf in first_outline("rebase vs merge", by="x").leaves] == ["Rebase", "Merge"]


def test_a_question_is_searched_with_the_words_of_what_happened_before():
    (leaf,) = first_outline("I spilled ink on my oak desk. How do I get it off?", by="x").leaves
    assert leaf.question == "How do I get it off?"
    assert {"spilled", "ink", "oak", "desk"} <= set(leaf.query.split())
    assert "ink" in leaf_texts([leaf])[0]


@given(st.text(max_size=400) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_every_question_has_an_outline_with_distinct_ids(question):
    ids = [leaf.id for leaf in first_outline(question, by="x").leaves]
    assert 1 <= len(ids) == len(set(ids)) <= 2 * MOST_SUB_QUESTIONS


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_the_words_of_the_parts_are_those_of_the_question(question):
    words = set(question.lower().split())
    for part in question_parts(question):
        assert set(part.lower().split()) <= words | {word.strip(",;?") for word in words}
