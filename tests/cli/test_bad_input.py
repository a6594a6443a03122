"""Bad input gets one line that says what to do and the right exit code, and never a traceback."""

import contextlib
import http.server
import json
import os
import socket
import subprocess
import threading
from contextlib import contextmanager

import pytest

from research_crawler.adapters.redis.program import find_server

GOAL = "What is the best hand coffee grinder for travel?"


def one_line(answer):
    """Check that one line on stderr, besides what was being started, is the only output, and return it."""
    assert answer.out == ""
    lines = [line for line in answer.err.splitlines() if not line.startswith("[")]
    assert len(lines) == 1, answer.err
    assert lines[0].startswith("research: ")
    return lines[0].removeprefix("research: ")


@contextmanager
def redis_server(folder, *options):
    """Run a Redis as an operator may have configured it, and yield its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [find_server()[0], "--port", port, "--bind", "127.0.0.1", "--dir", folder, *options]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as server:
        try:
            yield port
        finally:
            server.terminate()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"PHASE1_MAX_SEARCHES": "many"},
            "PHASE1_MAX_SEARCHES: input should be a valid integer (got 'many')",
        ),
        (
            {"OPENAI_BASE_URL": "nope"},
            "OPENAI_BASE_URL: must be an http(s) URL such as http://localhost:8080",
        ),
        ({"RESEARCH_PROVIDERS": "foo"}, "there is no provider 'foo'; known: searxng"),
        ({"REDIS_URL": "foo"}, "REDIS_URL 'foo' is not usable"),
        ({"DATABASE_URL": "mysql://x"}, "DATABASE_URL names 'mysql'"),
    ],
)
def test_a_malformed_setting_of_the_environment_is_named(research, settings, message):
    answer = research.having(**settings)("run", GOAL)
    assert answer.code == 2
    assert message in one_line(answer)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (".env", "PHASE1_MAX_VISITS=-4", "PHASE1_MAX_VISITS in .env: input should be greater"),
        ("research.toml", "phase1_max_serches = 1", "research.toml: unknown setting 'phase1_max_serches'"),
        ("home/config.toml", "web = 1", "config.toml: web must be a table with allowedHosts"),
    ],
)
def test_a_malformed_setting_of_a_file_is_named_with_the_file(research, file, text, message):
    path = research.folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    answer = research("list")
    assert answer.code == 2
    assert message in one_line(answer)


def test_a_redis_that_does_not_run_is_named(research):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    answer = research.having(REDIS_URL=f"redis://127.0.0.1:{port}")("submit", GOAL)
    assert answer.code == 1
    assert "start it, or correct REDIS_URL" in one_line(answer)


def test_a_redis_that_evicts_is_refused(research, tmp_path):
    options = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru", "--appendonly", "yes")
    with redis_server(tmp_path, *options) as port:
        answer = research.having(REDIS_URL=f"redis://127.0.0.1:{port}")("run", GOAL)
    assert answer.code == 1
    assert "set it to noeviction" in one_line(answer)


def test_a_wrong_password_for_redis_is_reported_without_the_password(research, tmp_path):
    with redis_server(tmp_path, "--requirepass", "right", "--appendonly", "yes") as port:
        answer = research.having(REDIS_URL=f"redis://:wrongsecret@127.0.0.1:{port}")("list")
    assert answer.code == 1
    assert "correct user and password in REDIS_URL" in one_line(answer)
    assert "wrongsecret" not in answer.err


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nowhere"])
def test_a_data_folder_that_cannot_be_written_is_named(research, place):
    (research.folder / "file").write_text("")
    answer = research.having(RESEARCH_HOME=str(research.folder / place))("run", GOAL)
    assert answer.code == 1
    assert "set RESEARCH_HOME to a folder that you own" in one_line(answer)


def test_a_redis_that_outlived_its_killed_owner_is_taken_over(research):
    job = research("submit", GOAL).out.strip()
    with research.running("plan") as owner:
        owner.until("is up")
        os.kill(owner.process.pid, 9)
        owner.process.wait()
        assert job in research("list").out


@contextmanager
def endpoint(*, models=("model-a",), status=200, chat_status=0):
    """An OpenAI-compatible endpoint that lists models, but refuses each chat or closes its connection."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            listed = [{"id": name, "object": "model", "created": 1, "owned_by": "me"} for name in models]
            self.answer(status, {"object": "list", "data": listed})

        def do_POST(self):
            chatted.append(self.path)
            if chat_status:
                self.answer(chat_status, {"error": {"message": "no such key"}})
            else:
                self.connection.close()

    chatted = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1", chatted
        finally:
            server.shutdown()


