"""The base of the pipelines: it reads an item, and runs the pipeline's work under the item's lease.

An item is a `CommandItem` of our own spiders, or any item of a project's spider (see `spider_items`).
"""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from pipelines.spider_items import item_number, items_of
from research_crawler.core import crawler_services
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.ports.models import LONGEST_SLOT_WAIT_S, Call
from research_crawler.core.tasks.leases import Task
from research_crawler.frontier.node import SETTLE_S, WORK_S
from research_crawler.frontier.settlements import Settlement

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class ItemReading:
    """An item as the pipelines see it: the outcome to add to, and the lease to work under."""

    item: Any
    """The item as its spider made it."""
    outcome: CommandItem
    task: Task | None
    """The leased command, while this node holds its lease."""
    key: str
    """The key under which the answers of the item's model calls are stored."""
    settlement: Settlement | None = None
    """For a project's item: the settlement of the response that the item was made from."""
    is_leased: bool = True
    """False for an item that a project's spider did not make from a response."""

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work for the item; it is cancelled when the lease is lost.

        Raises:
            LeaseLost: this node no longer holds the lease, so its result is not needed.
        """
        if not self.is_leased:
            return await work
        if self.task is None:
            work.close()
            raise LeaseLost
        return await self.task.run(work)

    def call(self, longest_s: float) -> Call:
        """A model call for the item: it may take `longest_s`, or less if the lease ends earlier.

        What the lease leaves beside that may be spent waiting for a slot of the endpoint.
        """
        command = self.outcome.command
        remaining_s = WORK_S - SETTLE_S - (self.task.seconds if self.task else 0.0)
        deadline_s = max(1.0, min(longest_s, remaining_s))
        return Call(
            job=command.job,
            key=self.key,
            token=self.outcome.token,
            deadline_s=deadline_s,
            batch=command.batch,
            longest_wait_s=max(0.0, min(LONGEST_SLOT_WAIT_S, remaining_s - deadline_s)),
            watch=self.task.watch if self.task else None,
        )


class ItemPipeline:
    """The base of all pipelines; a subclass adds to the outcome in `process`."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the pipeline for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def services(self) -> crawler_services.CrawlServices:
        """The services of this crawler."""
        return crawler_services.of(self.crawler)

    async def process_item(self, item: Any) -> Any:
        """Process an item for Scrapy and return it.

        Raises:
            DropItem: the lease is lost, so this node's result for the item is not needed.
        """
        reading = await self.read(item)
        if reading is None:
            return item
        try:
            await self.process(reading)
        except LeaseLost as error:
            if reading.is_leased:
                raise DropItem("lease lost") from error
        return item

    async def read(self, item: Any) -> ItemReading | None:
        """The item's reading, or None for an item without a page, which is passed on unchanged."""
        if not isinstance(item, CommandItem):
            return await self._read_project_item(item)
        task = self.services.node.tasks.get(item.token)
        return ItemReading(item=item, outcome=item, task=task, key=item.command.id)

    async def _read_project_item(self, item: Any) -> ItemReading | None:
        known = await items_of(self.crawler).read(item) if ItemAdapter.is_item(item) else None
        if known is None or known.outcome is None:
            return None
        outcome, settlement = known.outcome, known.settlement
        if settlement is None:
            return ItemReading(item=item, outcome=outcome, task=None, key=outcome.command.id, is_leased=False)
        task = self.services.node.tasks.get(settlement.task.token)
        key = f"{settlement.task.command.id}:{item_number(settlement, item)}"
        return ItemReading(item=item, outcome=outcome, task=task, key=key, settlement=settlement)

    async def process(self, reading: ItemReading) -> None:
        """Add this pipeline's results to `reading.outcome`.

        Raises:
            LeaseLost: the lease was lost during the work.
        """
        raise NotImplementedError
