"""How hosts behave, the well-behaved one first. Each function answers one request for a page of its host."""

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


class WebOptions(Frozen):
    """What a test may set about the demo web."""

    port: int = 0
    """0: a free one."""
    latency_ms: float = 0.0
    """Added to every answer."""
    latencies_ms: dict[str, float] = Field(default_factory=dict)
    """By host key, in place of `latency_ms`."""
    slow_s: float = 8.0
    """How long the slow host thinks, and how long the trickling one takes."""
    hang_s: float = 60.0
    """How long the mute host keeps its robots.txt to itself."""
    throttled_requests: int = 1
    """How many requests the busy host answers with 429 before it serves."""
    retry_after_s: int = 2
    """What the 429 asks for."""
    huge_bytes: int = 50 * MEGABYTE
    bomb_bytes: int = 100 * MEGABYTE


@dataclass
class Visit:
    """One request for a page, and what the host remembers of earlier ones."""

    request: web.BaseRequest
    options: WebOptions
    html: bytes | None
    """The page, where the host has one at this path."""
    content_type: str
    counts: Counter[str] = field(default_factory=Counter)
    """Of the host: requests so far, by path."""

    def respond(self, status: int = 200, **headers: str) -> web.Response:
        """The page as it is."""
        return web.Response(
            body=self.html, status=status, headers={"Content-Type": self.content_type, **headers}
        )


Behaviour = Callable[[Visit], Awaitable[web.StreamResponse]]


async def plain(visit: Visit) -> web.StreamResponse:
    """Serve the page."""
    return visit.respond()


async def throttled(visit: Visit) -> web.StreamResponse:
    """429 with Retry-After for the first requests to the host, then the page."""
    visit.counts["throttled"] += 1
    if visit.counts["throttled"] <= visit.options.throttled_requests:
        retry_after = {"Retry-After": str(visit.options.retry_after_s)}
        return web.Response(status=429, text="Too many requests.\n", headers=retry_after)
    return visit.respond()


async def flaky(visit: Visit) -> web.StreamResponse:
    """500 at the first request for each path, then the page."""
    visit.counts[visit.request.path] += 1
    if visit.counts[visit.request.path] == 1:
        return web.Response(status=500, text="Internal server error.\n")
    return visit.respond()


async def slow(visit: Visit) -> web.StreamResponse:
    """The page, after a long silence."""
    await asyncio.sleep(visit.options.slow_s)
    return visit.respond()


async def trickling(visit: Visit) -> web.StreamResponse:
    """The page in 40 pieces with pauses."""
    response = await _start_stream(visit)
    body = visit.html or b""
    step = max(1, len(body) // 40)
    for place in range(0, len(body), step):
        await response.write(body[place : place + step])
        await asyncio.sleep(visit.options.slow_s / 40)
    return response


async def huge(visit: Visit) -> web.StreamResponse:
    """The page, then paragraphs until `huge_bytes`, no length announced."""
    response = await _start_stream(visit)
    block = _paragraphs(seed=9, count=200)
    await response.write(visit.html or b"")
    for _ in range(visit.options.huge_bytes // len(block) + 1):
        await response.write(block)
    return response


async def endless(visit: Visit) -> web.StreamResponse:
    """The page, then a paragraph every tenth of a second for as long as anybody listens."""
    response = await _start_stream(visit)
    block = _paragraphs(seed=10, count=1)
    await response.write(visit.html or b"")
    while True:
        await response.write(block)
        await asyncio.sleep(0.1)


async def binary(visit: Visit) -> web.StreamResponse:
    """Bytes of no text at all under text/html."""
    noise = b"\x89BIN\r\n\x1a\x00" + random.Random(12).randbytes(60_000)
    return web.Response(body=noise, headers={"Content-Type": "text/html; charset=utf-8"})


async def bomb(visit: Visit) -> web.StreamResponse:
    """A hundred kilobytes of gzip that unpack to `bomb_bytes`."""
    body = await asyncio.to_thread(_packed_zeros, visit.options.bomb_bytes)
    return web.Response(
        body=body, headers={"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip"}
    )


async def hollow(visit: Visit) -> web.StreamResponse:
    """200 and nothing."""
    return web.Response(body=b"", headers={"Content-Type": "text/html; charset=utf-8"})


async def lost(visit: Visit) -> web.StreamResponse:
    """404 or 410 with an ordinary-looking page."""
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
