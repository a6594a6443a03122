"""`research serve` and `research up --serve` as users run them: real processes, pages and a model that take long."""

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from tests.cli.test_processes import redis_server

pytestmark = pytest.mark.long

GOAL = "What is the best hand coffee grinder for travel?"
EXAMPLE = Path(__file__).parents[2] / "examples" / "over_http.py"
HOLD_S = 30.0
ENDS_WITHIN_S = 2.0


class Holding:
    """A web host and a model endpoint that hold each request, and note when their client lets go of it."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.dropped: dict[str, float] = {}
        self.port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/slow", self._slow)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.9", 0).start()
        self.port = runner.addresses[0][1]
        await self._ended.wait()
        await runner.cleanup()

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "held", "object": "model"}]})

    async def _chat(self, request: web.Request) -> web.Response:
        body = await request.text()
        is_check = "Answer with one word." in body  # at the start of the process
        if not is_check and "visit the slow page" not in body:
            return await self._hold("model")
        decision = {"action": "visit", "url": f"{self.url}/slow", "reason": "it is named"}
        message = {"role": "assistant", "content": "Hello" if is_check else json.dumps(decision)}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return web.json_response(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": "held",
                "choices": [choice],
                "usage": usage,
            }
        )

    async def _slow(self, _: web.Request) -> web.Response:
        return await self._hold("page")

    async def _hold(self, kind: str) -> web.Response:
        self.begun.append(kind)
        try:
            await asyncio.sleep(HOLD_S)
        except asyncio.CancelledError:
            self.dropped[kind] = time.monotonic()
            raise
        return web.Response(status=500)

    @property
    def url(self) -> str:
        return f"http://127.0.0.9:{self.port}"

    @contextlib.contextmanager
    def started(self) -> Iterator["Holding"]:
        thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        thread.start()
        try:
            until(lambda: self.port)
            yield self
        finally:
            assert self._loop
            self._loop.call_soon_threadsafe(self._ended.set)
            thread.join(10)


def until(condition, within_s: float = 40.0):
    give_up_at = time.monotonic() + within_s
    while time.monotonic() < give_up_at:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {within_s} s")


def client_of(running, home) -> httpx.Client:
    """A client of the server that a process has just announced, with the token that it names."""
    line = running.until("serving http://")
    url = re.search(r"http://\S+?(?= )", line)[0]
    token = (home / "serve.token").read_text().strip()
    assert str(home / "serve.token") in line
    assert token not in line
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=20)


@pytest.mark.timeout(200)
def test_a_cancelled_job_lets_go_of_its_model_and_its_pages_at_once_and_asks_for_nothing_more(research):
    with contextlib.ExitStack() as stack, Holding().started() as held:
        ours = research.having(OPENAI_BASE_URL=f"{held.url}/v1", OPENAI_API_KEY="none", MIND_MODEL="held")
        with ours.anew().running("up", "--serve", "--port", "0") as running:
            client = stack.enter_context(client_of(running, ours.home))
            for kind, body in (
                ("model", {"goal": GOAL}),
                ("page", {"goal": "visit the slow page", "urls": [f"{held.url}/slow"]}),
            ):
                job = client.post("/jobs", json=body).raise_for_status().json()["task_id"]
                until(lambda kind=kind: kind in held.begun)
                time.sleep(0.5)
                count, cancelled_at = len(held.begun), time.monotonic()
                assert client.post(f"/jobs/{job}/cancel").json()["state"] == "cancelled"
                until(lambda kind=kind: kind in held.dropped)
                assert held.dropped[kind] - cancelled_at < ENDS_WITHIN_S, kind
                time.sleep(1.5)
                assert len(held.begun) == count, held.begun
                assert client.get(f"/jobs/{job}/result").json()["status"] == "cancelled"
            # Requests that wait get an answer when the process is to end.
            waiting = _in_thread(
                lambda: client.post("/internet.research", json={"query": GOAL, "wait": True})
            )
            until(lambda: len(client.get("/jobs").json()["jobs"]) == 3)
            running.interrupt(signal.SIGTERM)
            assert waiting().status_code == 202
            assert running.ended(within_s=40).code == 130


@pytest.mark.timeout(200)
def test_a_server_alone_joins_the_system_of_its_redis_and_gives_its_results(research, tmp_path):
    alone = research("serve", "--port", "0")
    assert alone.code == 1
    assert "start `research up`, which owns the data folder, or set REDIS_URL" in alone.err
    with redis_server(tmp_path / "redis", "--appendonly", "yes") as url:
        archive = f"sqlite:///{tmp_path / 'archive.sqlite3'}"
        served = research.having(REDIS_URL=url, DATABASE_URL=archive, RESEARCH_HOME=str(tmp_path / "served"))
        worker = research.having(REDIS_URL=url, DATABASE_URL=archive)
        with (
            contextlib.ExitStack() as stack,
            served.anew().running("serve", "--port", "0") as serving,
            worker.anew().running("up") as working,
        ):
            client = stack.enter_context(client_of(serving, served.home))
            working.until("are up")
            taken = served.having(RESEARCH_SERVE_PORT=str(client.base_url.port))("serve")
            assert (taken.code, "RESEARCH_SERVE_PORT" in taken.err) == (1, True)
            elsewhere = research.having(RESEARCH_HOME=str(tmp_path / "elsewhere"))
            late = elsewhere("up", "--serve", "--port", str(client.base_url.port))
            assert (late.code, late.err.count("\n"), "in use" in late.err) == (1, 1, True)
            assert [file.name for file in elsewhere.home.iterdir()] == ["serve.token"], "nothing was started"
            body = {"goal": GOAL, "depth": "quick"}
            job = client.post("/jobs", json=body, headers={"Idempotency-Key": "one"}).json()["task_id"]
            with client.stream("GET", f"/jobs/{job}/events", timeout=90) as events:
                text = "".join(events.iter_text())
            assert text.rstrip().splitlines()[-1] == "id: end"
            result = client.get(f"/jobs/{job}/result").json()
            assert "Velmar Pocket" in result["report_markdown"]
            assert result["sources"]
            submitted = served("submit", GOAL, "--depth", "quick", "--idempotency-key", "one")
            assert submitted.out.strip() == job
            assert json.loads(served("result", job, "--json").out) == result
            token = (served.home / "serve.token").read_text().strip()
            example = subprocess.run(
                [sys.executable, EXAMPLE, GOAL, str(client.base_url)],
                env={**os.environ, "RESEARCH_SERVE_TOKEN": token},
                capture_output=True,
                text=True,
                check=True,
                timeout=90,
            )
            assert "event: step\n" in example.stdout
            assert "Velmar Pocket" in example.stdout
            serving.interrupt(signal.SIGTERM)
            assert serving.ended(within_s=20).code == 130
    for host in ("0.0.0.0", "::"):
        refused = research("serve", "--host", host)
        assert (refused.code, "RESEARCH_SERVE_TOKEN" in refused.err) == (2, True)


def _in_thread(work):
    answers: list[httpx.Response] = []
    thread = threading.Thread(target=lambda: answers.append(work()))
    thread.start()

    def answer() -> httpx.Response:
        thread.join(30)
        return answers[0]

    return answer
