import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.any_wording.asked import asked_answer_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How old was Ines Corvo when her first novel appeared?", "amount"),
        ("By how many votes was the Harwell bill passed?", "amount"),
        ("When did Torvall abbey burn down?", "time"),
        ("Who designed the Calloway viaduct?", "who"),
        ("Where is the explorer Magnus Reil buried?", "where"),
        ("Which organ does the Morley parasite attack?", "thing"),
        ("Can hedgehogs drink milk?", "yes_no"),
    ],
)
def test_a_question_tells_of_which_kind_its_answer_is(question, kind):
    asked = asked_answer_of(question)
    assert asked and asked.kind == kind


@pytest.mark.parametrize(
    "question",
    [
        "Why did the Penhallow mine close?",
        "Which headers does the Sieve proxy add?",
        "Compare tea and coffee.",
    ],
)
def test_what_may_have_several_answers_has_no_kind(question):
    assert asked_answer_of(question) is None


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How much does the Hask drill weigh?", "g"),
        ("How long does the ferry to Skerry take?", "second"),
        ("How much is the toll on the Kessock causeway?", "gbp"),
        ("What share of Dorne's electricity comes from wind?", "%"),
        ("How many kilometres can the Ion scooter go on one charge?", "m"),
        ("How much fuel does the Brava tank hold?", "l"),
    ],
)
def test_a_question_tells_the_units_of_its_amount(question, unit):
    asked = asked_answer_of(question)
    assert asked and unit in asked.units


@given(st.text(max_size=200))
def test_any_text_is_a_question_of_some_kind_or_none(text):
    asked = asked_answer_of(text)
    assert asked is None or asked.question == text
