"""The behaviours of hosts, well-behaved ones first. Each function answers one request for a page."""

import asyncio
import gzip
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from aiohttp import web
from pydantic import Field

from research_crawler.core.models.base import Frozen

MEGABYTE: Final = 1_000_000
"""Bytes of a megabyte."""


class WebOptions(Frozen):
    """The options of the demo web."""

    port: int = 0
    """The port of all hosts; 0 for a free one."""
    latency_ms: float = 0.0
    """Time added to every response."""
    latencies_ms: dict[str, float] = Field(default_factory=dict)
    """Latencies by host key, instead of `latency_ms`."""
    slow_s: float = 8.0
    """How long the slow host waits before it answers, and how long the trickling host takes for a page."""
    hang_s: float = 60.0
    """How long a host with `robots_hang` waits before it answers for robots.txt."""
    throttled_requests: int = 1
    """The number of requests that the busy host answers with 429 before it serves pages."""
    retry_after_s: int = 2
    """The Retry-After of the 429 responses."""
    huge_bytes: int = 50 * MEGABYTE
    bomb_bytes: int = 100 * MEGABYTE


@dataclass
class Visit:
    """One request for a page, with the host's counts of earlier requests."""

    request: web.BaseRequest
    options: WebOptions
    html: bytes | None
    """The page; None if the host has none at this path."""
    content_type: str
    counts: Counter[str] = field(default_factory=Counter)
    """The host's requests so far, by path."""

    def respond(self, status: int = 200, **headers: str) -> web.Response:
        """A response with the page."""
        return web.Response(
            body=self.html, status=status, headers={"Content-Type": self.content_type, **headers}
        )


Behaviour = Callable[[Visit], Awaitable[web.StreamResponse]]


async def plain(visit: Visit) -> web.StreamResponse:
    """Serve the page."""
    return visit.respond()


async def throttled(visit: Visit) -> web.StreamResponse:
    """Answer 429 with Retry-After to the first requests to the host, then serve the page."""
    visit.counts["throttled"] += 1
    if visit.counts["throttled"] <= visit.options.throttled_requests:
        retry_after = {"Retry-After": str(visit.options.retry_after_s)}
        return web.Response(status=429, text="Too many requests.\n", headers=retry_after)
    return visit.respond()


async def flaky(visit: Visit) -> web.StreamResponse:
    """Answer 500 to the first request for each path, then serve the page."""
    visit.counts[visit.request.path] += 1
    if visit.counts[visit.request.path] == 1:
        return web.Response(status=500, text="Internal server error.\n")
    return visit.respond()


async def slow(visit: Visit) -> web.StreamResponse:
    """Serve the page after a long wait."""
    await asyncio.sleep(visit.options.slow_s)
    return visit.respond()


async def trickling(visit: Visit) -> web.StreamResponse:
    """Serve the page in 40 pieces with pauses."""
    response = await _start_stream(visit)
    body = visit.html or b""
    step = max(1, len(body) // 40)
    for start in range(0, len(body), step):
        await response.write(body[start : start + step])
        await asyncio.sleep(visit.options.slow_s / 40)
    return response


async def huge(visit: Visit) -> web.StreamResponse:
    """Serve the page, then paragraphs up to `huge_bytes`, without a Content-Length."""
    response = await _start_stream(visit)
    block = _paragraphs(seed=9, count=200)
    await response.write(visit.html or b"")
    for _ in range(visit.options.huge_bytes // len(block) + 1):
        await response.write(block)
    return response


async def endless(visit: Visit) -> web.StreamResponse:
    """Serve the page, then a paragraph every tenth of a second until the client disconnects."""
    response = await _start_stream(visit)
    block = _paragraphs(seed=10, count=1)
    await response.write(visit.html or b"")
    while True:
        await response.write(block)
        await asyncio.sleep(0.1)


async def binary(visit: Visit) -> web.StreamResponse:
    """Serve bytes that are not text as text/html."""
    noise = b"\x89BIN\r\n\x1a\x00" + random.Random(12).randbytes(60_000)
    return web.Response(body=noise, headers={"Content-Type": "text/html; charset=utf-8"})


async def bomb(visit: Visit) -> web.StreamResponse:
    """Serve a hundred kilobytes of gzip that decompress to `bomb_bytes`."""
    body = await asyncio.to_thread(_packed_zeros, visit.options.bomb_bytes)
    return web.Response(
        body=body, headers={"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip"}
    )


async def hollow(visit: Visit) -> web.StreamResponse:
    """Answer 200 with an empty body."""
    return web.Response(body=b"", headers={"Content-Type": "text/html; charset=utf-8"})


async def lost(visit: Visit) -> web.StreamResponse:
    """Answer 404 or 410 with a page that looks ordinary."""
    return visit.respond(410 if visit.request.path.startswith("/gone/") else 404)


async def _start_stream(visit: Visit) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": visit.content_type})
    response.enable_chunked_encoding()
    await response.prepare(visit.request)
    return response


@cache
def _packed_zeros(size: int) -> bytes:
    return gzip.compress(bytes(size), 6, mtime=0)


def _paragraphs(*, seed: int, count: int) -> bytes:
    words = ["river", "stone", "winter", "record", "harbour", "keeper", "letter", "weather", "market"]
    draw = random.Random(seed)
    lines = (" ".join(draw.choices(words, k=60)) for _ in range(count))
    return "".join(f"<p>{line}.</p>\n" for line in lines).encode()


BEHAVIOURS: Final[dict[str, Behaviour]] = {
    function.__name__: function
    for function in (plain, throttled, flaky, slow, trickling, huge, endless, binary, bomb, hollow, lost)
}