def test_a_dead_model_endpoint_is_reported_before_anything_is_started(research):
    answer = research.having(OPENAI_BASE_URL="http://127.0.0.1:9/v1", MIND_MODEL="m")("run", GOAL)
    assert answer.code == 1
    assert "start it, or change OPENAI_BASE_URL" in one_line(answer)
    assert not research.home.exists()


def test_a_refused_key_is_reported_before_anything_is_started(research):
    with endpoint(status=401) as (url, chatted):
        answer = research.having(OPENAI_BASE_URL=url, MIND_MODEL="model-a", OPENAI_API_KEY="secret")(
            "run", GOAL
        )
    assert answer.code == 1
    assert "refuses the key; check OPENAI_API_KEY" in one_line(answer)
    assert "secret" not in answer.err
    assert not chatted
    assert not research.home.exists()


@pytest.mark.parametrize("command", [("run", GOAL), ("up",), ("plan",)])
def test_a_key_that_is_refused_at_the_first_call_is_reported_before_anything_is_started(research, command):
    with endpoint(chat_status=401) as (url, chatted):
        answer = research.having(OPENAI_BASE_URL=url, MIND_MODEL="model-a", OPENAI_API_KEY="secret")(*command)
    assert answer.code == 1
    assert "refuses the key for model-a" in one_line(answer)
    assert "check OPENAI_API_KEY" in answer.err
    assert len(chatted) == 1
    assert not research.home.exists()


def test_without_a_model_name_the_error_lists_the_models_of_the_endpoint(research):
    with endpoint(models=("model-a", "model-b")) as (url, _):
        answer = research.having(OPENAI_BASE_URL=url)("up")
    assert answer.code == 1
    assert "set MIND_MODEL; the endpoint offers: model-a, model-b" in one_line(answer)


@pytest.mark.long
def test_the_extractive_brain_takes_over_when_the_endpoint_fails_later(research):
    with endpoint() as (url, chatted):
        answer = research.having(OPENAI_BASE_URL=url, MIND_MODEL="model-a")("run", GOAL, "--json")
    assert answer.code == 0, answer.err
    assert chatted
    assert "Traceback" not in answer.err
    report = answer.json
    assert report["brain"] == "model"
    assert any("did not write this report" in warning for warning in report["warnings"]), report["warnings"]
    assert "Velmar Pocket" in report["report_markdown"]
    assert report["metrics"]["completion_tokens"] == 0


