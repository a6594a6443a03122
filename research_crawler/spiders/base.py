"""The base of all spiders: one leased command in, exactly one item out, whatever happens on the way."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar

import structlog
from scrapy import Request, Spider
from scrapy.http import Response
from twisted.python.failure import Failure

from research_crawler.core import services
from research_crawler.core.errors import (
    AddressRefused,
    GiveBack,
    LeaseLost,
    PageBlocked,
    PageUnreadable,
    StorageFull,
)
from research_crawler.core.leases import LAST_ATTEMPT, Task
from research_crawler.core.models.events import OutcomeKind
from research_crawler.core.models.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Refusal, Why
from research_crawler.core.urls import target_of
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import state_of, state_of_response
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused, refusal_of

log = structlog.get_logger(__name__)
NO_BROWSER = Why(Reason.NEEDS_RENDER, "no browser")
"""The page is empty without its scripts, and no node has a browser."""


class CommandSpider(Spider):
    """Dispatches leased commands by their kind."""

    queues: ClassVar[tuple[str, ...]] = ()
    """The frontier's queues this spider serves."""

    async def start(self) -> AsyncIterator[Any]:
        """Nothing to start from: commands come from the frontier."""
        return
        yield

    def handlers(self) -> dict[str, Callable[[Task, Response], Awaitable[CommandItem]]]:
        """Command kind → coroutine that makes an item of a task and its response."""
        return {}

    async def parse(self, response: Response, **_: Any) -> AsyncIterator[CommandItem]:
        """Callback of every leased command."""
        item = await self._attempt(state_of_response(response).task, response)
        if item is not None:
            yield item

    async def parse_failure(self, failure: Failure) -> AsyncIterator[CommandItem]:
        """Errback of every leased command."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        item = await self._ending(state_of(request).task, failure.value)
        if item is not None:
            yield item

    async def _attempt(self, task: Task, response: Response) -> CommandItem | None:
        handler = self.handlers().get(task.command.kind)
        if handler is None:
            return self._finish(task, "failed", Why(Reason.NO_SPIDER, task.command.kind))
        try:
            item = await handler(task, response)
        except Exception as error:  # every ending of a command is told to its job
            return await self._ending(task, error)
        if task.cancelled:
            return await self._ending(task, LeaseLost())
        item.downloads, item.pages_fetched, item.seconds = task.downloads, task.pages_fetched, task.seconds
        return item

    async def _ending(self, task: Task, error: BaseException | None) -> CommandItem | None:
        """What an exception means for the command: an item, or None where the command is not ours any more."""
        node = services.of(self.crawler).node
        if task.cancelled or isinstance(error, LeaseLost):
            await node.cancel(task)
            return None
        if isinstance(error, OUT_OF_REACH):
            # Nobody knows what Redis still did: the beats do not name the command, so it is queued again.
            log.warning("redis does not answer", command=task.command.id, error=str(error))
            node.release(task)
            return None
        if isinstance(error, GiveBack):
            target = target_of(task.command.asked, render=True) if error.why == "render" else error.target
            await node.give_back(task, error.why, target=target, hop=error.hop)
            return None
        await node.drop_holds(task)
        return await self._outcome(task, error or RuntimeError("a failure without a reason"))

    async def _outcome(self, task: Task, error: BaseException) -> CommandItem | None:
        """The end of a failed attempt: refused, failed, or to be tried again."""
        node = services.of(self.crawler).node
        if isinstance(error, PageBlocked):
            return await self._blocked(task, error)
        if isinstance(error, AddressRefused):
            error = refusal_of(error)
        if isinstance(error, RequestRefused):
            return self._finish(task, error.refusal.what, error.reason)
        if isinstance(error, PageUnreadable) and error.reason == NO_BROWSER:
            # That says nothing of the page: whoever has a browser tomorrow is to try it.
            return self._finish(task, "failed", error.reason)
        if isinstance(error, PageUnreadable):
            return await self._useless(task, error.reason)
        if isinstance(error, StorageFull):
            log.error("nothing more can be stored", command=task.command.id, error=str(error))
            return self._finish(task, "failed", Why(Reason.STORAGE_FULL))
        reason, is_transient = failure_reason(error)
        if is_transient and task.command.attempt < LAST_ATTEMPT:
            await node.give_back(task, "transient")
            return None
        if reason.kind is Reason.UNEXPECTED:
            log.error("unexpected failure", command=task.command.id, error=repr(error), exc_info=error)
        elif not is_transient and reason.kind is not Reason.CANCELLED:
            return await self._useless(task, reason)
        return self._finish(task, "failed", reason)

    async def _blocked(self, task: Task, error: PageBlocked) -> CommandItem:
        """The end at a wall: the next minutes it would stand there for other jobs too."""
        await self._close_page(task, Refusal(error.blocker, "blocked"))
        return self._finish(task, "blocked", error.blocker)

    async def _useless(self, task: Task, reason: Why) -> CommandItem:
        """The end of a page that gives nothing: no job needs to ask for these bytes again soon."""
        await self._close_page(task, Refusal(reason, "failed"))
        return self._finish(task, "failed", reason)

    async def _close_page(self, task: Task, refusal: Refusal) -> None:
        command = task.command
        await services.of(self.crawler).node.frontier.fetched(
            command.id, task.token, command.target, command.hop, "refused", reason=refusal
        )

    @staticmethod
    def _finish(task: Task, what: OutcomeKind, reason: Why) -> CommandItem:
        return CommandItem(
            command=task.command,
            token=task.token,
            what=what,
            reason=reason.cut(300),
            query=task.command.search.query if task.command.search else "",
            downloads=task.downloads,
            pages_fetched=task.pages_fetched,
            seconds=task.seconds,
        )
