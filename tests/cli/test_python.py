"""The Python functions that run research, called one after another in a script."""

import json
import subprocess
import sys

import pytest

from research_crawler.demo.shops.shop_data import read_purchases

SCRIPT = """
import asyncio, json, sys
from research_crawler.app import JobQuestion, execute_full_research, execute_phase2, execute_research
from research_crawler.configuration import load_system_config
from research_crawler.core.errors import UsageError

async def main():
    config, goal = load_system_config(), sys.argv[1]
    asked = JobQuestion(goal=goal, topic="Laptops", prior_turn_context="We spoke of games.", max_visits=4)
    learned = await execute_research(asked, config=config)
    on_job = await execute_phase2(JobQuestion(vendors=1), config=config, phase1=learned.job)
    on_notes = await execute_phase2(JobQuestion(goal=goal, vendors=1), config=config, phase1=learned.phase1)
    whole = await execute_full_research(JobQuestion(goal=goal, vendors=2), config=config)
    try:
        await execute_full_research("")
    except UsageError as error:
        refused = str(error)
    reports = [learned, on_job, on_notes, whole]
    print(json.dumps([report.model_dump(mode="json") for report in reports] + [refused]))

asyncio.run(main())
"""


@pytest.mark.long
def test_phases_run_alone_and_together(research, web):
    goal = read_purchases()[0].goal
    file = research.folder / "shops.toml"
    file.write_text(web.vendors_toml())
    where = research.having(RESEARCH_VENDORS=str(file)).where()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, goal],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        **where,
    )
    assert done.returncode == 0, done.stderr
    learned, on_job, on_notes, whole, refused = json.loads(done.stdout)
    assert (learned["strategy"], learned["phase2"]) == ("phase1_only", None)
    assert learned["phase1"]["search_terms"]
    assert (on_job["strategy"], on_job["goal"]) == ("phase2_only", goal)
    assert on_job["phase2"]["search_terms"][0] == "Orlo Lynx 15"
    assert "It is recommended by name" in on_job["recommendation"]
    assert on_notes["phase2"]["search_terms"][0] == "Orlo Lynx 15"
    assert "It is recommended by name" not in on_notes["recommendation"]
    assert on_notes["price_assessment"].startswith("The context names")
    assert len(whole["phase2"]["vendors_visited"]) == 2
    assert refused.startswith("the goal is empty")


WITHOUT_GUARD = """
import asyncio, sys
print("the script runs", flush=True)
from research_crawler.app import execute_research
report = asyncio.run(execute_research("What is the best hand coffee grinder for travel?"))
print(len(report.evidence), flush=True)
"""


@pytest.mark.long
def test_a_script_without_settings_and_without_a_main_guard_runs_once(research):
    script = research.folder / "ask.py"
    script.write_text(WITHOUT_GUARD)
    where = research.having(PHASE1_MAX_VISITS="2", PHASE1_MAX_SEARCHES="1").where()
    done = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=300, **where
    )
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first == "the script runs"
    assert len(rest) == 1 and int(rest[0]) > 0
    assert "Traceback" not in done.stderr
