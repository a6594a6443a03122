"""The services of the compose file, run as plain processes with its commands and environment, lose no job."""

import contextlib
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from research_crawler.demo.process import local_web_process
from tests.conftest import find_redis_server, missing_redis
from tests.docker.postgresql import postgresql_server
from tests.docker.test_files import COMPOSE

JOBS = 20
GOALS = (
    "What is the best hand coffee grinder for travel?",
    "How do I descale the Brunholt Corva?",
    "how do heat pumps work in cold climates",
)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Composed:
    """The compose file on this machine: its paths and host names have others here, all else is as it stands there."""

    folder: Path
    redis: int
    postgres: int
    api: int
    search: str
    passwords: dict[str, str]

    def __post_init__(self) -> None:
        files = {
            "redis_password": self.passwords["redis"],
            "redis_url": f"redis://:{self.passwords['redis']}@127.0.0.1:{self.redis}/0",
            "postgres_password": self.passwords["postgres"],
            "database_url": f"postgresql://research:{self.passwords['postgres']}@127.0.0.1:{self.postgres}/research",
            "openai_api_key": "",
            "serve_token": self.passwords["serve"],
        }
        self.secrets = self.folder / "secrets"
        self.secrets.mkdir()
        for name, text in files.items():
            (self.secrets / name).write_text(f"{text}\n")

    def here(self, text: str) -> str:
        """A value of the file as this machine has it."""
        text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(text)).replace("$$", "$")
        return text.replace("/run/secrets", str(self.secrets)).replace(
            "/tmp/redis.conf", f"{self.folder}/redis.conf"
        )

    def environment(self, service: str) -> dict[str, str]:
        """The environment of a service, with the local web as its search engine and no vector store."""
        given = {
            name: self.here(value) for name, value in COMPOSE["services"][service]["environment"].items()
        }
        local = {
            "QDRANT_URL": "",
            "SEARXNG_URL": self.search,
            "RESEARCH_PROVIDERS": "searxng",
            "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
            "PHASE1_VISIT_DELAY_SECONDS": "0.2",
        }
        return given | local

    @contextlib.contextmanager
    def running(self, service: str, name: str) -> "Iterator[subprocess.Popen[str]]":
        """A container of the service: its command, its environment, a data folder of its own."""
        command = [self.here(word) for word in COMPOSE["services"][service]["command"]]
        command = [
            str(self.api) if word == "8321" else "127.0.0.1" if word == "0.0.0.0" else word
            for word in command
        ]
        home = self.folder / name
        home.mkdir()
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = inherited | self.environment(service) | {"RESEARCH_HOME": str(home)}
        environment["PYTHONPATH"] = str(Path(__file__).parents[2])
        with (home / "log").open("w") as log, subprocess.Popen(
            [sys.executable, "-m", "research_crawler.cli", *command],
            cwd=home, env=environment, stdin=subprocess.DEVNULL, text=True, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=log,
        ) as process:  # fmt: skip
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.terminate()

    def alive(self, role: str) -> int:
        """The exit code of the health check of a role, as the images have it."""
        environment = {"PATH": os.environ["PATH"]} | self.environment(role)
        command = [sys.executable, "-m", "research_crawler.cli", "alive", role]
        folder = Path(__file__).parents[2]
        return subprocess.run(
            command, cwd=folder, env=environment, check=False, capture_output=True
        ).returncode


@contextlib.contextmanager
def redis_of(composed: Composed) -> Iterator[None]:
    """Redis by the command of the compose file."""
    program = find_redis_server()
    if program is None:
        missing_redis()
    *shell, line = COMPOSE["services"]["redis"]["command"]
    line = f"{composed.here(line)} --port {composed.redis} --bind 127.0.0.1 --dir {composed.folder}"
    path = os.pathsep.join([str(Path(program).parent), os.environ["PATH"]])
    with subprocess.Popen([*shell, line], env={"PATH": path}, stdout=subprocess.DEVNULL) as server:
        try:
            yield
        finally:
            server.terminate()


def until_ready(client: httpx.Client, *, within_s: float = 60) -> None:
    """Wait until the server answers its health check."""
    give_up_at = time.monotonic() + within_s
    while time.monotonic() < give_up_at:
        with contextlib.suppress(httpx.TransportError):
            if client.get("/health").is_success:
                return
        time.sleep(0.2)
    raise AssertionError(f"no answer within {within_s} s")


def wait_for(client: httpx.Client, ids: set[str], count: int, *, within_s: float = 240) -> dict[str, str]:
    """The states of the jobs once so many of them are over."""
    give_up_at = time.monotonic() + within_s
    while time.monotonic() < give_up_at:
        states = {id_: client.get(f"/jobs/{id_}").json()["state"] for id_ in ids}
        if sum(state in ("completed", "failed", "cancelled") for state in states.values()) >= count:
            return states
        time.sleep(1)
    raise AssertionError(f"not over within {within_s} s: {states}")


@pytest.mark.long
@pytest.mark.timeout(600)
def test_twenty_jobs_over_http_survive_a_crawler_and_a_planner_that_are_stopped(tmp_path):
    passwords = {name: secrets.token_hex(16) for name in ("redis", "postgres", "serve")}
    with contextlib.ExitStack() as stack:
        web = stack.enter_context(local_web_process())
        composed = Composed(tmp_path, free_port(), free_port(), free_port(), web.search, passwords)
        postgres = {"user": "research", "database": "research", "password": passwords["postgres"]}
        stack.enter_context(postgresql_server(port=composed.postgres, **postgres))
        stack.enter_context(redis_of(composed))
        stack.enter_context(composed.running("api", "api"))
        client = stack.enter_context(
            httpx.Client(
                base_url=f"http://127.0.0.1:{composed.api}",
                headers={"Authorization": f"Bearer {passwords['serve']}"},
                timeout=30,
            )
        )
        until_ready(client)
        assert (composed.alive("crawler"), composed.alive("planner")) == (1, 1)
        crawlers = [stack.enter_context(composed.running("crawler", f"crawler{n}")) for n in (1, 2)]
        planners = [stack.enter_context(composed.running("planner", f"planner{n}")) for n in (1, 2)]
        ids = set()
        for n in range(JOBS):
            body = {
                "goal": GOALS[n % len(GOALS)],
                "depth": "quick",
                "topic": f"question {n}",
                "memory": False,
            }
            ids.add(client.post("/jobs", json=body).raise_for_status().json()["task_id"])
        assert len(ids) == JOBS
        wait_for(client, ids, 2)
        assert (composed.alive("crawler"), composed.alive("planner")) == (0, 0)
        crawlers[0].send_signal(signal.SIGTERM)
        planners[0].send_signal(signal.SIGTERM)
        assert crawlers[0].wait(30) in (0, 130)
        assert planners[0].wait(30) in (0, 130)
        states = wait_for(client, ids, JOBS)
        assert set(states.values()) == {"completed"}
        for id_ in ids:
            report = client.get(f"/jobs/{id_}/result").raise_for_status().json()
            assert report["job"] == id_
            assert report["claims"]
