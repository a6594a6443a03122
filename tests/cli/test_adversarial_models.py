"""Jobs with models that misbehave, against a real endpoint on the loopback: each ends within its limits, honestly."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytestmark = pytest.mark.long

GOAL = "What is the best hand coffee grinder for travel?"
LOW = {"relevance": 0.1, "confidence": 0.1, "coverage": 0.0, "should_retry": True, "reasons": "search again"}
ANSWERS = {
    "loops": json.dumps(
        {"action": "search", "query": "hand coffee grinder", "reason": "once more", "evaluation": LOW}
    ),
    "refuses": "I'm sorry, but I can't help with that request.",
    "endless": "and so on " * 40_000,
    "unseen": json.dumps(
        {"action": "visit", "urls": ["R99", "http://elsewhere.example/x"], "reason": "I know a page"}
    ),
}
"""What each model says to every question."""
OWNED_UP = ("took over", "The model did not write this report", "stuck")
"""How a report says that the model did not do its part: one of these stands in a warning."""


class Misbehaving(BaseHTTPRequestHandler):
    """Answers every chat as the model's name says."""

    def do_GET(self) -> None:
        """The list of models."""
        self._send({"object": "list", "data": [{"id": name, "object": "model"} for name in ANSWERS]})

    def do_POST(self) -> None:
        """One answer."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = ANSWERS[body["model"]]
        message = {"role": "assistant", "content": text}
        self._send(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "usage": {"prompt_tokens": 10, "completion_tokens": len(text) // 4, "total_tokens": 10},
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            }
        )

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _send(self, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Misbehaving)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("character", ANSWERS)
def test_a_job_with_such_a_model_ends_within_its_limits_with_an_honest_report(character, research, endpoint):
    answer = research.having(OPENAI_BASE_URL=endpoint, MIND_MODEL=character)(
        "run", GOAL, "--depth", "quick", "--max-visits", "3", "--json"
    )
    assert answer.code in (0, 3), answer.err
    report = json.loads(answer.out)
    assert (report["status"], report["error"]) == ("completed", "")
    assert len(report["run"]["queries"]) <= 6
    assert report["metrics"]["searches"] <= 2
    assert report["metrics"]["pages_visited"] <= 3
    assert all("elsewhere.example" not in source["url"] for source in report["sources"])
    assert report["quality"]["attempts"] >= 1
    assert any(phrase in warning for warning in report["warnings"] for phrase in OWNED_UP), report["warnings"]
    evidence = {piece["id"] for piece in report["evidence"]}
    assert all(set(claim["evidence"]) <= evidence and claim["evidence"] for claim in report["claims"])
