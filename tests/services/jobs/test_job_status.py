"""The status of a job as its record tells it, for every interface."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from research_crawler.cli.views.printed_reports import status_line
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.core.models.people.reviews import OpenQuestion, ReviewRecord
from research_crawler.services.jobs.job_status import ASKS_FOR_REVIEW, partial_results, status_of_record
from tests.cases import each_case
from tests.planner.scripted import a_finding

NOW = 1_700_000_000_000
SUBMITTED = datetime.fromtimestamp(NOW / 1000 - 7, UTC).isoformat()


def a_record(**fields) -> Job:
    return Job(id="jobaaaaaaaaa", created_at=SUBMITTED, **{"inputs": JobInputs(goal="heat pumps"), **fields})


def visited(n: int, summary: str, findings: int = 1) -> VisitRecord:
    return VisitRecord(
        n=n,
        command=f"jobaaaaaaaaa:{n}",
        url="https://a.example/",
        round=1,
        summary=summary,
        findings=findings,
    )


@each_case("state", ["planning", "executing", "synthesizing", "waiting_for_human"])
def test_everything_between_pending_and_an_end_is_running(state):
    assert status_of_record(a_record(state=state)).status == "running"


@each_case("state", ["pending", "completed", "failed", "cancelled"])
def test_pending_and_the_ends_are_told_as_they_are(state):
    assert status_of_record(a_record(state=state)).status == state


def test_a_job_that_waits_for_a_person_is_running_and_puts_its_question():
    asked = ReviewRecord(question=OpenQuestion(no=1, kind="ask", text="Which model year?"))
    status = status_of_record(a_record(state="waiting_for_human", review=asked))
    assert status.needs_input is not None
    assert status.needs_input.question == "Which model year?"
    unasked = status_of_record(a_record(state="waiting_for_human"))
    assert unasked.needs_input is not None
    assert unasked.needs_input.question == ASKS_FOR_REVIEW
    assert status_of_record(a_record(state="planning", review=asked)).needs_input is None


def test_the_age_of_the_last_action_counts_from_the_last_step_or_the_submission_and_ends_with_the_job():
    assert status_of_record(a_record(), now_ms=NOW).last_action_age_seconds == 7
    worked = a_record(state="planning", plan=PlanningState(touched_ms=NOW - 2_500))
    assert status_of_record(worked, now_ms=NOW).last_action_age_seconds == 2.5
    ahead = a_record(state="planning", plan=PlanningState(touched_ms=NOW + 400))
    assert status_of_record(ahead, now_ms=NOW).last_action_age_seconds == 0
    assert status_of_record(a_record(state="failed"), now_ms=NOW).last_action_age_seconds is None


def test_partial_results_that_the_record_has_lost_are_told_by_the_findings():
    job = a_record(visits=[visited(9, ""), visited(10, "Summary of ten.")])
    found = [
        a_finding("jobaaaaaaaaa:2", "Dropped visit."),
        a_finding("jobaaaaaaaaa:9", "Weaker.", score=0.1),
        a_finding("jobaaaaaaaaa:9", "Best of nine.", score=0.9),
        a_finding("jobaaaaaaaaa:10", "Not needed."),
    ]
    assert partial_results(job, found) == ["Dropped visit.", "Best of nine.", "Summary of ten."]
    assert partial_results(a_record()) == []


def test_nobody_can_add_a_key_to_a_status_by_mistake():
    with pytest.raises(ValidationError):
        JobStatus.model_validate({**status_of_record(a_record()).model_dump(), "curent_step": 1})


def test_a_job_that_extends_another_is_told_from_it_by_its_question_in_every_list():
    goal = "How much descaler does the machine take, and which kind of it is right for which kind of water?"
    outline = f"# {goal}\n- {goal}\n# How often?\n- How often should it be descaled?"
    first = a_record(inputs=JobInputs(goal=goal))
    longer = a_record(inputs=JobInputs(goal=goal, about_job="a" * 12, outline=outline))
    assert status_of_record(longer).topic == f"{goal} + How often should it be descaled?"
    assert status_of_record(first).topic == goal
    assert status_line(first).startswith(status_line(longer)[:60])
    assert status_line(longer).endswith(" + How often should it be descaled?")
    assert len(status_line(longer)) == len(status_line(first))
