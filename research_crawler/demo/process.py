"""The demo web as a process of its own: started, found ready, asked for its log, and ended."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from pydantic import TypeAdapter

from research_crawler.core.errors import NotStarted
from research_crawler.core.models.base import Frozen
from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.request_log import Served
from research_crawler.demo.shops import vendors_toml

_LOG = TypeAdapter(list[Served])
_PARENT_CHECK_S = 0.5
_STOP_WAIT_S = 5.0


class Server(AbstractAsyncContextManager[Any], Protocol):
    """What can be run as a process."""

    def ready(self) -> dict[str, Any]:
        """Where it listens."""


class RunningWeb(Frozen):
    """A demo web in another process."""

    search: str
    """Base URL of the search engine: the value for SEARXNG_URL."""
    port: int
    hosts: dict[str, str]
    hazards: dict[str, str]
    pid: int

    def log(self) -> list[Served]:
        """Every request so far."""
        return _LOG.validate_json(read_log(self.hosts["admin"]))

    def clear_log(self) -> None:
        """Forget the requests so far; hosts that fail or throttle at first do so again."""
        clear_log(self.hosts["admin"])

    def change_shops(self, **given: Any) -> None:
        """Change an offer while it is served: the keys of `shop_server.Shops.change`."""
        _call(f"{self.hosts['admin']}/__shops.json", "PUT", json.dumps(given).encode())

    def vendors_toml(self) -> str:
        """A catalogue of these shops and no other."""
        return vendors_toml(self.hosts)


class RunningLoad(Frozen):
    """A load site in another process."""

    port: int
    hosts: list[str]
    """Base URLs."""
    pid: int

    def log(self) -> dict[str, dict[str, list[Any]]]:
        """By IP address: `path`, `start_ms` and `end_ms` of every request so far, in columns."""
        columns: dict[str, dict[str, list[Any]]] = json.loads(read_log(self.hosts[0]))
        return columns

    def clear_log(self) -> None:
        """Forget the requests so far."""
        clear_log(self.hosts[0])


@contextlib.contextmanager
def local_web_process(options: WebOptions | None = None) -> Iterator[RunningWeb]:
    """Run the demo web in a process of its own for as long as the block lasts.

    Raises:
        NotStarted: the process ended before it was ready; its complaint is on stderr.
    """
    chosen = (options or WebOptions()).model_dump_json(exclude_defaults=True)
    with _running("research_crawler.demo", ["--options", chosen]) as ready:
        yield RunningWeb(**ready)


@contextlib.contextmanager
def local_load_process(*, hosts: int = 64, latency_ms: float = 0.0) -> Iterator[RunningLoad]:
    """Run the load site in a process of its own for as long as the block lasts.

    Raises:
        NotStarted: the process ended before it was ready; its complaint is on stderr.
    """
    arguments = ["--hosts", str(hosts), "--latency-ms", str(latency_ms)]
    with _running("research_crawler.demo.load", arguments) as ready:
        yield RunningLoad(**ready)


async def serve_until_stopped(server: Server) -> None:
    """Serve, say where in a line of JSON, and end at SIGTERM, SIGINT, or the end of the parent process.

    The parent is watched by its id: the kernel's death signal comes when the starting thread ends.
    """
    parent = os.getppid()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with server:
        sys.stdout.write(json.dumps(server.ready()) + "\n")
        sys.stdout.flush()
        while not stop.is_set() and os.getppid() == parent:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _PARENT_CHECK_S)


def read_log(base: str) -> bytes:
    """The log of a server as JSON."""
    return _call_log(base, "GET")


def clear_log(base: str) -> None:
    """Empty the log of a server."""
    _call_log(base, "DELETE")


def _call_log(base: str, method: str) -> bytes:
    return _call(f"{base}/__log.json", method)


def _call(url: str, method: str, body: bytes | None = None) -> bytes:
    request = urllib.request.Request(url, data=body, method=method)  # noqa: S310  # http, from a ready line
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=10) as response:
        answer: bytes = response.read()
    return answer


@contextlib.contextmanager
def _running(module: str, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:  # noqa: S603  # our own module
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                raise NotStarted(f"{module} did not start (exit code {process.wait()}); its stderr says why")
            yield {"pid": process.pid, **json.loads(line)}
        finally:
            process.terminate()
            try:
                process.wait(_STOP_WAIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
