"""The download handler that dials exactly the addresses the guard has checked.

Scrapy's aiohttp handler is private and may change with any release, so everything that depends on its inside
is in this file, and tests state what is assumed.
"""

import asyncio
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import ClassVar, Self, cast
from weakref import ReferenceType, WeakKeyDictionary, ref

import aiohttp
from aiohttp.abc import ResolveResult
from aiohttp.tracing import Trace
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler, _ClientResponse
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.addresses import AddressGuard
from research_crawler.core.errors import AddressRefused, FetchFailed
from research_crawler.core.leases import Task
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.frontier.request_state import find_state
from research_crawler.handlers.refusals import refusal_of
from research_crawler.handlers.upstream_proxy import UpstreamProxy, is_of_this_machine

DNS_TTL_S = 60
"""How long an answer of the resolver is used; it is checked anew each time."""
MAX_HEADER_BYTES = 65_536
"""aiohttp's 8 kB refuses pages with long security policies in their headers."""
PROXY_AUTHENTICATION_REQUIRED = 407
MAX_ENCODINGS = 3
"""Each layer of compression may unfold to the full size limit; real servers use one."""


class _CheckedConnector(aiohttp.TCPConnector):
    """Resolves a host, asks the guard about all its addresses and hands exactly those to the dialler."""

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
        # Literal addresses never reach a resolver, so the check has to be here and not in one.
        found = await super()._resolve_host(host, port, traces)
        self._guard.check_addresses(host, [entry["host"] for entry in found], service=self._service)
        return found


class _Answer(_ClientResponse):
    """A response whose body may be read up to a limit only."""

    read_bytes: int | None = None


class PinnedDownloadHandler(AiohttpDownloadHandler):
    """Scrapy's aiohttp handler behind the address guard, one for http and https of a crawler.

    Of a request's state it reads `service` (private addresses are allowed, over connections of its own), `read_bytes`
    and `task` (its `transfers` holds the download as long as it lasts, so that it can be cancelled); of Scrapy's meta
    `download_timeout` (of the whole download) and `download_maxsize`. A request without a state is nothing special.

    With RESEARCH_PROXY every download goes through that proxy: the guard then judges the URL alone, here once more.
    """

    experimental: ClassVar[bool] = False  # the version is pinned and what is assumed of it is tested
    supports_proxies: ClassVar[bool] = False  # that of a request would resolve hosts behind the guard's back
    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, "ReferenceType[PinnedDownloadHandler]"]] = (
        WeakKeyDictionary()
    )

    def __init__(self, crawler: Crawler, *, service: bool = False, direct: bool = False) -> None:
        # Past the parent's constructor, which would open a session with an unguarded connector.
        super(AiohttpDownloadHandler, self).__init__(crawler)
        mine = services.fetching_of(crawler)
        self._guard, self._service = mine.guard, service
        self._proxy = None if direct else UpstreamProxy.from_config(mine.config)
        self._timeout_s = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        # Scrapy's own context does not verify certificates unless a setting says so.
        self._ssl_context = ssl.create_default_context()
        self._session = self._open_session()
        self._for_services: dict[bool, PinnedDownloadHandler] = {}
        """By whether they dial directly although there is a proxy."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The crawler's one handler: Scrapy asks once per scheme."""
        known = cls._of_crawler.get(crawler)
        handler = known() if known else None
        if handler is None or handler.is_closed:
            handler = cls(crawler)
            cls._of_crawler[crawler] = ref(handler)
        return cast(Self, handler)

    @property
    def is_closed(self) -> bool:
        """Whether it downloads nothing any more."""
        return bool(self._session.closed)

    async def download_request(self, request: Request) -> Response:
        """Download.

        Raises:
            RequestRefused: the guard refuses an address.
            IgnoreRequest: `cancelled`; Scrapy would keep a request for ever if CancelledError came out.
            FetchFailed: `bomb`, layers of compression.
            Exception: Scrapy's own, see `failures`.
        """
        state = find_state(request)
        if state is not None and state.service and not self._service:
            return await self._service_handler(request.url).download_request(request)
        request.meta.setdefault("download_timeout", self._timeout_s)
        try:
            if self._proxy:
                self._guard.check_url(request.url, service=self._service)
            with _ended_with(state.task if state is not None else None):
                return await super().download_request(request)
        except asyncio.CancelledError as error:
            raise IgnoreRequest(Reason.CANCELLED) from error
        except AddressRefused as error:
            raise refusal_of(error) from error
        except CannotResolveHostError as error:
            if self._proxy:  # its name, for those of pages are not resolved here
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
        if self._proxy:  # the proxy is the only host that this one resolves
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
            yield answer

    def _check_peer(self, answer: _Answer) -> None:
        """See where the connection went: should a release of aiohttp pass by our connector, this shows it."""
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


@contextmanager
def _ended_with(task: Task | None) -> Iterator[None]:
    """Enter the running download among the transfers of the command it is for."""
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
    left = limit
    async for chunk in chunks:
        yield chunk[:left]
        left -= len(chunk)
        if left <= 0:
            return
