"""Runs the demo web or the load site in a separate process, and reads its log."""

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
from typing import Any, Protocol, Unpack

from pydantic import TypeAdapter

from research_crawler.core.errors import NotStarted
from research_crawler.core.models.base import Frozen
from research_crawler.core.python_child import python_command, python_environment
from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.request_log import Served
from research_crawler.demo.shops.shop_data import ShopChanges, vendors_toml

_LOG = TypeAdapter(list[Served])
_PARENT_CHECK_S = 0.5
"""How often the demo web looks whether its parent still runs."""
_STOP_WAIT_S = 5.0
"""How long the demo web may take to end before it is killed."""


class Server(AbstractAsyncContextManager[Any], Protocol):
    """A server that `serve_until_stopped` can run."""

    def ready(self) -> dict[str, Any]:
        """The addresses it listens on."""


class RunningWeb(Frozen):
    """A demo web in another process."""

    search: str
    """Base URL of the search engine: the value for SEARXNG_URL."""
    port: int
    hosts: dict[str, str]
    hazards: dict[str, str]
    pid: int

    def log(self) -> list[Served]:
        """All requests so far."""
        return _LOG.validate_json(read_log(self.hosts["admin"]))

    def clear_log(self) -> None:
        """Clear the log. Hosts that fail or throttle at first do so again."""
        clear_log(self.hosts["admin"])

    def change_shops(self, **changes: Unpack[ShopChanges]) -> None:
        """Change offers or shops in the running web."""
        _call(f"{self.hosts['admin']}/__shops.json", "PUT", json.dumps(changes).encode())

    def vendors_toml(self) -> str:
        """A `vendors.toml` with these shops only."""
        return vendors_toml(self.hosts)


class RunningLoad(Frozen):
    """A load site in another process."""

    port: int
    hosts: list[str]
    """The base URLs of the hosts."""
    pid: int

    def log(self) -> dict[str, dict[str, list[Any]]]:
        """All requests so far, by IP address, in the columns `path`, `start_ms` and `end_ms`."""
        columns: dict[str, dict[str, list[Any]]] = json.loads(read_log(self.hosts[0]))
        return columns

    def clear_log(self) -> None:
        """Clear the log."""
        clear_log(self.hosts[0])


@contextlib.contextmanager
def local_web_process(options: WebOptions | None = None) -> Iterator[RunningWeb]:
    """Run the demo web in a separate process for the duration of the `with` block.

    Raises:
        NotStarted: the process ended before it was ready; its error is on stderr.
    """
    chosen = (options or WebOptions()).model_dump_json(exclude_defaults=True)
    with _running("research_crawler.demo", ["--options", chosen]) as ready:
        yield RunningWeb(**ready)


@contextlib.contextmanager
def local_load_process(*, hosts: int = 64, latency_ms: float = 0.0) -> Iterator[RunningLoad]:
    """Run the load site in a separate process for the duration of the `with` block.

    Raises:
        NotStarted: the process ended before it was ready; its error is on stderr.
    """
    arguments = ["--hosts", str(hosts), "--latency-ms", str(latency_ms)]
    with _running("research_crawler.demo.load", arguments) as ready:
        yield RunningLoad(**ready)


async def serve_until_stopped(server: Server) -> None:
    """Serve, print the addresses as a line of JSON, and end at SIGTERM, SIGINT or the end of the parent.

    The parent's id is polled, because the kernel's death signal already comes when the starting thread ends.
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
                async with asyncio.timeout(_PARENT_CHECK_S):
                    await stop.wait()


def read_log(base: str) -> bytes:
    """The log of a server, as JSON."""
    return _call_log(base, "GET")


def clear_log(base: str) -> None:
    """Clear the log of a server."""
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
    command = python_command("-m", module, *arguments)
    # A group of its own: Ctrl-C in the terminal goes to the parent, which stops this process.
    with subprocess.Popen(  # noqa: S603  # our own module
        command,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        process_group=0,
        env=python_environment(),
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                raise NotStarted(
                    f"{module} did not start (exit code {process.wait()}); see its error on stderr"
                )
            yield {"pid": process.pid, **json.loads(line)}
        finally:
            process.terminate()
            try:
                process.wait(_STOP_WAIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
