"""Replays of jobs in which a person had a part."""

import json
import threading
import time

import pytest

from benchmarks.models.scripted_model import plan
from tests.cli.scripted_endpoint import scripted_endpoint
from tests.crawler.walls import IP, Harbour

pytestmark = pytest.mark.long

GOAL = "How do I grow ember fern from spores?"
FERN = (
    "<!doctype html><html lang=en><head><title>Ember fern from spores</title></head><body><main>"
    "<h1>How to grow ember fern from spores</h1><p>To grow ember fern from spores, sow the spores of the ember fern on "
    "wet brick dust in May. The spores of the ember fern sprout after eleven weeks under glass.</p>"
    "<p>Ember fern from spores must be kept at 19 degrees until it has three fronds, and is then planted out in the "
    "shade of a wall.</p></main></body></html>"
)


def searches_otherwise(prompt, schema):
    """A planner that makes a search of its own, reads what is found first, and stops."""
    own = {"action": "search", "query": "fronds and spores"}
    return plan(prompt, schema) | (own if own["query"] not in prompt else {})


def test_a_replay_with_a_model_finds_the_pages_of_the_job_by_its_own_queries(research):
    report = research("run", GOAL, "--json").json
    read = {source["url"] for source in report["sources"]}
    with scripted_endpoint(searches_otherwise) as url:
        replay = research.having(OPENAI_BASE_URL=url)
        replayed = replay("replay", report["job"], "--model", "scripted", "--json")
    assert replayed.code in (0, 3), replayed.err
    again = replayed.json["report"]
    assert again["metrics"]["model_calls"] > 0
    assert again["metrics"]["pages_visited"] > 0
    assert {source["url"] for source in again["sources"]} <= read
    assert [one for one in replayed.json["not_recorded"] if one.startswith("search ")]
    assert [one for one in replayed.json["not_recorded"] if one.startswith("visit ")] == []


@pytest.fixture
def harbour():
    host = Harbour(page=FERN)
    thread = threading.Thread(target=host.server.serve_forever, daemon=True)
    thread.start()
    yield host
    host.server.shutdown()
    host.server.server_close()


def test_a_replay_of_a_job_whose_wall_was_opened_later_numbers_its_sources_in_the_same_way(
    research, harbour, tmp_path
):
    state = tmp_path / "state.json"
    cookie = {"name": "human", "value": "yes", "domain": IP, "path": "/", "expires": -1}
    state.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    asks = ["--on-blocker", "ask", "--url", f"{harbour.url}/north", "--json"]
    with research.running("run", GOAL, *asks) as running:
        [waiting] = until_asked(research, running)
        until_it_waits_for_the_person(research, waiting["task_id"])
        assert research("interventions", "done", waiting["id"], "--state", state).code == 0
        answer = running.ended()
    assert answer.code == 0, answer.err
    report = answer.json
    assert f"{harbour.url}/north" in [source["url"] for source in report["sources"]]
    replayed = research("replay", report["job"], "--json")
    assert replayed.code == 0, replayed.err
    assert replayed.json["report"]["sources"] == report["sources"]
    assert replayed.json["same"], research("replay", report["job"], "--diff").out
    assert replayed.json["not_recorded"] == []


def until_asked(research, running):
    for _ in range(200):
        found = json.loads(research("interventions", "list", "--json").out or "[]")
        if found:
            return found
        assert running.process.poll() is None, running.ended().err
        time.sleep(0.3)
    raise AssertionError("nobody is asked")


def until_it_waits_for_the_person(research, job):
    for _ in range(200):
        status = research("status", job, "--json").json
        if "person" in json.dumps(status["waits_for"]):
            return
        time.sleep(0.3)
    raise AssertionError(f"the job does not wait: {status}")
