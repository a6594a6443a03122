import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.outline.grammar import grammar_of
from planner.outline.parts import MOST_THINGS, parts_of

ENGLISH = grammar_of("en")


def asked(question, grammar=ENGLISH):
    return [(part.title, list(part.questions)) for part in parts_of(question, grammar)]


def test_each_compared_thing_is_asked_in_each_aspect():
    assert asked("Compare oak, ash and elm for hardness, weight and price") == [
        (aspect, [f"{wood}: {aspect}" for wood in ("oak", "ash", "elm")]) for aspect in ("hardness", "weight", "price")
    ]  # fmt: skip
    assert asked("differences between oak and ash in terms of weight and price") == [
        ("weight", ["oak: weight", "ash: weight"]),
        ("price", ["oak: price", "ash: price"]),
    ]


def test_a_comparison_without_aspects_asks_about_each_thing():
    assert asked("What is the difference between the L and END flags of a rule?")[0][1] == [
        "L flags – rule",
        "END flags – rule",
    ]
    assert asked("oak vs. ash for floors")[0][1] == ["oak – floors", "ash – floors"]
    assert asked("Unterschied zwischen Eiche und Esche", grammar_of("de"))[0][1] == ["Eiche", "Esche"]


def test_each_attribute_of_a_thing_is_asked():
    assert asked("What are the height, weight and price of the Orlo Lynx?")[0][1] == [
        "height of the Orlo Lynx",
        "weight of the Orlo Lynx",
        "price of the Orlo Lynx",
    ]


def test_options_and_settings_that_are_asked_for_together_are_asked_for_one_by_one():
    for question, expected in (
        (
            "What do git reset --soft, --mixed and --hard each do to the index?",
            ["--soft – git reset index", "--mixed – git reset index", "--hard – git reset index"],
        ),
        (
            "How do max_pumps and max_walruses affect Orlo?",
            ["max_pumps – affect Orlo", "max_walruses – affect Orlo"],
        ),
    ):
        ((_, questions),) = asked(question)
        assert list(questions) == expected


@pytest.mark.parametrize(
    "question",
    [
        "When should I use an annotated rather than a plain tag?",
        "What are the causes of the war?",
        "Which of the ways of cooking and eating rice is healthy?",
        "How do I choose between them?",
        "Compare the new tower",
    ],
)
def test_what_lists_nothing_is_one_question(question):
    ((_, questions),) = asked(question)
    assert len(questions) == 1


@given(
    st.lists(
        st.sampled_from(["compare", "between", "A", "B", "and", "or", "for", "of", "vs", ",", "price"]),
        max_size=14,
    )
)
def test_no_list_gives_more_things_than_it_may(words):
    for part in parts_of(" ".join(words), ENGLISH):
        assert 1 <= len(part.questions) <= MOST_THINGS**2
        assert all(question.strip() for question in part.questions)
        assert len(set(part.questions)) == len(part.questions)


def test_a_plural_after_kinds_of_it_is_of_all_kinds():
    assert asked("What is the difference between single and double quotes in Orlo?")[0][1] == [
        "single quotes – Orlo",
        "double quotes – Orlo",
    ]
    assert asked("What is the difference between cats and guinea pigs?")[0][1] == ["cats", "guinea pigs"]