@contextmanager
def small_disk(folder, megabytes):
    """Mount a file system of this size, which only root can do."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)],
        check=False,
        capture_output=True,
    )
    if made.returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_full_at_the_start_is_reported(research, tmp_path):
    with small_disk(tmp_path / "disk", 1) as disk:
        (disk / "filling").write_bytes(b"x" * (1 << 20))
        answer = research.having(RESEARCH_HOME=str(disk / "home"))("run", GOAL)
    assert answer.code == 1
    assert "full; free some space" in one_line(answer)


@pytest.mark.long
def test_a_disk_that_fills_up_ends_the_run_with_a_line_and_the_job_can_be_resumed_later(research, tmp_path):
    with small_disk(tmp_path / "disk", 8) as disk:
        here = research.having(RESEARCH_HOME=str(disk / "home"), PHASE1_VISIT_DELAY_SECONDS="1")
        with here.running("run", GOAL) as running:
            running.until("searching")
            fill(disk)
            answer = running.ended()
        assert answer.code == 1, answer.err
        assert "Traceback" not in answer.err
        *_, kept, reason = answer.err.splitlines()
        assert "is kept; resume it with: research run --resume " in kept
        assert reason.startswith("research: Redis cannot write to its disk; free some space there")
        (disk / "filling").unlink()
        resumed = here("run", "--resume", kept.split()[-1])
        assert resumed.code == 0, resumed.err
        assert "Velmar Pocket" in resumed.out


def fill(disk):
    with contextlib.suppress(OSError), (disk / "filling").open("wb", buffering=0) as filling:
        while True:
            filling.write(b"x" * 4096)


@pytest.mark.long
def test_documents_that_cannot_be_written_are_a_warning_and_the_report_is_printed(research, tmp_path):
    with small_disk(tmp_path / "disk", 1) as disk:
        (disk / "filling").write_bytes(b"x" * ((1 << 20) - 8192))
        answer = research("run", GOAL, "--out", disk / "documents")
    assert answer.code == 0, answer.err
    assert "could not be written" in answer.out
    assert "choose another folder" in answer.err
    assert "its documents are in" not in answer.err


@pytest.mark.parametrize(
    ("command", "folder"),
    [("run", "/proc/documents"), ("submit", "/sys/documents/of/it"), ("submit", "/dev/null/x")],
)
def test_a_folder_where_nothing_can_be_written_is_refused_before_the_job_starts(research, command, folder):
    answer = research(command, GOAL, "--out", folder)
    assert answer.code == 2
    assert answer.out == ""
    assert "choose another folder" in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_full_disk_is_noticed_before_the_job_starts(research, tmp_path):
    with small_disk(tmp_path / "disk", 1) as disk:
        fill(disk)
        answer = research("run", GOAL, "--out", disk / "a" / "b")
        assert answer.code == 2
        assert "choose another folder" in answer.err
        assert not (disk / "a").exists()


@pytest.mark.parametrize(
    "arguments", [("--trust-folder", "config", "show"), ("config", "show", "--trust-folder")]
)
def test_a_cloned_folder_sets_no_browser_unless_the_user_trusts_it(research, arguments):
    (research.folder / "research.toml").write_text("browser = './evil.sh'\n")
    careful = research("config", "show")
    assert "evil.sh" not in careful.out
    [line] = careful.err.splitlines()
    assert "not taken from the working folder: browser in research.toml" in line
    trusting = research(*arguments)
    assert "./evil.sh" in trusting.out
    assert trusting.err == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status", "nosuchjob"], "`research list`"),
        (["result", "nosuchjob", "--json"], "`research list`"),
        (["cancel", "nosuchjob"], "`research list`"),
        (["forget", "nosuchjob"], "`research list`"),
        (["forget", "nosuchjob", "--json"], "`research list`"),
        (["run", "--from", "nosuchjob"], "`research list`"),
        (["submit", "--from", "nosuchjob"], "`research list`"),
        (["watch", "show", "nowatch"], "`research watch list`"),
        (["watch", "remove", "nowatch"], "`research watch list`"),
        (["watch", "run", "nowatch"], "`research watch list`"),
        (["prices", "show", "nowatch"], "`research watch list`"),
        (["prices", "export", "nowatch"], "`research watch list`"),
    ],
)
def test_what_does_not_exist_is_bad_usage_in_every_command(research, arguments, words):
    answer = research(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert words in one_line(answer)


@pytest.mark.parametrize(
    ("command", "content", "words"),
    [
        (
            "submit",
            b"# Prices\n- in summer\nsome prose\n",
            "the outline: line 3: the line is neither a heading",
        ),
        ("submit", b"# Prices\n- \xff\n", "the outline: line 2: the file is not UTF-8 text"),
        ("run", b"# Prices\n" * 1_000, "the outline: the file is longer than 3,000 bytes"),
        ("submit", b" \n", "the outline: the file is empty"),
        ("run", b"- q\n" * 17, "the outline: line 17: it has more than 16 questions"),
    ],
)
def test_an_outline_that_cannot_be_read_is_bad_usage_before_anything_starts(
    research, tmp_path, command, content, words
):
    file = tmp_path / "outline.md"
    file.write_bytes(content)
    answer = research(command, GOAL, "--outline", str(file))
    assert answer.code == 2
    assert one_line(answer).startswith(words)
    assert not (tmp_path / "home" / "redis").exists()


def test_a_job_that_was_cancelled_before_its_start_has_done_nothing(research):
    submitted = research("submit", "what is a heat pump", "--json").json
    assert (submitted["state"], submitted["status"]) == ("pending", "pending")
    assert submitted["job"] == submitted["task_id"]
    research("cancel", submitted["job"])
    text = research("status", submitted["job"], "--state").out
    assert "## Status\ncancelled\n" in text
    assert "## Iteration\n0 / 10" in text
    report = research("result", submitted["job"], "--json").json
    assert report["job"] == report["task_id"] == submitted["job"]


def test_the_name_of_a_removed_watch_is_free_again(research):
    for _ in range(2):
        first = research("watch", "add", "https://shop.example/p/1", "--name", "mine", "--json").json["id"]
        assert research("watch", "show", "mine", "--json").json["id"] == first
        assert research("prices", "show", "mine").code != 2
        assert research("watch", "remove", "mine", "--with-prices").code == 0
