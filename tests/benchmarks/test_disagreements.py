"""The pairs of the benchmark `disagreements`: enough of every kind in each part, hardly any that no brain can read."""

from collections import Counter

from benchmarks.reporting.disagreements import pairs
from research_crawler.text.sentences import units

PAIRS = pairs()
PARTS = {pair.part for pair in PAIRS}


def test_there_are_enough_pairs_of_every_kind_in_each_part():
    assert len({pair.id for pair in PAIRS}) == len(PAIRS)
    kinds = Counter((pair.part, pair.verdict == "agrees") for pair in PAIRS)
    assert min(kinds[part, False] for part in PARTS) >= 12
    assert min(kinds[part, True] for part in PARTS) >= 5


def test_nearly_every_page_of_a_pair_says_something_that_can_be_compared():
    empty = [pair.id for pair in PAIRS if not units(pair.one.text) or not units(pair.other.text)]
    assert len(empty) <= len(PAIRS) / 100, (
        empty
    )  # a page of three words is a miss, and not a fault of the pair


def test_of_a_replaced_value_the_newer_page_stands_first():
    replaced = [pair for pair in PAIRS if pair.verdict == "replaced"]
    assert all(pair.one.published > pair.other.published for pair in replaced)
    assert len(replaced) >= 3
