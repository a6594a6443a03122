"""The research ends where the model that read the pages found in them all that is asked."""

import pytest

from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.core.models.jobs.decisions import LabelRequest
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.ports.models import Call
from tests.planner.brains.scripted_chat import ScriptedChat
from tests.planner.brains.views import candidate, finding, page, search, view, visit

URL = "http://a.test/1"
QUESTIONS = ("How tall is the Skelder lighthouse?", "Who looks after it today?")
FOUND = [
    finding("The Skelder lighthouse is 43 metres tall.", URL).changed(command="j:1"),
    finding("Two wardens of the harbour keep it.", URL).changed(command="j:1"),
    finding("Soup is served on Mondays.", "http://b.test/").changed(command="j:2"),
]
OUTLINE = Outline(
    by="extractive",
    sections=[
        Section(id=str(n), title=text, leaves=[Leaf(id=f"{n}.1", question=text)])
        for n, text in enumerate(QUESTIONS, 1)
    ],
)


@pytest.fixture
def call():
    return Call(job="j", key="1", token="t", deadline_s=5)


def seen(answers_all=True, *, relevance=0.9, confidence=0.9, **given):
    own = visit(URL, answers_all=answers_all, relevance=relevance, confidence=confidence)
    other = visit("http://b.test/", 2)
    given = {"outline": OUTLINE, **given}
    return view(visited=[own, other], findings=FOUND, searches=[search("skelder")], **given)


async def test_a_reading_that_answers_all_ends_the_research_without_another_call(call):
    chat = ScriptedChat()
    ended = await ModelBrain(chat, None, ModelSettings()).decide(seen(), call)
    assert (ended.decision.action, ended.by) == ("done", "model")
    assert chat.asked == []
    assert [leaf.state for leaf in ended.outline.leaves] == ["filled", "filled"]
    known = [one.id for one in FOUND[:2]]
    assert ended.outline.leaves[0].evidence == known[:1]
    assert set(ended.outline.leaves[1].evidence) <= set(known), "the nearest of what was read for it"
    assert (ended.evaluation.coverage, ended.evaluation.relevance) == (1.0, 0.9)
    assert ended.analysis.is_answered


async def test_no_part_of_a_question_stays_open_where_nobody_has_written_an_outline(call):
    goal = " ".join(QUESTIONS)
    ended = await ModelBrain(ScriptedChat(), None, ModelSettings()).decide(
        seen(goal=goal, outline=Outline()), call
    )
    assert [(leaf.question, leaf.state) for leaf in ended.outline.leaves] == [
        (question, "filled") for question in QUESTIONS
    ]


async def test_a_reader_that_is_sure_by_four_fifths_ends_the_research_as_a_surer_one_does(call):
    chat = ScriptedChat()
    ended = await ModelBrain(chat, None, ModelSettings()).decide(seen(confidence=0.8), call)
    assert (ended.decision.action, chat.asked) == ("done", [])


@pytest.mark.parametrize(
    "given",
    [
        {"answers_all": False},
        {"relevance": 0.5},
        {"confidence": 0.6},
        {"depth": "deep"},
        {"type": "news"},
        {"intent": "commerce"},
        {"stuck": "DIFFERENT_QUERY"},
        {"rounds_before": 2},
        {"may_classify_goal": True},
    ],
    ids=lambda given: next(iter(given)),
)
async def test_where_more_is_wanted_than_one_reading_a_model_decides(given, call):
    chat = ScriptedChat({"action": "done", "reason": "enough", "missing": []})
    await ModelBrain(chat, None, ModelSettings()).decide(seen(**given), call)
    assert len(chat.asked) == 1


async def test_a_page_that_says_so_and_is_quoted_for_nothing_ends_nothing(call):
    chat = ScriptedChat({"action": "done", "reason": "enough", "missing": []})
    shown = seen()
    await ModelBrain(chat, None, ModelSettings()).decide(shown.changed(findings=FOUND[2:]), call)
    assert len(chat.asked) == 1


async def test_a_page_that_answers_all_together_with_an_earlier_one_is_told_what_that_one_said(call):
    told = {"relevance": 0.9, "confidence": 0.9, "key_facts": [], "answers_all": True}
    chat = ScriptedChat(told)
    shown = page("Ida Holm was born in 1931.")
    known = ["The Skelder lighthouse was designed by Ida Holm."]
    await ModelBrain(chat, None, ModelSettings()).extract(
        shown.changed(job_context=shown.job_context.changed(known=known)), call
    )
    assert known[0] in chat.asked[0]["user"]


@pytest.mark.parametrize(("said", "kept"), [(True, True), (False, False), ("yes", False), (None, False)])
async def test_only_a_plain_yes_of_the_reader_counts(said, kept, call):
    told = {"relevance": 0.9, "confidence": 0.9, "key_facts": [], "answers_all": said}
    chat = ScriptedChat(told)
    found = await ModelBrain(chat, None, ModelSettings()).extract(page("It is 43 metres tall."), call)
    assert found.answers_all is kept
    assert next(reversed(chat.asked[0]["schema"]["properties"])) == "answers_all"


def spent(**given):
    """No search is left; the last pages are relevant, and do not answer all."""
    return seen(False, **{"allowed": ["visit", "done"]} | given)


async def test_a_model_is_not_asked_whether_to_end_where_it_has_read_all_that_it_expects_much_of(call):
    chat = ScriptedChat()
    left = [candidate("http://c.test/", 0.4)]
    ended = await ModelBrain(chat, None, ModelSettings()).decide(spent(candidates=left), call)
    assert (ended.decision.action, chat.asked) == ("done", [])
    assert ended.evaluation.coverage == 0.5, "one of the two questions has no finding with its words"
    assert [leaf.state for leaf in ended.outline.leaves] == ["filled", "filled"], (
        "the writer says what is missing"
    )
    assert ended.analysis is None, "nobody has said that the question is answered"


@pytest.mark.parametrize(
    "given",
    [
        {"candidates": [candidate("http://c.test/", 0.8)]},
        {"relevance": 0.5},
        {"depth": "deep"},
        {"to_label": LabelRequest(goal="g", results=[])},
        {"given_urls": ["http://d.test/"]},
        {"stuck": "DIFFERENT_QUERY"},
        {"allowed": ["visit", "done", "ask_human"]},
    ],
    ids=[
        "a page promises much",
        "nothing relevant",
        "deep",
        "new results",
        "a page of the caller",
        "stuck",
        "a person",
    ],
)
async def test_else_a_model_decides_also_where_no_search_is_left(given, call):
    chat = ScriptedChat({"action": "done", "reason": "enough", "missing": []})
    await ModelBrain(chat, None, ModelSettings()).decide(spent(**given), call)
    assert len(chat.asked) == 1
