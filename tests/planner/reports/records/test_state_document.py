import re

from hypothesis import given
from hypothesis import strategies as st

from planner.reports.records.state_document import state_document
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from tests.planner.scripted import (
    Drive,
    ScriptedBrain,
    a_finding,
    a_job,
    done,
    found,
    read,
    search,
    start,
    visit,
)

SECTIONS = [
    "# Research State",
    "## Goal (User's Original Query)",
    "## Context (From Session)",
    "## Prior Turn Context",
    "## Topic",
    "## Task",
    "## Intent",
    "## Search Results",
    "## Visited Pages",
    "## Intelligence Summary",
    "### What to Look For",
    "### Price Expectations",
    "### Recommended Models",
    "### User Warnings",
    "## Status",
    "## Iteration",
    "## Strategy",
]


def headings(text: str) -> list[str]:
    return [
        line for line in text.splitlines() if re.match(r"#{1,3} ", line) and not line.startswith("### Page ")
    ]


def test_the_document_of_a_new_job_has_every_section_and_no_content():
    text = state_document(a_job("Find me a laptop", intent="commerce"), [])
    assert headings(text) == SECTIONS
    assert (
        text
        == """\
# Research State

## Goal (User's Original Query)
Find me a laptop

## Context (From Session)
(none yet)

## Prior Turn Context
(none yet)

## Topic
(none yet)

## Task
(none yet)

## Intent
commerce

## Search Results
(none yet)

## Visited Pages
(none yet)

## Intelligence Summary
### What to Look For
(none yet)

### Price Expectations
(none yet)

### Recommended Models
(none yet)

### User Warnings
(none yet)

## Status
in_progress

## Iteration
1 / 10

## Strategy
phase1_only: the goal asks for knowledge
"""
    )


def test_results_pages_and_summary_fill_their_sections():
    kinds = {
        "spec_to_look_for": "At least 16 GB of memory.",
        "recommendation": "Look at the cooling first.",
        "price_expectation": "Expect $800-1000.",
        "recommended_product": "The LOQ 15 is good value.",
        "warning": "Avoid the X brand.",
        "vendor_mentioned": "Best Buy has it.",
    }
    findings = [a_finding("j:2", text, kind=kind) for kind, text in kinds.items()]
    page = VisitRecord(
        n=1,
        command="j:2",
        url="https://f.example/1",
        round=2,
        outcome="ok",
        fetched_at="2026-01-02T03:04:05+00:00",
    )
    lost = VisitRecord(
        n=2, command="j:3", url="https://g.example/1", round=2, outcome="refused", reason="robots"
    )
    result = ScoredResult(
        url="https://f.example/1", title="A forum", score=0.9, type="forum", priority="must_visit"
    )
    job = a_job(intent="commerce").model_copy(update={"visits": [page, lost], "results": [result]})
    text = state_document(job, findings)
    assert "1. A forum – https://f.example/1 (forum, must_visit, 0.9)" in text
    assert (
        "### Page 1: https://f.example/1\n**Visited:** 2026-01-02T03:04:05+00:00\n**Findings:**\n- At least"
        in text
    )
    assert "g.example" not in text
    summary = text.split("## Intelligence Summary")[1].split("## Status")[0]
    assert [line for line in summary.splitlines() if line] == [
        "### What to Look For",
        "- At least 16 GB of memory.",
        "- Look at the cooling first.",
        "### Price Expectations",
        "- Expect $800-1000.",
        "### Recommended Models",
        "- The LOQ 15 is good value.",
        "### User Warnings",
        "- Avoid the X brand.",
    ]


def test_status_and_iteration_follow_the_job():
    drive = Drive(a_job(), ScriptedBrain(search("x"), visit("https://a.example/1"), done()))
    shown = []
    drive.step(start(drive.job))
    shown.append(state_document(drive.job, drive.findings))
    drive.step(found(drive.commands[0], "https://a.example/1"))
    shown.append(state_document(drive.job, drive.findings))
    drive.step(read(drive.commands[0], "A fact."))
    shown.append(state_document(drive.job, drive.findings))
    shown.append(state_document(drive.job.model_copy(update={"state": "completed"}), drive.findings))
    status = [re.search(r"## Status\n(\w+)\n\n## Iteration\n(\d+ / \d+)", text).groups() for text in shown]
    assert status == [
        ("in_progress", "1 / 10"),
        ("in_progress", "2 / 10"),
        ("sufficient", "3 / 10"),
        ("done", "3 / 10"),
    ]


TEXT = st.text(alphabet=st.sampled_from("ab#=-\n *[](<>`|"), max_size=60)


@given(goal=TEXT, context=TEXT, topic=TEXT, title=TEXT, claim=TEXT, iteration=st.integers(0, 30))
def test_sections_keep_their_order_whatever_their_content(goal, context, topic, title, claim, iteration):
    visit_ = VisitRecord(n=1, command="j:1", url="https://a.example/", round=1, outcome="ok")
    job = a_job(f"x{goal}", context=context, topic=topic).model_copy(
        update={
            "results": [ScoredResult(url="https://a.example/", title=title)],
            "visits": [visit_],
            "plan": PlanningState(iteration=iteration),
        }
    )
    text = state_document(job, [a_finding("j:1", f"x{claim}")])
    assert headings(text) == SECTIONS


def test_the_document_of_a_german_goal_is_in_german():
    job = a_job("günstiger Laptop", language="de")
    text = state_document(job.model_copy(update={"strategy_reason": ""}), [])
    assert text.startswith(
        "# Stand der Recherche\n\n## Ziel (die Frage, wie sie gestellt wurde)\ngünstiger Laptop\n"
    )
    assert "(noch nichts)" in text and "(none yet)" not in text
