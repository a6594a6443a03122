"""The talks and the reasons that the sources describe, as whole jobs: without a model, and with a scripted one."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models.scripted_model import plan, section, shown_pages
from tests.cli import dialogue_web
from tests.cli.conftest import Research
from tests.cli.dialogue_web import DialogueWeb
from tests.cli.scripted_endpoint import scripted_endpoint

pytestmark = pytest.mark.long

LATEST = "Research the latest developments in AI safety"
EXPERTS = "What are experts saying about renewable energy costs?"
DOCUMENTATION = "Find technical documentation for Swift async/await"
CHILDREN = "What is the age of the children of the parents who run Harrow Mill?"
FERRIES = "Which lake ferry has the oldest engine, and who repaired it?"
LOCKS = "How many fish pass the canal lock in a year?"
LOW = {"relevance": 0.4, "confidence": 0.3, "coverage": 0.2, "should_retry": True, "reasons": "too little"}
SURE = {"relevance": 0.9, "confidence": 0.9, "coverage": 1.0, "should_retry": False, "reasons": "answered"}
JOBS_END_S = 100


def judged(decision: dict[str, Any], scores: dict[str, Any], answered: bool = False) -> dict[str, Any]:
    """A decision with the judgement that the prompt asks for."""
    analysis = {
        "assessment": "as scripted", "confidence_score": scores["confidence"], "is_answered": answered,
        "suggestions_for_next_step": [], "new_potential_urls": [], "inconsistencies_found": [], "leads": [],
    }  # fmt: skip
    return decision | {"evaluation": scores, "analysis": analysis}


def planner(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """What the model decides: by the goal, and by what the prompt shows."""
    goal, offered = section(prompt, "Goal"), schema["properties"]
    listed = shown_pages(prompt, offered)
    seen, steps = section(prompt, "Pages Visited"), section(prompt, "Current State")
    searched = steps.count(". search:")
    if CHILDREN in goal:
        if "The family of Harrow Mill" in seen:
            return judged(
                {"action": "done", "reason": "Confidence is high (0.9), the query is answered."}, SURE, True
            )
        if "Harrow Mill: the company" in seen:
            lines = [line for line in prompt.splitlines() if "/family" in line and line[:1] == "R"]
            link = next(iter(lines), listed[0] if listed else "")
            why = "The analyst suggested the page of the family after the company's site was found."
            return judged({"action": "visit", "urls": [link.partition(".")[0]], "reason": why}, LOW)
    if FERRIES in goal and searched:
        return {"action": "search", "query": FERRIES, "reason": "once more"}
    if LOCKS in goal and searched:
        if seen.count("findings.") < searched and listed:
            return judged({"action": "visit", "urls": listed[:1], "reason": "the next"}, LOW)
        if searched < 2 and "query" in offered:
            return judged(
                {"action": "search", "query": "fish at the canal lock", "reason": "other words"}, LOW
            )
        return judged({"action": "done", "reason": "nothing more"}, LOW)
    if FERRIES in goal or LOCKS in goal:
        return {"action": "search", "query": goal.splitlines()[0], "reason": "to begin with"}
    if EXPERTS in goal and listed and seen.count("findings.") == 1:
        # One page is read while the results are labelled: what experts say is not what one of them says.
        return judged({"action": "visit", "urls": listed[:2], "reason": "what others say"}, LOW)
    return plan(prompt, schema)


@pytest.fixture(scope="module")
def web() -> Iterator[DialogueWeb]:
    with dialogue_web.dialogue_web() as web:
        yield web


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with scripted_endpoint(planner) as url:
        yield url


def up_with(web: DialogueWeb, folder: Path, **settings: str) -> Research:
    return Research(
        {
            "SEARXNG_URL": web.search,
            "RESEARCH_PROVIDERS": "searxng",
            "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
            "PHASE1_VISIT_DELAY_SECONDS": "0",
            "RESEARCH_HOME": str(folder / "home"),
            "RESEARCH_MEMORY_MAX_AGE_DAYS": "0",
        }
        | settings,
        folder,
    )


def ended(research: Research, *asked: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The jobs of these goals, by goal, once each is over or waits for a person, in one running system."""
    with research.anew().running("up") as running:
        running.until("are up")
        jobs = {goal: research("submit", goal, *more, "--json").json["job"] for goal, *more in asked}
        until = time.monotonic() + JOBS_END_S
        states: dict[str, dict[str, Any]] = {}
        while time.monotonic() < until:
            states = {one["job"]: one for one in research("list", "--json").json}
            if all(
                states[id_]["state"] in ("completed", "failed", "waiting_for_human") for id_ in jobs.values()
            ):
                break
            time.sleep(1)
        found = {goal: dict(states[id_]) for goal, id_ in jobs.items()}
        for goal, id_ in jobs.items():
            found[goal]["steps"] = research("status", id_, "--steps", "100").out
            if found[goal]["state"] == "waiting_for_human":
                found[goal]["review"] = json.loads(research("review", id_, "--json").out)
                assert research("review", id_, "--accept").code in (0, 3)
            else:
                found[goal]["result"] = research("result", id_, "--json").json
        return found


