"""Submitting a job, as every interface does it."""

import pytest
from pydantic import ValidationError

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import OutlineError, UnknownJob, UsageError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.settings.depth import PRESETS
from research_crawler.runtime.runtime import running
from research_crawler.services.jobs.job_lookup import find_job
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job
from tests.cases import each_case


@pytest.fixture
def config(tmp_path):
    return load_system_config(home=tmp_path, phase2_vendors=2)


async def test_a_submitted_job_waits_in_the_queue_with_the_limits_of_the_request_and_of_the_settings(config):
    request = request_from(config, JobQuestion(goal="Find me a cheap laptop", region="de", max_searches=1))
    async with running(config, crawl=False, plan=False) as runtime:
        submitted = await submit_job(runtime, request)
        job = await find_job(runtime, submitted.id)
        with pytest.raises(UnknownJob):
            await submit_job(runtime, request_from(config, JobQuestion(from_job="nosuchjob")))
    assert job.state == "pending"
    assert (job.inputs.region, job.inputs.vendors) == ("DE", 2)
    assert (job.limits.max_searches, job.limits.max_visits) == (1, PRESETS["standard"].visits)


async def test_a_key_is_for_one_request_with_all_its_limits(config):

    def asked(**limits):
        return request_from(config, JobQuestion(goal="heat pumps", **limits))

    async with running(config, crawl=False, plan=False) as runtime:
        first = await submit_job(runtime, asked(max_attempts=1, max_usd=0.5), key="k")
        again = await submit_job(runtime, asked(max_attempts=1, max_usd=0.5), key="k")
        assert again.id == first.id
        for other in (asked(max_attempts=5), asked(max_usd=2.0)):
            with pytest.raises(UsageError, match="another request"):
                await submit_job(runtime, other, key="k")


def test_a_caller_may_ask_for_another_number_of_vendors_than_the_settings(config):
    assert request_from(config, JobQuestion(goal="a laptop", vendors=3)).to_job(config).inputs.vendors == 3


@each_case(
    "limits",
    [
        {"max_searches": 51},
        {"max_visits": 201},
        {"max_visits": -1},
        {"timeout_seconds": 86_401},
        {"timeout_seconds": float("nan")},
        {"timeout_seconds": 0},
        {"max_searches": -1},
        {"max_attempts": 0},
        {"max_tokens": 0},
        {"max_tokens": 10**30},
        {"max_usd": 0},
        {"max_usd": float("nan")},
        {"max_usd": float("inf")},
    ],
)
def test_a_limit_outside_its_bounds_is_no_part_of_a_question(limits):
    with pytest.raises(ValidationError, match=next(iter(limits))):
        JobQuestion(goal="a laptop", **limits)


def test_a_given_outline_is_checked_and_becomes_that_of_the_job(config):
    question = JobQuestion(goal="the Skelder lighthouse", outline="# History\n- When was it built?\n# Height")
    outline = request_from(config, question).to_job(config).outline
    assert outline.is_given
    assert [leaf.question for leaf in outline.leaves] == ["When was it built?", "Height"]
    with pytest.raises(OutlineError, match="line 2"):
        request_from(config, question.changed(outline="# A\nprose"))


@pytest.mark.parametrize("goal", [" ", "half a pair: \ud800"])
def test_a_goal_that_nobody_can_research_is_refused_before_anything_starts(config, goal):
    with pytest.raises(UsageError):
        request_from(config, JobQuestion(goal=goal))
