from planner.audit.contradictions import differences, replaced_places
from planner.audit.evidence_statements import evidence_statements
from tests.planner.brains.views import finding

QUESTION = "How tall is the Skelder lighthouse?"
ONE, OTHER = "The Skelder lighthouse is 43 metres tall.", "The Skelder lighthouse is 41 metres tall."


async def found(embedder, *findings, question=QUESTION):
    return differences(await evidence_statements(question, findings, embedder))


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
