"""Tests of the load site inside the event loop of the test."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from research_crawler.demo.load import LoadWeb
from tests.demo.conftest import Get


@pytest.fixture
async def load() -> AsyncIterator[LoadWeb]:
    async with LoadWeb(hosts=2) as running:
        yield running


async def test_pages_are_html_and_differ(load: LoadWeb, get: Get) -> None:
    pages = [await get(f"{load.hosts[0]}/p/{number}") for number in (1, 2, 33)]
    assert all(
        status == 200 and headers["Content-Type"].startswith("text/html") for status, _, headers in pages
    )
    assert len({body for _, body, _ in pages}) == 3
    assert b'href="/p/34"' in pages[2][1]


async def test_robots_txt_allows_everything_and_other_paths_are_404(load: LoadWeb, get: Get) -> None:
    assert b"Allow: /" in (await get(load.hosts[1] + "/robots.txt"))[1]
    for path in ("/", "/p/", "/p/x", "/p/-1"):
        assert (await get(load.hosts[1] + path))[0] == 404


async def test_requests_on_one_connection_may_arrive_in_pieces_or_together(load: LoadWeb) -> None:
    reader, writer = await asyncio.open_connection(load.ips[0], load.port)
    request = b"GET /p/5 HTTP/1.1\r\nHost: x\r\n\r\n"
    writer.write(request[:10])
    await asyncio.sleep(0.01)
    writer.write(request[10:] + request)
    for _ in range(2):
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0]))
    assert load.logs[load.ips[0]].paths == ["/p/5", "/p/5"]
    writer.close()


async def test_a_connection_is_closed_if_the_client_asks_for_it(load: LoadWeb) -> None:
    reader, writer = await asyncio.open_connection(load.ips[0], load.port)
    writer.write(b"GET /p/5 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert (await reader.read(100_000)).endswith(b"</html>")
    writer.close()


async def test_stopping_ends_open_connections() -> None:
    async with LoadWeb(hosts=1) as load:
        reader, writer = await asyncio.open_connection(load.ips[0], load.port)
        writer.write(b"GET /robots.txt HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"Allow: /\n")
    with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
        await reader.readexactly(1)
    writer.close()


def test_the_number_of_hosts_is_limited() -> None:
    with pytest.raises(ValueError, match="1 to 250"):
        LoadWeb(hosts=251)
