"""The command `research run`, from the question to the report in one process."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import httpx
import pytest

from research_crawler.text.measures.normal_quote import normal_quote

GOAL = "What is the best hand coffee grinder for travel?"
KEYS = {
    "job", "status", "goal", "intent", "strategy", "brain", "report_markdown", "claims", "evidence", "sources",
    "products", "recommendation", "price_assessment", "quality", "warnings", "phase1", "phase2", "key_findings",
    "themes", "contradictions", "journey", "news", "technical", "run", "metrics", "folder", "depth", "type",
    "generated_at", "source_count",
}  # fmt: skip
METRICS = {
    "searches", "pages_visited", "pages_fetched", "model_calls", "prompt_tokens", "completion_tokens", "usd", "seconds",
    "waited_seconds",
}  # fmt: skip
DOCUMENTS = {
    "report.md", "run_report.md", "research_state.md", "research_plan.md", "context.md", "scored_results.json",
    "page_findings.json", "research-meta.json", "claims.jsonl",
}  # fmt: skip


@pytest.fixture(scope="module")
def done(new_research, tmp_path_factory):
    """A finished run as JSON, with its data folder."""
    folder = tmp_path_factory.mktemp("run")
    research = new_research(folder)
    return research, research("run", GOAL, "--json", "--out", folder / "documents")


def test_json_prints_one_document_with_every_key_and_nothing_else(done):
    _, answer = done
    assert answer.code == 0, answer.err
    assert answer.err == ""
    report = answer.json
    assert set(report) >= KEYS
    assert (report["status"], report["outcome"]) == ("completed", "answered")
    assert report["brain"] == "extractive"
    assert set(report["metrics"]) == METRICS
    assert set(report["quality"]) == {"query", "relevance", "confidence", "coverage", "attempts", "reasons"}
    assert set(report["evidence"][0]) == {
        "id", "claim", "quote", "start", "end", "url", "title", "page_sha256", "fetched_at", "remembered_from",
        "page_number",
    }  # fmt: skip
    assert report["phase1"]["success"] is True
    assert report["phase1"]["elapsed_seconds"] > 0
    assert "Velmar Pocket" in report["report_markdown"]


def test_key_findings_are_sentences_that_rest_on_evidence_and_stand_in_the_report(done):
    _, answer = done
    report = answer.json
    known = {piece["id"] for piece in report["evidence"]}
    assert report["key_findings"]
    for finding in report["key_findings"]:
        assert set(finding) == {"text", "evidence", "similar"}
        assert finding["text"]
        assert finding["evidence"]
        assert set(finding["evidence"]) <= known
        assert normal_quote(finding["text"]) in normal_quote(report["report_markdown"])


@pytest.mark.long
def test_the_folder_holds_the_documents_of_the_job(done):
    research, answer = done
    folder = research.folder / "documents"
    assert answer.json["folder"] == str(folder)
    assert {path.name for path in folder.iterdir()} >= DOCUMENTS
    assert (folder / "report.md").read_text() == answer.json["report_markdown"]
    json.loads((folder / "scored_results.json").read_text())
    json.loads((folder / "page_findings.json").read_text())


@pytest.mark.long
def test_a_finished_job_is_read_from_the_archive_by_a_later_process(done):
    research, answer = done
    job = answer.json["job"]
    again = research("result", job, "--json")
    assert again.code == 0
    assert again.json == answer.json
    assert research("status", job, "--json").json["completed_at"]
    assert job in research("list").out
    cancelled = research("cancel", job)
    assert (cancelled.code, cancelled.err) == (0, f"research: job {job} is over already: completed\n")
    resumed = research("run", "--resume", job)
    assert resumed.code == 2
    assert f"`research result {job}` shows what it found" in resumed.err
    assert "starting the" not in resumed.err


@pytest.mark.long
def test_nothing_is_left_running_and_no_socket_folder_stays(done):
    research, _ = done
    socket = Path((research.home / "redis" / "socket").read_text().strip())
    assert not socket.parent.exists()
    assert not (research.home / "redis" / "redis.pid").exists()


@pytest.mark.long
def test_a_reader_that_closes_the_pipe_early_is_no_error(done):
    research, answer = done
    ended = research.shell(f"research result {answer.json['job']} | head -1")
    assert ended.out.startswith("# What is the best")
    assert ended.code == 0
    assert {line.split(" ")[0] for line in ended.err.splitlines()} == {"research:"}


@pytest.mark.long
def test_closed_standard_streams_are_no_error(done):
    research, answer = done
    without_stdin = research.shell(f"research result {answer.json['job']} <&-")
    assert without_stdin.code == 0
    assert without_stdin.out.startswith("# What is the best")
    without_stdout = research.shell(f"research result {answer.json['job']} >&-")
    assert without_stdout.code == 0
    assert "Traceback" not in without_stdout.err


@pytest.mark.long
def test_evidence_that_is_insufficient_ends_with_exit_code_three(research):
    answer = research("run", "zxqv wkjh pfgt", "--max-searches", "1")
    assert answer.code == 3
    assert "No page gave a finding" in answer.out
    assert "the evidence is insufficient (exit code 3)" in answer.err


@pytest.mark.long
def test_an_interrupted_job_is_kept_and_resumed_by_a_new_process(research):
    slow = research.having(PHASE1_VISIT_DELAY_SECONDS="2", RESEARCH_DELAY_JITTER="0")
    with slow.anew().running("run", GOAL) as running:
        running.until("reading 4 pages")
        running.interrupt(signal.SIGTERM)  # others interrupt with Ctrl-C
        answer = running.ended(within_s=30)
    assert answer.code == 130
    assert "Traceback" not in answer.err
    job = re.search(r"research run --resume (\w+)$", answer.err, re.M)
    assert job, answer.err
    left = research("status", job[1], "--json")
    assert left.json["status"] == "running"
    assert left.err == "research: no planner is running; start one with `research up`\n"
    resumed = research("run", "--resume", job[1], "--json")
    assert resumed.code == 0, resumed.err
    assert set(resumed.json) >= KEYS
    metrics = resumed.json["metrics"]
    assert metrics["seconds"] + metrics["waited_seconds"] < resumed.json["phase1"]["elapsed_seconds"] + 15


@pytest.mark.long
def test_an_interrupted_job_that_goes_on_in_another_process_is_said_to_be_ended_by_cancel(research):
    slow = research.having(PHASE1_VISIT_DELAY_SECONDS="2", RESEARCH_DELAY_JITTER="0").anew()
    with slow.running("up") as up:
        up.until("are up")
        with slow.running("run", GOAL) as running:
            running.until("searching")
            running.interrupt()
            answer = running.ended(within_s=30)
        assert answer.code == 130
        job = re.search(
            r"goes on in another process; .*end it with: research cancel (\w+)$", answer.err, re.M
        )
        assert job, answer.err
        assert slow("cancel", job[1]).code == 0


@pytest.mark.long
def test_a_german_goal_gets_a_report_with_german_headings(research):
    answer = research("run", "Wie funktioniert die Reinigung einer Kaffeemühle auf Reisen?")
    assert answer.code in (0, 3), answer.err
    assert "## Antwort" in answer.out
    assert "## Wichtigste Quellen" in answer.out
    assert not re.search(r"^#+ (?:Answer|Key|Research)", answer.out, re.M)


def test_ctrl_c_while_starting_leaves_nothing_behind(research):
    with research.anew().running("run", GOAL, "--local-model") as running:
        give_up = running.process
        while not (research.home / "redis" / "redis.pid").exists() and give_up.poll() is None:
            time.sleep(0.005)
        running.interrupt()
        answer = running.ended(within_s=20)
    assert answer.code == 130
    said = [line for line in answer.err.splitlines() if not line.startswith("[")]
    assert said == ["research: stopping; press Ctrl-C again to end at once"]
    assert not (research.home / "redis" / "redis.pid").exists()
    assert research("list", "--json").json == []


def test_a_second_ctrl_c_ends_at_once(research):
    ends_early = []
    for _ in range(4):  # On a busy machine the orderly stop may be over before the second signal is sent.
        with research.running("run", GOAL) as running:
            running.until("searching")
            running.interrupt()
            running.until("press Ctrl-C again to end at once")
            running.interrupt()
            answer = running.ended()
        assert answer.code == 130
        assert "Traceback" not in answer.err
        ends_early.append("--resume" not in answer.err)
        if ends_early[-1]:
            break
    assert ends_early[-1], "what resumes the job is said at the end of an orderly stop"


@pytest.mark.long
def test_without_a_command_the_question_is_asked_for_on_a_terminal(research):
    seen, code = on_a_terminal(research, types=f"{GOAL}\n")
    assert code == 0, seen
    assert "What do you want to know: " in seen
    assert "Velmar Pocket" in seen


@pytest.mark.long
def test_plain_prints_on_a_terminal_what_a_log_would_have(research):
    seen, code = on_a_terminal(research, "run", GOAL, "--plain")
    assert code == 0, seen
    assert not re.search(r"\x1b\[", seen)
    assert re.search(r"^\[ *\d+\.\d s\] → reading 4 pages", seen, re.M)
    assert "## Key Sources" in seen


def on_a_terminal(research, *arguments, columns=80, types="", **settings):
    """The output on a terminal of this width where somebody types this, and the exit code."""
    main, side = pty.openpty()
    where = research.having(TERM="xterm-256color", COLUMNS=str(columns), LINES="40", **settings).where()
    process = subprocess.Popen(
        [sys.executable, "-m", "research_crawler.cli", *arguments],
        stdin=side, stdout=side, stderr=side, start_new_session=True, **where,
    )  # fmt: skip
    os.close(side)
    os.write(main, types.encode())
    seen = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(main)
    return seen.decode(), process.wait(30)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="colour", marks=pytest.mark.long),
        pytest.param({"NO_COLOR": "1"}, id="NO_COLOR", marks=pytest.mark.long),
    ],
)
def test_progress_on_a_terminal_is_one_line_per_step(research, settings):
    seen, code = on_a_terminal(research, "run", GOAL, columns=80, **settings)
    assert code == 0, seen
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    lines = [line.rstrip("\r").split("\r")[-1] for line in plain.split("\n")]
    steps = [line for line in lines if re.match(r"\s*\d+\.\d s ", line)]
    assert all(len(line) <= 80 for line in steps)
    assert any("s → reading 4 pages – " in line for line in steps)
    assert any("✓ 10 results" in line for line in steps)
    assert not any(re.search(r"s → .*http://", line) for line in steps)
    assert re.search(r"searches [1-5]/5", plain)
    assert ("\x1b[1;36m" in seen) == (not settings)
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l")


@pytest.mark.long
def test_the_demo_shows_a_watch_whose_price_flickers_and_falls_until_the_product_sells_out(research):
    answer = research("demo", "--watch")
    assert answer.code == 0, answer.err
    alerts = [line for line in answer.out.splitlines() if line.startswith("!")]
    assert [line.rsplit(": ", 1)[1] for line in alerts] == ["USD 819.00 (changed)", "out of stock (changed)"]
    assert "USD 81.90 (not confirmed)" in answer.out
    assert research("demo", "--watch", "a question").code == 2


@pytest.mark.long
def test_the_watch_of_the_demo_is_shown_in_the_dashboard_with_its_chart_and_what_happened(research):
    with research.running("demo", "--watch", "--serve") as running:
        told = running.until("press Ctrl-C to stop")
        base, watch = re.search(r"serving (http://\S+) .*(/ui/watches/\w+);", told).groups()
        token = Path(re.search(r"bearer token is in ([^;\s]+)", told)[1]).read_text().strip()
        with httpx.Client(base_url=base, timeout=20) as client:
            client.post("/ui/sign-in", data={"token": token})
            page = client.get(watch).text
    assert "$819.00" in page and "not confirmed" not in page.partition("<details")[0]
    for happened in ("event alert", "event out_of_stock"):
        assert f'class="{happened}"' in page


def test_the_small_web_of_the_demo_stays_up_for_other_commands_until_it_is_stopped(research):
    with research.running("demo", "--serve") as running:
        heard = running.until("its search engine")
        search = re.search(r"http://[\d.:]+", heard)[0]
        assert b"results" in urllib.request.urlopen(f"{search}/search?q=fern&format=json", timeout=20).read()
    assert research("demo", "--serve", "a question").code == 2


@pytest.mark.long
def test_the_demo_shows_a_report_and_keeps_its_documents(research):
    answer = research.anew()("demo", "--json")
    assert answer.code == 0, answer.err
    assert answer.err == ""
    report = answer.json
    assert "Velmar Pocket" in report["report_markdown"]
    assert {path.name for path in Path(report["folder"]).iterdir()} >= DOCUMENTS
    assert Path(report["folder"]).is_relative_to(research.home / "demo")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_job_with_the_small_local_model_keeps_its_limits(research):
    # Each of its answers takes 10 to 30 s on a busy core.
    limits = ("--max-searches", "1", "--max-visits", "1", "--timeout", "10", "--max-words", "100")
    answer = research("run", GOAL, "--local-model", *limits, "--json", within_s=280)
    assert answer.code in (0, 3), answer.err
    report = answer.json
    assert report["brain"] == "model"
    metrics = report["metrics"]
    assert metrics["model_calls"] > 0
    assert metrics["searches"] <= 1
    assert metrics["pages_visited"] <= 1
    # The model's answers are waiting, which has a limit of its own.
    assert metrics["seconds"] <= 10 + 15


def test_what_is_being_started_is_said_before_it_is_imported(research):
    with research.anew().running("run", GOAL) as running:
        assert running.until("starting").startswith("[")
        assert not (research.home / "redis" / "redis.pid").exists()
        running.interrupt()
        answer = running.ended(within_s=20)
    assert answer.code == 130
    assert "Traceback" not in answer.err
    assert sum(line.startswith("research: ") for line in answer.err.splitlines()) == 1


@pytest.mark.long
def test_on_a_terminal_the_first_thing_shown_is_what_is_started_and_no_line_is_cut(research):
    seen, code = on_a_terminal(research, "run", GOAL, "--max-visits", "1", columns=70)
    assert code in (0, 3), seen
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    shown = [line.strip() for line in re.split(r"[\r\n]+", plain)]
    first, *_ = [line for line in shown if line]
    assert "starting" in first
    counted = [line for line in shown if "findings " in line and line.endswith(" s")]
    assert counted
    assert all(len(line) <= 70 and "…" not in line.partition("findings ")[2] for line in counted)


def test_a_run_in_which_no_search_works_says_so_first_and_is_no_success(new_research, tmp_path):
    research = new_research(tmp_path).having(SEARXNG_URL="http://127.0.0.1:9")
    answer = research("run", "How tall is the tower of Orlin?", "--json")
    assert (answer.code, answer.json["outcome"]) == (3, "nothing_worked")
    assert answer.json["warnings"][0].startswith("No search worked: searxng")
    assert "nothing worked" in research("list").out


def test_with_the_profile_smoke_nothing_is_asked_of_the_web_and_the_report_says_so(done, tmp_path):
    research, _ = done
    own = tmp_path / "tower.md"
    own.write_text(
        "# The tower of Orlin\n\nThe tower of Orlin is 78 metres tall. It was built in 1911 by the town.\n"
    )
    smoke = research.having(RESEARCH_PROFILE="smoke", SEARXNG_URL="http://127.0.0.1:9")
    answer = smoke(
        "run", "How tall is the tower of Orlin?", "--file", own, "--url", "https://example.org/", "--json"
    )
    assert answer.code == 0, answer.err
    assert "78 metres" in answer.json["report_markdown"]
    assert (answer.json["metrics"]["searches"], answer.json["metrics"]["pages_fetched"]) == (0, 0)
    assert any("RESEARCH_PROFILE=smoke" in warning for warning in answer.json["warnings"])
