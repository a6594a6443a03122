"""One object carries a job's limits from the caller's question to the record in Redis."""

import json

from research_crawler.adapters.redis.job_fields import encoded_fields
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.settings.depth import limits_for


def test_a_question_sets_only_the_limits_that_its_caller_gave():
    asked = JobQuestion(goal="why", max_visits=3, timeout_seconds=90, max_attempts=4, max_usd=0.5).limits
    assert asked.model_fields_set == {"max_visits", "timeout_seconds", "max_attempts", "max_usd"}
    usual = Limits(max_searches=7, timeout_seconds=10, max_attempts=1)
    assert asked.completed(usual) == usual.changed(
        max_visits=3, timeout_seconds=90, max_attempts=4, max_usd=0.5
    )


def test_limits_are_as_asked_if_no_limit_that_was_set_differs():
    limits = Limits(max_visits=3, timeout_seconds=90)
    assert limits.has(Limits(max_visits=3)) and limits.has(Limits())
    assert not limits.has(Limits(max_visits=8))


def test_phase_2_has_the_time_that_the_caller_gave_phase_1_unless_a_setting_gives_it_its_own():
    asked = Limits(timeout_seconds=90)
    assert limits_for(Config(), "quick", asked).vendors_timeout_seconds == 90
    own = Config(phase2_timeout_seconds=30)
    assert limits_for(own, "quick", asked).vendors_timeout_seconds == 30


def test_times_are_written_under_the_names_that_former_releases_read():
    job = Job(id="j", inputs=JobInputs(goal="why"), limits=Limits(timeout_seconds=9, visit_delay_seconds=2))
    stored = json.loads(encoded_fields(job)["limits"])
    assert (stored["timeout_s"], stored["visit_delay_s"]) == (9, 2)
    assert "timeout_seconds" not in stored


def test_the_most_attempts_of_former_records_are_read_from_among_the_thresholds():
    former = '{"v":2,"timeout_s":9.0,"quality":{"v":2,"max_attempts":5,"weak_relevance":0.4}}'
    limits = Limits.from_wire(former)
    assert (limits.timeout_seconds, limits.max_attempts, limits.quality.weak_relevance) == (9, 5, 0.4)
    assert Limits.from_wire(limits.to_wire()) == limits
