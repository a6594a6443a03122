"""A `Runtime` that starts, fails half-way, is cancelled, and closes."""

import json
from pathlib import Path

import pytest

from tests import warm

CHILD = Path(__file__).with_name("system_process.py")
DRAIN_S = 20
"""So long an orderly stop waits for work under way; without any, a busy machine needs a few seconds."""


def run(research, name, *arguments):
    """Run a function in a child process, and return its answer."""
    command = [CHILD, name, *(json.dumps(argument) for argument in arguments)]
    done = warm.run(command, timeout=100, **research.where())
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
def test_a_failure_during_the_start_closes_everything_at_once(research):
    answer = run(research, "fails_when_the_planner_starts")
    assert answer["error"] == "no planner today"
    assert answer["left"] == []
    assert answer["redis"] is False
    assert answer["closed_s"] < DRAIN_S


def test_a_runtime_without_work_closes_at_once_and_leaves_no_task(research):
    answer = run(research, "opens_and_closes")
    assert answer["left"] == []
    assert answer["closed_s"] < DRAIN_S


@pytest.mark.parametrize(
    "after_s", [0.0, 0.1, *(pytest.param(s, marks=pytest.mark.long) for s in (0.4, 0.7, 1.0))]
)
def test_a_start_that_is_cancelled_leaves_nothing_behind(research, after_s):
    answer = run(research, "is_cancelled_while_it_opens", after_s)
    assert answer["left"] == []
    assert answer["closed_s"] < DRAIN_S


@pytest.mark.long
def test_research_can_be_called_as_a_function(research):
    report = run(research, "researches", "What is the best hand coffee grinder for travel?")
    assert report["status"] == "completed"
    assert "Velmar Pocket" in report["report_markdown"]
