"""What came of a job is one word, and success is said only where something was answered."""

import pytest

from planner.job.outcome import outcome_of, outcome_of_report
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.jobs.records import SearchRecord
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from tests.cases import each_case
from tests.planner.scripted import a_job

FOUND = ColumnValue(name="height", type="text", value="830 m")
NOTHING = ColumnValue(name="width", type="text", reason="not_found")


def after(*, pages_read=0, searches=(), leaves=()):
    job = a_job()
    outline = Outline(sections=[Section(id="1", title="", leaves=list(leaves))] if leaves else [])
    return job.changed(plan=job.plan.changed(pages_read=pages_read), searches=list(searches), outline=outline)


def failed_search():
    return SearchRecord(
        n=1, command="j:1", query="x", round=1, outcome="failed", reason=Why(Reason.CONNECTION_REFUSED)
    )


def leaf(number, state):
    return Leaf(id=f"1.{number}", question=f"part {number}", state=state)


@each_case(
    ("job", "insufficient", "values", "outcome"),
    [
        (after(pages_read=3), False, (), "answered"),
        (after(pages_read=3), True, (), "insufficient"),
        (after(searches=[failed_search()]), True, (), "nothing_worked"),
        (after(pages_read=1, searches=[failed_search()]), True, (), "insufficient"),
        (after(pages_read=3), False, (FOUND, NOTHING), "partly"),
        (after(pages_read=3), False, (NOTHING,), "insufficient"),
        (after(pages_read=3), True, (FOUND, NOTHING), "partly"),
        (after(pages_read=3), True, (FOUND,), "answered"),
        (after(pages_read=3, leaves=[leaf(1, "filled"), leaf(2, "open")]), False, (), "partly"),
        (after(pages_read=3, leaves=[leaf(1, "filled"), leaf(2, "filled")]), False, (), "answered"),
    ],
)
def test_the_outcome_tells_what_was_found_of_what_was_asked(job, insufficient, values, outcome):
    assert outcome_of_report(job, is_insufficient=insufficient, values=values) == outcome


@pytest.mark.parametrize(
    ("insufficient", "values", "outcome"),
    [(False, (), "partly"), (True, (), "insufficient"), (False, (FOUND,), "answered")],
)
def test_excerpts_that_perhaps_do_not_answer_are_no_answer(insufficient, values, outcome):
    job = after(pages_read=3)
    assert outcome_of_report(job, is_insufficient=insufficient, is_doubtful=True, values=values) == outcome


def test_a_job_that_is_not_over_has_no_outcome_and_one_that_ended_without_a_planner_has():
    assert outcome_of(a_job()) is None
    assert outcome_of(a_job().changed(state="failed")) == "nothing_worked"
    assert outcome_of(a_job().changed(state="cancelled")) == "insufficient"
    assert outcome_of(a_job().changed(state="failed", report="# What was found")) == "partly"


def test_an_answer_that_waits_for_a_person_is_no_outcome_and_a_job_that_is_cancelled_then_is_not_answered():
    graded = a_job().changed(outcome="answered")
    assert outcome_of(graded.changed(state="waiting_for_human")) is None
    assert outcome_of(graded.changed(state="cancelled")) == "insufficient"
    assert outcome_of(graded.changed(state="completed")) == "answered"
