"""The guarding proxy against a real site on loopback, without a browser."""

import asyncio

import aiohttp
import pytest

from research_crawler.core.web.addresses import AddressGuard
from research_crawler.handlers.guarding_proxy import GuardingProxy, resolve_host

OPEN_HOST, CLOSED_HOST = "127.0.5.1", "127.9.9.9"


@pytest.fixture
def guard():
    return AddressGuard(allow_private=["127.0.0.0/16"], allowed_hosts=[], blocked_hosts=["127.0.0.1"])


@pytest.fixture
async def client():
    async with aiohttp.ClientSession() as session:
        yield session


async def ask(client, gate, url, **more):
    async with client.get(url, proxy=gate.url, **more) as response:
        return response.status, await response.read()


async def tunnel(gate, target):
    reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
    writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head.split()[1]), reader, writer


async def test_an_allowed_request_passes_and_is_counted(guard, site, client):
    async with GuardingProxy(guard).gate() as gate:
        assert await ask(client, gate, site.url()) == (200, b"hello")
        assert gate.requests == 1
        assert gate.moved_bytes > 5


async def test_one_connection_to_the_proxy_serves_one_request(guard, site):
    async with GuardingProxy(guard).gate() as gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
        asked = f"GET {site.url()} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        writer.write(asked)
        answer = await reader.readuntil(b"hello")
        assert b"Connection: close" in answer
        writer.write(asked.replace(OPEN_HOST.encode(), CLOSED_HOST.encode()))
        assert await reader.read() == b""
        writer.close()
    assert site.connections[CLOSED_HOST] == set()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (f"http://{CLOSED_HOST}/page", "private_address"),
        ("http://169.254.169.254/", "metadata"),
        ("http://2130706433/", "host_list"),
        ("http://[::1]/", "private_address"),
        ("http://localhost/", "host_list"),
        ("http://10.0.0.1:22/", "port"),
        ("http://www.google-analytics.com/collect", "tracker"),
    ],
)
async def test_the_proxy_never_connects_to_a_refused_url(guard, client, url, reason):
    dialled = []

    async def dial(address, port):
        dialled.append(address)
        raise OSError

    async def resolve(host, port):
        return ["127.0.0.1"] if host == "2130706433" else await resolve_host(host, port)

    async with GuardingProxy(guard, dial=dial, resolve=resolve).gate() as gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
        writer.write(f"GET {url} HTTP/1.1\r\n\r\n".encode())
        assert (await reader.read()).startswith(b"HTTP/1.1 403 ")
        writer.close()
        host_and_port = url.removeprefix("http://").partition("/")[0]
        status, _, writer = await tunnel(gate, host_and_port if ":22" in url else f"{host_and_port}:443")
        writer.close()
        assert status == 403
        assert gate.refused == {reason: 2}
    assert dialled == []


async def test_a_name_with_one_bad_address_is_refused(guard, client):
    async def resolve(host, port):
        return [OPEN_HOST, CLOSED_HOST]

    async with GuardingProxy(guard, resolve=resolve).gate() as gate:
        assert (await ask(client, gate, "http://shop.example/"))[0] == 403
        assert gate.refused == {"private_address": 1}


async def test_a_name_is_resolved_once_so_that_it_cannot_change_between_check_and_connection(
    guard, site, client
):
    answers = [[OPEN_HOST], [CLOSED_HOST]]

    async def resolve(host, port):
        return answers.pop(0)

    async with GuardingProxy(guard, resolve=resolve).gate() as gate:
        assert (await ask(client, gate, site.url(host="rebind.example")))[0] == 200
        assert len(answers) == 1


async def test_a_page_cannot_exceed_its_limit_of_bytes(guard, site, client):
    async with GuardingProxy(guard, limit_bytes=300_000).gate() as gate:
        with pytest.raises(aiohttp.ClientError):
            await ask(client, gate, site.url("/long"))
        assert 300_000 <= gate.moved_bytes < 400_000
        assert (await ask(client, gate, site.url()))[0] == 403
        assert gate.refused == {"too_large": 1}


async def test_each_page_has_its_own_count_of_bytes(guard, site, client):
    proxy = GuardingProxy(guard, limit_bytes=300_000)
    async with proxy.gate() as first, proxy.gate() as second:
        with pytest.raises(aiohttp.ClientError):
            await ask(client, first, site.url("/long"))
        assert await ask(client, second, site.url()) == (200, b"hello")


async def test_a_closed_gate_lets_nothing_through(guard, site, client):
    async with GuardingProxy(guard).gate(limit_bytes=0) as gate:
        assert (await ask(client, gate, site.url()))[0] == 403


async def test_a_tunnel_carries_bytes_both_ways_and_ends_with_its_page(guard, site):
    async with GuardingProxy(guard).gate() as gate:
        status, reader, writer = await tunnel(gate, f"{OPEN_HOST}:{site.port}")
        assert status == 200
        writer.write(f"GET /page HTTP/1.1\r\nHost: {OPEN_HOST}\r\n\r\n".encode())
        assert await reader.readuntil(b"hello")
    assert await reader.read() == b""
    writer.close()
    with pytest.raises(OSError):
        await asyncio.open_connection("127.0.0.1", gate.port)


async def test_a_closed_port_is_a_bad_gateway(guard, client, unused_tcp_port):
    async with GuardingProxy(guard).gate() as gate:
        assert (await ask(client, gate, f"http://{OPEN_HOST}:{unused_tcp_port}/"))[0] == 502


async def test_random_bytes_are_refused(guard):
    async with GuardingProxy(guard).gate() as gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
        writer.write(b"\x16\x03\x01\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 403 ")
        writer.close()
        assert gate.refused == {"malformed": 1}
