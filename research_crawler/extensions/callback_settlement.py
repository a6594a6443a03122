"""Settles the requests of a project's own spider when Scrapy has finished with their responses."""

import asyncio
import contextlib
from typing import Any, Final, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from research_crawler.core import crawler_services
from research_crawler.core.failpoints import failpoint
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.extensions.engine_view import EngineView
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.settlements import Settlement, Settlements, settlements_of

log = get_log(__name__)
_LOOK_S: Final = 0.02
"""How often it is looked whether Scrapy has finished with a response."""


class CallbackSettlement:
    """Settles a request together with the output of its callback, in one step.

    Scrapy sends no signal when all items of a response have passed all pipelines, so this extension polls for it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._looking: asyncio.Task[None] | None = None
        crawler.signals.connect(self.start, signals.spider_opened)
        crawler.signals.connect(self.stop, signals.spider_closed)
        crawler.signals.connect(self.callback_failed, signals.spider_error)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the extension for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def _node(self) -> CrawlNode:
        return crawler_services.of(self.crawler).node

    @property
    def _settlements(self) -> Settlements:
        return settlements_of(self._node)

    def start(self, spider: Spider) -> None:
        """Begin to poll."""
        self._looking = asyncio.ensure_future(self._look(EngineView(self.crawler)))

    async def stop(self) -> None:
        """Stop polling; the scheduler has already waited for open settlements."""
        if self._looking:
            self._looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._looking

    def callback_failed(self, failure: Failure, response: Any) -> None:
        """Note that a callback or errback raised; its output before the error counts, as in Scrapy."""
        request = getattr(response, "request", None)
        settlement = self._settlements.of_response(response)
        if settlement is None and request is not None:
            settlement = self._settlements.of_request(request)
        if settlement is not None:
            settlement.callback_reached = True
            settlement.end(
                "failed", Why(Reason.SPIDER, f"{type(failure.value).__name__}: {failure.value}"[:200])
            )

    async def _look(self, view: EngineView) -> None:
        while True:
            await self._settlements.opened.wait()
            alive = view.tasks()
            for settlement in self._settlements:
                if settlement.task.token not in self._node.tasks and not settlement.settling:
                    self._settlements.close(settlement)  # the command was given back or lost
                elif (
                    settlement.callback_reached
                    and not settlement.settling
                    and settlement.task.token not in alive
                ):
                    settlement.settling = True
                    asyncio.ensure_future(self._settle(settlement))  # noqa: RUF006  # `settlements` holds what it works on
            await asyncio.sleep(_LOOK_S)

    async def _settle(self, settlement: Settlement) -> None:
        node, task = self._node, settlement.task
        try:
            if task.token in node.tasks:
                await node.drop_holds(task)
                failpoint("before-settle")
                await node.frontier.settle(
                    _event_of(settlement), task.token, further=settlement.events, commands=settlement.commands
                )
                failpoint("after-settle")
                node.note_push()
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=task.command.id, error=str(error))
        except Exception:
            log.exception("a request cannot be settled; it is crawled again", command=task.command.id)
        finally:
            node.release(task)
            self._settlements.close(settlement)


def _event_of(settlement: Settlement) -> CommandDone:
    task = settlement.task
    return CommandDone(
        uid=task.command.id,
        job=task.command.job,
        command=task.command.id,
        outcome=settlement.outcome,
        reason=settlement.reason,
        downloads=task.downloads,
        pages_fetched=task.pages_fetched,
        seconds=round(task.spent_s, 3),
    )
