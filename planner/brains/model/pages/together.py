"""Pages of a job that come at about the same time are read in one call of a model."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, Final, TypeVar

from prompts.schemas import READ_TOGETHER
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.evidence.findings import Extraction
from research_crawler.core.models.jobs.decisions import PageView
from research_crawler.core.ports.models import Call

PAGES_WAIT_S: Final = 2.0
"""How long the first page waits for the others that were asked for with it; an answer takes three times as long."""

Thing = TypeVar("Thing")
Read = Callable[[Sequence[PageView], Call], Awaitable[list[Extraction]]]


@dataclass(eq=False)
class _WaitingPage:
    page: PageView
    call: Call
    answer: asyncio.Future[Extraction] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


@dataclass(eq=False)
class _Gathered:
    """Pages of one job that wait to be read together."""

    waiting: list[_WaitingPage] = field(default_factory=list)
    is_full: asyncio.Event = field(default_factory=asyncio.Event)


class ReadTogether:
    """Gathers the pages of each job, and has them read.

    A page that nothing was asked for beside is read at once. If the answer to several is of no use, or the page that
    pays for them is lost, each is read by itself.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._groups: dict[str, _Gathered] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """What the page says, from an answer that may be about others too."""
        if page.job_context.pages_asked_together < 2:
            return (await self._read([page], call))[0]
        group = self._groups.get(call.job)
        if group is None:
            group = self._groups[call.job] = _Gathered()
            self._start(self._read_when_full(call.job, group))
        mine = _WaitingPage(page, call)
        group.waiting.append(mine)
        if len(group.waiting) >= page.job_context.pages_asked_together:
            self._close(call.job, group)
        try:
            with call.watch.waiting():
                return await mine.answer
        except (BadAnswer, LeaseLost):
            if len(group.waiting) < 2:
                raise
        return (await self._read([page], call))[0]

    def _close(self, job: str, group: _Gathered) -> None:
        """Let no further page into a group."""
        if self._groups.get(job) is group:
            del self._groups[job]
        group.is_full.set()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _read_when_full(self, job: str, group: _Gathered) -> None:
        try:
            async with asyncio.timeout(PAGES_WAIT_S):
                await group.is_full.wait()
        except TimeoutError:
            self._close(job, group)
        waiting = [one for one in group.waiting if not one.answer.done()]
        for part in in_even_parts(waiting, READ_TOGETHER):
            self._start(self._read_part(part))

    async def _read_part(self, waiting: Sequence[_WaitingPage]) -> None:
        call, first = _call_of(waiting), waiting[0].call
        try:
            found = await self._read([page.page for page in waiting], call)
        except Exception as error:  # whatever went wrong, the pages must not wait for ever
            _answer(waiting, partial(_fail, error))
            return
        except BaseException:
            _answer(waiting, lambda answer: answer.cancel())
            raise
        finally:
            if call is not first:
                first.usage = first.usage + call.usage
        for page, extraction in zip(waiting, found, strict=True):
            _answer([page], partial(_give, extraction))


def in_even_parts(things: Sequence[Thing], most: int) -> list[Sequence[Thing]]:
    """The things in as few parts as possible, none of more than `most`, and all of about the same length."""
    parts = -(-len(things) // most)
    bounds = [len(things) * part // max(1, parts) for part in range(parts + 1)]
    return [things[start:end] for start, end in pairwise(bounds)]


def _give(extraction: Extraction, answer: asyncio.Future[Extraction]) -> None:
    answer.set_result(extraction)


def _fail(error: Exception, answer: asyncio.Future[Extraction]) -> None:
    answer.set_exception(error)


def _answer(waiting: Sequence[_WaitingPage], give: Callable[[asyncio.Future[Extraction]], object]) -> None:
    """Answer those that still wait."""
    for one in waiting:
        if not one.answer.done():
            give(one.answer)


def _call_of(waiting: Sequence[_WaitingPage]) -> Call:
    """The call that pays for all: that of the first page, within the time that each of them has."""
    first = waiting[0].call
    if len(waiting) < 2:
        return first
    names = " ".join(sorted(one.call.key for one in waiting))
    digest = hashlib.sha256(names.encode()).hexdigest()[:12]
    call = first.part(f"with {digest}", deadline_s=min(one.call.deadline_s for one in waiting))
    call.longest_wait_s = min(one.call.longest_wait_s for one in waiting)
    return call
