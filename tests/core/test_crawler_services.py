"""Which services a crawler's components get, and when."""

import asyncio

import pytest
from scrapy.utils.test import get_crawler

from research_crawler.core import crawler_services
from research_crawler.core.crawler_services import FetchServices
from research_crawler.core.errors import NotStarted
from research_crawler.frontier.scheduler import FrontierScheduler
from research_crawler.spiders.page_spider import PageSpider
from tests.crawl_services import crawl_services


def test_a_crawler_without_provided_services_raises():
    crawler = get_crawler()
    for ask in (crawler_services.of, crawler_services.fetching_of):
        with pytest.raises(NotStarted, match="no services"):
            ask(crawler)


async def test_before_the_scheduler_is_open_only_the_services_of_downloads_exist():
    crawler, whole = get_crawler(), crawl_services()
    spider = PageSpider()

    async def opening() -> crawler_services.CrawlServices:
        return whole

    crawler_services.provide(crawler, FetchServices(config=whole.config, guard=whole.guard), opening=opening)
    assert crawler_services.fetching_of(crawler).guard is whole.guard
    with pytest.raises(NotStarted, match="not connected yet"):
        crawler_services.of(crawler)
    await FrontierScheduler(crawler).open(spider).asFuture(asyncio.get_running_loop())
    assert crawler_services.of(crawler) is whole
    await FrontierScheduler(crawler).open(spider).asFuture(asyncio.get_running_loop())
    assert crawler_services.of(crawler) is whole
