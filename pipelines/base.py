"""What the pipelines share: how they read an item, and how they work under its lease.

An item is a `CommandItem` of our own spiders, or whatever a project's spider yields: `spider_items`.
"""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from pipelines.spider_items import items_of, place_of
from research_crawler.core import services
from research_crawler.core.errors import LeaseLost
from research_crawler.core.leases import Task
from research_crawler.core.model_ports import Call
from research_crawler.core.models.items import CommandItem
from research_crawler.frontier.node import SETTLE_S, WORK_S
from research_crawler.frontier.settlements import Settlement

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class ItemReading:
    """An item as the pipelines see it: the outcome that they add to, and the lease under which they work."""

    item: Any
    """As its spider made it."""
    outcome: CommandItem
    task: Task | None
    """The leased command, while this node holds its lease."""
    key: str
    """What the item's model calls are kept under."""
    settlement: Settlement | None = None
    """Of a project's item: what else is made of the same response."""
    is_leased: bool = True
    """False for an item that a project's spider makes of no response."""

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work for the item; it ends when the lease is lost.

        Raises:
            LeaseLost: nobody wants the result of this node.
        """
        if not self.is_leased:
            return await work
        if self.task is None:
            work.close()
            raise LeaseLost
        return await self.task.run(work)

    def call(self, longest_s: float) -> Call:
        """A model call for the item: at most `longest_s`, and no longer than the lease leaves time for it."""
        command = self.outcome.command
        left_s = WORK_S - SETTLE_S - (self.task.seconds if self.task else 0.0)
        return Call(
            job=command.job,
            key=self.key,
            token=self.outcome.token,
            deadline_s=max(1.0, min(longest_s, left_s)),
            batch=command.batch,
        )


class ItemPipeline:
    """The base of all pipelines; a subclass adds to the outcome in `process`."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    @property
    def services(self) -> services.CrawlServices:
        """What the crawler's components work with."""
        return services.of(self.crawler)

    async def process_item(self, item: Any) -> Any:
        """Scrapy's call: read the item, work on it, pass it on.

        Raises:
            DropItem: the lease is lost; nobody wants what this node makes of the item.
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
        """The item's reading; None for an item that holds no page, which passes as it is."""
        if not isinstance(item, CommandItem):
            return await self._read_of_project(item)
        task = self.services.node.tasks.get(item.token)
        return ItemReading(item=item, outcome=item, task=task, key=item.command.id)

    async def _read_of_project(self, item: Any) -> ItemReading | None:
        known = await items_of(self.crawler).read(item) if ItemAdapter.is_item(item) else None
        if known is None or known.outcome is None:
            return None
        outcome, settlement = known.outcome, known.settlement
        if settlement is None:
            return ItemReading(item=item, outcome=outcome, task=None, key=outcome.command.id, is_leased=False)
        task = self.services.node.tasks.get(settlement.task.token)
        key = f"{settlement.task.command.id}:{place_of(settlement, item)}"
        return ItemReading(item=item, outcome=outcome, task=task, key=key, settlement=settlement)

    async def process(self, reading: ItemReading) -> None:
        """Add to `reading.outcome`.

        Raises:
            LeaseLost: while working under the lease.
        """
        raise NotImplementedError
