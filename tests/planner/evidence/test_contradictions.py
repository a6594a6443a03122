"""What pages say differently, and what they do not."""

import asyncio
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.evidence.contradictions import contradictions, differ, replaced_places
from planner.evidence.evidence_statements import evidence_statements
from planner.evidence.parsed_sentence import ParsedSentence
from research_crawler.adapters.memory.embedder import HashEmbedder
from tests.planner.brains.views import finding

QUESTION = "How tall is the Skelder lighthouse?"
ONE, OTHER = "The Skelder lighthouse is 43 metres tall.", "The Skelder lighthouse is 41 metres tall."


async def found(embedder, *findings, question=QUESTION):
    return contradictions(question, findings, await evidence_statements(question, findings, embedder))


async def test_two_pages_that_give_different_numbers_contradict_each_other(embedder):
    (pair,) = await found(embedder, finding(ONE, "http://a.test/1"), finding(OTHER, "http://b.test/1"))
    assert pair.kind == "contradiction"
    assert {pair.one.text, pair.other.text} == {ONE, OTHER}


async def test_what_an_earlier_job_remembers_contradicts_a_page_of_this_one(embedder):
    earlier = finding(OTHER, "http://a.test/1").model_copy(update={"command": "earlieraaaaa:7"})
    (pair,) = await found(embedder, finding(ONE, "http://b.test/1"), earlier)
    assert pair.kind == "contradiction"


async def test_a_newer_page_replaces_the_value_of_an_old_one(embedder):
    old = finding(OTHER, "http://a.test/1", published="2019-03-01")
    new = finding(ONE, "http://b.test/1", published="2026-01-01")
    (pair,) = differing = await found(embedder, old, new)
    assert (pair.kind, pair.one.text, pair.other.text) == ("replaced", ONE, OTHER)
    assert replaced_places(differing) == {0}


async def test_pages_of_one_season_do_not_replace_each_other(embedder):
    old = finding(OTHER, "http://a.test/1", published="2025-11-01")
    new = finding(ONE, "http://b.test/1", published="2026-01")
    (pair,) = await found(embedder, old, new)
    assert pair.kind == "contradiction"


async def test_one_page_does_not_contradict_itself(embedder):
    assert not await found(embedder, finding(f"{ONE} {OTHER}"))


async def test_other_things_estimates_and_limits_are_no_contradictions(embedder):
    assert not await found(
        embedder,
        finding(ONE, "http://a.test/1"),
        finding("The Marrowby lighthouse is 41 metres tall.", "http://b.test/1"),
        finding("The Skelder lighthouse is about 40 metres tall.", "http://c.test/1"),
        finding("The lamp of the Skelder lighthouse weighs 41 kilograms.", "http://d.test/1"),
    )


async def test_a_page_that_denies_what_another_says_contradicts_it(embedder):
    (pair,) = await found(
        embedder,
        finding("Logical replication replicates DDL commands.", "http://a.test/1"),
        finding("Logical replication does not replicate DDL commands.", "http://b.test/1"),
        question="Does logical replication copy DDL?",
    )
    assert pair.kind == "contradiction"


UNITS = (("metres", 1.0), ("km", 1_000.0), ("m", 1.0), ("kg", 1.0), ("t", 1_000.0))
AMOUNTS = st.integers(2, 900)


@given(AMOUNTS, AMOUNTS, st.sampled_from(UNITS))
def test_either_of_two_statements_differs_from_the_other_or_neither_does(low, high, unit):
    one, other = (ParsedSentence(f"The Skelder ridge has {n} {unit[0]}.") for n in (low, high))
    assert differ(one, other) == differ(other, one)
    assert not differ(one, one)


@given(AMOUNTS, st.sampled_from([("t", "kg", 1_000), ("km", "m", 1_000), ("hours", "minutes", 60)]))
def test_an_amount_in_another_unit_is_no_difference(amount, units):
    large, small, factor = units
    one = ParsedSentence(f"The Skelder ridge has {amount} {large} of it.")
    assert not differ(one, ParsedSentence(f"The Skelder ridge has {amount * factor} {small} of it."))


@given(AMOUNTS, AMOUNTS, AMOUNTS)
def test_a_value_within_a_range_is_no_difference(low, high, value):
    low, high = sorted((low, high))
    ranged = ParsedSentence(f"The Skelder grass grows {low} to {high} cm tall.")
    plain = ParsedSentence(f"The Skelder grass grows {value} cm tall.")
    assert not (low <= value <= high and differ(ranged, plain))


@given(st.permutations(range(6)))
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_findings_does_not_matter(order):
    heights = (43, 43, 41, 43, 52, 41)
    found = [
        finding(f"The Skelder lighthouse is {n} metres tall.", f"http://h{i}.test/")
        for i, n in enumerate(heights)
    ]

    async def pairs(findings):
        known = await evidence_statements(QUESTION, findings, HashEmbedder())
        return {
            frozenset((one.one.text, one.other.text)) for one in contradictions(QUESTION, findings, known)
        }

    assert asyncio.run(pairs([found[n] for n in order])) == asyncio.run(pairs(found))


async def test_many_findings_are_compared_in_a_fraction_of_a_second():
    """Pages that are made to have everything compared with everything: same words, other numbers."""
    said = "The Skelder lighthouse in year {} is {} metres tall and {} wide."
    found = [
        finding(" ".join(said.format(1800 + n, n + 10 * k, k) for k in range(9)), f"http://h{n}.test/")
        for n in range(240)
    ]
    known = await evidence_statements(QUESTION, found, HashEmbedder())
    started = time.process_time()
    contradictions(QUESTION, found, known)
    assert time.process_time() - started < 1.0
