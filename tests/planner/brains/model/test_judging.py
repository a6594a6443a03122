import pytest

from prompts.answers import PlannerAnswer, parse_answer
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.evidence.quality import Analysis, Assessed, Attempt, Evaluation
from tests.planner.brains.model.test_brain import brain
from tests.planner.brains.views import candidate, finding, follow_up, search, view, visit

FOUND = [
    finding("The tower is 43 metres tall.", "http://a.test/1", score=0.9),
    finding("The tower is 51 metres tall.", "http://b.test/1", score=0.5),
]
ASSESSED = Assessed(
    attempts=[
        Attempt(
            n=1,
            round=1,
            queries=["Skelder tower"],
            refused=["tavily: 400 https://api.example/"],
            evaluation=Evaluation(relevance=0.4, confidence=0.2, coverage=0.1, reasons="only ads"),
        )
    ],
    analysis=Analysis(assessment="Nothing on its age.", suggestions_for_next_step=["search the builder"]),
)
JUDGED = view(
    findings=FOUND,
    searches=[search("Skelder tower")],
    visited=[visit("http://a.test/1")],
    candidates=[candidate("http://c.test/1")],
    assessed=ASSESSED,
    stack="Python GUI",
    remaining_attempts=2,
)
SCORES = {
    "relevance": 0.8,
    "confidence": 0.44,
    "coverage": 0.5,
    "should_retry": True,
    "reasons": "two values",
}
ANALYSIS = {
    "assessment": "The height is given twice.",
    "confidence_score": 0.4,
    "is_answered": False,
    "suggestions_for_next_step": ["find the builder"],
    "new_potential_urls": ["R1", "http://evil.test/", "R9"],
    "inconsistencies_found": [
        {"about": "the height", "one": "E1", "other": "E2"},
        {"one": "E1", "other": "E1"},
        {"one": "E1", "other": "E7"},
    ],
    "leads": ["E2", "E9"],
}


def deciding(**more):
    return {"action": "search", "query": "Skelder builder", "expected_domains": ["skelder.example"], **more}


async def test_the_judgement_comes_with_the_decision_in_one_call(call):
    asked, chat = brain(deciding(evaluation=SCORES, analysis=ANALYSIS))
    answered = await asked.decide(JUDGED, call)
    assert len(chat.asked) == 1
    assert answered.evaluation == Evaluation(
        relevance=0.8, confidence=0.4, coverage=0.5, should_retry=True, reasons="two values"
    )
    assert answered.decision.expected_domains == ["skelder.example"]
    analysis = answered.analysis
    assert (analysis.by, analysis.confidence_score, analysis.is_answered) == ("model", 0.4, False)
    assert analysis.new_potential_urls == ["http://c.test/1"]
    assert [(one.one, one.other) for one in analysis.inconsistencies_found] == [
        ("The tower is 43 metres tall.", "The tower is 51 metres tall.")
    ]
    assert [lead.url for lead in analysis.leads] == ["http://b.test/1"]


async def test_the_prompt_shows_attempts_refusals_stack_and_the_last_analysis(call):
    asked, chat = brain(deciding(evaluation=SCORES, analysis=ANALYSIS))
    await asked.decide(JUDGED, call)
    shown = chat.asked[0]["user"]
    for text in ("only ads", "400 https://api.example/", "Python GUI", "Nothing on its age.", "0.8", "0.7"):
        assert text in shown, text


async def test_confidence_is_asked_for_once_and_counts_for_evaluation_and_analysis(call):
    analysis = {name: value for name, value in ANALYSIS.items() if name != "confidence_score"}
    asked, chat = brain(deciding(evaluation=SCORES | {"confidence": 0.7}, analysis=analysis))
    answered = await asked.decide(JUDGED, call)
    assert (answered.evaluation.confidence, answered.analysis.confidence_score) == (0.7, 0.7)
    assert "confidence_score" not in chat.asked[0]["system"]


@pytest.mark.parametrize(("attempts", "searches", "left"), [(7, 1, 1), (2, 5, 2)])
async def test_no_more_attempts_are_told_than_there_are_searches(attempts, searches, left, call):
    asked, chat = brain(deciding(evaluation=SCORES, analysis=ANALYSIS))
    left_now = {"remaining_searches": searches, "remaining_attempts": attempts}
    seen = JUDGED.model_copy(update=left_now)
    await asked.decide(seen, call)
    assert f"### Attempts Left\n{left}\n" in chat.asked[0]["user"]


async def test_before_the_first_search_the_model_writes_queries_and_judges_nothing(call):
    asked, chat = brain(deciding())
    answered = await asked.decide(follow_up(candidates=[], stack="Vite React"), call)
    assert (answered.evaluation, answered.analysis) == (None, None)
    assert "### How Many Queries Before The First Page" in chat.asked[0]["user"]
    assert "### Attempts So Far" not in chat.asked[0]["user"]
    assert "Vite React" in chat.asked[0]["user"]
    assert chat.asked[0]["user"].endswith("### Fields To Write Now\n`action`, `reason`")


@pytest.mark.parametrize(
    ("depth", "searches", "said"),
    [
        ("deep", 10, "3 to 5 `queries`"),
        ("deep", 4, "3 to 4 `queries`"),
        ("deep", 3, "3 `queries`"),
        ("deep", 1, "at most 1."),
        ("standard", 4, "One for each thing that is asked, at most 4."),
    ],
)
async def test_deep_research_plans_its_first_queries_within_its_allowance(depth, searches, said, call):
    queries = [f"Skelder tower side {n}" for n in range(7)]
    asked, chat = brain({"action": "search", "queries": queries})
    answered = await asked.decide(follow_up(candidates=[], depth=depth, remaining_searches=searches), call)
    assert said in chat.asked[0]["user"]
    assert answered.decision.queries == queries[: min(searches, len(queries))]


async def test_the_goal_itself_is_never_a_query(call):
    asked, _ = brain(
        {"action": "search", "query": 'how tall is the "old tower" of Skelder, and when was it built'}
    )
    goal = 'How tall is the "old tower" of Skelder, and when was it built?'
    answered = await asked.decide(follow_up(goal=goal, candidates=[]), call)
    assert answered.decision.queries == ['"old tower" tall Skelder built']


@pytest.mark.parametrize(
    "part",
    [{"evaluation": {**SCORES, "relevance": 1.4}}, {"analysis": {**ANALYSIS, "confidence_score": -0.1}}],
)
async def test_a_score_outside_of_0_and_1_is_a_failed_answer(part, call):
    asked, _ = brain(deciding(**part))
    with pytest.raises(BadAnswer):
        await asked.decide(JUDGED, call)
    assert call.usage.failed_answers == 1


@pytest.mark.parametrize(
    "part",
    [
        {"evaluation": None, "analysis": None},
        {"evaluation": "good", "analysis": []},
        {"evaluation": {"relevance": 0.5}, "analysis": {"assessment": "fine"}},
    ],
)
def test_a_decision_is_not_lost_with_a_judgement_that_is_missing(part):
    import json

    answer = parse_answer(PlannerAnswer, json.dumps(deciding(**part)))
    assert (answer.evaluation, answer.analysis, answer.query) == (None, None, "Skelder builder")
