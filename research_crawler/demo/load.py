"""The load site for benchmarks: many hosts that serve small pages as fast as one process can.

Run it with `python -m research_crawler.demo.load --hosts 64`. It parses requests itself, because a web
framework would take processor time from the crawler under test on the same machine.
"""

import argparse
import asyncio
import json
import random
from array import array
from functools import partial
from typing import Any, Final, Self, cast

import uvloop

from research_crawler.demo.demo_server import free_port
from research_crawler.demo.process import serve_until_stopped
from research_crawler.demo.request_log import monotonic_ms

_LOG_PATH: Final = b"/__log.json"
_ROBOTS: Final = b"User-agent: *\nAllow: /\n"
_VARIANTS: Final = 32
"""Different pages that the load site serves."""
_HEAD_LIMIT: Final = 65_536
"""Largest head of a request that the load site reads."""


class HostLog:
    """The requests of one host, in columns."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Clear the log."""
        self.paths: list[str] = []
        self.start_ms = array("d")
        self.end_ms = array("d")

    def columns(self) -> dict[str, list[str] | list[float]]:
        """The log as values for JSON."""
        return {"path": self.paths, "start_ms": self.start_ms.tolist(), "end_ms": self.end_ms.tolist()}


class LoadWeb:
    """Serves hosts 127.0.40.1 … on one port: `/p/<n>` are pages of 6 kB, `/__log.json` is the log."""

    def __init__(self, *, hosts: int = 64, latency_ms: float = 0.0, port: int = 0) -> None:
        if not 1 <= hosts <= 250:
            raise ValueError("the load site has 1 to 250 hosts")
        self.ips = [f"127.0.40.{number}" for number in range(1, hosts + 1)]
        self.latency_s = latency_ms / 1000
        self.port = port
        self.logs = {ip: HostLog() for ip in self.ips}
        self._pages = [_variant(number) for number in range(_VARIANTS)]
        self.connections: set[asyncio.Transport] = set()
        self._servers: list[asyncio.Server] = []

    async def __aenter__(self) -> Self:
        self.port = self.port or free_port(self.ips)
        loop = asyncio.get_running_loop()
        for ip in self.ips:
            server = await loop.create_server(partial(_Connection, self, ip), ip, self.port, backlog=512)
            self._servers.append(server)
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        for server in self._servers:
            server.close()
        for transport in list(self.connections):
            transport.abort()

    @property
    def hosts(self) -> list[str]:
        """The base URLs of the hosts."""
        return [f"http://{ip}:{self.port}" for ip in self.ips]

    def ready(self) -> dict[str, Any]:
        """The addresses that a process prints when it is ready."""
        return {"port": self.port, "hosts": self.hosts}

    def answer(self, method: bytes, path: bytes) -> bytes:
        """The complete response to a request."""
        if path == _LOG_PATH:
            return self._administer(method)
        if path == b"/robots.txt":
            return _response(b"200 OK", b"text/plain", _ROBOTS)
        number = path[3:]
        if not path.startswith(b"/p/") or not number.isdigit():
            return _response(b"404 Not Found", b"text/plain", b"There is no page at this address.\n")
        before, after = self._pages[int(number) % _VARIANTS]
        links = b'<a href="/p/%d">Next entry</a>' % (int(number) + 1)
        return _response(
            b"200 OK", b"text/html; charset=utf-8", b"".join((before, number, after, links, _END))
        )

    def _administer(self, method: bytes) -> bytes:
        if method == b"DELETE":
            for log in self.logs.values():
                log.clear()
            return _response(b"200 OK", b"text/plain", b"")
        columns = {ip: log.columns() for ip, log in self.logs.items()}
        return _response(b"200 OK", b"application/json", json.dumps(columns).encode())


class _Connection(asyncio.Protocol):
    """One client's connection. It answers requests without bodies, one after the other."""

    def __init__(self, web: LoadWeb, ip: str) -> None:
        self._web, self._ip = web, ip
        self._buffer = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._web.connections.add(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._web.connections.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        start_ms = monotonic_ms()
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            self._answer(head, start_ms)
        if len(self._buffer) > _HEAD_LIMIT:
            self._transport.close()

    def _answer(self, head: bytes, start_ms: float) -> None:
        line, _, fields = head.partition(b"\r\n")
        method, path, version = [*line.split(b" "), b"", b""][:3]
        response = self._web.answer(method, path)
        close = version == b"HTTP/1.0" or b"connection: close" in fields.lower()
        record = path != _LOG_PATH
        if self._web.latency_s and record:
            asyncio.get_running_loop().call_later(
                self._web.latency_s, self._send, response, path, start_ms, close
            )
        else:
            self._send(response, path, start_ms, close, record=record)

    def _send(
        self, response: bytes, path: bytes, start_ms: float, close: bool, *, record: bool = True
    ) -> None:
        if not self._transport.is_closing():
            self._transport.write(response)
        if record:  # also requests whose client has disconnected
            log = self._web.logs[self._ip]
            log.paths.append(path.decode("latin-1"))
            log.start_ms.append(start_ms)
            log.end_ms.append(monotonic_ms())
        if close:
            self._transport.close()


def _response(status: bytes, content_type: bytes, body: bytes) -> bytes:
    head = b"HTTP/1.1 %b\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n" % (
        status,
        content_type,
        len(body),
    )
    return head + body


_END: Final = (
    b"</p></main><footer><p>Kept by the harbour office. Corrections are welcome.</p></footer></body></html>"
)
_SUBJECTS = (
    "The harbour master",
    "A keeper",
    "The ferry",
    "The night watch",
    "A visiting surveyor",
    "The pilot",
)
_DEEDS = ("reported", "measured", "repaired", "counted", "repainted", "inspected")
_THINGS = (
    "the eastern buoy",
    "four mooring rings",
    "the tide gauge",
    "a broken lamp",
    "the slipway",
    "the bell",
)
_TIMES = ("before dawn", "at low water", "after the storm", "in the second week", "on market day", "at dusk")


def _variant(seed: int) -> tuple[bytes, bytes]:
    draw = random.Random(seed)
    paragraphs = "\n".join(
        "<p>" + " ".join(_sentence(draw) for _ in range(9)) + "</p>" for _ in range(draw.randint(7, 9))
    )
    menu = "".join(f'<li><a href="/p/{volume * 100}">Volume {volume}</a></li>' for volume in range(1, 9))
    before = (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Harbour log</title></head><body>"
        f"<header><a href='/p/1'>Harbour log</a><nav><ul>{menu}</ul></nav></header><main><h1>Entry "
    )
    return before.encode(), f"</h1>\n{paragraphs}\n<p class='more'>".encode()


def _sentence(draw: random.Random) -> str:
    subject, deed, thing, time = (draw.choice(words) for words in (_SUBJECTS, _DEEDS, _THINGS, _TIMES))
    return f"{subject} {deed} {thing} {time} and noted {draw.randint(2, 98)} in the book."


def main() -> None:
    """Parse the options and serve."""
    parser = argparse.ArgumentParser(prog="python -m research_crawler.demo.load", description=__doc__)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--latency-ms", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    web = LoadWeb(hosts=arguments.hosts, latency_ms=arguments.latency_ms, port=arguments.port)
    uvloop.run(serve_until_stopped(web))


if __name__ == "__main__":
    main()
