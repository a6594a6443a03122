"""Connections that are slow, silent or too many, against uvicorn with our limits."""

import asyncio
import contextlib
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn

from research_crawler.interfaces.http.connections import ConnectionLimits, bounded_connections, note_known
from research_crawler.interfaces.http.http_server import QuietServer

BIG = b"x" * 20_000_000
SOON_S = 0.3
ASK = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
FEW = ConnectionLimits(most=3, head_s=SOON_S, body_s=SOON_S, unread_s=SOON_S)


class Answering:
    """An application: `/big` is a long answer, `/wait` one that never comes, all others echo the length of the body."""

    def __init__(self) -> None:
        self.left: list[str] = []
        """The paths of requests that ended because the client went away."""
        self.knows = False
        """Whether callers show a token."""

    async def __call__(self, scope, receive, send) -> None:
        length, more = 0, True
        if self.knows:
            note_known(scope)
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.left.append(scope["path"])
                return
            length, more = length + len(message["body"]), message["more_body"]
        if scope["path"] == "/wait":
            await receive()
            return
        body = BIG if scope["path"] == "/big" else str(length).encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for start in range(0, len(body), 100_000):
            await send(
                {"type": "http.response.body", "body": body[start : start + 100_000], "more_body": True}
            )
        await send({"type": "http.response.body", "body": b""})
        self.left += ["/big"] if scope["path"] == "/big" else []


