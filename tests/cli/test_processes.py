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
    """Wait for the end of a job, and return its status as JSON."""
    give_up_at = time.monotonic() + within_s
    while time.monotonic() < give_up_at:
        status = research("status", job, "--json").json
        if status["status"] in ("completed", "failed", "cancelled"):
            return status
        time.sleep(0.3)
    raise AssertionError(f"job {job} has not ended: {status}")


@contextmanager
def redis_server(folder, *options):
    """Run a Redis as an operator may have configured it, and yield its URL."""
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


def test_a_job_is_submitted_followed_and_read_while_research_up_runs(up):
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


@pytest.mark.long
def test_a_job_that_is_cancelled_while_research_up_runs_keeps_its_findings(up, web):
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


def test_an_unknown_job_is_an_error_that_names_the_command_to_find_jobs(up):
    for command in (["status"], ["result"], ["cancel"], ["run", "--resume"]):
        answer = up(*command, "nosuchjob")
        assert answer.code == 2, command
        *_, said = answer.err.splitlines()  # after "starting"
        assert "starting the" not in answer.err, "it starts processes for a job that there is not"
        assert said == "research: there is no job 'nosuchjob'; `research list` shows the known ones"
        assert answer.out == ""


@pytest.mark.long
def test_research_run_works_while_research_up_runs_on_the_same_folder(up):
    answer = up("run", "How do I descale the Brunholt Corva?", "--quiet")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("# How do I descale")


@pytest.mark.long
def test_crawler_planner_and_client_can_be_separate_processes_on_one_redis(new_research, tmp_path):
    with redis_server(tmp_path / "redis", "--appendonly", "yes") as url:
        processes = {}
        for name in ("crawler", "planner", "client"):
            folder = tmp_path / name
            folder.mkdir()
            shared = f"sqlite:///{tmp_path / 'archive.sqlite3'}"
            processes[name] = new_research(folder).having(REDIS_URL=url, DATABASE_URL=shared)
        processes["crawler"], processes["planner"] = processes["crawler"].anew(), processes["planner"].anew()
        client = processes["client"]
        submitted = client("submit", GOAL, "--out", tmp_path / "documents")
        job = submitted.out.strip()
        assert submitted.err == "research: no planner is running; start one with `research up`\n"
        with processes["planner"].running("plan") as planner:
            planner.until("planner worker is up")
            alone = client("status", job)
            assert "no crawler is running; start one with `research crawl` or `research up`" in alone.err
            with processes["crawler"].running("crawl") as crawler:
                crawler.until("crawler node is up")
                assert finished(client, job)["state"] == "completed"
                crawler.interrupt(signal.SIGTERM)
                ended = crawler.ended(within_s=10)
                assert ended.code == 130
        assert "Velmar Pocket" in client("result", job).out
        assert (tmp_path / "documents" / "report.md").exists()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_jobs_lose_nothing_while_no_crawler_runs_or_it_stands_still(new_research, tmp_path):
    with redis_server(tmp_path / "redis", "--appendonly", "yes") as url:
        shared = {"REDIS_URL": url, "DATABASE_URL": f"sqlite:///{tmp_path / 'archive.sqlite3'}"}
        research = new_research(tmp_path).having(**shared, RESEARCH_WAITING_TIMEOUT_SECONDS="60")
        with research.running("plan") as planner:
            planner.until("planner worker is up")
            jobs = [research("submit", GOAL, "--timeout", "25").out.strip() for _ in range(4)]
            hasty = research("submit", GOAL, "--timeout", "3").out.strip()
            time.sleep(5)  # longer than this job may work
            waiting = research("status", hasty, "--json").json
            assert waiting["waits_for"] == ["waits for a crawler: none is running"]
            assert "waits for a crawler: none is running" in research("status", jobs[1]).out
            with research.running("crawl") as crawler:
                crawler.until("crawler node is up")
                while not research("status", jobs[0], "--json").json["visits"]:
                    time.sleep(0.1)
                crawler.interrupt(signal.SIGSTOP)
                time.sleep(11)
                crawler.interrupt(signal.SIGCONT)
                ended = [finished(research, job) for job in jobs]
    assert [status["state"] for status in ended] == ["completed"] * 4
    assert all(status["findings"] for status in ended), ended
    assert all(status["waited_seconds"] > 10 for status in ended), "the stop is waiting, and not work"


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
    time.sleep(5.5)  # until the killed process no longer counts as a planner
    with research.running("up") as second:
        line = second.until("resuming interrupted jobs")
        job = re.search(r"jobs: (\w+)", line)[1]
        status = finished(research, job)
    assert status["state"] == "completed"
    resumed = research("status", job).out
    assert "which do not count" in resumed


def test_submit_without_a_running_planner_says_how_to_start_one(research):
    answer = research("submit", GOAL)
    assert answer.code == 0
    assert re.fullmatch(r"[a-z2-7]{12}\n", answer.out)
    assert answer.err == "research: no planner is running; start one with `research up`\n"
    cancelled = research("cancel", answer.out.strip())
    assert cancelled.code == 0
    assert research("list", "--json").json[0]["status"] == "cancelled"


@pytest.mark.long
def test_scrapy_crawl_page_works_as_a_crawler_node(research, web):
    where = research.where() | {"cwd": PROJECT}
    command = [sys.executable, "-m", "scrapy", "crawl", "page"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **where
    ) as node:
        try:
            # This node takes no searches, and a search waits for a node that does.
            url = f"{web.hosts['verdict']}/kessa-mini-review"
            job = research("submit", GOAL, "--url", url, "--max-searches", "0").out.strip()
            with research.running("plan") as planner:
                planner.until("is up")
                status = finished(research, job)
        finally:
            node.send_signal(signal.SIGINT)
            _, errors = node.communicate(timeout=40)
    assert "Traceback" not in errors
    assert status["visits"] >= 1
    assert status["partial_results"]


@pytest.mark.long
def test_research_run_prints_the_findings_of_its_job_when_another_process_cancels_it(up, web):
    with up.running("run", GOAL, "--url", web.hazards["trickle"]) as running:
        running.until("reading")
        job = up("list", "--json").json[0]["task_id"]
        assert up("cancel", job).code == 0
        answer = running.ended(within_s=30)
    assert answer.code == 1
    assert f"job {job} was cancelled; what it found before is above" in answer.err
    assert "Research State" in answer.out
