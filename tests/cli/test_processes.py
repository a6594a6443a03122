"""Several processes on one Redis or one data folder."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from research_crawler.adapters.redis.program import find_server

PROJECT = Path(__file__).parents[2]
GOAL = "What is the best hand coffee grinder for travel?"


def finished(research, job, within_s=100):
    """Wait for the end of a job; its status as JSON."""
    give_up_at = time.monotonic() + within_s
    while time.monotonic() < give_up_at:
        status = research("status", job, "--json").json
        if status["status"] in ("completed", "failed", "cancelled"):
            return status
        time.sleep(0.3)
    raise AssertionError(f"job {job} has not ended: {status}")


@contextmanager
def redis_server(folder, *options):
    """A Redis as an operator may have configured it; its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder.mkdir(exist_ok=True)
    command = [find_server()[0], "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, *options]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as server:
        try:
            yield f"redis://127.0.0.1:{port}"
        finally:
            server.terminate()


def test_a_job_is_submitted_watched_and_read_beside_a_running_system(up):
    submitted = up("submit", GOAL)
    assert (submitted.code, submitted.err) == (0, "")
    job = submitted.out.strip()
    assert job in up("list").out
    status = finished(up, job)
    assert status["state"] == "completed"
    assert status["progress"]["fraction"] == 1
    assert status["partial_results"]
    assert "Velmar Pocket" in up("result", job).out
    assert "# Research State" in up("status", job, "--state").out


def test_a_job_cancelled_beside_a_running_system_is_kept_with_what_it_found(up, web):
    slow = web.hazards["slow"]  # so that the job is not over before it is cancelled
    job = up("submit", GOAL, "--url", slow, "--timeout", "60", "--json").json["task_id"]
    cancelled = up("cancel", job)
    assert (cancelled.code, cancelled.out) == (0, f"{job} cancelled\n")
    status = up("status", job, "--json").json
    assert (status["status"], status["error"]) == ("cancelled", None)
    assert status["completed_at"]
    result = up("result", job)
    assert result.code == 1
    assert f"job {job} was cancelled" in result.err
    assert "Research State" in result.out
    as_json = up("result", job, "--json")
    assert as_json.code == 1
    assert as_json.json["status"] == "cancelled"


def test_an_unknown_job_gets_a_line_that_says_where_to_look(up):
    for command in (["status"], ["result"], ["cancel"], ["run", "--resume"]):
        answer = up(*command, "nosuchjob")
        assert answer.code == 1, command
        assert answer.err == "research: there is no job 'nosuchjob'; `research list` shows the known ones\n"
        assert answer.out == ""


@pytest.mark.long
def test_a_second_run_works_beside_the_first(up):
    answer = up("run", "How do I descale the Brunholt Corva?", "--quiet")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("# How do I descale")


def test_crawler_planner_and_client_are_processes_of_their_own_on_one_redis(new_research, tmp_path):
    with redis_server(tmp_path / "redis", "--appendonly", "yes") as url:
        parts = {}
        for name in ("crawler", "planner", "client"):
            folder = tmp_path / name
            folder.mkdir()
            shared = f"sqlite:///{tmp_path / 'archive.sqlite3'}"
            parts[name] = new_research(folder).having(REDIS_URL=url, DATABASE_URL=shared)
        parts["crawler"], parts["planner"] = parts["crawler"].anew(), parts["planner"].anew()
        client = parts["client"]
        submitted = client("submit", GOAL, "--out", tmp_path / "documents")
        job = submitted.out.strip()
        assert submitted.err == "research: nothing is running here; `research up` will run it\n"
        with parts["planner"].running("plan") as planner:
            planner.until("planner worker is up")
            alone = client("status", job)
            assert "no crawler is running here; `research crawl` or `research up` will run it" in alone.err
            with parts["crawler"].running("crawl") as crawler:
                crawler.until("crawler node is up")
                assert finished(client, job)["state"] == "completed"
                crawler.interrupt(signal.SIGTERM)
                ended = crawler.ended(within_s=10)
                assert ended.code == 130
        assert "Velmar Pocket" in client("result", job).out
        assert (tmp_path / "documents" / "report.md").exists()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_client_goes_on_when_the_owner_of_the_data_folder_is_killed(research):
    with research.running("up") as owner:
        owner.until("are up")
        with research.having(PHASE1_VISIT_DELAY_SECONDS="1").running("run", GOAL) as client:
            client.until("searching")
            os.kill(owner.process.pid, signal.SIGKILL)
            answer = client.ended(within_s=200)
    assert answer.code == 0, answer.err
    assert "Traceback" not in answer.err


@pytest.mark.long
def test_up_goes_on_with_the_jobs_of_a_killed_process(research):
    slow = research.having(PHASE1_VISIT_DELAY_SECONDS="2")
    with slow.running("run", GOAL) as first:
        first.until("reading 4 pages")
        os.killpg(first.process.pid, signal.SIGKILL)
        first.ended(within_s=5)
    time.sleep(5.5)  # until nobody believes that it still plans
    with research.running("up") as second:
        line = second.until("going on with interrupted jobs")
        job = re.search(r"jobs: (\w+)", line)[1]
        status = finished(research, job)
    assert status["state"] == "completed"
    resumed = research("status", job).out
    assert "they do not count" in resumed


def test_submit_where_nothing_runs_says_what_will_run_it(research):
    answer = research("submit", GOAL)
    assert answer.code == 0
    assert re.fullmatch(r"[a-z2-7]{12}\n", answer.out)
    assert answer.err == "research: nothing is running here; `research up` will run it\n"
    cancelled = research("cancel", answer.out.strip())
    assert cancelled.code == 0
    assert research("list", "--json").json[0]["status"] == "cancelled"


def test_scrapy_lists_the_spiders(research):
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "list"], check=False, capture_output=True, text=True, timeout=60,
        **(research.where() | {"cwd": PROJECT}),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) >= {"page", "search"}


@pytest.mark.long
def test_scrapy_crawl_page_is_a_node_of_the_same_system(research, web):
    where = research.where() | {"cwd": PROJECT}
    command = [sys.executable, "-m", "scrapy", "crawl", "page"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **where
    ) as node:
        try:
            job = research(
                "submit", "read it", "--url", f"{web.hosts['verdict']}/kessa-mini-review"
            ).out.strip()
            with research.running("plan") as planner:
                planner.until("is up")
                status = finished(research, job)
        finally:
            node.send_signal(signal.SIGINT)
            _, said = node.communicate(timeout=40)
    assert "Traceback" not in said
    assert status["visits"] >= 1
    assert status["partial_results"]


def test_who_watches_a_job_that_is_cancelled_elsewhere_gets_what_it_had_found(up, web):
    with up.running("run", GOAL, "--url", web.hazards["trickle"]) as running:
        running.until("reading")
        job = up("list", "--json").json[0]["task_id"]
        assert up("cancel", job).code == 0
        answer = running.ended(within_s=30)
    assert answer.code == 1
    assert f"job {job} was cancelled; what it had found is above" in answer.err
    assert "Research State" in answer.out
