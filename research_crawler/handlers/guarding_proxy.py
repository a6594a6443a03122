"""The forward proxy of the browser, on loopback in the crawler's process: it applies the guard to every
connection.

The browser can connect only through this proxy. `page.route` does not see redirected sub-resources and
WebSockets; a proxy sees every connection. Each page has a gate of its own: a port that is open as long as the
page, with a limit on bytes. Requests that the browser makes outside of pages go to a port that refuses
everything.
"""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from research_crawler.core.errors import AddressRefused, FetchFailed
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.handlers.proxy_messages import (
    Malformed,
    ProxyRequest,
    answer_head,
    read_head,
    read_request,
    request_head,
)
from research_crawler.handlers.upstream_proxy import UpstreamProxy

_LOOPBACK = "127.0.0.1"
_PAGE_BYTES = 20_000_000
"""Limit of the bytes through a page's gate, in both directions together."""
HEAD_S, DIAL_S = 10.0, 10.0
"""Longest time for a request's head and for a connection. The page's own timeout limits the rest."""
PAGE_CONNECTIONS = 64
"""Maximum number of concurrent connections of a page. Browsers open six per host."""
CHUNK = 65_536
"""Bytes that the proxy passes on at once."""

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""A host and its port → the addresses to connect to."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[str, int], Awaitable[Streams]]
"""Open a connection to an address."""


@dataclass(eq=False)
class Gate:
    """The port through which one page connects."""

    limit_bytes: int
    port: int = 0
    moved_bytes: int = 0
    requests: int = 0
    """Number of allowed requests and tunnels."""
    refused: Counter[str] = field(default_factory=Counter)
    """Refused requests by reason: the guard's reasons, `tracker`, `too_many`, `too_large`, `malformed`."""
    connections: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """The proxy URL for a browser context."""
        return f"http://{_LOOPBACK}:{self.port}"

    @property
    def is_spent(self) -> bool:
        """Whether the page has used up its limit of bytes."""
        return self.moved_bytes >= self.limit_bytes


class Refused(Exception):
    """The proxy refuses a request; the browser gets 403."""


class GuardingProxy:
    """Checks each host and address as the download handler does, and connects only to the checked addresses.

    Args:
        guard: decides which URLs and addresses are allowed.
        resolve, dial: access to the network; tests replace them.
        limit_bytes: limit of one page.
        upstream: the proxy of RESEARCH_PROXY, if set; it connects then, and the guard checks URLs only.
    """

    def __init__(
        self,
        guard: AddressGuard,
        *,
        resolve: Resolve | None = None,
        dial: Dial | None = None,
        limit_bytes: int = _PAGE_BYTES,
        upstream: UpstreamProxy | None = None,
    ) -> None:
        self._guard, self._limit_bytes, self._upstream = guard, limit_bytes, upstream
        self._resolve, self._dial = resolve or resolve_host, dial or asyncio.open_connection

    @asynccontextmanager
    async def gate(self, *, limit_bytes: int | None = None) -> AsyncIterator[Gate]:
        """Open a port for one page; it and its connections are closed with the block. Limit 0 refuses all."""
        gate = Gate(self._limit_bytes if limit_bytes is None else limit_bytes)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with _registered(gate.connections):
                await self._serve(gate, reader, writer)

        server = await asyncio.start_server(serve, _LOOPBACK, 0, limit=CHUNK)
        gate.port = server.sockets[0].getsockname()[1]
        try:
            yield gate
        finally:
            server.close()
            for connection in tuple(gate.connections):
                connection.cancel()
            if gate.connections:
                await asyncio.wait(tuple(gate.connections))

    async def _serve(self, gate: Gate, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the browser: a tunnel, or one request and its answer."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError, TimeoutError):
            try:
                async with asyncio.timeout(HEAD_S):
                    request = read_request(await read_head(reader))
                upstream = await self._connect(gate, request)
            except (AddressRefused, Refused, Malformed) as error:
                gate.refused[error.fault if isinstance(error, AddressRefused) else str(error)] += 1
                writer.write(_empty_response("403 Forbidden"))
            except (OSError, TimeoutError, FetchFailed):
                writer.write(_empty_response("502 Bad Gateway"))
            else:
                with _closing(upstream[1]):
                    await self._relay(gate, request, (reader, writer), upstream)
            await writer.drain()
        writer.close()

    async def _connect(self, gate: Gate, request: ProxyRequest) -> Streams:
        """Check the URL, resolve the host, check the addresses, connect.

        Raises:
            AddressRefused, Refused: the request is not allowed.
            OSError, TimeoutError, FetchFailed: the connection failed.
        """
        if gate.is_spent:
            raise Refused("too_large")
        if len(gate.connections) > PAGE_CONNECTIONS:
            raise Refused("too_many")
        self._guard.check_url(request.url)
        if is_tracker(request.host):
            raise Refused("tracker")
        async with asyncio.timeout(DIAL_S):
            if self._upstream:
                gate.requests += 1
                return await (
                    self._upstream.tunnel(request.host, request.port)
                    if request.is_tunnel
                    else self._upstream.connect()
                )
            addresses = await self._resolve(request.host, request.port)
            self._guard.check_addresses(request.host, addresses)
            gate.requests += 1
            return await self._dial_first(addresses, request.port)

    async def _dial_first(self, addresses: Sequence[str], port: int) -> Streams:
        for address in addresses[:-1]:
            with contextlib.suppress(OSError):
                return await self._dial(address, port)
        return await self._dial(addresses[-1], port)

    async def _relay(self, gate: Gate, request: ProxyRequest, browser: Streams, upstream: Streams) -> None:
        if request.is_tunnel:
            browser[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            upstream[1].write(self._upstream.head(request) if self._upstream else request_head(request))
        pumps = [
            asyncio.ensure_future(_pump(gate, browser[0], upstream[1])),
            asyncio.ensure_future(_pass_answer(gate, request, upstream[0], browser[1])),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)


async def resolve_host(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, by the system's resolver."""
    loop = asyncio.get_running_loop()
    entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


async def _pass_answer(
    gate: Gate, request: ProxyRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Pass on one answer and end the connection, because the next request may be for another host."""
    if not request.is_tunnel:
        head = b""
        while not head or head[9:10] == b"1":  # interim answers are not passed on
            head = await read_head(reader)
            gate.moved_bytes += len(head)
        writer.write(answer_head(head))
    await _pump(gate, reader, writer)


async def _pump(gate: Gate, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not gate.is_spent and (data := await reader.read(CHUNK)):
        gate.moved_bytes += len(data)
        writer.write(data)
        await writer.drain()


@contextmanager
def _registered(connections: set[asyncio.Task[None]]) -> Iterator[None]:
    task = asyncio.current_task()
    assert task
    connections.add(task)
    try:
        yield
    finally:
        connections.discard(task)


@contextmanager
def _closing(writer: asyncio.StreamWriter) -> Iterator[None]:
    try:
        yield
    finally:
        writer.close()


def _empty_response(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


# Knows the hosts of trackers and advertisements, to which the browser must not connect.

LIST: Final = Path(__file__).with_name("trackers.txt")


def is_tracker(host: str) -> bool:
    """Whether the host, or a domain above it, is on the list."""
    labels = host.rstrip(".").lower().split(".")
    return any(".".join(labels[start:]) in _domains() for start in range(len(labels) - 1))


@cache
def _domains() -> frozenset[str]:
    lines = (line.strip() for line in LIST.read_text("utf-8").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))
