"""Reads pages in separate processes, because parsing takes processor time and may hang or crash."""

import asyncio
import json
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as TooLong
from concurrent.futures.process import BrokenProcessPool
from typing import Final
from urllib.parse import urlsplit

from pebble import ProcessExpired, ProcessPool
from pydantic import TypeAdapter

from research_crawler.core.errors import PageBlocked, PageUnreadable
from research_crawler.core.models.evidence.findings import Extraction, Finding
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.offers.products import Product, WantedProducts
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import PageText, ParsedPage, Passage, StoredPage
from research_crawler.core.models.why import Why
from research_crawler.core.ports.crawler import PageProcessor
from research_crawler.extraction.evidence.finding_verification import verify_here
from research_crawler.extraction.evidence.passages import with_texts
from research_crawler.extraction.process.fair_scheduler import FairScheduler
from research_crawler.extraction.process.limits import (
    OUT_OF_MEMORY,
    begin_process,
    clock_limit_s,
    start_server,
)
from research_crawler.extraction.process.worker import (
    ANSWERED,
    Argument,
    look_in_worker,
    process_in_worker,
    read_in_worker,
    read_products_in_worker,
    read_sitemap_in_worker,
    run_in_worker,
    split_in_worker,
    verify_in_worker,
)

MAX_SECONDS = 20.0
"""Most processor time for one page. Then the process ends and the pool starts another one."""
MEMORY_MB = 1_500
"""Most memory for one page, above what a process needs at its start, where `parse_memory_mb` gives none. Most pages
need less than 100 MB."""
_START_S = 60.0
"""How long `close` waits for workers that are still starting (about a second of work, on a busy machine many)."""
_AHEAD = 1
"""So many pages are handed over before a process is free, so that no process waits for the event loop."""
_PRODUCTS = TypeAdapter(list[Product])
_RESULTS = TypeAdapter(list[SearchResult])
_PASSAGES = TypeAdapter(list[Passage])
_FINDINGS = TypeAdapter(tuple[list[Finding], int])
_ENDINGS = {
    -signal.SIGPROF: Reason.PARSE_TIMEOUT,
    -signal.SIGALRM: Reason.PARSE_TIMEOUT,
    OUT_OF_MEMORY: Reason.PARSE_MEMORY,
    -signal.SIGABRT: Reason.PARSE_MEMORY,
}
"""What the exit code of a process says of its page. Libraries in C++ abort when they get no more memory."""
_PRELOAD = "research_crawler.extraction.process.preload"
_UNQUOTED: Final = {"text", "links", "headings", "posts"}
"""Fields of a page in which no quote is looked for: they need not cross to another process."""


