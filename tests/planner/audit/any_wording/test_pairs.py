import pytest

from tests.planner.audit.test_conflicts import found, page


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # a label, and what was measured
        (
            "How much does the Hask drill weigh?",
            page("Chuck: 13 mm. Weight: 1.4 kg.", "a", title="Hask drill"),
            page("On our own scale the Hask drill came to 1.9 kg, which you notice overhead.", "b"),
        ),
        # ages, shares and frequencies
        (
            "What share of Dorne's electricity comes from wind?",
            page("A third of the electricity that Dorne uses is produced by wind turbines.", "a"),
            page("Wind stands for 58 % of the electricity of Dorne.", "b"),
        ),
        (
            "How often should the filter of the Brisa fan be changed?",
            page("Change the filter of the Brisa fan every three months.", "a"),
            page("The filter of the Brisa fan should be replaced once a year.", "b"),
        ),
        # what another clause adds limits nothing
        (
            "How many votes did the Harwell bill get?",
            page("The Harwell bill got 61 votes, which surprised many.", "a"),
            page("With 48 votes, the Harwell bill was passed before midnight.", "b"),
        ),
        # years of a life
        (
            "When did the painter Ilan Roth die?",
            page("Ilan Roth passed away in his studio in 1957.", "a"),
            page("Ilan Roth (1889–1961) left more than 300 works.", "b"),
        ),
    ],
)
async def test_answers_in_any_wording_contradict_each_other(embedder, question, one, other):
    assert [pair.kind for pair in await found(embedder, question, one, other)] == ["contradiction"]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # of a variant in the title, a group of people, a condition, another scope
        (
            "How much does the Onda watch weigh?",
            page("Weight: 41 g. Glass: sapphire.", "a", title="Onda Classic"),
            page("Weight: 63 g. Glass: mineral.", "b", title="Onda Solar"),
        ),
        (
            "What does the entrance to Bry castle cost?",
            page("The entrance to Bry castle costs 9 euros.", "a"),
            page("Children pay 4 euros for the entrance to Bry castle.", "b"),
        ),
        (
            "How long does the Skarn tour take?",
            page("The Skarn tour takes three hours on foot.", "a"),
            page("If you take the boat, the Skarn tour is over in 40 minutes.", "b"),
        ),
        # nothing tells what is asked
        (
            "When was Mayor Dahl elected?",
            page("Dahl was elected mayor in 2016.", "a"),
            page("Dahl had sat on the council from 2008.", "b"),
        ),
        # one of several, and one in another script
        (
            "What metal is the Sorn bell made from?",
            page("The Sorn bell is made from copper and tin.", "a"),
            page("For the Sorn bell zinc was melted.", "b"),
        ),
        # the same in other units
        (
            "How much does the Marl anchor weigh?",
            page("Weight: 10 kg.", "a", title="Marl anchor"),
            page("The Marl anchor weighs 22 lb.", "b"),
        ),
    ],
)
async def test_what_answers_for_another_case_contradicts_nothing(embedder, question, one, other):
    assert await found(embedder, question, one, other) == []
