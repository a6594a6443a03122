"""RESEARCH_PROXY: plain downloads and the browser's connections go through a real forward proxy on
loopback."""

import asyncio
import inspect
import ssl
from dataclasses import replace

import aiohttp
import pytest
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler

from research_crawler.core import crawler_services
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import ConfigError, FetchFailed
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.guarding_proxy import GuardingProxy
from research_crawler.handlers.pinned import PinnedDownloadHandler
from research_crawler.handlers.upstream_proxy import UpstreamProxy, is_of_this_machine
from tests.cases import each_case
from tests.handlers.conftest import CLOSED_HOST, OPEN_HOST
from tests.handlers.forward_proxy import HOST, forward_proxy
from tests.handlers.test_pinned import METADATA, self_signed
from tests.request_states import state_for


def through(crawler, url, home, **guard):
    """The download handler of a crawler with this proxy."""
    found = replace(crawler_services.fetching_of(crawler), config=load_core_config(proxy=url, home=home))
    if guard:
        lists = {"allowed_hosts": [], "blocked_hosts": []} | guard
        found = replace(found, guard=AddressGuard(allow_private=[], **lists))
    crawler_services.provide(crawler, found)
    return PinnedDownloadHandler.from_crawler(crawler)


async def failure(handler, url, **meta):
    with pytest.raises(Exception) as caught:  # the mapping is what is tested
        await handler.download_request(Request(url, meta=meta))
    reason, is_transient = failure_reason(caught.value)
    return reason.text, is_transient


async def test_a_page_is_fetched_through_the_proxy_which_resolves_its_name(site, make_crawler, tmp_path):
    async with forward_proxy(leads_to=OPEN_HOST) as proxy:
        handler = through(make_crawler(), proxy.url, tmp_path)
        url = site.url(host="only-the-proxy-knows.example")
        response = await handler.download_request(Request(url))
        assert (response.status, response.body, response.url) == (200, b"hello", url)
        assert proxy.asked == [("GET", url)]
        await handler.close()


async def test_https_goes_through_a_tunnel_and_its_certificate_is_verified(make_crawler, tmp_path):
    path = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)

    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, OPEN_HOST, 0, ssl=context)
    url = f"https://shop.example:{server.sockets[0].getsockname()[1]}/"
    async with server, forward_proxy(leads_to=OPEN_HOST) as proxy:
        handler = through(make_crawler(), proxy.url, tmp_path)
        assert await failure(handler, url) == ("tls", False)
        handler._ssl_context.load_verify_locations(path)
        assert (await handler.download_request(Request(url))).body == b"ok"
        assert set(proxy.asked) == {("CONNECT", url.removeprefix("https://").rstrip("/"))}
        await handler.close()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://10.0.0.1/", "guard: private_address"),
        ("http://[::1]/", "guard: private_address"),
        ("http://0x7f.1/", "guard: private_address"),
        ("http://169.254.169.254/latest/", "guard: metadata"),
        ("http://metadata.google.internal/", "guard: metadata"),
        ("http://intranet/", "guard: private_address"),
        ("http://blocked.example/", "host_list"),
    ],
)
async def test_names_and_literal_addresses_are_checked_before_the_proxy_is_asked(
    make_crawler, tmp_path, url, reason
):
    async with forward_proxy(leads_to=OPEN_HOST) as proxy:
        handler = through(make_crawler(), proxy.url, tmp_path, blocked_hosts=["blocked.example"])
        assert await failure(handler, url) == (reason, False)
        assert proxy.asked == []
        await handler.close()


async def test_user_and_password_are_sent_to_the_proxy_only(site, make_crawler, tmp_path):
    async with forward_proxy(leads_to=OPEN_HOST, password="user:p@ss") as proxy:
        with_password = proxy.url.replace("http://", "http://user:p%40ss@")
        handler = through(make_crawler(), with_password, tmp_path)
        assert (await handler.download_request(Request(site.url()))).body == b"hello"
        await handler.close()
        assert "p%40ss" not in UpstreamProxy(with_password).shown
        wrong = through(make_crawler(), proxy.url, tmp_path)
        assert await failure(wrong, site.url()) == ("proxy: 407", True)
        assert await failure(wrong, "https://shop.example/") == ("proxy: 407", True)
        await wrong.close()


