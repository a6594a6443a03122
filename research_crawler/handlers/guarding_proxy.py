"""The browser's only way out: a forward proxy on loopback, inside the crawler's process, that keeps the guard.

`page.route` sees no redirected sub-resources and no WebSockets; a proxy sees every connection. Each page gets a
gate of its own: a port that is open as long as the page is, with a limit on bytes. What the browser sends beside
its pages finds a port that refuses everything.
"""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from research_crawler.core.addresses import AddressGuard
from research_crawler.core.errors import AddressRefused, FetchFailed
from research_crawler.handlers.proxy_messages import (
    Ask,
    Malformed,
    answer_head,
    ask_head,
    read_ask,
    read_head,
)
from research_crawler.handlers.trackers import is_tracker
from research_crawler.handlers.upstream_proxy import UpstreamProxy

_LOOPBACK = "127.0.0.1"
_PAGE_BYTES = 20_000_000
"""What one page may move over its gate, both ways together."""
HEAD_S, DIAL_S = 10.0, 10.0
"""How long a request's head and a connection may take; the rest is the page's own time."""
PAGE_CONNECTIONS = 64
"""At once; browsers open six to a host."""
CHUNK = 65_536

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""A host and its port → the addresses to dial."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[str, int], Awaitable[Streams]]
"""Open a connection to an address."""


@dataclass(eq=False)
class Gate:
    """One page's way out."""

    limit_bytes: int
    port: int = 0
    moved_bytes: int = 0
    requests: int = 0
    """Requests and tunnels that were let through."""
    refused: Counter[str] = field(default_factory=Counter)
    """Why others were not: the guard's reasons, `tracker`, `too_many`, `too_large`, `malformed`."""
    connections: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """What a browser context takes as its proxy."""
        return f"http://{_LOOPBACK}:{self.port}"

    @property
    def is_spent(self) -> bool:
        """Whether the page has moved all it may."""
        return self.moved_bytes >= self.limit_bytes


class Refused(Exception):
    """The proxy says no; the browser sees 403."""


class GuardingProxy:
    """Judges each host and address as the download handler does, and dials exactly what was judged.

    Args:
        guard: decides.
        resolve, dial: the network; others in tests.
        limit_bytes: of one page.
        upstream: RESEARCH_PROXY, where there is one; it dials then, and the guard judges URLs alone.
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
        """A port for one page; with the block end the port and all that went over it. Limit 0 refuses everything."""
        gate = Gate(self._limit_bytes if limit_bytes is None else limit_bytes)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with _entered(gate.connections):
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
        """One connection of the browser: a tunnel, or one request and its answer."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError, TimeoutError):
            try:
                async with asyncio.timeout(HEAD_S):
                    ask = read_ask(await read_head(reader))
                upstream = await self._connect(gate, ask)
            except (AddressRefused, Refused, Malformed) as error:
                gate.refused[error.fault if isinstance(error, AddressRefused) else str(error)] += 1
                writer.write(_answer("403 Forbidden"))
            except (OSError, TimeoutError, FetchFailed):
                writer.write(_answer("502 Bad Gateway"))
            else:
                with _closed(upstream[1]):
                    await self._relay(gate, ask, (reader, writer), upstream)
            await writer.drain()
        writer.close()

    async def _connect(self, gate: Gate, ask: Ask) -> Streams:
        """Judge, resolve, judge again, dial.

        Raises:
            AddressRefused, Refused: not this one.
            OSError, TimeoutError, FetchFailed: nobody answers there.
        """
        if gate.is_spent:
            raise Refused("too_large")
        if len(gate.connections) > PAGE_CONNECTIONS:
            raise Refused("too_many")
        self._guard.check_url(ask.url)
        if is_tracker(ask.host):
            raise Refused("tracker")
        async with asyncio.timeout(DIAL_S):
            if self._upstream:
                gate.requests += 1
                return await (
                    self._upstream.tunnel(ask.host, ask.port) if ask.is_tunnel else self._upstream.connect()
                )
            addresses = await self._resolve(ask.host, ask.port)
            self._guard.check_addresses(ask.host, addresses)
            gate.requests += 1
            return await self._dial_first(addresses, ask.port)

    async def _dial_first(self, addresses: Sequence[str], port: int) -> Streams:
        for address in addresses[:-1]:
            with contextlib.suppress(OSError):
                return await self._dial(address, port)
        return await self._dial(addresses[-1], port)

    async def _relay(self, gate: Gate, ask: Ask, browser: Streams, upstream: Streams) -> None:
        if ask.is_tunnel:
            browser[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            upstream[1].write(self._upstream.head(ask) if self._upstream else ask_head(ask))
        pumps = [
            asyncio.ensure_future(_pump(gate, browser[0], upstream[1])),
            asyncio.ensure_future(_answers(gate, ask, upstream[0], browser[1])),
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
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def _answers(gate: Gate, ask: Ask, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """An answer ends its connection: the next request of this browser may be for another host."""
    if not ask.is_tunnel:
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
def _entered(connections: set[asyncio.Task[None]]) -> Iterator[None]:
    task = asyncio.current_task()
    assert task
    connections.add(task)
    try:
        yield
    finally:
        connections.discard(task)


@contextmanager
def _closed(writer: asyncio.StreamWriter) -> Iterator[None]:
    try:
        yield
    finally:
        writer.close()


def _answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
