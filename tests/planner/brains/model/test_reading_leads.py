"""What a page names and the rest of the answer depends on is looked up, without another call of the model."""

import pytest

from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.core.models.jobs.decisions import LabelRequest, SectionChoice
from research_crawler.core.ports.models import Call
from research_crawler.extraction.evidence.passages import estimated_tokens, split_passages
from tests.planner.brains.scripted_chat import ScriptedChat
from tests.planner.brains.views import candidate, finding, page, search, view, visit

URL = "http://a.test/1"
GOAL = "Where was the architect of the Skelder lighthouse born?"
SAID = "The Skelder lighthouse was designed by Ida Holm."
LABELS = LabelRequest(goal=GOAL, results=[])
DECIDED = {"action": "done", "reason": "enough", "missing": []}


@pytest.fixture
def call():
    return Call(job="j", key="1", token="t", deadline_s=5)


def seen(leads_to="Ida Holm birthplace", **given):
    found = [finding(SAID, URL).changed(command="j:1")]
    own = visit(URL, leads_to=leads_to, relevance=0.6)
    return view(
        **{"goal": GOAL, "visited": [own], "findings": found, "searches": [search("skelder")]} | given
    )


async def decided(shown, call):
    chat = ScriptedChat(DECIDED)
    return (await ModelBrain(chat, None, ModelSettings()).decide(shown, call)).decision, len(chat.asked)


async def test_what_a_page_names_is_searched_for_without_asking_the_model(call):
    decision, asked = await decided(seen(), call)
    assert (decision.action, decision.queries, asked) == ("search", ["Ida Holm birthplace"], 0)


async def test_it_is_searched_for_also_where_other_results_have_no_labels_yet(call):
    decision, asked = await decided(seen(to_label=LABELS), call)
    assert (decision.action, decision.queries, asked) == ("search", ["Ida Holm birthplace"], 0)


async def test_a_page_that_is_known_by_this_name_is_read_instead(call):
    links = [
        candidate("http://a.test/skelder", title="Skelder"),
        candidate("http://a.test/holm", title="Ida Holm"),
    ]
    decision, asked = await decided(seen(candidates=links), call)
    assert (decision.action, decision.urls, asked) == ("visit", ["http://a.test/holm"], 0)


async def test_pages_of_two_names_are_read_in_one_call_and_the_unknown_one_is_searched_for_before(call):
    lead = "Skelder Tower architect Ida Holm"
    found = [finding("Skelder Tower was designed by Ida Holm.", URL).changed(command="j:1")]
    tower = candidate("http://a.test/tower", title="Skelder Tower")
    shown = seen(
        lead, goal="Where was its architect born?", findings=found, candidates=[tower], to_label=LABELS
    )
    decision, asked = await decided(shown, call)
    assert (decision.action, decision.queries, asked) == ("search", [lead], 0)

    person = candidate("http://b.test/holm", title="Ida Holm, engineer", scored=False)
    searched = {"searches": [search(lead, 3)], "candidates": [tower, person]}
    decision, asked = await decided(shown.changed(**searched), call)
    assert (decision.action, decision.urls, asked) == ("visit", [tower.result.url, person.result.url], 0)

    decision, asked = await decided(shown.changed(searches=[search(lead, 3)]), call)
    assert (decision.urls, asked) == ([tower.result.url], 0), "nothing was found for the other name"


@pytest.mark.parametrize(
    "given",
    [
        {"leads_to": ""},
        {"leads_to": "the architect of the Skelder lighthouse"},
        {"leads_to": "Tomas Ehrling birthplace"},
        {"searches": [search("ida holm birthplace")]},
        {"leads_to": "Ida Holm " + "and all of her buildings " * 4},
        {"depth": "deep"},
        {"type": "news"},
        {"intent": "commerce"},
        {"stuck": "DIFFERENT_QUERY"},
        {"may_classify_goal": True},
        {"rounds_before": 2},
        {"allowed": ["done"]},
    ],
    ids=[
        "nothing is named",
        "the question names it",
        "no quote names it",
        "it was searched for",
        "it is no name",
        "deep",
        "news",
        "an offer",
        "stuck",
        "nobody has read the goal",
        "before a review",
        "nothing is left",
    ],
)
async def test_else_a_model_decides(given, call):
    _, asked = await decided(seen(**given), call)
    assert asked == 1


async def test_a_page_by_this_name_is_read_also_where_it_was_searched_for_and_has_no_label_yet(call):
    results = [candidate("http://b.test/holm", title="Ida Holm")]
    searched = [search("ida holm birthplace")]
    decision, asked = await decided(seen(candidates=results, searches=searched, to_label=LABELS), call)
    assert (decision.action, decision.urls, asked) == ("visit", ["http://b.test/holm"], 0)


@pytest.mark.parametrize(
    ("lead", "further", "asks"),
    [("Ida Holm birthplace", "", 0), ("", "", 1), ("Ida Holm birthplace", "Skelder parish", 1)],
    ids=["it was led to", "nothing led to it", "it leads on"],
)
async def test_a_page_that_was_led_to_and_answers_all_ends_the_research_also_where_its_reader_has_doubts(
    lead, further, asks, call
):
    said = finding("Ida Holm was born in Tarn.", "http://a.test/holm").changed(command="j:2")
    first = visit(URL, leads_to=lead, relevance=0.6)
    last = visit(
        "http://a.test/holm", 2, round_no=3, relevance=0.9, confidence=0.6, answers_all=True, leads_to=further
    )
    decision, asked = await decided(seen(visited=[first, last], findings=[said]), call)
    assert (decision.action, asked) == ("done", asks)


async def test_a_section_that_the_reader_asks_for_is_read_without_asking_the_model(call):
    section = SectionChoice(sha="x1", heading="Lighthouses > Skelder")
    own = visit(URL, leads_to=section.heading, relevance=0.6, sha="x1", left_out=[section.heading])
    left = {"unread_sections": [section], "allowed": ["search", "read_section", "done"]}
    decision, asked = await decided(seen(visited=[own], **left), call)
    assert (decision.action, decision.sections, asked) == ("read_section", [section], 0)


async def test_pages_that_gave_much_are_not_read_on_in_a_section(call):
    section = SectionChoice(sha="x1", heading="Lighthouses > Skelder")
    own = visit(URL, leads_to=section.heading, relevance=0.8, sha="x1", left_out=[section.heading])
    beside = visit("http://a.test/2", relevance=0.8)
    left = {"unread_sections": [section], "allowed": ["read_section", "done"]}
    for each, led in ((7, True), (8, False)):
        read = [own.changed(findings=each), beside.changed(findings=each)]
        decision, asked = await decided(seen(visited=read, **left), call)
        assert (decision.action == "read_section") is led
        assert asked == 0, "else the research ends, for no search is left"


async def test_a_reader_asks_for_a_section_by_its_id(call):
    parts = [f"## Part {n}\n\n" + f"The tower number {n} is {n} metres tall. " * 120 for n in range(1, 40)]
    long_page = page("\n\n".join(["# Towers", *parts]), goal="How tall is tower number 7?")
    long_page = long_page.changed(passages=split_passages(long_page.markdown, estimated_tokens))
    chat = ScriptedChat({"relevance": 0.5, "confidence": 0.5, "summary": "", "leads_to": "S2"})
    found = await ModelBrain(chat, None, ModelSettings()).extract(long_page, call)
    assert found.left_out
    assert found.leads_to == found.left_out[1]
    assert f"- S2: {found.left_out[1]}" in chat.asked[0]["user"]
