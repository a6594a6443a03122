"""Fixtures: a running demo web and a client for it."""

from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest

from research_crawler.demo.demo_server import LocalWeb
from research_crawler.demo.hazards import WebOptions

Get = Callable[..., Awaitable[tuple[int, bytes, dict[str, str]]]]


@pytest.fixture
def options() -> WebOptions:
    return WebOptions(slow_s=0.2, hang_s=0.3, retry_after_s=1, huge_bytes=2_000_000, bomb_bytes=3_000_000)


@pytest.fixture
async def web(options: WebOptions) -> AsyncIterator[LocalWeb]:
    async with LocalWeb(options) as running:
        yield running


@pytest.fixture
async def get() -> AsyncIterator[Get]:
    async with aiohttp.ClientSession(auto_decompress=False) as session:

        async def fetch(url: str, method: str = "GET") -> tuple[int, bytes, dict[str, str]]:
            async with session.request(method, url, allow_redirects=False) as response:
                return response.status, await response.read(), dict(response.headers)

        yield fetch