@pytest.mark.parametrize(
    ("status", "reason"),
    [("403 Forbidden", ("proxy: 403", False)), ("502 Bad Gateway", ("proxy: 502", True))],
)
async def test_a_refusal_of_the_proxy_has_its_own_reason(make_crawler, tmp_path, status, reason):
    async with forward_proxy(leads_to=OPEN_HOST, status=status) as proxy:
        handler = through(make_crawler(), proxy.url, tmp_path)
        assert await failure(handler, "https://shop.example/") == reason
        await handler.close()


@pytest.mark.parametrize("url", [f"http://{HOST}:1", "http://no-such-proxy.invalid:3128"])
async def test_an_unreachable_proxy_is_a_transient_failure(site, make_crawler, tmp_path, url):
    handler = through(make_crawler(), url, tmp_path)
    assert await failure(handler, site.url()) == ("proxy: unreachable", True)
    await handler.close()


async def test_endpoints_on_this_machine_are_requested_directly_and_others_through_the_proxy(
    site, make_crawler, tmp_path
):
    async with forward_proxy(leads_to=OPEN_HOST) as proxy:
        handler = through(make_crawler(), proxy.url, tmp_path)
        closed = site.url(host=CLOSED_HOST)
        assert (
            await handler.download_request(Request(closed, meta=state_for(closed, service=True).meta))
        ).body
        assert proxy.asked == []
        url = site.url(host="searx.corp")
        request = Request(url, meta=state_for(url, service=True).meta)
        assert (await handler.download_request(request)).body == b"hello"
        assert proxy.asked == [("GET", url)]
        assert await failure(handler, METADATA, **state_for(METADATA, service=True).meta) == (
            "guard: metadata",
            False,
        )
        await handler.close()


@each_case(
    ("url", "expected"),
    [
        ("http://localhost:8080/", True),
        ("http://a.localhost/", True),
        ("http://127.3.2.1/", True),
        ("http://[::1]:80/", True),
        ("http://10.0.0.1/", False),
        ("http://searx.corp/", False),
        ("http://localhost.example/", False),
    ],
)
def test_this_machine_is_recognised_by_name_or_address(url, expected):
    assert is_of_this_machine(url) is expected


async def test_the_browser_connects_through_the_proxy(site):
    guard = AddressGuard(allow_private=[], allowed_hosts=[], blocked_hosts=[])
    async with (
        forward_proxy(leads_to=OPEN_HOST, password="user:secret") as proxy,
        aiohttp.ClientSession() as client,
    ):
        upstream = UpstreamProxy(proxy.url.replace("http://", "http://user:secret@"))
        async with GuardingProxy(guard, upstream=upstream).gate() as gate:
            url = site.url(host="shop.example")
            async with client.get(url, proxy=gate.url) as response:
                assert await response.read() == b"hello"
            async with client.get(f"http://10.0.0.1:{site.port}/", proxy=gate.url) as response:
                assert response.status == 403
            assert proxy.asked == [("GET", url)]
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            writer.write(f"CONNECT shop.example:{site.port} HTTP/1.1\r\n\r\n".encode())
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            writer.write(b"GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert (await reader.read()).endswith(b"hello")
            writer.close()
            assert proxy.asked[1:] == [("CONNECT", f"shop.example:{site.port}")]
            assert gate.refused == {"private_address": 1}


async def test_a_refused_tunnel_has_a_reason():
    async with forward_proxy(leads_to=OPEN_HOST, status="403 Forbidden") as proxy:
        with pytest.raises(FetchFailed, match="proxy: 403") as caught:
            await UpstreamProxy(proxy.url).tunnel("shop.example", 443)
    assert not caught.value.transient


@pytest.mark.parametrize("url", ["socks5://proxy:1080", "proxy:3128", "http://"])
def test_an_unsupported_kind_of_proxy_is_refused_at_start(url):
    with pytest.raises(ConfigError, match=r"must be an http\(s\) URL") as caught:
        load_core_config(proxy=url)
    assert "1080" not in str(caught.value)


def test_the_overridden_methods_exist():
    assert list(inspect.signature(AiohttpDownloadHandler._extract_proxy_url_with_creds).parameters) == [
        "self",
        "request",
    ]
