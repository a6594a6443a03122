"""What Scrapy's engine holds right now. Its only private attribute that we read is read here, and checked at start."""

from scrapy.crawler import Crawler

from research_crawler.core.errors import NotStarted
from research_crawler.frontier.queue import LocalBuffer
from research_crawler.frontier.request_state import find_state


class EngineView:
    """Tokens of the leases that are in Scrapy's hands: buffered, downloading or with the spider."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        slot = getattr(crawler.engine, "_slot", None)
        if not isinstance(getattr(slot, "inprogress", None), set):
            raise NotStarted("this Scrapy has no engine._slot.inprogress; install scrapy 2.19")

    def tasks(self) -> set[str]:
        """Tokens of leases found in the local buffer or in progress (scraping included)."""
        slot = self._crawler.engine._slot
        if slot is None:
            return set()
        buffer: LocalBuffer = slot.scheduler.queue  # type: ignore[attr-defined]  # our scheduler has it
        states = map(find_state, (*slot.inprogress, *buffer))
        return {state.task.token for state in states if state is not None}
