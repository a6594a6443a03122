"""A field that was renamed keeps its former name in JSON and Redis, so that the release before reads it and is read."""

import json

from research_crawler.adapters.redis.job_fields import encoded_fields
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import JobContext, VisitCommand, read_command
from research_crawler.core.models.messages.events import CommandDone, read_event


def test_an_outcome_is_written_under_its_former_name_and_read_by_both():
    event = CommandDone(uid="j:1", command="j:1", outcome="failed")
    assert '"what":"failed"' in event.to_wire() and '"outcome"' not in event.to_wire()
    assert read_event(event.to_wire()) == event.changed(outcome="failed")


def test_a_renamed_field_within_a_record_is_written_under_its_former_name_too():
    visit = VisitRecord(n=1, command="j:1", url="https://a.example/", round=1, outcome="blocked")
    plan = PlanningState(open_commands=["j:2"], deadline_timer_no=3, recovery_step=2)
    job = Job(
        id="jobaaaaaaaaa", inputs=JobInputs(goal="why", retries_unreachable=True), visits=[visit], plan=plan
    )
    stored = {name: json.loads(text) for name, text in encoded_fields(job).items()}
    assert (stored["plan"]["open"], stored["plan"]["epoch"], stored["visits"][0]["what"]) == (
        ["j:2"],
        3,
        "blocked",
    )
    assert (stored["plan"]["stuck_step"], stored["inputs"]["insists"]) == (2, True)
    assert '"what":"blocked"' in job.to_wire() and '"outcome":"blocked"' not in job.to_wire()
    assert job.model_dump()["visits"][0]["what"] == "blocked"
    assert Job.from_wire(job.to_wire()) == job


def test_the_flags_of_a_fetch_are_written_as_scripts_and_the_release_before_read_them():
    flags = {"no_render": True, "accepts_long_delay": True, "retries_unreachable": True, "asks_person": True}
    command = VisitCommand(
        id="j:1", job="j", url="https://a.example/", slot="a.example", page_key="1", **flags
    )
    text = command.changed(
        requested_url=command.url, requested_page_key="1", times_asked=2, intervention="i"
    ).to_wire()
    former = {"plain", "patient", "insists", "ask", "asked", "asked_h", "asks", "person"}
    assert former <= json.loads(text).keys() and not json.loads(text).keys() & {*flags, "times_asked"}
    assert read_command(text).to_wire() == text


def test_the_sub_questions_that_a_command_carries_are_written_as_the_release_before_reads_them():
    context = JobContext(goal="a pump", sub_questions=["How loud?"])
    assert json.loads(context.to_wire())["questions"] == ["How loud?"]
    assert JobContext.from_wire(context.to_wire()) == context


def test_an_event_with_the_vectors_that_earlier_releases_sent_is_read_without_them():
    sent = '{"v":2,"kind":"done","uid":"j:1","job":"j","command":"j:1","what":"ok","vectors":["AAA="]}'
    read = read_event(sent)
    assert (read.command, read.outcome) == ("j:1", "ok")
    assert "vectors" not in read.to_wire()
