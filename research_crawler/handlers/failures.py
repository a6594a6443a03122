"""Translates the error of a download to a typed reason for events and reports, and says if a retry may
help."""

import asyncio
import socket
import ssl
import zlib
from gzip import BadGzipFile

import aiohttp
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.utils import _compression

from research_crawler.core.errors import AddressRefused, FetchFailed
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.handlers.upstream_proxy import is_transient

Told = tuple[Why, bool]
"""The reason, and whether the failure is transient."""

_BY_KIND: tuple[tuple[tuple[type[BaseException], ...], tuple[Reason, bool]], ...] = (
    ((asyncio.CancelledError,), (Reason.CANCELLED, True)),
    ((DownloadTimeoutError, TimeoutError), (Reason.TIMEOUT, True)),
    # The streaming handlers raise it only for a body above DOWNLOAD_MAXSIZE.
    ((DownloadCancelledError,), (Reason.TOO_LARGE, False)),
    ((ResponseDataLossError, aiohttp.ClientPayloadError), (Reason.BROKEN, True)),
    ((UnsupportedURLSchemeError, NotSupported, UnicodeError), (Reason.UNSUPPORTED_URL, False)),
    (
        (
            zlib.error,
            BadGzipFile,
            EOFError,
            # Scrapy chooses one of several packages with these names.
            _compression.brotli.error,  # type: ignore[attr-defined]
            _compression.zstd.ZstdError,  # type: ignore[attr-defined]
        ),
        (Reason.BROKEN, False),
    ),
)
_NO_SUCH_NAME = frozenset(
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_FAIL") if hasattr(socket, name)
)


def failure_reason(exception: BaseException) -> Told:
    """The reason of a failure, and whether it is transient, so that a later try may succeed.

    An unknown error is `unexpected` and final; the caller logs it.
    """
    if isinstance(exception, RequestRefused | AddressRefused):
        return exception.reason, False
    if isinstance(exception, FetchFailed):
        return exception.reason, exception.transient
    if isinstance(exception, IgnoreRequest):
        return _ignored_reason(exception)
    if isinstance(exception, (CannotResolveHostError, DownloadConnectionRefusedError, DownloadFailedError)):
        return _connection_reason(exception)
    for kinds, (reason, is_transient_) in _BY_KIND:
        if isinstance(exception, kinds):
            return Why(reason), is_transient_
    return (
        _connection_reason(exception) if isinstance(exception, OSError) else (Why(Reason.UNEXPECTED), False)
    )


def _ignored_reason(exception: IgnoreRequest) -> Told:
    if isinstance(exception.__cause__, _compression._DecompressionMaxSizeExceeded):
        return Why(Reason.BOMB), False
    is_cancelled = exception.args == (Reason.CANCELLED,)
    return (Why(Reason.CANCELLED), True) if is_cancelled else (Why(Reason.IGNORED), False)


def _connection_reason(exception: BaseException) -> Told:
    """The reason of a failed connection. The cause of Scrapy's exception is aiohttp's."""
    cause = exception.__cause__ or exception
    inner = cause.os_error if isinstance(cause, aiohttp.ClientConnectorError) else cause
    if isinstance(cause, aiohttp.ClientHttpProxyError):
        return Why(Reason.PROXY, str(cause.status)), is_transient(cause.status)
    if isinstance(cause, aiohttp.ClientProxyConnectionError):
        return Why(Reason.PROXY, "unreachable"), True
    if isinstance(exception, CannotResolveHostError) or isinstance(inner, socket.gaierror):
        return Why(Reason.DNS), getattr(inner, "errno", None) not in _NO_SUCH_NAME
    if isinstance(cause, aiohttp.ClientSSLError) or isinstance(inner, ssl.SSLError):
        return Why(Reason.TLS), False
    if isinstance(inner, ConnectionRefusedError):
        return Why(Reason.CONNECTION_REFUSED), True
    if isinstance(cause, aiohttp.ClientResponseError):
        # Not HTTP, or headers that are too long.
        return Why(Reason.BROKEN), False
    return Why(Reason.CONNECTION), True
