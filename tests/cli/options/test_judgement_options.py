"""The options of a job about its attempts, type, stack and parts: each reaches the job, and each is in the help."""

import click
import pytest
from click.testing import CliRunner

from research_crawler.cli.main import research
from research_crawler.cli.options.job_options import job_options, request_of
from research_crawler.core.config import Config


def job_of(*arguments, **settings):
    made = []
    config = Config(**settings)

    @click.command()
    @click.argument("goal")
    @job_options
    def command(goal, **options):
        made.append(request_of(config, goal, options).to_job(config))

    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return made[0]


def test_every_option_reaches_the_job():
    job = job_of(
        "how do heat pumps work", "--max-attempts", "4", "--require-evidence", "--stack", "Python  GUI",
        "--with", "factcheck, trends", "--type", "news",
    )  # fmt: skip
    assert job.limits.max_attempts == 4
    assert job.inputs.require_evidence
    assert (job.inputs.stack, job.inputs.type) == ("Python GUI", "news")
    assert job.inputs.parts == ["trends", "factcheck"]


@pytest.mark.parametrize(("depth", "attempts"), [("quick", 2), ("standard", 3), ("deep", 5)])
def test_attempts_follow_the_depth_unless_a_setting_or_option_names_them(depth, attempts):
    assert job_of("x y z", "--depth", depth).limits.max_attempts == attempts
    assert job_of("x y z", "--depth", depth, max_attempts=7).limits.max_attempts == 7
    assert job_of("x y z", "--depth", depth, "--max-attempts", "1", max_attempts=7).limits.max_attempts == 1


def test_thresholds_are_settings():
    quality = job_of(
        "x y z", enough_relevance=0.9, weak_relevance=0.2, answered_confidence=0.5
    ).limits.quality
    assert (quality.enough_relevance, quality.weak_relevance, quality.answered_confidence) == (0.9, 0.2, 0.5)


def test_the_stack_is_detected_where_it_is_not_given_and_a_given_one_makes_research_technical():
    job = job_of("How do I configure a connection pool in PostgreSQL?")
    assert (job.inputs.type, job.inputs.stack) == ("general", "PostgreSQL")
    assert job_of("How do I add a menu?", "--stack", "Python GUI").inputs.type == "technical"
    assert job_of("How do I add a menu?", "--stack", "Qt", "--type", "general").inputs.type == "general"
    assert job_of("how do whales sleep").inputs.stack == ""


def test_each_option_is_in_the_help():
    text = CliRunner().invoke(research, ["run", "--help"]).output
    for option in ("--max-attempts", "--require-evidence", "--stack", "--with", "--type"):
        assert option in text
