import pytest

from planner.analysis.advice import leads
from planner.analysis.scoring import Nearness, evaluated
from planner.brains.extractive.brain import ExtractiveBrain
from planner.brains.extractive.filling import filled_outline
from planner.brains.extractive.judging import HOP_REASON, judgement_of
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.quality import Assessed, Attempt, QualityThresholds
from tests.planner.brains.views import candidate, finding, search, view, visit
from tests.planner.outline.outlines import outline

ANSWER = "The Skelder lighthouse is 43 metres tall."
BUILT = "The Skelder lighthouse was built in 1871."


def at_page(claim, url):
    """A finding of a page of its own."""
    return Finding(**finding(claim, url).model_dump() | {"page_sha256": url})


async def judged(embedder, *findings, **more):
    seen = view(
        findings=list(findings),
        searches=[search("Skelder lighthouse")],
        visited=[visit(one.url) for one in findings] or [visit("http://x.test/")],
        **more,
    )
    return await judgement_of(seen, await filled_outline(seen, embedder), embedder, "extractive")


async def test_findings_that_answer_every_part_are_relevant_and_cover_the_question(embedder):
    evaluation, analysis = await judged(embedder, finding(ANSWER), finding(BUILT, "http://b.test/1"))
    assert evaluation.relevance >= 0.7
    assert evaluation.coverage == 1.0
    assert analysis.is_answered
    assert analysis.suggestions_for_next_step == ["the question is answered"]


async def test_an_open_part_lowers_coverage_and_is_suggested_as_the_next_search(embedder):
    evaluation, analysis = await judged(
        embedder, finding(ANSWER), candidates=[candidate("http://c.test/1", 0.8, scored=True)]
    )
    assert evaluation.coverage == 0.5
    assert evaluation.should_retry
    assert "built" in evaluation.reasons
    assert analysis.new_potential_urls == ["http://c.test/1"]
    assert any("search:" in one for one in analysis.suggestions_for_next_step)


async def test_pages_about_something_else_are_of_little_relevance(embedder):
    evaluation, analysis = await judged(
        embedder, finding("Bread dough rises twice as fast in a warm kitchen.")
    )
    assert evaluation.relevance < 0.3
    assert (evaluation.coverage, evaluation.confidence) == (0.0, 0.0)
    assert analysis.leads == []


async def test_a_fact_beside_the_question_is_kept_as_a_lead(embedder):
    beside = finding("The keeper of the Skelder lighthouse was Agnes Holt.", "http://b.test/1")
    _, analysis = await judged(embedder, finding(ANSWER), finding(BUILT), beside)
    assert [lead.url for lead in analysis.leads] == ["http://b.test/1"]


async def test_a_contradiction_lowers_confidence_and_is_reported_with_both_quotes_but_a_limit_is_none(
    embedder,
):
    other = at_page("The Skelder lighthouse is 51 metres tall.", "http://b.test/1")
    rated, analysis = await judged(embedder, finding(ANSWER), other)
    assert [(one.one, one.other) for one in analysis.inconsistencies_found] in (
        [(ANSWER, other.quote)],
        [(other.quote, ANSWER)],
    )
    limit = at_page("The Skelder lighthouse is about 43 metres tall.", "http://b.test/1")
    without, analysis = await judged(embedder, finding(ANSWER), limit)
    assert analysis.inconsistencies_found is None
    assert rated.confidence < without.confidence


async def test_before_anything_was_read_there_is_no_judgement(embedder):
    seen = view(searches=[search("Skelder lighthouse")])
    assert await judgement_of(seen, seen.outline, embedder, "extractive") is None


@pytest.mark.parametrize(
    ("urls", "least", "most"),
    [
        (["http://a.test/1"], 0.5, 0.5),
        (["http://a.test/1", "http://a.test/2"], 0.6, 0.7),
        (["http://a.test/1", "http://b.test/1"], 0.7, 0.8),
        (["http://docs.a.test/1"], 0.6, 0.6),
        (["http://forum.a.test/t/1"], 0.4, 0.4),
        (["http://a.test/1", "http://b.test/1", "http://docs.c.test/1"], 0.9, 1.0),
    ],
)
def test_confidence_rises_with_pages_hosts_and_official_sources(urls, least, most):
    found = [at_page(ANSWER, url) for url in urls]
    filled = outline("How tall is it?", evidence=[one.id for one in found], state="filled")
    rated = evaluated(
        filled,
        {one.id: one for one in found},
        [Nearness(0.6, 0.48)],
        conflicts=0,
        unsaid={},
        thresholds=QualityThresholds(),
    )
    assert least <= rated.confidence <= most


