import pytest

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.brains.fallback import ENDPOINT_REST_S, FallbackBrain
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.jobs.decisions import LabelRequest
from research_crawler.core.models.messages.events import SearchResult
from tests.planner.brains.scripted_chat import LedgerBudget, ScriptedChat
from tests.planner.brains.views import candidate, follow_up, page, search, view, visit

SEARCH = {"action": "search", "query": "lamps"}
PLAIN = ExtractiveBrain(HashEmbedder())


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def either(*answers, budget=None, clock=None):
    chat = ScriptedChat(*answers)
    own = ModelBrain(chat, budget, ModelSettings(mind_model="m"))
    return FallbackBrain(own, PLAIN, clock=clock or Clock()), chat


async def test_the_first_brain_answers_if_it_can(call):
    brain, _ = either(SEARCH)
    answered = await brain.decide(follow_up(), call)
    assert (answered.by, answered.note) == ("model", "")


@pytest.mark.parametrize("trouble", ["no JSON at all", BrainUnavailable("the endpoint is down")])
async def test_the_second_brain_answers_and_says_why(call, trouble):
    brain, _ = either(trouble)
    answered = await brain.decide(follow_up(), call)
    assert answered.by == "extractive"
    assert answered.note.startswith("model brain: ")
    assert answered.decision.action == "search"


async def test_the_second_brain_answers_if_the_budget_is_used_up(call):
    brain, chat = either(SEARCH, budget=LedgerBudget(ceiling=1))
    extraction = await brain.extract(page("The Skelder lighthouse is 43 m tall."), call)
    assert extraction.by == "extractive"
    assert "ceiling" in extraction.note
    assert extraction.ceiling == "job"
    assert chat.asked == []


async def test_neither_brain_answers_after_a_lost_lease(call):
    brain, _ = either(LeaseLost("gone"))
    with pytest.raises(LeaseLost):
        await brain.decide(follow_up(), call)


async def test_an_endpoint_that_fails_twice_is_not_asked_for_a_while(call):
    clock = Clock()
    down = BrainUnavailable("down")
    brain, chat = either(down, down, SEARCH, clock=clock)
    for _ in range(4):
        assert (await brain.decide(follow_up(), call)).by == "extractive"
    assert len(chat.asked) == 2
    clock.now = ENDPOINT_REST_S + 1
    assert (await brain.decide(follow_up(), call)).by == "model"


async def test_only_failures_in_a_row_count(call):
    down = BrainUnavailable("down")
    brain, chat = either(down, SEARCH, down, SEARCH)
    brains = [(await brain.decide(follow_up(), call)).by for _ in range(4)]
    assert brains == ["extractive", "model", "extractive", "model"]
    assert len(chat.asked) == 4


DONE = {"action": "done", "missing": ["its height"]}
SEARCHED_TWICE = {
    "searches": [search("Skelder lighthouse"), search("Skelder", n=2)],
    "iteration": 3,
    "candidates": [candidate("http://a.test/1")],
}


@pytest.mark.parametrize(
    ("so_far", "answer", "why"),
    [
        (
            {"searches": [search("2026-11-23 20:00:00", results=0)], "iteration": 2},
            SEARCH,
            "no word of the question",
        ),
        (SEARCHED_TWICE, DONE, "no page"),
    ],
)
async def test_a_model_that_goes_on_with_what_led_to_nothing_is_relieved_and_it_is_said(
    call, so_far, answer, why
):
    brain, _ = either(answer)
    answered = await brain.decide(view(**so_far), call)
    assert answered.by == "extractive"
    assert why in answered.note


@pytest.mark.parametrize(
    ("so_far", "answer"),
    [
        (SEARCHED_TWICE, {"action": "visit", "urls": ["R1"]}),
        (SEARCHED_TWICE, {"action": "search", "query": "Skelder lighthouse height"}),
        (
            {"searches": [search("2026-11-23 20:00:00", results=0)], "iteration": 2},
            {"action": "search", "query": "Skelder lighthouse"},
        ),
    ],
)
async def test_a_model_whose_next_step_is_of_use_is_not_relieved_for_those_before_it(call, so_far, answer):
    brain, _ = either(answer)
    answered = await brain.decide(view(**so_far), call)
    assert (answered.by, answered.decision.action, answered.note) == ("model", answer["action"], "")


@pytest.mark.parametrize(
    ("so_far", "answer"),
    [
        ({"searches": [search("Skelder Leuchtturm", results=0)], "iteration": 2}, SEARCH),
        ({"searches": [search("Skelder lighthouse")], "iteration": 2}, DONE),
        ({"searches": [search("Skelder lighthouse")], "iteration": 3}, DONE),
        (
            {
                "searches": [search("Skelder lighthouse")],
                "iteration": 3,
                "candidates": [candidate("http://a.test/1").changed(is_asked_for=True)],
            },
            DONE,
        ),
        (
            {
                "searches": [search("Skelder lighthouse")],
                "iteration": 3,
                "candidates": [candidate("http://a.test/1", priority="skip")],
            },
            DONE,
        ),
        (
            {
                "searches": [search("lamps")],
                "visited": [visit("http://a.test/1", findings=0)],
                "iteration": 3,
                "candidates": [candidate("http://a.test/2")],
            },
            DONE,
        ),
    ],
)
async def test_a_model_that_has_read_or_has_nothing_to_read_decides_when_it_is_done(call, so_far, answer):
    brain, _ = either(answer)
    assert (await brain.decide(view(**so_far), call)).by == "model"


async def test_a_model_that_searches_twice_is_asked_about_the_new_results_before_it_is_relieved(call):
    label = {"id": "R1", "score": 0.8, "type": "other", "priority": "must_visit", "reason": "it fits"}
    brain, _ = either({"results": [label]}, {"action": "visit", "urls": ["R1"]})
    asked = view(
        searches=[search("lamps"), search("best lamps", n=2)],
        iteration=3,
        candidates=[candidate("http://a.test/new", scored=False)],
        to_label=LabelRequest(goal="lamps", results=[SearchResult(url="http://a.test/new", title="Lamps")]),
    )
    answered = await brain.decide(asked, call)
    assert (answered.by, answered.decision.action, answered.note) == ("model", "visit", "")
