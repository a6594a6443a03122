"""The pinned handler with real servers on loopback, and its assumptions about Scrapy and aiohttp."""

import asyncio
import datetime
import gc
import inspect
import ipaddress
import ssl
import weakref

import aiohttp
import pytest
import uvloop
from aiohttp.abc import AbstractResolver
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler
from scrapy.exceptions import IgnoreRequest

from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.pinned import DNS_TTL_S, PinnedDownloadHandler
from research_crawler.handlers.refusals import RequestRefused
from tests.request_states import state_for

OPEN_HOST, CLOSED_HOST = "127.0.5.1", "127.9.9.9"
METADATA = "http://169.254.169.254/"


class Names(AbstractResolver):
    """A resolver that returns the answers of a list, one per query; the last one is repeated."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    async def resolve(self, host, port=0, family=0):
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            {"hostname": host, "host": address, "port": port, "family": family, "proto": 0, "flags": 0}
            for address in answer
        ]

    async def close(self):
        pass


@pytest.fixture
async def handler(make_crawler):
    made = PinnedDownloadHandler.from_crawler(make_crawler())
    yield made
    await made.close()


async def failure(handler, url, **meta):
    with pytest.raises(Exception) as caught:  # the mapping is what is tested
        await handler.download_request(Request(url, meta=meta))
    reason, is_transient = failure_reason(caught.value)
    return reason.text, is_transient


async def test_a_page_comes_from_the_checked_address(handler, site):
    response = await handler.download_request(Request(site.url()))
    assert (response.status, response.body) == (200, b"hello")
    assert response.ip_address == ipaddress.ip_address(OPEN_HOST)


async def test_the_handler_never_connects_to_a_literal_address_outside_the_allowed_network(handler, site):
    assert await failure(handler, site.url(host=CLOSED_HOST)) == ("guard: private_address", False)
    assert site.connections[CLOSED_HOST] == set()


async def test_a_blocked_address_is_refused_even_in_an_allowed_network(handler, site):
    assert await failure(handler, site.url(host="127.0.0.1")) == ("host_list", False)


@pytest.mark.parametrize("addresses", [[CLOSED_HOST], [OPEN_HOST, CLOSED_HOST], [CLOSED_HOST, OPEN_HOST]])
async def test_a_name_with_one_bad_address_is_refused(handler, site, addresses):
    handler._session.connector._resolver = Names(addresses)
    assert await failure(handler, site.url(host="shop.example")) == ("guard: private_address", False)
    assert site.connections == {OPEN_HOST: set(), CLOSED_HOST: set()}


async def test_a_name_is_resolved_once_so_that_it_cannot_change_between_check_and_connection(handler, site):
    names = handler._session.connector._resolver = Names([OPEN_HOST], [CLOSED_HOST])
    response = await handler.download_request(Request(site.url(host="rebind.example")))
    assert response.ip_address == ipaddress.ip_address(OPEN_HOST)
    assert names.asked == 1


async def test_a_cached_answer_is_checked_again(handler, site, make_crawler):
    connector = handler._session.connector
    connector._resolver = Names([OPEN_HOST])
    await handler.download_request(Request(site.url(host="shop.example"), headers={"Connection": "close"}))
    connector._guard = type(connector._guard)(allow_private=[], allowed_hosts=[], blocked_hosts=[])
    assert await failure(handler, site.url(host="shop.example")) == ("guard: private_address", False)
    assert connector._resolver.asked == 1
    assert DNS_TTL_S <= 60


async def test_a_connection_past_the_checked_connector_is_refused(handler, site):
    """If a release of aiohttp renamed the overridden method, no response would get through."""
    await handler._session.close()
    handler._session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(resolver=Names([CLOSED_HOST])),
        response_class=handler._session._response_class,
    )
    assert await failure(handler, site.url(host="shop.example")) == ("guard: private_address", False)


async def test_an_operators_endpoint_may_be_private_and_shares_no_connection(handler, site):
    url = site.url(host=CLOSED_HOST)
    response = await handler.download_request(Request(url, meta=state_for(url, service=True).meta))
    assert response.body == b"hello"
    assert await failure(handler, url) == ("guard: private_address", False)
    await handler.download_request(Request(site.url(), meta=state_for(site.url(), service=True).meta))
    await handler.download_request(Request(site.url()))
    assert len(site.connections[OPEN_HOST]) == 2


async def test_an_operators_endpoint_is_never_a_metadata_address(handler):
    assert await failure(handler, METADATA, **state_for(METADATA, service=True).meta) == (
        "guard: metadata",
        False,
    )


async def test_connections_are_kept_alive(handler, site):
    for _ in range(5):
        await handler.download_request(Request(site.url()))
    assert len(site.connections[OPEN_HOST]) == 1


@pytest.mark.parametrize(
    ("path", "meta", "reason"),
    [
        ("/long", {}, ("too_large", False)),
        ("/endless", {}, ("too_large", False)),
        ("/page", {"download_maxsize": 4}, ("too_large", False)),
        ("/cut", {}, ("broken", True)),
        ("/hang", {"download_timeout": 0.2}, ("timeout", True)),
        ("/trickle", {"download_timeout": 0.2}, ("timeout", True)),
        ("/layers", {}, ("bomb", False)),
    ],
)
async def test_a_bad_page_ends_with_its_reason(handler, site, path, meta, reason):
    assert await failure(handler, site.url(path), **meta) == reason


async def test_a_page_of_ours_whose_body_does_not_end_is_too_slow_and_not_tried_again(handler, site):
    meta = {"download_timeout": 0.3}
    of_task = state_for(site.url("/trickle")).meta
    reason, is_transient = await failure(handler, site.url("/trickle"), **meta, **of_task)
    assert (reason.partition("(")[0], is_transient) == ("too_slow", False)
    of_task = state_for(site.url("/hang")).meta
    assert await failure(handler, site.url("/hang"), **meta, **of_task) == ("timeout", True)


async def test_a_request_without_a_timeout_gets_that_of_the_settings(make_crawler, site):
    handler = PinnedDownloadHandler.from_crawler(make_crawler(DOWNLOAD_TIMEOUT=0.2))
    assert await failure(handler, site.url("/hang")) == ("timeout", True)
    await handler.close()


@pytest.mark.parametrize("path", ["/long", "/endless"])
async def test_a_body_is_cut_where_the_request_says_so(handler, site, path):
    meta = state_for(site.url(path), read_bytes=100_001).meta | {"download_maxsize": 10_000_000}
    response = await handler.download_request(Request(site.url(path), meta=meta))
    assert len(response.body) == 100_001


async def test_long_headers_are_read(handler, site):
    response = await handler.download_request(Request(site.url("/wide")))
    assert len(response.headers["X-Policy"]) == 30_000


async def test_a_closed_port_is_a_refused_connection(handler, unused_tcp_port):
    assert await failure(handler, f"http://{OPEN_HOST}:{unused_tcp_port}/") == ("connection_refused", True)


async def test_an_unknown_name_is_a_dns_failure(handler):
    reason, _ = await failure(handler, "http://nothing.invalid/", download_timeout=20)
    assert reason == "dns"


async def test_an_odd_spelling_of_an_address_is_refused(handler):
    assert await failure(handler, "http://2130706433/") in {("unsupported_url", False), ("host_list", False)}


async def test_a_response_that_is_not_http_is_broken(handler):
    async def answer(reader, writer):
        await reader.readline()
        writer.write(b"SSH-2.0-OpenSSH_9.9\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, OPEN_HOST, 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert await failure(handler, f"http://{OPEN_HOST}:{port}/") == ("broken", False)


async def test_a_connection_that_drops_before_the_answer_is_transient(handler):
    async def drop(reader, writer):
        await reader.readline()
        writer.close()

    server = await asyncio.start_server(drop, OPEN_HOST, 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert await failure(handler, f"http://{OPEN_HOST}:{port}/") == ("connection", True)


def self_signed(folder):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "shop.example")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("shop.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


async def test_an_unsigned_certificate_is_refused_whatever_scrapys_setting(make_crawler, tmp_path):
    handler = PinnedDownloadHandler.from_crawler(make_crawler(DOWNLOAD_VERIFY_CERTIFICATES=False))
    path = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    server = await asyncio.start_server(lambda _, writer: writer.close(), OPEN_HOST, 0, ssl=context)
    handler._session.connector._resolver = Names([OPEN_HOST])
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert await failure(handler, f"https://shop.example:{port}/") == ("tls", False)
    await handler.close()


async def test_cancellation_ends_as_an_ignored_request(handler, site):
    task = asyncio.create_task(handler.download_request(Request(site.url("/hang"))))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(IgnoreRequest, match="cancelled") as caught:
        await task
    assert not isinstance(caught.value, RequestRefused)
    assert failure_reason(caught.value) == (Why(Reason.CANCELLED), True)


async def test_a_proxy_is_refused_because_it_would_resolve_names_itself(handler, site):
    with pytest.raises(NotImplementedError):
        await handler.download_request(Request(site.url(), meta={"proxy": "http://127.0.5.2:3128"}))


async def test_a_crawler_has_one_handler_for_both_schemes(make_crawler, site):
    crawler = make_crawler()
    handler = PinnedDownloadHandler.from_crawler(crawler)
    assert PinnedDownloadHandler.from_crawler(crawler) is handler
    await handler.download_request(Request(site.url(), meta=state_for(site.url(), service=True).meta))
    await handler.close()
    await handler.close()
    others = [PinnedDownloadHandler.from_crawler(crawler), PinnedDownloadHandler.from_crawler(make_crawler())]
    assert len({handler, *others}) == 3
    for other in others:
        await other.close()


async def test_a_crawler_is_not_kept_alive_by_its_handler(make_crawler):
    crawler = make_crawler()
    await PinnedDownloadHandler.from_crawler(crawler).close()
    gone = weakref.ref(crawler)
    del crawler
    gc.collect()
    assert gone() is None


def test_it_runs_on_uvloop(make_crawler, free_port_server):
    async def fetch():
        async with free_port_server() as port:
            handler = PinnedDownloadHandler.from_crawler(make_crawler())
            response = await handler.download_request(Request(f"http://{OPEN_HOST}:{port}/"))
            refused = await failure(handler, f"http://{CLOSED_HOST}:{port}/")
            await handler.close()
            return response.body, refused

    assert uvloop.run(fetch()) == (b"ok", ("guard: private_address", False))


async def test_the_skipped_constructor_of_the_parent_sets_nothing_else(make_crawler, caplog):
    parent, ours = AiohttpDownloadHandler(make_crawler()), PinnedDownloadHandler(make_crawler())
    try:
        assert set(vars(parent)) <= set(vars(ours))
        assert type(parent._session) is type(ours._session)
    finally:
        await parent.close()
        await ours.close()


def test_the_overridden_methods_exist():
    assert inspect.iscoroutinefunction(aiohttp.TCPConnector._resolve_host)
    assert list(inspect.signature(aiohttp.TCPConnector._resolve_host).parameters) == [
        "self",
        "host",
        "port",
        "traces",
    ]
    assert list(inspect.signature(AiohttpDownloadHandler._make_request).parameters) == [
        "self",
        "request",
        "timeout",
    ]
    assert isinstance(inspect.getattr_static(AiohttpDownloadHandler, "_iter_body_chunks"), staticmethod)
    assert not PinnedDownloadHandler.lazy
    assert issubclass(RequestRefused, IgnoreRequest)