def test_leads_are_near_the_question_and_one_a_page():
    findings = [finding(f"fact {n}", "http://a.test/1") for n in range(3)] + [
        finding("far", "http://b.test/1")
    ]
    kept = leads(findings, outline("one?"), [0.5, 0.4, 0.35, 0.1])
    assert [lead.text for lead in kept] == ["fact 0"]


NAMING = "The Skelder lighthouse was designed by the engineer Agnes Holt of Nordhaven."
HOP_GOAL = "Where did the engineer who designed the Skelder lighthouse study?"


async def test_the_name_that_the_pages_give_is_searched_for_and_its_page_is_read(embedder, call):
    brain = ExtractiveBrain(embedder)
    seen = view(
        goal=HOP_GOAL,
        findings=[finding(NAMING)],
        searches=[search("Skelder lighthouse engineer")],
        visited=[visit("http://a.test/1")],
    )
    first = await brain.decide(seen, call)
    assert first.decision.queries == ["Agnes Holt study"]
    assert first.evaluation.coverage == 0.0
    assert first.evaluation.should_retry
    hop = Attempt(n=2, round=2, queries=first.decision.queries, why=first.decision.reason)
    then = view(
        goal=HOP_GOAL,
        findings=[finding(NAMING)],
        searches=[search("Skelder lighthouse engineer"), search("Agnes Holt study", 2)],
        visited=[visit("http://a.test/1", round_no=1)],
        candidates=[
            candidate("http://b.test/holt", 0.1, title="Agnes Holt", search=2),
            candidate("http://c.test/other", 0.1, title="Fishing boats", search=2),
        ],
        assessed=Assessed(attempts=[hop]),
        barren_rounds=1,
    )
    second = await brain.decide(then, call)
    assert second.decision.urls == ["http://b.test/holt"]


async def test_what_earlier_jobs_found_leads_to_no_other_search_before_that_for_the_question(embedder, call):
    told = finding("The Gullwire was designed by the engineer Tomas Ehrling of Nordhaven in 2019.")
    asked = view(
        goal="Where did the engineer who designed the Gullwire study?",
        findings=[told],
        allowed=["search", "visit", "done"],
    )
    found = await ExtractiveBrain(embedder).decide(asked, call)
    assert found.decision.action == "search"
    assert "Gullwire" in found.decision.queries[0]


async def test_a_page_that_is_linked_by_the_name_is_read_beside_the_search_for_it(embedder, call):
    seen = view(
        goal=HOP_GOAL,
        findings=[finding(NAMING)],
        searches=[search("Skelder lighthouse engineer")],
        visited=[visit("http://a.test/1")],
        candidates=[
            candidate("http://b.test/holt", 0.0, title="Agnes Holt"),
            candidate("http://c.test/other", 0.0, title="Fishing boats"),
        ],
    )
    decided = (await ExtractiveBrain(embedder).decide(seen, call)).decision
    assert (decided.queries, decided.urls) == (["Agnes Holt study"], ["http://b.test/holt"])


async def test_the_page_of_a_name_leads_on_to_the_next_one(embedder, call):
    goal = "Where does the translator of the author who won the Skelder Prize live?"
    won = finding("The Skelder Prize was won by the author Agnes Holt, for a novel about lamps.", score=0.9)
    told = finding("The author Agnes Holt has the translator Noor Kessler.", title="Agnes Holt", score=0.5)
    hop = Attempt(n=2, round=2, queries=["Agnes Holt translator live"], why=HOP_REASON)
    seen = view(
        goal=goal,
        findings=[won, told],
        searches=[search("Skelder Prize author"), search("Agnes Holt translator live", 2)],
        visited=[visit("http://a.test/1"), visit("http://b.test/holt", round_no=2)],
        assessed=Assessed(attempts=[hop]),
    )
    decided = (await ExtractiveBrain(embedder).decide(seen, call)).decision
    assert decided.queries == ["Noor Kessler live"]


async def test_what_stands_beside_a_name_that_has_no_page_leads_on(embedder, call):
    goal = "Where is the head office of the company that pays the keeper of the Skelder lighthouse?"
    told = finding(
        "The keeper of the Skelder lighthouse is Agnes Holt. Holt's work is paid for by Osprey Freight."
    )
    hop = Attempt(n=2, round=2, queries=["Agnes Holt head office"], why=HOP_REASON)
    seen = view(
        goal=goal,
        findings=[told],
        searches=[search("Skelder lighthouse keeper"), search("Agnes Holt head office", 2)],
        visited=[visit("http://a.test/1")],
        assessed=Assessed(attempts=[hop]),
    )
    decided = (await ExtractiveBrain(embedder).decide(seen, call)).decision
    assert decided.queries == ["Osprey Freight head office company pays"]
