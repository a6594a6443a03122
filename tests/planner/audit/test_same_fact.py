import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.same_fact import Stated, differing, differing_dates, is_contrary, is_same_fact

TALL = "The Skelder lighthouse is 43 metres tall."


@pytest.mark.parametrize(
    "other",
    [
        "Skelder lighthouse: height 43 metres.",
        "The lighthouse of Skelder is 43 metres tall, they say in the village.",
        "At 43 metres, the Skelder lighthouse is tall.",
    ],
)
def test_another_wording_with_the_same_names_and_figures_is_the_same_fact(other):
    assert is_same_fact(Stated(TALL), Stated(other))


@pytest.mark.parametrize(
    "other",
    [
        "The Skelder lighthouse is 41 metres tall.",
        "The Skelder lighthouse is not 43 metres tall.",
        "The Marrowby lighthouse is 43 metres tall.",
        "The Skelder lighthouse is 43 feet tall.",
        "Buy 43 tokens of the Skelder lighthouse now, it is the best offer.",
    ],
)
def test_another_figure_name_unit_or_negation_is_another_fact(other):
    assert not is_same_fact(Stated(TALL), Stated(other))


def test_two_numbers_of_one_unit_for_the_same_thing_differ():
    found = differing(Stated(TALL), Stated("The Skelder lighthouse is 41 metres tall."))
    assert found
    assert [figure.values for figure in found] == [(43.0,), (41.0,)]


@pytest.mark.parametrize(
    "other",
    [
        "The Skelder lighthouse is about 43 metres tall.",
        "The Skelder lighthouse is more than 40 metres tall.",
        "The Skelder lighthouse is 4300 cm tall.",
        "The Skelder lighthouse is 41 metres tall on average, with the tide.",
        "The Skelder lighthouse weighs 200 tonnes.",
        "The Marrowby lighthouse is 41 metres tall.",
    ],
)
def test_a_bound_an_estimate_or_another_unit_is_no_difference(other):
    assert differing(Stated(TALL), Stated(other)) is None


def test_two_days_for_the_same_thing_differ():
    one = Stated("The Skelder bridge reopens for cars on 3 May 2026.")
    assert differing_dates(one, Stated("The Skelder bridge reopens for cars on 30 November 2026."))
    assert differing_dates(one, Stated("The Skelder bridge reopens for cars in May 2026.")) is None


def test_a_denial_is_contrary_and_a_qualification_is_not():
    denies = Stated("Logical replication does not replicate DDL commands.")
    assert is_contrary(denies, Stated("Logical replication replicates DDL commands."))
    assert not is_contrary(denies, Stated("Logical replication may replicate DDL commands."))
    assert not is_contrary(denies, Stated("Logical replication does not replicate sequences."))


@given(
    st.sampled_from([TALL, "Git refuses to do so.", "It costs $5 in May 2020.", "", "…"]),
    st.text(max_size=60),
)
def test_comparing_is_symmetric(one, other):
    first, second = Stated(one), Stated(other)
    assert is_same_fact(first, second) == is_same_fact(second, first)
    assert is_contrary(first, second) == is_contrary(second, first)
    assert (differing(first, second) is None) == (differing(second, first) is None)


@pytest.mark.parametrize(
    ("denies", "says", "is_one"),
    [
        (
            "Unlike apt and aptitude, apt-get doesn't know the full-upgrade command.",
            'The use of "apt full-upgrade" or "apt-get dist-upgrade" is recommended for it.',
            False,
        ),
        ("The Orlin lamp does not float in water.", "The Orlin lamp works in water.", False),
        ("The Orlin lamp does not support dimming.", "The Orlin lamp comes with dimming.", True),
        ("The Orlin lamp is not really waterproof.", "The Orlin lamp is waterproof.", True),
        ("The Orlin lamp has no battery.", "The Orlin lamp has a battery.", True),
        ("Never charge the Orlin lamp overnight.", "Charge the Orlin lamp overnight.", True),
        ("Die Orlin-Lampe leuchtet im Wasser nicht.", "Die Orlin-Lampe leuchtet im Wasser.", True),
    ],
)
def test_only_what_a_statement_says_can_be_denied(denies, says, is_one):
    assert is_contrary(Stated(denies), Stated(says)) == is_one
