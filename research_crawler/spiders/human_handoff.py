"""Asks a person where a host shows a wall: with a picture of it, and without holding anything meanwhile."""

import asyncio
import secrets
import time
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import FetchCommand
from research_crawler.core.models.people.interventions import ASKABLE, MOST_ASKS, Intervention
from research_crawler.core.models.why import Why
from research_crawler.core.tasks.leases import Task
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.handlers.composed import ComposedDownloadHandler

log = get_log(__name__)
PICTURE_S = 12.0
"""Longest time for the picture of a wall; the person is asked without one then."""
MAX_PICTURE_BYTES = 300_000
"""A larger picture of a wall is not sent."""
WIDTH_PX, LEAST_PX, MOST_PX = 1280, 200, 800
"""Width of the picture of a wall, and its least and most height."""
_CONTENT_HEIGHT = "() => Math.ceil(document.body ? document.body.getBoundingClientRect().bottom + 24 : 0)"


async def ask_person(crawler: Crawler, task: Task, wall: Why, response: Response | None = None) -> bool:
    """Put a command aside until a person has opened the wall that it met.

    Args:
        crawler: its services ask.
        task: the command with its lease, which ends.
        wall: what was met.
        response: the wall itself, for its picture; None if it was met by another command.

    Returns:
        False if nobody is asked: the command's job does not want it, a person cannot open this wall, or was asked
        often enough for this page.
    """
    command, ports = task.command, crawler_services.of(crawler)
    if not (isinstance(command, FetchCommand) and command.asks_person and command.job and ports.people):
        return False
    if wall.kind not in ASKABLE or command.times_asked >= MOST_ASKS:
        return False
    node = ports.node
    await node.drop_holds(task)
    picture = await _picture(crawler, response) if response is not None else b""
    now_ms = int(time.time() * 1000)
    intervention = Intervention(
        id=secrets.token_hex(5),
        host=command.slot,
        url=response.url if response is not None else command.url,
        kind=wall.kind,
        detail=wall.particulars[:200],
        job=command.job,
        asked_ms=now_ms,
        until_ms=now_ms + int(ports.config.intervention_timeout_seconds * 1000),
    )
    try:
        await ports.people.ask(command, task.token, wall.cut(300), intervention, picture)
    except OUT_OF_REACH as error:
        log.warning("redis does not answer", command=command.id, error=str(error))
    finally:
        node.note_push()
        node.release(task)
    return True


async def _picture(crawler: Crawler, document: Response) -> bytes:
    """JPEG of what the host has sent, as the browser shows it; empty without a browser."""
    if crawler_services.fetching_of(crawler).browser is None:
        return b""
    rendering = ComposedDownloadHandler.from_crawler(crawler).rendering
    request = document.request or Request(document.url)
    try:
        async with asyncio.timeout(PICTURE_S), rendering.shown(request, document) as (page, visit, _):
            await visit.settle(page, time.monotonic() + PICTURE_S / 2)
            height = await page.evaluate(_CONTENT_HEIGHT)
            clip: Any = {"x": 0, "y": 0, "width": WIDTH_PX, "height": max(LEAST_PX, min(MOST_PX, height))}
            picture = await page.screenshot(type="jpeg", quality=45, clip=clip)
    except Exception as error:  # any error of the browser: a person can be asked without a picture
        log.info("no picture of a wall", url=document.url, error=repr(error))
        return b""
    return picture if len(picture) <= MAX_PICTURE_BYTES else b""
