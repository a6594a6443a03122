"""AutoThrottle for all nodes together: each download suggests a delay, and Redis brings the host's nearer to it.

`frontier/lua/download_ended.lua` has the formula.
"""

from typing import Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.frontier.request_state import find_state


class ThrottleFeedback:
    """Puts the delay that a page's latency suggests into the request's state; it goes to Redis with the permit.

    It ignores responses that do not show the host's load: robots.txt, provider calls, rendered and stored pages, 304.
    With a visit delay of 0 (local use) it is off.
    """

    def __init__(self, crawler: Crawler) -> None:
        config = crawler_services.fetching_of(crawler).config
        self._least_s, self._most_s = config.phase1_visit_delay_seconds, config.delay_ceiling_seconds
        if self._least_s > 0:
            crawler.signals.connect(self._suggest_delay, signal=signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the extension for a crawler, as Scrapy does."""
        return cls(crawler)

    def _suggest_delay(self, response: Response, request: Request, spider: Spider) -> None:
        latency_s = request.meta.get("download_latency")
        state = find_state(request)
        if latency_s is None or state is None:
            return
        if response.status == 304 or state.render or not state.is_of_page:
            return
        state.suggested_delay_ms = int(min(max(latency_s, self._least_s), self._most_s) * 1000)