@asynccontextmanager
async def listening(limits: ConnectionLimits) -> AsyncIterator[tuple[int, Answering]]:
    """A server with these limits: its port, and the application behind it."""
    app, place = Answering(), socket.socket()
    place.bind(("127.0.0.1", 0))
    place.listen(100)
    config = uvicorn.Config(
        app, http=bounded_connections(limits), lifespan="off", log_config=None, timeout_graceful_shutdown=1
    )
    server = QuietServer(config)
    task = asyncio.create_task(server.serve(sockets=[place]))
    try:
        yield place.getsockname()[1], app
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def connected(
    port: int, text: bytes = b""
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection on which this was sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(text)
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the server ends the connection."""
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), 20)
    return b""


async def ask(port: int, text: bytes = ASK) -> bytes:
    """The first bytes of an answer over a new connection."""
    async with connected(port, text) as (reader, _):
        return await asyncio.wait_for(reader.read(1_000), 20)


async def dribble(writer: asyncio.StreamWriter) -> None:
    """Send a byte again and again."""
    with contextlib.suppress(ConnectionError):
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(SOON_S / 4)


async def test_a_connection_that_says_nothing_or_dribbles_its_headers_ends():
    async with listening(FEW) as (port, _), connected(port) as (silent, _), connected(port) as (slow, writer):
        dribbling = asyncio.create_task(dribble(writer))
        assert b"408" in await rest_of(slow)
        assert b"408" in await rest_of(silent)
        dribbling.cancel()


async def test_the_headers_of_a_second_request_have_a_limit_too():
    async with listening(FEW) as (port, _), connected(port, ASK) as (reader, writer):
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(b"GET /second HT")
        assert b"408" in await rest_of(reader)


async def test_a_body_that_does_not_end_ends_its_request():
    begun = b"POST /slow HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nbegin"
    async with listening(FEW) as (port, app), connected(port, begun) as (reader, _):
        assert await rest_of(reader) == b""
        await asyncio.sleep(0)
        assert app.left == ["/slow"]


async def test_an_answer_that_nobody_reads_is_given_up_and_a_slow_reader_gets_all_of_it():
    big = ASK.replace(b"/ ", b"/big ")
    async with listening(FEW) as (port, app), connected(port, big) as (reader, _):
        while not app.left:  # its sends go on once the connection is given up
            await asyncio.sleep(SOON_S / 4)
        got = 0
        async with connected(port, big) as (slow, _):
            while got < len(BIG) and (part := await asyncio.wait_for(slow.read(2_000_000), 20)):
                got += len(part)
                await asyncio.sleep(SOON_S / 100)
        assert got >= len(BIG)
        assert len(await rest_of(reader)) < len(BIG)


async def test_thousands_of_idle_connections_leave_room_for_a_request():
    async with listening(ConnectionLimits(most=20)) as (port, _), contextlib.AsyncExitStack() as stack:
        for number in range(2_000):
            idle = socket.socket()
            idle.setblocking(False)
            await asyncio.get_running_loop().sock_connect(idle, ("127.0.0.1", port))
            if number % 10:
                idle.close()
            else:
                stack.callback(idle.close)
        assert b"200" in await ask(port)


async def test_requests_under_way_are_not_pushed_out_and_one_too_many_is_told_so():
    wait = ASK.replace(b"/ ", b"/wait ")
    async with listening(FEW) as (port, app), connected(port, wait), connected(port, wait):
        async with connected(port, wait):
            await asyncio.sleep(SOON_S)
            assert b"503" in await ask(port)
        await asyncio.sleep(SOON_S)
        assert b"200" in await ask(port)
        assert app.left == []


@pytest.fixture
def few_connections(monkeypatch) -> None:
    monkeypatch.setenv("RESEARCH_SERVE_MAX_CONNECTIONS", "3")


async def test_the_server_has_the_limits_of_its_settings(few_connections, served):
    port = served.client.base_url.port
    async with connected(port) as (first, _), connected(port), connected(port), connected(port):
        assert await rest_of(first) == b"", "it made room for the last one"
        await served.get("/health")


def test_there_are_never_more_connections_than_half_of_the_files():
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert ConnectionLimits.within_files(10_000_000).most == files // 2
    assert ConnectionLimits.within_files(3).most == 3


BEGUN = b"POST /slow HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nbegin"


async def test_a_stranger_who_sends_no_body_loses_the_place_to_the_next_caller():
    limits = ConnectionLimits(most=3, body_s=60, strangers_body_s=60)
    async with listening(limits) as (port, app), contextlib.AsyncExitStack() as stack:
        for _ in range(9):
            await stack.enter_async_context(connected(port, BEGUN))
            await asyncio.sleep(0)
        assert b"200" in await ask(port)
        assert app.left


async def test_a_stranger_has_less_time_for_a_body_than_a_caller_who_is_known():
    limits = ConnectionLimits(body_s=60, strangers_body_s=SOON_S)
    async with listening(limits) as (port, app):
        async with connected(port, BEGUN) as (reader, _):
            assert await rest_of(reader) == b""
            assert app.left == ["/slow"]
        app.knows = True
        async with connected(port, BEGUN) as (reader, writer):
            await asyncio.sleep(3 * SOON_S)
            writer.write(b"x" * 995)
            assert b"1000" in await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), 20)


async def test_a_caller_who_is_known_keeps_the_place_while_a_body_comes():
    limits = ConnectionLimits(most=2)
    async with listening(limits) as (port, app):
        app.knows = True
        async with connected(port, BEGUN), connected(port, BEGUN):
            await asyncio.sleep(SOON_S)
            assert b"503" in await ask(port)


LATE = b"host: 127.0.0.1\r\ncontent-length: 1000\r\n"


@pytest.mark.parametrize(
    "begun",
    [
        b"POST /ui/sign-in HTTP/1.1\r\n" + LATE + b"\r\ntoken=",
        b"POST /ui/sign-in HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n",
        b"POST /ui/sign-in HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n6\r\ntoken=\r\n",
        b"POST /ui/sign-in HTTP/1.1\r\nexpect: 100-continue\r\n" + LATE + b"\r\n",
        b"POST /ui/sign-in HTTP/1.1\r\ncookie: research=stolen\r\n" + LATE + b"\r\ntoken=",
        b"POST /jobs HTTP/1.1\r\nauthorization: Bearer wrong\r\n" + LATE + b"\r\n{",
        b"POST /ui/nowhere HTTP/1.1\r\n" + LATE + b"\r\n{",
        b"PUT /ui/sign-in HTTP/1.1\r\n" + LATE + b"\r\n{",
    ],
    ids=[
        "length",
        "chunked",
        "a chunk",
        "expects",
        "cookie",
        "wrong token",
        "no such page",
        "another method",
    ],
)
async def test_many_forms_without_their_bodies_leave_room_for_everybody_else(few_connections, served, begun):
    port = served.client.base_url.port
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(30):
            await stack.enter_async_context(connected(port, begun))
            await asyncio.sleep(0)
        await served.get("/health")


async def test_a_stranger_who_sends_a_body_letter_by_letter_has_no_more_time_for_it():
    limits = ConnectionLimits(most=3, body_s=60, strangers_body_s=SOON_S)
    async with listening(limits) as (port, app), connected(port, BEGUN) as (_, writer):
        with contextlib.suppress(ConnectionError):
            for _ in range(40):
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(SOON_S / 10)
        assert app.left == ["/slow"]
        assert b"200" in await ask(port)


async def test_the_form_to_sign_in_is_read_up_to_four_kilobytes(served):
    answer = await served.client.post("/ui/sign-in", content=b"token=" + b"x" * 5_000)
    assert answer.status_code == 413
    answer = await served.client.post("/ui/sign-in", content=b"token=wrong")
    assert answer.status_code == 401
