from typing import get_args

from research_crawler.cli.jobs.job_commands import LISTED_STATES
from research_crawler.core.models.jobs.job import Outcome, State, Status


def test_jobs_can_be_listed_by_each_state_status_and_outcome_and_by_nothing_else():
    assert set(LISTED_STATES) == {*get_args(State), *get_args(Status), *get_args(Outcome)}
    assert len(LISTED_STATES) == len(set(LISTED_STATES))
