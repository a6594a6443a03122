"""Reads pages in separate processes, because parsing takes processor time and may hang or crash."""

import asyncio
import multiprocessing
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker

from pebble import ProcessExpired, ProcessPool
from pydantic import TypeAdapter

from research_crawler.core.errors import PageBlocked, PageUnreadable
from research_crawler.core.models.events import SearchResult
from research_crawler.core.models.pages import PageText
from research_crawler.core.models.products import Product, WantedProducts
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.extraction.process.worker import (
    PAGE_BLOCKED,
    PAGE_READ,
    look_in_worker,
    read_in_worker,
    read_products_in_worker,
    read_sitemap_in_worker,
)

MAX_SECONDS = 20.0
"""Longest time for one page. Then the pool ends the process and starts another one."""
_START_S = 5.0
"""How long `close` waits for workers that are still starting (about a second of work)."""
_PRODUCTS = TypeAdapter(list[Product])
_RESULTS = TypeAdapter(list[SearchResult])
_PRELOAD = "research_crawler.extraction.process.preload"


class ParsePool:
    """A pool of processes that read pages. If a process dies or hangs, only its current page is lost.

    The processes are forked from a server process that has imported the parsers and shares nothing with the
    parent. Call `start` before the parent has threads and event loops. Only bytes and strings are exchanged.
    """

    def __init__(self, processes: int, *, max_seconds: float = MAX_SECONDS) -> None:
        self.processes, self.max_seconds = processes, max_seconds
        self._pool: ProcessPool | None = None
        self._first_task: Future[int] | None = None
        self._starting = threading.Lock()

    def start(self) -> None:
        """Start the server process and the workers (about a second of work). A second call does nothing."""
        self._running()

    async def read(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200) -> PageText:
        """Run `page.read_page` in one of the processes.

        Raises:
            PageBlocked: the response is a wall (a challenge, a login, …) instead of the page.
            PageUnreadable: as `read_page`; also `parse_timeout` if the process hung, `parse_failed` if it
                died.
        """
        answer = await self._ask(read_in_worker, body, url, dict(headers), status)
        if answer.startswith(PAGE_BLOCKED):
            raise PageBlocked(Why.parse(answer[1:]))
        if not answer.startswith(PAGE_READ):
            raise PageUnreadable(Why.parse(answer[1:]))
        return PageText.model_validate_json(answer[1:])

    async def find_blocker(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int) -> Why:
        """The blocker that was sent instead of the page; an empty reason if there is none.

        Raises:
            PageUnreadable: `parse_timeout` if the process hung, `parse_failed` if it died.
        """
        return Why.parse(await self._ask(look_in_worker, body, url, dict(headers), status))

    async def read_products(
        self, body: bytes, *, url: str, headers: Mapping[str, str], wanted: WantedProducts
    ) -> list[Product]:
        """Run `products.reading.read_wanted` in one of the processes.

        Raises:
            PageUnreadable: as `read_wanted`; also `parse_timeout` if the process hung, `parse_failed` if it
                died.
        """
        arguments = (body, url, dict(headers), wanted.model_dump_json())
        answer = await self._ask(read_products_in_worker, *arguments)
        if not answer.startswith(PAGE_READ):
            raise PageUnreadable(Why.parse(answer[1:]))
        return _PRODUCTS.validate_json(answer[1:])

    async def read_sitemap(self, body: bytes, *, url: str, query: str) -> list[SearchResult]:
        """Run `products.sitemap.read_sitemap` in one of the processes.

        Raises:
            PageUnreadable: `parse_timeout` if the process hung, `parse_failed` if it died.
        """
        return _RESULTS.validate_json(await self._ask(read_sitemap_in_worker, body, url, query))

    def close(self) -> None:
        """End the processes. Pages that are still being read are dropped."""
        if self._pool is not None:
            if self._first_task is not None:  # workers that end while they start print a traceback
                wait_for([self._first_task], timeout=_START_S)
            self._pool.stop()  # type: ignore[no-untyped-call]  # pebble has no annotations here
            self._pool.join()
            self._pool = None

    async def _ask(self, work: Callable[..., str], *arguments: bytes | str | dict[str, str] | int) -> str:
        try:
            pool = await asyncio.to_thread(self._running) if self._pool is None else self._pool
            future = pool.schedule(work, args=arguments, timeout=self.max_seconds)
            return await asyncio.wrap_future(future)
        except TooLong as error:
            raise PageUnreadable(Reason.PARSE_TIMEOUT) from error
        except Exception as error:  # any fault of a worker concerns this page only
            self._replace_broken(error)
            raise PageUnreadable(Reason.PARSE_FAILED) from error

    def _replace_broken(self, error: Exception) -> None:
        """Close a pool that lost all its workers at once. The next call starts a new one."""
        if isinstance(error, (BrokenProcessPool, RuntimeError)) and not isinstance(error, ProcessExpired):
            self.close()

    def _running(self) -> ProcessPool:
        with self._starting:
            if self._pool is None:
                self._pool = self._started()
            return self._pool

    def _started(self) -> ProcessPool:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([_PRELOAD])
        pool = ProcessPool(max_workers=self.processes, context=context)
        # The processes inherit the signal mask, so that a Ctrl-C at the terminal reaches only this process.
        # Starting the resource tracker would reset the mask, so it is started first.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._first_task = pool.schedule(
                len, args=("",)
            )  # makes pebble start its processes now, not with the first page
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return pool
