"""The base of all spiders; each leased command leads to exactly one item, also if something fails."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar, assert_never

from scrapy import Request, Spider
from scrapy.http import Response
from twisted.python.failure import Failure

from research_crawler.core import crawler_services
from research_crawler.core.errors import (
    AddressRefused,
    GiveBack,
    LeaseLost,
    PageBlocked,
    PageUnreadable,
    RedisFull,
    StorageFull,
)
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import (
    FetchCommand,
    ProjectRequest,
    SearchCommand,
    SectionCommand,
    VendorCommand,
    VisitCommand,
)
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.reasons import OutcomeKind, Reason
from research_crawler.core.models.why import NO_REASON, Refusal, Why
from research_crawler.core.tasks.leases import LAST_ATTEMPT, Task
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import state_of, state_of_response
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused, refusal_of
from research_crawler.spiders.human_handoff import ask_person

log = get_log(__name__)
NO_BROWSER = Why(Reason.NEEDS_RENDER, "no browser")
"""The page is empty unless its scripts run, and no node has a browser."""


class CommandSpider(Spider):
    """Passes each leased command to the method for its kind; a spider has those that it serves."""

    queues: ClassVar[tuple[str, ...]] = ()
    """The frontier's queues that this spider serves."""

    async def start(self) -> AsyncIterator[Any]:
        """Yield nothing, since commands come from the frontier."""
        return
        yield

    async def search(self, task: Task, command: SearchCommand, response: Response) -> CommandItem:
        """The item of a search."""
        return self._not_served(task)

    async def visit(
        self, task: Task, command: FetchCommand | SectionCommand, response: Response
    ) -> CommandItem:
        """The item of a page."""
        return self._not_served(task)

    async def vendor(self, task: Task, command: VendorCommand, response: Response) -> CommandItem:
        """The item of a vendor's page."""
        return self._not_served(task)

    async def parse(self, response: Response, **_: Any) -> AsyncIterator[CommandItem]:
        """The callback of every leased command."""
        item = await self._attempt(state_of_response(response).task, response)
        if item is not None:
            yield item

    async def parse_failure(self, failure: Failure) -> AsyncIterator[CommandItem]:
        """The errback of every leased command."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        item = await self._ending(state_of(request).task, failure.value)
        if item is not None:
            yield item

    async def _attempt(self, task: Task, response: Response) -> CommandItem | None:
        try:
            item = await self._item_of(task, response)
        except Exception as error:  # a job must learn how each of its commands ended
            return await self._ending(task, error, response)
        if task.cancelled:
            return await self._ending(task, LeaseLost())
        item.downloads, item.pages_fetched, item.seconds = task.downloads, task.pages_fetched, task.spent_s
        return item

    async def _item_of(self, task: Task, response: Response) -> CommandItem:
        match task.command:
            case SearchCommand() as command:
                return await self.search(task, command, response)
            case VisitCommand() | SectionCommand() as command:
                return await self.visit(task, command, response)
            case VendorCommand() as command:
                return await self.vendor(task, command, response)
            case ProjectRequest():  # the project's own callback answers it
                return self._not_served(task)
            case _ as unknown:
                assert_never(unknown)

    def _not_served(self, task: Task) -> CommandItem:
        return self._finish(task, "failed", Why(Reason.NO_SPIDER, task.command.kind))

    async def _ending(
        self, task: Task, error: BaseException | None, response: Response | None = None
    ) -> CommandItem | None:
        """End a command after an exception: an item, or None if this node no longer has the command."""
        node = crawler_services.of(self.crawler).node
        if task.cancelled or isinstance(error, LeaseLost):
            await node.cancel(task)
            return None
        if isinstance(error, OUT_OF_REACH):
            # Redis may or may not have run the script. The beats no longer name the command, so it is queued again.
            log.warning("redis does not answer", command=task.command.id, error=str(error))
            node.release(task)
            return None
        if isinstance(error, RedisFull):  # nothing is wrong with the page: it is read when there is room
            error = GiveBack("drain")
        if isinstance(error, GiveBack):
            target = (
                frontier_target(task.command.first_url, render=True)
                if error.why == "render"
                else error.target
            )
            await node.give_back(
                task, error.why, target=target, redirects=error.redirects, progress=error.progress
            )
            return None
        if (wall := _wall_of(error)) and await ask_person(self.crawler, task, wall, response):
            return None
        await node.drop_holds(task)
        return await self._outcome(task, error or RuntimeError("a failure without a reason"))

    async def _outcome(self, task: Task, error: BaseException) -> CommandItem | None:
        """The item of a failed attempt (refused, blocked or failed), or None if the command is tried again."""
        node = crawler_services.of(self.crawler).node
        if isinstance(error, PageBlocked):
            return await self._blocked(task, error)
        if isinstance(error, AddressRefused):
            error = refusal_of(error)
        if isinstance(error, RequestRefused):
            return self._finish(task, error.refusal.outcome, error.reason)
        if isinstance(error, PageUnreadable) and error.reason == NO_BROWSER:
            # This is not stored as a property of the page: a node with a browser may read it later.
            return self._finish(task, "failed", error.reason)
        if isinstance(error, PageUnreadable):
            return await self._unreadable(task, error.reason)
        if isinstance(error, StorageFull):
            log.error("the storage is full", command=task.command.id, error=str(error))
            return self._finish(task, "failed", Why(Reason.STORAGE_FULL))
        reason, is_transient = failure_reason(error)
        if is_transient and task.command.attempt < LAST_ATTEMPT:
            await node.give_back(task, "transient")
            return None
        if reason.kind is Reason.UNEXPECTED:
            log.error("unexpected failure", command=task.command.id, error=repr(error), exc_info=error)
        elif not is_transient and reason.kind is not Reason.CANCELLED:
            return await self._unreadable(task, reason)
        return self._finish(task, "failed", reason)

    async def _blocked(self, task: Task, error: PageBlocked) -> CommandItem:
        """End a command at a wall, and spare other jobs the same wall for the next minutes."""
        await self._refuse_page(task, Refusal(error.blocker, "blocked"))
        return self._finish(task, "blocked", error.blocker)

    async def _unreadable(self, task: Task, reason: Why) -> CommandItem:
        """End a command whose page gives nothing, and spare other jobs the same download for a while."""
        await self._refuse_page(task, Refusal(reason, "failed"))
        return self._finish(task, "failed", reason)

    async def _refuse_page(self, task: Task, refusal: Refusal) -> None:
        command = task.command
        await crawler_services.of(self.crawler).node.frontier.download_ended(
            command.id, task.token, command.target, command.redirects, "refused", reason=refusal
        )

    @staticmethod
    def _finish(task: Task, outcome: OutcomeKind, reason: Why) -> CommandItem:
        return CommandItem(
            command=task.command,
            token=task.token,
            outcome=outcome,
            reason=reason.cut(300),
            query=task.command.query,
            downloads=task.downloads,
            pages_fetched=task.pages_fetched,
            seconds=task.spent_s,
        )


def _wall_of(error: BaseException | None) -> Why:
    """The wall that a command met, or that another one met a short time ago; empty if it was none."""
    if isinstance(error, PageBlocked):
        return error.blocker
    if isinstance(error, RequestRefused) and error.refusal.outcome == "blocked":
        return error.reason
    return NO_REASON
