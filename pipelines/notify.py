"""Settles commands: one script removes the command and puts its event into the job's mailbox."""

from pipelines.base import ItemPipeline, ItemReading
from pipelines.products import lighter
from pipelines.spider_items import fill_in, items_of
from research_crawler.core.errors import LeaseLost
from research_crawler.core.failpoints import failpoint
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.events import MAX_EVENT_BYTES, CommandDone
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.frontier.node import OUT_OF_REACH

log = get_log(__name__)


class NotifyPipeline(ItemPipeline):
    """The last pipeline: it settles a command, or adds a project's item to its response's settlement."""

    async def process(self, reading: ItemReading) -> None:
        """Settle the item's command.

        A project's item is added to the settlement of its response, so that all requests and items of the response
        are settled in one step.

        Raises:
            LeaseLost: the lease is lost, or Redis does not answer; another node will work on the command.
        """
        if isinstance(reading.item, CommandItem):
            await self._settle(reading)
        else:
            await self._add_to_settlement(reading)

    async def _add_to_settlement(self, reading: ItemReading) -> None:
        event = shortened_event(reading.outcome.to_event())
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
        item.seconds = task.spent_s
        event = shortened_event(item.to_event())
        failpoint("before-settle")
        try:
            settled = await node.frontier.settle(event, item.token)
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=item.command.id, error=str(error))
            settled = False
        failpoint("after-settle")
        node.release(task)
        if not settled:
            raise LeaseLost


def shortened_event(event: CommandDone) -> CommandDone:
    """The event, shortened until it has at most `MAX_EVENT_BYTES`.

    Links are dropped first, then the details of products, then the findings with the lowest scores, then the last
    search results.
    """
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


def _with_fewer_findings(event: CommandDone) -> CommandDone:
    """The event with the best three quarters of its findings, in their original order."""
    order = sorted(range(len(event.findings)), key=lambda n: -event.findings[n].score)
    best = sorted(order[: len(order) * 3 // 4])
    return event.changed(findings=[event.findings[n] for n in best])


def _bare(event: CommandDone) -> CommandDone:
    """The event with its remaining long texts cut, for one that is too long even without contents."""
    return event.changed(reason=event.reason.cut(1000), query=event.query[:1000], providers=[], page=None)
