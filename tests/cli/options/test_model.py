"""Which model --model takes, whom it asks, and what it remembers."""

import asyncio
import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from research_crawler.adapters.models import local_endpoints
from research_crawler.cli.options.model_option import with_model
from research_crawler.core.config import Config, load_core_config, setting_names


class Models(BaseHTTPRequestHandler):
    """Answers /v1/models with the server's models."""

    def do_GET(self):
        body = json.dumps(
            {"data": [{"id": name, "owned_by": "library"} for name in self.server.models]}
        ).encode()
        self.send_response(200 if self.path == "/v1/models" else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine with a model server that has the given models."""
    for name in (name for names in setting_names().values() for name in names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    servers = []

    def machine(*models):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Models)
        server.models = models
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(local_endpoints, "USUAL_PORTS", {server.server_port: "Ollama"})
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield machine
    for server in servers:
        server.shutdown()
        server.server_close()


class Terminal(io.StringIO):
    """Somebody at a terminal."""

    def isatty(self):
        return True


def test_nothing_is_taken_without_being_told(machine):
    machine("qwen3:8b")
    assert not with_model(Config(), "").has_endpoint


def test_auto_takes_the_only_model_of_this_machine(machine, capsys):
    url = machine("qwen3:8b")
    config = with_model(Config(), "auto")
    assert (config.openai_base_url, config.mind_model, config.has_endpoint) == (url, "qwen3:8b", True)
    assert "using qwen3:8b (Ollama" in capsys.readouterr().err
    assert not load_core_config().has_endpoint, "nobody was asked, so nothing is remembered"


def test_auto_takes_the_model_of_the_settings_among_several(machine):
    machine("a", "b")
    assert with_model(Config(MIND_MODEL="b"), "auto").mind_model == "b"


def test_a_name_takes_that_model(machine):
    machine("a", "b")
    assert with_model(Config(), "b").mind_model == "b"


def test_several_models_and_nobody_to_ask_is_bad_usage(machine, capsys):
    machine("a", "b")
    with pytest.raises(SystemExit) as ended:
        with_model(Config(), "auto")
    assert ended.value.code == 2
    assert "name one with --model" in capsys.readouterr().err


def test_a_model_that_is_not_there_is_an_error_that_names_the_others(machine, capsys):
    machine("a")
    with pytest.raises(SystemExit) as ended:
        with_model(Config(), "z")
    assert ended.value.code == 1
    assert "they have: a" in capsys.readouterr().err


def test_no_server_is_an_error_that_says_what_to_start(monkeypatch, machine, capsys, unused_tcp_port):
    monkeypatch.setattr(local_endpoints, "USUAL_PORTS", {unused_tcp_port: "Ollama"})
    with pytest.raises(SystemExit):
        with_model(Config(), "auto")
    assert "start Ollama" in capsys.readouterr().err


def test_the_user_is_asked_once_and_the_choice_is_remembered(machine, monkeypatch, capsys):
    url = machine("a", "b")
    monkeypatch.setattr("sys.stdin", Terminal("2\n"))
    monkeypatch.setattr("sys.stderr", Terminal())
    assert with_model(Config(), "auto").mind_model == "b"
    remembered = load_core_config()
    assert (remembered.openai_base_url, remembered.mind_model) == (url, "b")
    assert with_model(remembered, "auto") is remembered


def test_an_endpoint_of_the_settings_is_used_and_may_be_asked_for_another_model(machine):
    config = Config(OPENAI_BASE_URL="http://127.0.0.1:9/v1", MIND_MODEL="m", REFLEX_MODEL="r")
    assert with_model(config, "auto") is config
    other = with_model(config, "big")
    assert (other.mind_model, other.reflex_or_mind_model) == ("big", "big")


def test_no_loop_is_left_behind(machine):
    machine("a")
    with_model(Config(), "auto")
    assert asyncio.run(asyncio.sleep(0, "fine")) == "fine"
