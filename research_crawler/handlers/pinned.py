"""The download handler that connects only to addresses that the guard has checked.

Scrapy's aiohttp handler is private and may change with any release. Everything that depends on its internals
is in this file, and tests check the assumptions.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import ClassVar, Self, cast
from weakref import ReferenceType, WeakKeyDictionary, WeakSet, ref

import aiohttp
from aiohttp.abc import ResolveResult
from aiohttp.tracing import Trace
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler, _ClientResponse
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError, DownloadTimeoutError, IgnoreRequest
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import AddressRefused, FetchFailed
from research_crawler.core.models.messages.commands import ProjectRequest
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.tasks.leases import Task
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.frontier.request_state import find_state
from research_crawler.handlers.refusals import refusal_of
from research_crawler.handlers.upstream_proxy import UpstreamProxy, is_of_this_machine

DNS_TTL_S = 60
"""How long an answer of the resolver is cached; the guard checks it again each time."""
MAX_HEADER_BYTES = 65_536
"""aiohttp's default of 8 kB refuses pages with long security policies in their headers."""
PROXY_AUTHENTICATION_REQUIRED = 407
"""HTTP status with which a proxy asks for a password."""
MAX_ENCODINGS = 3
"""Each layer of compression may expand to the full size limit. Real servers use one layer."""


class _CheckedConnector(aiohttp.TCPConnector):
    """Resolves a host and lets the guard check all its addresses before the connection."""

    def __init__(self, guard: AddressGuard, *, service: bool, limit: int, limit_per_host: int) -> None:
        super().__init__(
            limit=limit,
            limit_per_host=limit_per_host,
            ttl_dns_cache=DNS_TTL_S,
            resolver=aiohttp.ThreadedResolver(),
        )
        self._guard, self._service = guard, service

    async def _resolve_host(
        self, host: str, port: int, traces: Sequence[Trace] | None = None
    ) -> list[ResolveResult]:
        # The check is here and not in a resolver, because literal addresses never reach a resolver.
        resolved = await super()._resolve_host(host, port, traces)
        self._guard.check_addresses(host, [entry["host"] for entry in resolved], service=self._service)
        return resolved


class _Answer(_ClientResponse):
    """A response of which only the first `read_bytes` are read, if set."""

    read_bytes: int | None = None


