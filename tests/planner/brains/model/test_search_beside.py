"""The likeliest pages of a search that was made beside the last visits are read without another call of the model."""

import pytest

from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.core.models.jobs.decisions import LabelRequest
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.ports.models import Call
from tests.planner.brains.scripted_chat import ScriptedChat
from tests.planner.brains.views import candidate, finding, search, view, visit

READ = "http://a.test/1"
GOAL = "How long does Kestrel keep a connection, and how many requests does it allow?"
QUERY = "Kestrel KeepRequests directive default"
FOUND = [finding("Kestrel keeps a connection for 5 seconds.", READ).changed(command="j:1")]
OTHER = candidate("http://b.test/moss", title="Moss of the north", snippet="Where it grows.", scored=False)
LIKELY = candidate(
    "http://b.test/core", title="Core of Kestrel", snippet="Default: KeepRequests 100", scored=False
)
DECIDED = {"action": "done", "reason": "enough", "missing": []}


@pytest.fixture
def call():
    return Call(job="j", key="1", token="t", deadline_s=5)


def seen(**given):
    defaults = {
        "goal": GOAL,
        "visited": [visit(READ, relevance=0.7)],
        "findings": FOUND,
        "searches": [search("kestrel connection"), search(QUERY, 2)],
        "candidates": [OTHER, LIKELY],
        "to_label": LabelRequest(goal=GOAL, results=[]),
    }
    return view(**(defaults | given))


async def decided(shown, call):
    chat = ScriptedChat(DECIDED)
    return (await ModelBrain(chat, None, ModelSettings()).decide(shown, call)).decision, len(chat.asked)


async def test_the_page_that_has_the_words_of_the_search_is_read_next(call):
    decision, asked = await decided(seen(), call)
    assert (decision.action, decision.urls, asked) == ("visit", [LIKELY.result.url], 0)


async def test_each_search_has_its_best_page_read_before_another_has_its_second(call):
    tuning = candidate("http://c.test/", title="Tuning Kestrel", snippet="How many clients.", scored=False)
    second = LIKELY.changed(result=LIKELY.result.changed(url="http://d.test/"))
    searches = [search(QUERY, 2), search("Kestrel tuning clients", 2)]
    decision, _ = await decided(seen(searches=searches, candidates=[LIKELY, second, tuning]), call)
    assert decision.urls[:2] == [LIKELY.result.url, tuning.result.url]


@pytest.mark.parametrize(
    "given",
    [
        {"candidates": [OTHER]},
        {"candidates": [LIKELY.changed(is_asked_for=True)]},
        {"candidates": [LIKELY.changed(result=LIKELY.result.changed(scored=True))]},
        {"searches": [search("kestrel connection")]},
        {"visited": [visit(READ, answers_all=True, confidence=0.3)]},
        {"visited": []},
        {"depth": "deep"},
        {"type": "news"},
        {"intent": "commerce"},
        {"stuck": "DIFFERENT_QUERY"},
        {"may_classify_goal": True},
        {"rounds_before": 2},
        {"to_label": None},
        {"allowed": ["search", "done"]},
    ],
    ids=[
        "no page has them",
        "it is being read",
        "the model has seen it",
        "nothing was searched beside the pages",
        "a reader that is not sure",
        "nothing was read",
        "deep",
        "news",
        "an offer",
        "stuck",
        "nobody has read the goal",
        "before a review",
        "no new results",
        "no visit is left",
    ],
)
async def test_else_a_model_decides(given, call):
    _, asked = await decided(seen(**given), call)
    assert asked == 1


async def test_what_a_reader_has_asked_for_by_name_is_read_where_a_title_has_the_name(call):
    lead = "Kestrel maintainer Ida Holm"
    found = [finding("Kestrel is looked after by Ida Holm.", READ).changed(command="j:1")]
    named = candidate(
        "http://d.test/", title="Ida Holm, engineer", snippet="She lives in Skelder.", scored=False
    )
    shown = seen(
        visited=[visit(READ, relevance=0.7, leads_to=lead)],
        findings=found,
        searches=[search("kestrel connection"), search(lead, 3)],
        candidates=[OTHER, LIKELY, named],
    )
    decision, asked = await decided(shown, call)
    assert (decision.action, decision.urls, asked) == ("visit", [named.result.url], 0)
    _, asked = await decided(shown.changed(candidates=[OTHER, LIKELY]), call)
    assert asked == 1, "no title has the name"


LABELLED = seen(
    visited=[],
    findings=[],
    searches=[search("kestrel connection")],
    candidates=[OTHER],
    allowed=["search", "visit"],
    to_label=LabelRequest(goal=GOAL, results=[SearchResult(url=OTHER.result.url, title="Moss")]),
    may_classify_goal=True,
)


@pytest.mark.parametrize(("score", "read"), [(0.4, False), (0.8, True)])
async def test_a_search_waits_for_no_page_of_which_its_model_expects_little(score, read, call):
    both = {"action": "search_and_visit", "reason": "more", "queries": [QUERY], "urls": ["R1"]}
    chat = ScriptedChat(both | {"labels": [{"id": "R1", "score": score, "type": "other"}]})
    decision = (await ModelBrain(chat, None, ModelSettings()).decide(LABELLED, call)).decision
    assert (decision.action, decision.queries) == ("search", [QUERY])
    assert decision.urls == ([OTHER.result.url] if read else [])
