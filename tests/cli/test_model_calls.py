"""How many calls of a model a job makes one after the other, against a scripted endpoint in a process of its own."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from benchmarks.models import scripted_model

LATENCY_S = 3.0
"""Calls that are in flight together overlap by nearly this time."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """The endpoint's URL without a path; each call takes LATENCY_S."""
    command = [sys.executable, "-m", scripted_model.__name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        port = json.loads(process.stdout.readline())["port"]
        roles = ("planner", "scorer", "extractor", "report")
        process.stdin.write(json.dumps(dict.fromkeys(roles, LATENCY_S)) + "\n")
        process.stdin.flush()
        yield f"http://127.0.0.1:{port}"
        process.stdin.close()


def calls_of(endpoint: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{endpoint}/calls") as answer:
        return sorted(json.load(answer), key=lambda call: call["start_ms"])


def in_sequence(calls: Sequence[dict[str, Any]]) -> int:
    """The length of the longest chain of calls of which each began after the one before it had ended."""
    longest: list[int] = []
    for place, call in enumerate(calls):
        before = (
            n for n, one in zip(longest, calls[:place], strict=True) if one["end_ms"] <= call["start_ms"]
        )
        longest.append(1 + max(before, default=0))
    return max(longest, default=0)


@pytest.mark.long
def test_the_simplest_job_makes_three_calls_and_none_before_it_has_results(research, endpoint):
    """A plain question is searched for by code, and the reading says that it answers all."""
    answer = research.having(OPENAI_BASE_URL=f"{endpoint}/v1", MIND_MODEL="scripted")(
        "run", "What is the best hand coffee grinder for travel?", "--depth", "quick", "--json"
    )
    assert answer.code == 0, answer.err
    calls = calls_of(endpoint)
    roles = [call["role"] for call in calls]
    assert "scorer" not in roles, "labels come with the decision"
    assert sorted(roles) == ["extractor", "planner", "report"], "neither search nor end asks a model"
    assert in_sequence(calls) <= 3
