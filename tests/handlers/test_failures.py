"""Every failure of a download has a reason, and the decompression limit holds."""

import asyncio
import gzip
import socket
import zlib
from types import SimpleNamespace

import aiohttp
import pytest
from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.http import Response
from scrapy.utils import _compression

from research_crawler.core.errors import AddressRefused, FetchFailed
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused
from tests.cases import each_case


def told(error):
    reason, is_transient = failure_reason(error)
    return reason.text, is_transient


def caused(error, cause):
    error.__cause__ = cause
    return error


def no_host(number):
    return caused(
        CannotResolveHostError(), aiohttp.ClientConnectorDNSError(None, socket.gaierror(number, ""))
    )


@each_case(
    ("error", "reason"),
    [
        (RequestRefused(Reason.ROBOTS), ("robots", False)),
        (AddressRefused("host_list"), ("host_list", False)),
        (AddressRefused("metadata"), ("guard: metadata", False)),
        (FetchFailed(Why(Reason.PROXY, "502"), transient=True), ("proxy: 502", True)),
        (FetchFailed(Reason.EMPTY), ("empty", False)),
        (IgnoreRequest("cancelled"), ("cancelled", True)),
        (IgnoreRequest("something else"), ("ignored", False)),
        (asyncio.CancelledError(), ("cancelled", True)),
        (DownloadTimeoutError(), ("timeout", True)),
        (TimeoutError(), ("timeout", True)),
        (no_host(socket.EAI_NONAME), ("dns", False)),
        (no_host(socket.EAI_AGAIN), ("dns", True)),
        (CannotResolveHostError(), ("dns", True)),
        (DownloadCancelledError(), ("too_large", False)),
        (ResponseDataLossError(), ("broken", True)),
        (DownloadFailedError(), ("connection", True)),
        (caused(DownloadFailedError(), aiohttp.ServerDisconnectedError()), ("connection", True)),
        (ConnectionResetError(), ("connection", True)),
        (UnsupportedURLSchemeError(), ("unsupported_url", False)),
        (NotSupported(), ("unsupported_url", False)),
        (KeyError("x"), ("unexpected", False)),
    ],
)
def test_a_failure_has_its_reason(error, reason):
    assert told(error) == reason


PACKERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": _compression.brotli.compress,
    "zstd": _compression.zstd.compress,
}


def unpack(crawler, body, encoding):
    # Of a crawler it takes these three; the statistics exist only while a crawl runs.
    parts = SimpleNamespace(settings=crawler.settings, signals=crawler.signals, stats=None)
    middleware = HttpCompressionMiddleware.from_crawler(parts)
    response = Response("http://example.com/", headers={"Content-Encoding": encoding}, body=body)
    return middleware.process_response(Request("http://example.com/"), response)


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_compressed_page_is_unpacked_up_to_the_limit(make_crawler, encoding):
    crawler = make_crawler(DOWNLOAD_MAXSIZE=1_000_000)
    assert unpack(crawler, PACKERS[encoding](b"x" * 900_000), encoding).body == b"x" * 900_000


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_compression_bomb_is_stopped_at_the_limit(make_crawler, encoding):
    bomb = PACKERS[encoding](b"\0" * 30_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(IgnoreRequest) as caught:
        unpack(make_crawler(DOWNLOAD_MAXSIZE=1_000_000), bomb, encoding)
    assert told(caught.value) == ("bomb", False)
    assert caught.value.__cause__.decompressed_size < 1_100_000


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_body_that_cannot_be_decompressed_is_broken(make_crawler, encoding):
    with pytest.raises(Exception) as caught:  # the mapping is what is tested
        unpack(make_crawler(), b"this is not compressed at all", encoding)
    assert told(caught.value) == ("broken", False)
