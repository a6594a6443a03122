"""The spider middleware for a project's own spiders: collects the output of a callback for one settlement.

It is closest to the engine, so it sees the output after all other spider middlewares. It keeps the requests, which are
queued when their response is settled. It passes the items on to the pipelines, and notes which response they are from.
"""

import inspect
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final, Self, cast

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.spider import iterate_spider_output
from twisted.python.failure import Failure

from research_crawler.core import crawler_services
from research_crawler.core.errors import FetchFailed, GiveBack, LeaseLost
from research_crawler.core.log import get_log
from research_crawler.core.models.reasons import OutcomeKind, Reason
from research_crawler.core.models.why import Why
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.core.tasks.leases import LAST_ATTEMPT
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.scheduler import FrontierScheduler
from research_crawler.frontier.settlements import Settlement, Settlements, settlements_of
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.middlewares.politeness import TRANSIENT

log = get_log(__name__)
_OF_DOWNLOAD: Final = ("download_latency", "download_slot")


class CallbackOutputMiddleware:
    """Collects the output of a project's spider, and handles the failures of its requests."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def _node(self) -> CrawlNode:
        return crawler_services.of(self.crawler).node

    @property
    def _settlements(self) -> Settlements:
        return settlements_of(self._node)

    def process_spider_input(self, response: Response) -> None:
        """Attach the spider's own request to the response, unless a temporary error is to be tried again.

        Raises:
            FetchFailed: the response is a temporary error, and the command has an attempt left.
        """
        request = cast(Request, response.request)
        settlement = self._settlements.of_request(request)
        if settlement is None:
            return
        settlement.callback_reached = True
        self._settlements.note_response(settlement, response)
        if response.status in TRANSIENT and settlement.task.command.attempt < LAST_ATTEMPT:
            raise FetchFailed(Why(Reason.HTTP, str(response.status)), transient=True)
        of_download = {name: request.meta[name] for name in _OF_DOWNLOAD if name in request.meta}
        response.request = request.replace(meta=settlement.request.meta | of_download)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Keep requests for the settlement, and pass items on."""
        settlement = self._settlements.of_response(response)
        async for output in result:
            if settlement is None or not self._keeps(settlement, output):
                yield output

    def _keeps(self, settlement: Settlement, output: Any) -> bool:
        """Note an output of the spider; True for a request, which is not passed on."""
        if output is None:
            return True
        settlement.outputs_made += 1
        if not isinstance(output, Request):
            self._settlements.note_item(settlement, output)
            return False
        if self._is_allowed(output):
            scheduler = cast(FrontierScheduler, self.crawler.engine.scheduler)
            command = scheduler.command_for(output, settlement.task.command.id, settlement.outputs_made)
            if command is not None:
                settlement.commands.append(command)
        return True

    def _is_allowed(self, request: Request) -> bool:
        """Send Scrapy's signal `request_scheduled`; its offsite filter and other listeners may refuse the request."""
        answers = self.crawler.signals.send_catch_log(
            signals.request_scheduled, request=request, spider=self.crawler.spider, dont_log=IgnoreRequest
        )
        return not any(
            isinstance(answer, Failure) and isinstance(answer.value, IgnoreRequest) for _, answer in answers
        )

    async def on_failure(self, failure: Failure) -> AsyncIterator[Any]:
        """The errback of every leased request of a project: tries again, or calls the spider's own errback."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        error, settlement = failure.value, self._settlements.of_request(request)
        assert error is not None
        if settlement is None or await self._gives_back(settlement, error):
            return
        is_from_spider_side = settlement.response is not None
        settlement.callback_reached = True
        settlement.end(*_ending_of(error))
        if settlement.request.errback is None:
            if is_from_spider_side:
                raise error  # Scrapy's own middlewares handle it
            return
        failure.request = settlement.request  # type: ignore[attr-defined]
        async for output in _outputs_of(settlement.request.errback(failure)):
            # The output for a failed download does not pass the spider middlewares, so this one is called here.
            if is_from_spider_side or not self._keeps(settlement, output):
                yield output

    async def _gives_back(self, settlement: Settlement, error: BaseException) -> bool:
        """Give the request back if it can be tried again; True if this node is done with it, also for a lost lease."""
        node, task = self._node, settlement.task
        if task.cancelled or isinstance(error, LeaseLost):
            await node.cancel(task)
        elif isinstance(error, OUT_OF_REACH):
            # Redis may or may not have run the script. The beats no longer name the command, so it is queued again.
            log.warning("redis does not answer", command=task.command.id, error=str(error))
            node.release(task)
        elif isinstance(error, GiveBack):
            await node.give_back(task, error.why, target=error.target, redirects=error.redirects)
        elif failure_reason(error)[1] and task.command.attempt < LAST_ATTEMPT:
            await node.give_back(task, "transient")
        else:
            return False
        self._settlements.close(settlement)
        return True


def _ending_of(error: BaseException) -> tuple[OutcomeKind, Why]:
    """The outcome and reason of a request without an answer, or with an answer that its spider does not accept."""
    if isinstance(error, HttpError):
        return "refused", Why(Reason.HTTP, str(error.response.status))
    reason = failure_reason(error)[0]
    return ("refused" if isinstance(error, RequestRefused) else "failed"), reason


async def _outputs_of(result: Any) -> AsyncIterator[Any]:
    """The outputs of a callback: a coroutine, a generator, an iterable, or a single object."""
    if inspect.isawaitable(result):
        result = await result
    made: Any = iterate_spider_output(result)
    if isinstance(made, AsyncIterator):
        async for output in made:
            yield output
    else:
        for output in cast(Iterable[Any], made):
            yield output
