from hypothesis import given
from hypothesis import strategies as st

from planner.outline.making import MOST_LEAVES, first_outline, is_topic, leaf_texts
from research_crawler.text.words import terms


def test_a_simple_question_has_one_leaf_with_its_words_as_the_query():
    outline = first_outline("How do heat pumps work in winter?", by="extractive")
    (leaf,) = outline.leaves
    assert (leaf.id, leaf.question, leaf.state) == ("1.1", "How do heat pumps work in winter?", "open")
    assert leaf.query == "heat pumps work winter"


def test_each_part_is_searched_with_the_names_of_the_question():
    question = "How tall is the Skelder lighthouse, and can it be visited?"
    tall, visited = first_outline(question, by="x").leaves
    assert (tall.question, visited.question) == ("How tall is the Skelder lighthouse?", "Can it be visited?")
    assert set(terms("Skelder lighthouse visited")) <= set(terms(visited.query))
    assert leaf_texts([visited]) == ["Can it be visited? (Skelder tall lighthouse)"]


def test_a_number_belongs_to_the_queries_of_all_parts_only_if_it_is_part_of_a_name():
    *_, opens = first_outline("What does a ticket cost and when does line 7 open?", by="x").leaves
    assert leaf_texts([opens]) == ["When does line 7 open? (ticket cost)"]
    *_, default = first_outline("What does Orlo 15 store, and what is the default size?", by="x").leaves
    assert {"Orlo", "15"} <= set(default.query.split())


def test_a_part_about_another_thing_is_searched_without_the_names_of_the_first():
    question = "When does the Marrowby tram open, and what is error E47 of a Brightwell dishwasher?"
    _, error = first_outline(question, by="x").leaves
    assert error.query.split() == ["E47", "Brightwell", "error", "dishwasher"]


def test_only_what_asks_nothing_is_a_topic():
    assert is_topic("heat pumps")
    assert is_topic("the history of the Skelder lighthouse")
    assert not is_topic("How do heat pumps work?")
    assert not is_topic("pros and cons of heat pumps")


@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from(["how", "tall", "?", "and", "who", "Orlo", "X2", ","])).map(" ".join)
)
def test_every_question_has_an_outline_with_distinct_ids(question):
    outline = first_outline(question, by="x")
    ids = [leaf.id for leaf in outline.leaves]
    assert 1 <= len(ids) == len(set(ids)) <= MOST_LEAVES


def test_a_question_is_searched_with_the_words_of_what_happened_before():
    (leaf,) = first_outline("I spilled ink on my oak desk. How do I get it off?", by="x").leaves
    assert leaf.question == "How do I get it off?"
    assert {"spilled", "ink", "oak", "desk"} <= set(leaf.query.split())
    assert "ink" in leaf_texts([leaf])[0]


def test_a_leaf_is_compared_with_the_words_of_manuals_too():
    leaves = first_outline("How big can a silo get, and who built the first one?", by="x").leaves
    assert leaf_texts(leaves)[0] == "How big can a silo get? (maximum size)"


def test_the_query_of_a_leaf_has_each_word_once_and_an_option_words_of_its_part():
    question = "What is the difference between git reset --soft, --mixed and --hard?"
    for leaf in first_outline(question, by="x").leaves:
        words = [word.lstrip("-") for word in leaf.query.split()]
        assert len(words) == len(set(words))
        assert {"git", "reset"} <= set(words)