def hosts(result: dict[str, Any]) -> list[str]:
    return [source["host"].partition(":")[0] for source in result["sources"]]


def is_read(web: DialogueWeb, result: dict[str, Any], host: str, path: str) -> bool:
    return any(source["url"] == web.url(host, path) for source in result["sources"])


def holds_for_each_talk(web: DialogueWeb, found: dict[str, dict[str, Any]]) -> None:
    """What the sources say of the three talks, whoever decides."""
    latest, experts, swift = (found[goal]["result"] for goal in (LATEST, EXPERTS, DOCUMENTATION))
    assert (latest["type"], experts["type"], swift["type"]) == ("news", "general", "technical")

    assert "news" in {category for category, _ in web.asked}
    assert {dialogue_web.LEDGER, dialogue_web.COURIER} <= set(hosts(latest)), "several sources"
    assert dialogue_web.OLD not in hosts(latest), "the news are those of the last seven days"
    assert latest["news"]["timeline"]
    assert latest["news"]["key_developments"]

    both = {dialogue_web.INSTITUTE, dialogue_web.AGENCY}
    assert both <= set(hosts(experts)), "what experts say, not one of them"
    assert "4 percent" in experts["report_markdown"]
    if dialogue_web.FORUM in hosts(experts):
        assert hosts(experts)[-1] == dialogue_web.FORUM, "the most credible sources come first"

    assert is_read(web, swift, dialogue_web.MANUAL, "/documentation/swift/async-await")
    assert hosts(swift)[0] == dialogue_web.MANUAL, "official documentation comes first"
    assert dialogue_web.SCRIPT not in hosts(swift), "another technology"
    assert any("/documentation/swift" in str(link) for link in swift["technical"]["documentation"])


def test_the_three_talks_hold_without_a_model(web, tmp_path):
    found = ended(up_with(web, tmp_path), (LATEST,), (EXPERTS,), (DOCUMENTATION,))
    holds_for_each_talk(web, found)


def test_the_three_talks_and_the_four_reasons_hold_with_a_scripted_model(web, endpoint, tmp_path):
    outline = tmp_path / "outline.md"
    outline.write_text("# Engines\n- Which engine is the oldest?\n# Repairs\n- Who repaired the engine?\n")
    research = up_with(web, tmp_path, OPENAI_BASE_URL=endpoint, MIND_MODEL="scripted")
    found = ended(
        research, (LATEST,), (EXPERTS,), (DOCUMENTATION,), (CHILDREN,),
        (FERRIES, "--review", "--outline", str(outline)), (LOCKS, "--review", "--max-attempts", "2"),
    )  # fmt: skip
    holds_for_each_talk(web, found)

    # A URL was found: it is visited. The evidence is sure and answers: the research ends.
    children = found[CHILDREN]
    assert is_read(web, children["result"], dialogue_web.MILL, "/family")
    assert "The analyst suggested the page of the family" in children["steps"]
    assert "Confidence is high (0.9), the query is answered." in children["steps"]
    assert "aged 9" in children["result"]["report_markdown"]
    assert (children["searches"], children["visits"]) == (1, 2), "nothing more was asked of the web"

    # A loop: every other way is taken once and in order, each with its line in the timeline.
    loop = found[FERRIES]
    places = [loop["steps"].find(f"the next step is {way}") for way in (
        "a markedly different query", "a narrower sub-question", "an unused lead", "a person",
    )]  # fmt: skip
    assert places == sorted(places), loop["steps"]
    assert places[0] > 0, loop["steps"]

    # Low confidence after several attempts: a person is asked, with the findings and the difficulty.
    low = found[LOCKS]
    assert low["state"] == "waiting_for_human", low["steps"]
    question = low["review"]["question"]
    assert question["kind"] == "ask"
    assert "still uncertain after" in question["difficulty"]
    assert low["review"]["findings"]
