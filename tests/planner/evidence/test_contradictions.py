"""What pages say differently, and what they do not."""

import time

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reporting.disagreements import pairs
from planner.evidence.contradictions import contradictions, days_between, replaced_findings
from tests.planner.brains.views import finding

QUESTION = "How tall is the Skelder lighthouse?"
ONE, OTHER = "The Skelder lighthouse is 43 metres tall.", "The Skelder lighthouse is 41 metres tall."
AMOUNTS = st.integers(2, 900)
CONVERSIONS = (
    ("t", "kg", 1_000),
    ("km", "m", 1_000),
    ("hours", "minutes", 60),
    ("years", "months", 12),
)


def test_two_pages_that_give_different_numbers_contradict_each_other():
    (pair,) = contradictions(QUESTION, [finding(ONE, "http://a.test/1"), finding(OTHER, "http://b.test/1")])
    assert pair.kind == "contradiction"
    assert {pair.one.text, pair.other.text} == {ONE, OTHER}


def test_what_an_earlier_job_remembers_contradicts_a_page_of_this_one():
    earlier = finding(OTHER, "http://a.test/1").model_copy(update={"command": "earlieraaaaa:7"})
    (pair,) = contradictions(QUESTION, [finding(ONE, "http://b.test/1"), earlier])
    assert pair.kind == "contradiction"


def test_a_newer_page_replaces_the_value_of_an_old_one():
    old = finding(OTHER, "http://a.test/1", published="2019-03-01")
    new = finding(ONE, "http://b.test/1", published="2026-01-01")
    (pair,) = differing = contradictions(QUESTION, [old, new])
    assert (pair.kind, pair.one.text, pair.other.text) == ("replaced", ONE, OTHER)
    assert replaced_findings(differing) == {0}


def test_pages_of_one_season_do_not_replace_each_other():
    old = finding(OTHER, "http://a.test/1", published="2025-11-01")
    new = finding(ONE, "http://b.test/1", published="2026-01")
    (pair,) = contradictions(QUESTION, [old, new])
    assert pair.kind == "contradiction"


def test_one_page_does_not_contradict_itself():
    assert not contradictions(QUESTION, [finding(f"{ONE} {OTHER}")])


def test_pages_of_a_series_do_not_contradict_each_other():
    said = "On {} October 2026 the level of the Skelder lake was {} cm at the old bridge."
    found = [
        finding(said.format(n, 300 + n), f"http://a.test/2026-10-{n}", title=f"Level of {n} October 2026")
        for n in (11, 12, 13)
    ]
    assert not contradictions("What is the level of the Skelder lake?", found)


def test_pages_about_two_things_of_one_kind_do_not_contradict_each_other():
    found = [
        finding("Greatest depth 63 m", "http://a.test/skelder", title="Lake Skelder"),
        finding("Greatest depth 118 m", "http://a.test/senna", title="Lake Senna"),
    ]
    assert not contradictions("How deep is Lake Skelder at its deepest point?", found)


def test_a_row_of_a_table_about_another_product_contradicts_nothing():
    found = [
        finding("The Skelder R3 takes branches of 45 mm.", "http://a.test/", title="Skelder R3"),
        finding("Thickest branch, Moorcraft Hush 42 mm", "http://b.test/", title="Skelder R3 and others"),
    ]
    assert not contradictions("How thick may a branch be for the Skelder R3?", found)


@given(st.integers(1, 28), st.integers(1, 28))
def test_a_question_for_a_number_is_not_answered_by_days(day, later):
    """Posts of a forum have dates, which differ."""
    found = [
        finding(f"Posted on {n} May 2026: the Skelder trailer carries weight well.", f"http://h{n}.test/")
        for n in (day, later)
    ]
    assert not contradictions("How much weight may the Skelder trailer carry?", found)


def test_statements_that_tell_of_several_days_do_not_contradict_each_other():
    found = [
        finding("The Skelder bridge was begun in 1955 and repaired in 1958.", "http://a.test/"),
        finding("The Skelder bridge was repaired in 1991.", "http://b.test/"),
    ]
    assert not contradictions("When was the Skelder bridge built?", found)


