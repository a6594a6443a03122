"""What tokens have bought."""

from planner.job.tokens_by_role import token_lines
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.messages.events import CommandDone, RoleTokens, Usage, read_event
from tests.planner.scripted import a_job


def test_each_role_has_a_line_with_what_its_tokens_bought_the_dearest_first():
    used = {
        "planner": RoleTokens(calls=1, prompt_tokens=900, completion_tokens=50),
        "extractor": RoleTokens(calls=3, prompt_tokens=12_000, cached_tokens=8_000, completion_tokens=900),
    }
    job = a_job().changed(
        by_role=used, plan=PlanningState(searches_used=2, visits_used=5, findings=24, pages_read=5)
    )
    assert token_lines(job) == [
        "extractor: 3 calls, 12,000 tokens in (8,000 of them cached), 900 out for 24 findings on 5 pages",
        "planner: 1 call, 900 tokens in, 50 out for 2 searches and 5 visits",
    ]
    assert token_lines(Job.from_wire(job.to_wire())) == token_lines(job)
    assert token_lines(a_job()) == []


def test_tokens_by_role_stand_outside_of_what_older_planners_read_strictly():
    usage = Usage(model_calls=1, by_role={"planner": RoleTokens(calls=1)})
    event = CommandDone(uid="u", command="c", usage=usage, by_role=usage.by_role)
    assert "by_role" not in usage.model_dump()
    assert read_event(event.to_wire()).by_role == usage.by_role
