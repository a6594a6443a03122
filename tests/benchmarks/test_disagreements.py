"""The pairs of the benchmark `disagreements`: enough of every kind in both halves, none that no brain could read."""

from collections import Counter

from benchmarks.reporting.disagreements import pairs
from planner.text.sentences import units

PAIRS = pairs()


def test_there_are_enough_pairs_of_every_kind_in_both_parts():
    assert len({pair.id for pair in PAIRS}) == len(PAIRS)
    kinds = Counter((pair.half, pair.verdict == "agrees") for pair in PAIRS)
    assert min(kinds[half, False] for half in ("open", "held")) >= 12
    assert min(kinds[half, True] for half in ("open", "held")) >= 5


def test_each_page_of_a_pair_says_something_that_can_be_compared():
    assert [pair.id for pair in PAIRS if not units(pair.one.text) or not units(pair.other.text)] == []


def test_of_a_replaced_value_the_newer_page_stands_first():
    replaced = [pair for pair in PAIRS if pair.verdict == "replaced"]
    assert all(pair.one.published > pair.other.published for pair in replaced)
    assert len(replaced) >= 3
