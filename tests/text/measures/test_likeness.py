"""Sentences of two pages that may be shown as similar."""

import pytest

from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import (
    coverage,
    in_common,
    says_the_same_of,
    shared,
    word_coverage,
)
from tests.cases import each_case


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


@each_case(
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


def test_shares_of_words_count_what_is_wanted_what_is_shared_and_what_is_in_common():
    assert word_coverage(terms("battery life"), "The life of batteries") == 1.0
    assert word_coverage(terms("battery price"), "the battery") == 0.5
    assert word_coverage([], "anything") == 1.0
    assert coverage(["rare", "common"], {"rare"}, {"rare": 3.0, "common": 1.0}) == 0.75
    assert shared({"a", "b"}, {"b", "c", "d"}) == 0.5
    assert in_common({"a", "b"}, {"b", "c", "d"}) == 0.25
    assert shared(set(), {"a"}) == in_common(set(), set()) == 0.0
