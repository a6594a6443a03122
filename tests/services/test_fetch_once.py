"""A single page without a job."""

import asyncio

import pytest

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.runtime.runtime import running
from research_crawler.services.fetch_once import search_one, visit_one


async def test_a_page_that_is_given_up_is_not_fetched_by_the_next_process(tmp_path):
    config = load_system_config(home=tmp_path)
    async with running(config, crawl=False, plan=False) as runtime:
        with pytest.raises(FetchFailed):
            await visit_one(runtime, "https://shop.example/", timeout_s=0.2)
        waiting = asyncio.create_task(visit_one(runtime, "https://shop.example/"))
        await asyncio.sleep(0.2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not sum((await runtime.container.frontier.counts()).queued.values())


async def test_a_search_that_is_given_up_is_not_asked_and_paid_for_by_the_next_process(tmp_path):
    config = load_system_config(home=tmp_path)
    async with running(config, crawl=False, plan=False) as runtime:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await search_one(runtime, SearchSpec(query="hand coffee grinder"))
        assert not sum((await runtime.container.frontier.counts()).queued.values())
