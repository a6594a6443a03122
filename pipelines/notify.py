"""Settlement: the command leaves the frontier in the same step that puts its event into the job's mailbox."""

import structlog

from pipelines.base import ItemPipeline, ItemReading
from pipelines.products import lighter
from pipelines.spider_items import fill_in, items_of
from research_crawler.core.errors import LeaseLost
from research_crawler.core.failpoints import reach
from research_crawler.core.models.events import MAX_EVENT_BYTES, Event
from research_crawler.core.models.items import CommandItem
from research_crawler.frontier.node import OUT_OF_REACH

log = structlog.get_logger(__name__)


class NotifyPipeline(ItemPipeline):
    """The last pipeline of every command, and of a project's items."""

    async def process(self, reading: ItemReading) -> None:
        """Settle. A project's item waits for its response, whose requests and items are settled in one step.

        Raises:
            LeaseLost: the lease is lost, or Redis is not there: somebody else works on the command.
        """
        if isinstance(reading.item, CommandItem):
            await self._settle(reading)
        else:
            await self._keep(reading)

    async def _keep(self, reading: ItemReading) -> None:
        event = fitting(reading.outcome.to_event())
        fill_in(reading.item, reading.outcome)
        items_of(self.crawler).forget(reading.item)
        if reading.settlement is None:
            await self.services.frontier.publish(event)
        elif reading.task is None:
            raise LeaseLost
        else:
            reading.settlement.events.append(event)

    async def _settle(self, reading: ItemReading) -> None:
        node, item, task = self.services.node, reading.outcome, reading.task
        if task is None:
            raise LeaseLost
        item.seconds = task.seconds
        event = fitting(item.to_event())
        reach("before-settle")
        try:
            settled = await node.frontier.settle(event, item.token)
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=item.command.id, error=str(error))
            settled = False
        reach("after-settle")
        node.release(task)
        if not settled:
            raise LeaseLost


def fitting(event: Event) -> Event:
    """The event within 64 kB: links go first, then what products carry, then the lowest findings, the last results."""
    while len(event.to_wire().encode()) > MAX_EVENT_BYTES:
        if event.page and event.page.links:
            links = event.page.links[: len(event.page.links) // 2]
            event = event.changed(page=event.page.changed(links=links))
        elif event.products:
            event = event.changed(products=lighter(event.products))
        elif event.findings:
            event = _with_fewer_findings(event)
        elif event.results:
            event = event.changed(results=event.results[: len(event.results) // 2])
        else:
            return _bare(event)
    return event


def _with_fewer_findings(event: Event) -> Event:
    """Three quarters of them, the best ones, in their order."""
    order = sorted(range(len(event.findings)), key=lambda n: -event.findings[n].score)
    kept = sorted(order[: len(order) * 3 // 4])
    findings = [event.findings[n] for n in kept]
    vectors = [event.vectors[n] for n in kept] if event.vectors else []
    return event.changed(findings=findings, vectors=vectors)


def _bare(event: Event) -> Event:
    """What is left when even an event without contents is too long: texts that nothing else bounds."""
    return event.changed(reason=event.reason.cut(1000), query=event.query[:1000], providers=[], page=None)
