import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import AsyncIterator

import pytest

from research_crawler.core.errors import PageUnreadable
from research_crawler.extraction.page import read_page
from research_crawler.extraction.process.pool import ParsePool

URL = "https://a.example/"
SMALL = b"<html><body><p>One small page with a few words in it.</p></body></html>"
SLOW = b"<html><body>" + b"<p class=x>some words <b>are</b> written here</p>" * 80_000
"""About two seconds of work."""


@pytest.fixture
async def pool() -> AsyncIterator[ParsePool]:
    pool = ParsePool(2)
    pool.start()
    yield pool
    pool.close()


async def refusal(pool: ParsePool, body: bytes) -> str:
    with pytest.raises(PageUnreadable) as refused:
        await pool.read(body, url=URL, headers={})
    return refused.value.reason.text


async def test_the_pool_reads_a_page_like_read_page(pool):
    headers = {"content-type": "text/html", "x-robots-tag": "noarchive", "set-cookie": "a=b"}
    assert await pool.read(SMALL, url=URL, headers=headers) == read_page(SMALL, url=URL, headers=headers)


async def test_an_unreadable_page_keeps_its_reason(pool):
    assert await refusal(pool, b"%PDF-1.7") == "pdf_broken"


async def test_a_page_that_takes_too_long_is_stopped_and_others_are_still_read():
    pool = ParsePool(2, max_seconds=0.6)
    try:
        await pool.read(SMALL, url=URL, headers={})
        slow, *others = await asyncio.gather(
            refusal(pool, SLOW), *(pool.read(SMALL, url=URL, headers={}) for _ in range(20))
        )
        assert slow == "parse_timeout"
        assert {page.text for page in others} == {"One small page with a few words in it."}
        assert (await pool.read(SMALL, url=URL, headers={})).text
    finally:
        pool.close()


def wait_for_long(text: str) -> str:
    """Work that takes time, but no processor time."""
    time.sleep(1.0)
    return text


async def test_a_page_that_waits_for_a_processor_is_not_taken_for_a_slow_one():
    pool = ParsePool(1, max_seconds=0.5)
    try:
        await pool.read(SMALL, url=URL, headers={})
        assert await pool.run(wait_for_long, "read", url=URL) == "read"
    finally:
        pool.close()


async def test_a_process_that_dies_loses_only_its_page_and_is_replaced(pool):
    await pool.read(SMALL, url=URL, headers={})
    slow = [asyncio.create_task(refusal(pool, SLOW)) for _ in range(2)]
    await asyncio.sleep(0.5)
    for worker in multiprocessing.active_children():
        os.kill(worker.pid, signal.SIGKILL)
    assert await asyncio.gather(*slow) == ["parse_failed"] * 2
    assert (await pool.read(SMALL, url=URL, headers={})).text


async def test_a_cancelled_reading_leaves_the_pool_usable(pool):
    reading = asyncio.create_task(pool.read(SLOW, url=URL, headers={}))
    await asyncio.sleep(0.3)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert (await pool.read(SMALL, url=URL, headers={})).text


async def test_a_closed_pool_leaves_no_process_behind():
    pool = ParsePool(2)
    await pool.read(SMALL, url=URL, headers={})
    workers = multiprocessing.active_children()
    pool.close()
    pool.close()
    assert workers
    assert not any(worker.is_alive() for worker in workers)


async def test_the_event_loop_stays_free_while_pages_are_read(pool):
    await pool.read(SMALL, url=URL, headers={})
    body = b"<html><body>" + b"<p>Some words of a sentence are written here.</p>" * 1_500
    lags: list[float] = []
    watch = asyncio.create_task(_watch(lags))
    await asyncio.gather(*(pool.read(body, url=URL, headers={}) for _ in range(12)))
    watch.cancel()
    assert sorted(lags)[int(0.99 * len(lags))] < 0.250


async def _watch(lags: list[float]) -> None:
    """What the loop's thread computes from turn to turn: other work on the machine does not count."""
    while True:
        before = time.thread_time()
        await asyncio.sleep(0.002)
        lags.append(time.thread_time() - before)