@given(AMOUNTS, AMOUNTS)
def test_a_value_within_a_bound_is_no_difference(value, bound):
    found = [
        finding(f"The Skelder lift carries {value} kg.", "http://a.test/"),
        finding(f"The Skelder lift takes no more than {bound} kg.", "http://b.test/"),
    ]
    told = contradictions("How many kg does the Skelder lift carry?", found)
    assert not (value <= bound and told)


def test_a_question_that_asks_for_no_figure_compares_none():
    found = [
        finding("The Skelder Lynx gaming laptop has a 15.6-inch screen.", "http://a.test/"),
        finding("A thin gaming laptop of Skelder with a 14-inch screen.", "http://b.test/"),
    ]
    assert not contradictions("What is the cheapest gaming laptop of Skelder?", found)


def test_the_scored_pairs_are_told_as_often_as_before():
    """Pairs whose other cases were mostly written to mislead; the floors are what was reached on them."""
    told = [(pair.verdict != "agrees", contradictions(pair.question, pair.findings())) for pair in pairs()]
    found = [bool(differences) for disagrees, differences in told if disagrees]
    false = [bool(differences) for disagrees, differences in told if not disagrees]
    assert sum(found) >= 0.55 * len(found)
    assert sum(false) <= 0.2 * len(false)


def differ(one: str, other: str, question: str) -> bool:
    """Whether two pages that say this contradict each other."""
    return bool(
        contradictions(question, [finding(one, "http://a.test/1"), finding(other, "http://b.test/1")])
    )


@given(AMOUNTS, AMOUNTS, st.sampled_from(["metres", "km", "kg", "t", "rooms", "%"]))
def test_either_of_two_statements_differs_from_the_other_or_neither_does(low, high, unit):
    question = f"How many {unit} has the Skelder ridge?"
    one, other = (f"The Skelder ridge has {n} {unit}." for n in (low, high))
    assert differ(one, other, question) == differ(other, one, question)
    assert not differ(one, one, question)


@given(AMOUNTS, st.sampled_from(CONVERSIONS))
def test_an_amount_in_another_unit_is_no_difference(amount, units):
    large, small, factor = units
    one, other = (
        f"The Skelder ridge has {amount} {large}.",
        f"The Skelder ridge has {amount * factor} {small}.",
    )
    assert not differ(one, other, f"How many {large} has the Skelder ridge?")


@given(AMOUNTS, AMOUNTS, AMOUNTS)
def test_a_value_within_a_range_is_no_difference(low, high, value):
    low, high = sorted((low, high))
    ranged, plain = f"The Skelder grass grows {low} to {high} cm.", f"The Skelder grass grows {value} cm."
    assert not (low <= value <= high and differ(ranged, plain, "How many cm does the Skelder grass grow?"))


@given(st.integers(1900, 2026), st.integers(1900, 2026), AMOUNTS, AMOUNTS)
def test_values_of_two_years_are_no_difference(year, later, low, high):
    one, other = (f"In {when} the Skelder line had {n} stops." for when, n in ((year, low), (later, high)))
    assert year == later or not differ(one, other, "How many stops has the Skelder line?")


@given(st.permutations(range(6)))
def test_the_order_of_findings_does_not_matter(order):
    heights = (43, 43, 41, 43, 43, 43)
    found = [
        finding(f"The Skelder lighthouse is {n} metres tall.", f"http://h{i}.test/")
        for i, n in enumerate(heights)
    ]

    def told(findings):
        return {frozenset((one.one.text, one.other.text)) for one in contradictions(QUESTION, findings)}

    assert told([found[n] for n in order]) == told(found) == {frozenset((ONE, OTHER))}


def test_many_findings_are_compared_in_about_a_second():
    """Pages that are made to have everything compared with everything: same words, other numbers."""
    said = "The Skelder lighthouse in year {} is {} metres tall and {} wide."
    found = [
        finding(" ".join(said.format(1800 + n, n + 10 * k, k) for k in range(9)), f"http://h{n}.test/")
        for n in range(240)
    ]
    started = time.process_time()
    contradictions(QUESTION, found)
    assert time.process_time() - started < 3.0  # a second on a quiet machine; it was minutes


def test_days_between_two_dates_are_zero_where_one_is_unknown():
    assert days_between("2026-01-11", "2026-01-01") == 10
    assert days_between("2026", "") == 0
