"""Shows which leases Scrapy's engine is working on.

This is the only module that reads a private attribute of the engine; it checks the attribute when it is built.
"""

from scrapy.crawler import Crawler

from research_crawler.core.errors import NotStarted
from research_crawler.frontier.queue import LocalBuffer
from research_crawler.frontier.request_state import find_state


class EngineView:
    """Finds the leases whose requests are in Scrapy: buffered, downloading or with the spider."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        slot = getattr(crawler.engine, "_slot", None)
        if not isinstance(getattr(slot, "inprogress", None), set):
            raise NotStarted("this Scrapy has no engine._slot.inprogress; install scrapy 2.19")

    def tasks(self) -> set[str]:
        """The tokens of the leases in the local buffer or in progress, which includes scraping."""
        slot = self._crawler.engine._slot
        if slot is None:
            return set()
        buffer: LocalBuffer = slot.scheduler.queue  # type: ignore[attr-defined]  # our scheduler has it
        states = map(find_state, (*slot.inprogress, *buffer))
        return {state.task.token for state in states if state is not None}
