"""AutoThrottle for all nodes together: Scrapy's formula computes the delay, which is stored in the host's slot."""

from scrapy import Request, Spider
from scrapy.core.downloader import Slot
from scrapy.crawler import Crawler
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.frontier.request_state import find_state

KNOWN_HOSTS = 10_000


class ThrottleFeedback(AutoThrottle):
    """Computes the host's new delay from the latency; it goes into the request's state and, with the permit, to Redis.

    It ignores responses that do not show the host's load: robots.txt, provider calls, rendered and stored pages, 304.
    With a visit delay of 0 (local use) it is off. `downloader._delay` stays unchanged, because only permits limit the
    rate.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        config = crawler_services.fetching_of(crawler).config
        self.mindelay, self.maxdelay = config.phase1_visit_delay_seconds, config.delay_ceiling_seconds
        self._slots: dict[str, Slot] = {}

    def _spider_opened(self, spider: Spider) -> None:
        """Do nothing, so that the downloader's own delay stays 0."""

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        latency = request.meta.get("download_latency")
        state = find_state(request)
        if self.mindelay <= 0 or latency is None or state is None:
            return
        if response.status == 304 or state.render or not state.is_of_page:
            return
        slot = self._slot_of(state.target.slot)
        self._adjust_delay(slot, latency, response)
        state.delay_ms = int(slot.delay * 1000)

    def _slot_of(self, name: str) -> Slot:
        if name not in self._slots:
            if len(self._slots) >= KNOWN_HOSTS:
                self._slots.pop(next(iter(self._slots)))
            self._slots[name] = Slot(concurrency=1, delay=self.mindelay, jitter=0.0)
        return self._slots[name]
