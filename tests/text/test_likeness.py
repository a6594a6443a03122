"""Sentences of two pages that may be shown as similar."""

import pytest

from research_crawler.text.likeness import says_the_same_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Skelder lighthouse is 43 metres tall.", "Skelder lighthouse: height 43 metres."),
        ("It costs 1,200 euros.", "The price is 1200 euros."),
        ("Der Turm ist 43,5 m hoch.", "Hoch ist der Turm, 43.5 m."),
    ],
)
def test_the_same_names_and_figures_agree(one, other):
    assert says_the_same_of(one, other)
    assert says_the_same_of(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Kestrel 300 lasts 9 hours.", "The Kestrel 310 lasts 9 hours."),
        ("It lasts 5 minutes.", "It lasts 9 minutes."),
        ("The lock of Abus costs 43 euros.", "The lock of Trelock costs 43 euros."),
        ("It is safe to use.", "It is not safe to use."),
        ("It weighs 1.5 kg.", "It weighs 15 kg."),
        ("It weighs 3 kg.", "It weighs 3 kg and costs 80 euros."),
    ],
)
def test_another_name_figure_or_negation_does_not_agree(one, other):
    assert not says_the_same_of(one, other)
    assert not says_the_same_of(other, one)
