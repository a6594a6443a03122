"""What one fixed job costs with each brain, against `table.toml`: a change of a cost is a line in a change."""

import contextlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from research_crawler.demo.process import local_web_process
from tests.cli.conftest import OURS

pytestmark = pytest.mark.long  # a whole job of each brain

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
TABLE = tomllib.loads((HERE / "table.toml").read_text())
GOAL = "What is the best hand coffee grinder for travel?"
BRAINS = ("model", "extractive")


@contextlib.contextmanager
def scripted_model() -> Iterator[str]:
    """The endpoint of a model that searches once, reads three pages, quotes each and writes."""
    command = [sys.executable, "-m", "benchmarks.models.scripted_model"]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as model:
        assert model.stdout is not None
        yield f"http://127.0.0.1:{json.loads(model.stdout.readline())['port']}/v1"
        model.terminate()


@pytest.fixture(scope="module", params=BRAINS)
def run(request, tmp_path_factory):
    """The brain of a run, its report, and what it cost."""
    home = tmp_path_factory.mktemp("costs")
    counts = home / "counts.json"
    env = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    with local_web_process() as web, scripted_model() as endpoint:
        env |= {
            "PYTHONPATH": str(PROJECT),
            "PYTHONHASHSEED": "0",
            "RESEARCH_HOME": str(home / "home"),
            "SEARXNG_URL": web.search,
            "RESEARCH_PROVIDERS": "searxng",
            "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
            "PHASE1_VISIT_DELAY_SECONDS": "0",
        }
        if request.param == "model":
            env |= {"OPENAI_BASE_URL": endpoint, "OPENAI_API_KEY": "x", "MIND_MODEL": "scripted"}
        command = [sys.executable, str(HERE / "counting.py"), str(counts), "run", GOAL, "--json"]
        done = subprocess.run(
            [*command, "--depth", "quick", "--intent", "informational", "--phase1-only"],
            env=env,
            cwd=home,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    assert done.returncode in (0, 3), done.stderr[-3000:]
    return request.param, json.loads(done.stdout), json.loads(counts.read_text())


def test_a_job_costs_what_the_table_says(run):
    brain, _, found = run
    rows = TABLE[brain]
    wrong = {
        name: (found.get(name, 0), row["count"])
        for name, row in rows.items()
        if abs(found.get(name, 0) - row["count"]) > row.get("within", 0.0) * row["count"]
    }
    assert not wrong, f"(found, expected): {wrong}; correct tests/costs/table.toml if that is meant"


def test_the_text_of_a_page_goes_to_a_parse_process_once(run):
    """It is read, split and picked from in one go, and quotes in its words are looked up where the text is."""
    _, report, found = run
    assert (
        found["parse calls"] == found["parse calls: read_in_worker"] == report["metrics"]["pages_visited"] > 0
    )


def test_a_job_with_a_model_makes_no_vector_on_its_way(run):
    brain, _, found = run
    if brain == "model":
        assert not found.get("texts embedded")