class ParsePool:
    """A pool of processes that read pages. If a process dies or hangs, only its current page is lost.

    A page has a limit of time and of memory. Pages of a host whose last pages took too long wait behind the
    others. The processes are forked from a server process that has imported the parsers and shares nothing with the
    parent. Call `start` before the parent has threads and event loops. Only bytes and strings are exchanged, and
    functions of modules by their names.
    """

    def __init__(
        self,
        processes: int,
        *,
        max_seconds: float = MAX_SECONDS,
        memory_mb: int = MEMORY_MB,
        preload: Sequence[str] = (),
    ) -> None:
        """`preload` names the modules of further work, which the processes need not import one by one."""
        self._preload = [_PRELOAD, *preload]
        self.processes, self.max_seconds, self.memory_mb = processes, max_seconds, memory_mb
        self._scheduler = FairScheduler(processes + _AHEAD)
        self._pool: ProcessPool | None = None
        self._starts = 0
        """How many processes have not said yet that they have started."""
        self._starting = threading.Lock()

    def start(self) -> None:
        """Start the server process and the workers (about a second of work). A second call does nothing."""
        self._running()

    async def read(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200) -> PageText:
        """Run `page.read_page` in one of the processes.

        Raises:
            PageBlocked: the response is a wall (a challenge, a login, …) instead of the page.
            PageUnreadable: as `read_page`; also `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        reading = await self.look_and_read(body, url=url, headers=headers, status=status)
        if reading.page is None:
            raise PageUnreadable(reading.refused)
        return reading.page

    async def look_and_read(
        self,
        body: bytes,
        *,
        url: str,
        headers: Mapping[str, str],
        status: int = 200,
        processor: PageProcessor | None = None,
        instructions: str = "",
    ) -> ParsedPage:
        """Read a page, and say whether a browser should render it.

        Args:
            body: the downloaded bytes.
            url: the final URL.
            headers: response headers, names in lower case.
            status: status of the response.
            processor: what processes the page in the same go; `ParsedPage.processed` is what it makes.
            instructions: what the processor is told.

        Raises:
            PageBlocked: the response is a wall (a challenge, a login, …) instead of the page.
            PageUnreadable: the process used up the page's limit of time or memory, or it died
                (`parse_timeout`, `parse_memory`, `parse_failed`).
        """
        answer = await self._ask(
            url, read_in_worker, body, url, dict(headers), status, processor, instructions
        )
        reading = ParsedPage.model_validate_json(answer)
        if reading.blocker:
            raise PageBlocked(reading.blocker)
        return reading

    async def find_blocker(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int) -> Why:
        """The blocker that was sent instead of the page; an empty reason if there is none.

        Raises:
            PageUnreadable: `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        answer = await self._ask(url, look_in_worker, body, url, dict(headers), status)
        return ParsedPage.model_validate_json(answer).blocker

    async def read_products(
        self, body: bytes, *, url: str, headers: Mapping[str, str], wanted: WantedProducts
    ) -> list[Product]:
        """Run `products.reading.read_wanted` in one of the processes.

        Raises:
            PageUnreadable: as `read_wanted`; also `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        arguments = (body, url, dict(headers), wanted.model_dump_json())
        return _PRODUCTS.validate_json(await self._ask(url, read_products_in_worker, *arguments))

    async def read_sitemap(self, body: bytes, *, url: str, query: str) -> list[SearchResult]:
        """Run `products.sitemap.read_sitemap` in one of the processes.

        Raises:
            PageUnreadable: `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        return _RESULTS.validate_json(await self._ask(url, read_sitemap_in_worker, body, url, query))

    async def split(
        self, markdown: str, *, url: str, count_tokens: Callable[[Sequence[str]], Sequence[int]]
    ) -> list[Passage]:
        """Run `evidence.passages.split_passages` in one of the processes; the tokens are counted here.

        Args:
            markdown: the stored Markdown of a page that is not read now: `look_and_read` splits those that are.
            url: the page's URL.
            count_tokens: counts the tokens of texts; it is called in a thread.

        Raises:
            PageUnreadable: `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        passages = _PASSAGES.validate_json(await self._ask(url, split_in_worker, markdown))
        return await self.with_texts(passages, markdown, count_tokens=count_tokens)

    @staticmethod
    async def with_texts(
        passages: Sequence[Passage], markdown: str, *, count_tokens: Callable[[Sequence[str]], Sequence[int]]
    ) -> list[Passage]:
        """The passages that came with a page, with their texts and tokens; they are counted in a thread."""
        return await asyncio.to_thread(with_texts, passages, markdown, count_tokens)

    async def run(
        self, work: Callable[..., str], *arguments: str, url: str, seconds: float | None = None
    ) -> str:
        """Run a function of a module on texts of a page in one of the processes.

        Args:
            work: the function; it is found by its name there.
            arguments: what it is given.
            url: the page's URL, which says whose turn it is.
            seconds: most processor time, if it may take less than a page.

        Raises:
            PageUnreadable: `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        return await self._ask(url, work, *arguments, seconds=seconds)

    async def process(self, processor: PageProcessor, page: PageText, instructions: str, *, url: str) -> str:
        """Run a processor on a stored page in one of the processes.

        Raises:
            PageUnreadable: `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        shown = (page.markdown, page.title, page.replies_start)
        return await self._ask(url, process_in_worker, *shown, processor, instructions)

    async def verify(
        self, extraction: Extraction, stored: StoredPage, command: str, *, goal: str = ""
    ) -> tuple[list[Finding], int]:
        """Run `evidence.evidence.verify`: in a thread if each quote is in the words of the page, else in a process.

        Raises:
            PageUnreadable: `parse_timeout`, `parse_memory` or `parse_failed`.
        """
        if not extraction.findings:
            return [], 0
        found = await asyncio.to_thread(verify_here, extraction, stored, command, goal=goal)
        if found is not None:
            return found
        shown = stored.model_dump(mode="json", exclude={"page": _UNQUOTED})
        shown["page"]["text"] = ""
        arguments = (extraction.model_dump_json(), json.dumps(shown), command, goal)
        return _FINDINGS.validate_json(await self._ask(stored.final_url, verify_in_worker, *arguments))

    def close(self) -> None:
        """End the processes. Pages that are still being read are dropped."""
        self._wait_for_start()
        self._drop()

    def _wait_for_start(self) -> None:
        """Wait until all processes have started: those that start without their pool print a traceback."""
        by_s = time.monotonic() + _START_S
        while self._pool is not None and self._starts > 0:
            if not self._has_started.acquire(timeout=max(0.0, by_s - time.monotonic())):
                return
            self._starts -= 1

    def _drop(self) -> None:
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]  # pebble has no annotations here
            self._pool.join()
            self._pool = None

    async def _ask(
        self, url: str, work: Callable[..., str], *arguments: Argument, seconds: float | None = None
    ) -> str:
        """The answer of a worker about a page of a URL, when it is the turn of its host."""
        host = urlsplit(url).hostname or ""
        async with self._scheduler.turn(host):
            try:
                answer = await self._run(work, seconds or self.max_seconds, *arguments)
            except PageUnreadable as error:
                if error.reason.kind is Reason.PARSE_TIMEOUT:
                    self._scheduler.note_timeout(host)
                raise
        self._scheduler.note_in_time(host)
        if not answer.startswith(ANSWERED):
            raise PageUnreadable(ParsedPage.model_validate_json(answer[1:]).refused)
        return answer[1:]

    async def _run(self, work: Callable[..., str], seconds: float, *arguments: Argument) -> str:
        try:
            pool = await asyncio.to_thread(self._running) if self._pool is None else self._pool
            given = (work, seconds, *arguments)
            future = pool.schedule(run_in_worker, args=given, timeout=clock_limit_s(seconds))
            return await asyncio.wrap_future(future)
        except TooLong as error:
            raise PageUnreadable(Reason.PARSE_TIMEOUT) from error
        except ProcessExpired as error:
            raise PageUnreadable(_ENDINGS.get(error.exitcode, Reason.PARSE_FAILED)) from error
        except Exception as error:  # any fault of a worker concerns this page only
            self._replace_broken(error)
            raise PageUnreadable(Reason.PARSE_FAILED) from error

    def _replace_broken(self, error: Exception) -> None:
        """Close a pool that lost all its workers at once. The next call starts a new one."""
        if isinstance(error, (BrokenProcessPool, RuntimeError)):
            self._drop()

    def _running(self) -> ProcessPool:
        with self._starting:
            if self._pool is None:
                self._pool = self._started()
            return self._pool

    def _started(self) -> ProcessPool:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(self._preload)
        start_server()
        self._has_started = context.Semaphore(0)
        pool = ProcessPool(
            max_workers=self.processes,
            context=context,
            initializer=begin_process,
            initargs=(self.memory_mb * 1_000_000, self._has_started),
        )
        self._starts = self.processes
        # The processes inherit the signal mask, so that a Ctrl-C at the terminal reaches only this process.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:  # a first task makes pebble start its processes now, not with the first page
            pool.schedule(len, args=("",))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return pool