class PinnedDownloadHandler(AiohttpDownloadHandler):
    """Scrapy's aiohttp handler behind the address guard; one handler for http and https.

    It reads from a request's state: `service` (private addresses are allowed, over separate connections),
    `read_bytes`, and `task`, whose `transfers` has the download while it runs, so that it can be cancelled.
    It reads from Scrapy's
    meta: `download_timeout` (of the complete download) and `download_maxsize`. A request may have no state.

    With RESEARCH_PROXY every download goes through that proxy. The guard then checks only the URL, here once
    more.
    """

    experimental: ClassVar[bool] = False  # the version is pinned, and tests check the assumptions
    supports_proxies: ClassVar[bool] = False  # a request's own proxy would resolve hosts without the guard
    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, "ReferenceType[PinnedDownloadHandler]"]] = (
        WeakKeyDictionary()
    )

    def __init__(self, crawler: Crawler, *, service: bool = False, direct: bool = False) -> None:
        # Skips the parent's constructor, which would open a session with an unguarded connector.
        super(AiohttpDownloadHandler, self).__init__(crawler)
        fetch_services = crawler_services.fetching_of(crawler)
        self._guard, self._service = fetch_services.guard, service
        self._proxy = None if direct else UpstreamProxy.from_config(fetch_services.config)
        self._timeout_s = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        # Scrapy's own context verifies certificates only if a setting says so.
        self._ssl_context = ssl.create_default_context()
        self._session = self._open_session()
        self._answering: WeakSet[Request] = WeakSet()
        """Requests whose response has begun."""
        self._for_services: dict[bool, PinnedDownloadHandler] = {}
        """Handlers for services, by whether they connect directly although there is a proxy."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The crawler's only handler; Scrapy calls this once per scheme."""
        known = cls._of_crawler.get(crawler)
        handler = known() if known else None
        if handler is None or handler.is_closed:
            handler = cls(crawler)
            cls._of_crawler[crawler] = ref(handler)
        return cast(Self, handler)

    @property
    def is_closed(self) -> bool:
        """Whether the handler is closed."""
        return bool(self._session.closed)

    async def download_request(self, request: Request) -> Response:
        """Download one page.

        Raises:
            RequestRefused: the guard refuses an address.
            IgnoreRequest: `cancelled`; after a CancelledError Scrapy would never finish the request.
            FetchFailed: `too_slow` for a body that has not ended within the time limit; `bomb` for too many layers
            of compression; `proxy: …` for failures of the proxy.
            Exception: errors of Scrapy, see `failures`.
        """
        state = find_state(request)
        if state is not None and state.service and not self._service:
            return await self._service_handler(request.url).download_request(request)
        request.meta.setdefault("download_timeout", self._timeout_s)
        began_s = time.monotonic()
        try:
            if self._proxy:
                self._guard.check_url(request.url, service=self._service)
            with _registered_with(state.task if state is not None else None):
                return await super().download_request(request)
        except asyncio.CancelledError as error:
            raise IgnoreRequest(Reason.CANCELLED) from error
        except AddressRefused as error:
            raise refusal_of(error) from error
        except DownloadTimeoutError as error:
            if request in self._answering and state is not None and _is_ours(state.task):
                # A body that does not end within its time is likely not to end the next time either.
                seconds = f"{time.monotonic() - began_s:.0f} s"
                raise FetchFailed(Why(Reason.TOO_SLOW, seconds)) from error
            raise
        except CannotResolveHostError as error:
            if self._proxy:  # the proxy's own name; names of pages are not resolved here
                raise FetchFailed(Why(Reason.PROXY, "unreachable"), transient=True) from error
            raise

    async def close(self) -> None:
        """Close all connections; may be called again."""
        for handler in self._for_services.values():
            await handler.close()
        await self._session.close()

    def _service_handler(self, url: str) -> "PinnedDownloadHandler":
        direct = self._proxy is not None and is_of_this_machine(url)
        if direct not in self._for_services:
            self._for_services[direct] = PinnedDownloadHandler(self.crawler, service=True, direct=direct)
        return self._for_services[direct]

    def _extract_proxy_url_with_creds(self, request: Request) -> str | None:
        return self._proxy.url if self._proxy else None

    def _open_connector(self) -> aiohttp.TCPConnector:
        total, per_host = self._pool_size_total, self._pool_size_per_host
        if self._proxy:  # this connector resolves only the proxy's own name
            return aiohttp.TCPConnector(
                limit=total, limit_per_host=per_host, resolver=aiohttp.ThreadedResolver()
            )
        return _CheckedConnector(self._guard, service=self._service, limit=total, limit_per_host=per_host)

    def _open_session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=self._open_connector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            response_class=_Answer,
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
            max_line_size=MAX_HEADER_BYTES,
            max_field_size=MAX_HEADER_BYTES,
        )

    @asynccontextmanager
    async def _make_request(self, request: Request, timeout: float) -> AsyncIterator[_ClientResponse]:
        async with super()._make_request(request, timeout) as response:
            answer = cast(_Answer, response)
            self._check_peer(answer)
            if self._proxy and answer.status == PROXY_AUTHENTICATION_REQUIRED:
                raise FetchFailed(Why(Reason.PROXY, str(answer.status)), transient=True)
            encodings = ",".join(answer.headers.getall("Content-Encoding", ()))
            if encodings.count(",") >= MAX_ENCODINGS:
                raise FetchFailed(Reason.BOMB)
            state = find_state(request)
            answer.read_bytes = state.read_bytes if state is not None else None
            self._answering.add(request)
            yield answer

    def _check_peer(self, answer: _Answer) -> None:
        """Check the address of the connection, in case a release of aiohttp does not use our connector."""
        if answer._peername is None:
            raise FetchFailed(Reason.CONNECTION, transient=True)
        if self._proxy:
            return
        self._guard.check_addresses(answer.url.host or "", [answer._peername[0]], service=self._service)

    @staticmethod
    def _iter_body_chunks(response: _ClientResponse) -> AsyncIterator[bytes]:
        chunks = response.content.iter_any()
        limit = cast(_Answer, response).read_bytes
        return chunks if limit is None else _first_bytes(chunks, limit)


def _is_ours(task: Task | None) -> bool:
    """Whether a download is for a command of our spiders; other projects' spiders know Scrapy's own errors."""
    return task is not None and not isinstance(task.command, ProjectRequest)


@contextmanager
def _registered_with(task: Task | None) -> Iterator[None]:
    """Add the running download to the transfers of its command, for the time of the block."""
    download = asyncio.current_task()
    if task is None or download is None:
        yield
        return
    task.transfers.add(download)
    try:
        yield
    finally:
        task.transfers.discard(download)


async def _first_bytes(chunks: AsyncIterable[bytes], limit: int) -> AsyncIterator[bytes]:
    remaining = limit
    async for chunk in chunks:
        yield chunk[:remaining]
        remaining -= len(chunk)
        if remaining <= 0:
            return
