"""Scrapy: its aiohttp download handler, its decompression errors, and what its engine holds."""

import inspect

from scrapy.core.downloader.handlers import _aiohttp
from scrapy.core.engine import ExecutionEngine, _Slot
from scrapy.exceptions import IgnoreRequest
from scrapy.utils import _compression

from tests.cases import each_case
from tests.contracts.private_names import parameters, relied_on

PINNED = "handlers.pinned builds on Scrapy's aiohttp handler"


def test_the_aiohttp_handler_is_where_it_was():
    relied_on(_aiohttp, "AiohttpDownloadHandler", PINNED)
    relied_on(_aiohttp, "_ClientResponse", PINNED)
    assert _aiohttp.__name__.rpartition(".")[2] == "_aiohttp"
    assert [base.__name__ for base in _aiohttp.AiohttpDownloadHandler.__mro__[1:3]] == [
        "BaseStreamingDownloadHandler",
        "BaseHttpDownloadHandler",
    ], "handlers.pinned calls the constructor of the handler's parent"


@each_case(
    ("name", "expected"),
    [
        ("_make_request", ["self", "request", "timeout"]),
        ("_extract_proxy_url_with_creds", ["self", "request"]),
        ("download_request", ["self", "request"]),
        ("close", ["self"]),
    ],
)
def test_the_aiohttp_handler_has_the_methods_that_are_replaced(name, expected):
    relied_on(_aiohttp.AiohttpDownloadHandler, name, PINNED)
    assert parameters(getattr(_aiohttp.AiohttpDownloadHandler, name)) == expected


def test_the_aiohttp_handler_reads_the_body_through_a_static_method():
    method = relied_on(
        _aiohttp.AiohttpDownloadHandler, "_iter_body_chunks", "`read_bytes` cuts the body there"
    )
    assert isinstance(method, staticmethod)


def test_the_constructor_that_is_called_sets_the_sizes_of_the_pool():
    source = inspect.getsource(_aiohttp.AiohttpDownloadHandler.__mro__[1].__init__)
    source += inspect.getsource(_aiohttp.AiohttpDownloadHandler.__mro__[2].__init__)
    for name in ("_pool_size_total", "_pool_size_per_host"):
        assert f"self.{name}" in source, f"{name} is gone: handlers.pinned sizes its connector by it"


def test_the_aiohttp_handler_uses_the_session_and_the_tls_context_of_those_names():
    source = inspect.getsource(_aiohttp.AiohttpDownloadHandler._make_request)
    for name in ("self._session.request", "ssl=self._ssl_context", "_extract_proxy_url_with_creds"):
        assert name in source, f"{name} is gone: handlers.pinned sets it and the guard depends on it"


def test_an_answer_knows_the_address_that_it_came_from():
    relied_on(_aiohttp._ClientResponse, "__annotations__", PINNED)
    assert "_peername" in _aiohttp._ClientResponse.__annotations__, (
        "_ClientResponse._peername is gone: the guard checks where a connection went"
    )


def test_the_errors_of_decompression_have_the_names_that_failures_reads():
    why = "handlers.failures tells a compression bomb and a broken body by it"
    exceeded = relied_on(_compression, "_DecompressionMaxSizeExceeded", why)
    assert _compression.__name__.rpartition(".")[2] == "_compression"
    assert inspect.isclass(exceeded) and issubclass(exceeded, ValueError)
    assert issubclass(relied_on(_compression.brotli, "error", why), Exception)
    assert issubclass(relied_on(_compression.zstd, "ZstdError", why), Exception)


def test_a_body_beyond_the_limit_is_ignored_because_of_that_error():
    from scrapy.downloadermiddlewares import httpcompression

    source = inspect.getsource(httpcompression.HttpCompressionMiddleware.process_response)
    assert "_DecompressionMaxSizeExceeded" in source and "raise IgnoreRequest" in source, (
        "HttpCompressionMiddleware fails in another way: handlers.failures reads the cause of an IgnoreRequest"
    )
    assert issubclass(IgnoreRequest, Exception)


def test_the_engine_has_a_slot_that_lists_the_requests_in_progress():
    why = "extensions.engine_view tells which leases are still worked on"
    for owner, name in ((ExecutionEngine, "_slot"), (_Slot, "inprogress"), (_Slot, "scheduler")):
        source = inspect.getsource(owner.__init__)
        assert f"self.{name}" in source, f"{owner.__name__}.{name} is gone: {why}"
