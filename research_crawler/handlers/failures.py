"""Why a download failed, in the few words that events and reports use, and whether to try again."""

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
from research_crawler.handlers.refusals import RequestRefused, refusal_of
from research_crawler.handlers.upstream_proxy import is_transient

CANCELLED = "cancelled"
UNEXPECTED = "unexpected"

Reason = tuple[str, bool]
"""The word, and whether the failure is transient."""

_BY_KIND: tuple[tuple[tuple[type[BaseException], ...], Reason], ...] = (
    ((asyncio.CancelledError,), (CANCELLED, True)),
    ((DownloadTimeoutError, TimeoutError), ("timeout", True)),
    # The streaming handlers raise it for one thing only: a body beyond DOWNLOAD_MAXSIZE.
    ((DownloadCancelledError,), ("too_large", False)),
    ((ResponseDataLossError, aiohttp.ClientPayloadError), ("broken", True)),
    ((UnsupportedURLSchemeError, NotSupported, UnicodeError), ("unsupported_url", False)),
    (
        (
            zlib.error,
            BadGzipFile,
            EOFError,
            # Scrapy chooses between several packages of these names.
            _compression.brotli.error,  # type: ignore[attr-defined]
            _compression.zstd.ZstdError,  # type: ignore[attr-defined]
        ),
        ("broken", False),
    ),
)
_NO_SUCH_NAME = frozenset(
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_FAIL") if hasattr(socket, name)
)


def failure_reason(exception: BaseException) -> Reason:
    """The reason of a failure and whether it is transient: a later try may go better.

    `unexpected` (final) is what nobody thought of: the caller logs it.
    """
    if isinstance(exception, RequestRefused):
        return exception.reason, False
    if isinstance(exception, AddressRefused):
        return refusal_of(exception).reason, False
    if isinstance(exception, FetchFailed):
        return exception.reason, exception.transient
    if isinstance(exception, IgnoreRequest):
        return _ignored_reason(exception)
    if isinstance(exception, (CannotResolveHostError, DownloadConnectionRefusedError, DownloadFailedError)):
        return _connection_reason(exception)
    for kinds, reason in _BY_KIND:
        if isinstance(exception, kinds):
            return reason
    return _connection_reason(exception) if isinstance(exception, OSError) else (UNEXPECTED, False)


def _ignored_reason(exception: IgnoreRequest) -> Reason:
    if isinstance(exception.__cause__, _compression._DecompressionMaxSizeExceeded):
        return "bomb", False
    return (CANCELLED, True) if exception.args == (CANCELLED,) else ("ignored", False)


def _connection_reason(exception: BaseException) -> Reason:
    """What lies behind a connection that failed: Scrapy's exceptions have aiohttp's as their cause."""
    cause = exception.__cause__ or exception
    inner = cause.os_error if isinstance(cause, aiohttp.ClientConnectorError) else cause
    if isinstance(cause, aiohttp.ClientHttpProxyError):
        return f"proxy: {cause.status}", is_transient(cause.status)
    if isinstance(cause, aiohttp.ClientProxyConnectionError):
        return "proxy: unreachable", True
    if isinstance(exception, CannotResolveHostError) or isinstance(inner, socket.gaierror):
        return "dns", getattr(inner, "errno", None) not in _NO_SUCH_NAME
    if isinstance(cause, aiohttp.ClientSSLError) or isinstance(inner, ssl.SSLError):
        return "tls", False
    if isinstance(inner, ConnectionRefusedError):
        return "connection_refused", True
    if isinstance(cause, aiohttp.ClientResponseError):
        # Not HTTP, or headers beyond all measure.
        return "broken", False
    return "connection", True
