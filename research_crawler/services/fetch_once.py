"""Single commands without a job: one page, one search."""

import asyncio
import secrets
from typing import Literal

from research_crawler.adapters.browser import HOW_TO_GET
from research_crawler.core.errors import FetchFailed, NotStarted, UsageError
from research_crawler.core.models.commands import DAY_S, Command, SearchSpec
from research_crawler.core.models.events import Event
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.urls import canonical_url, target_of
from research_crawler.runtime.runtime import Runtime

Render = Literal["auto", "always", "never"]
NO_JOB = "-"
VISIT_S = 60.0
"""For one page: two turns at a busy host, and its download."""
SPARE_S = 10.0
"""What a search may take besides its providers."""


async def visit_one(
    runtime: Runtime, url: str, *, timeout_s: float = VISIT_S, render: Render = "auto"
) -> Event:
    """Fetch one page through guard, robots and frontier; the event says where it is stored or why not.

    `render`: show it in a browser when it needs one, in any case, or not at all (then it is fetched anew, and is
    nobody else's).

    Raises:
        NotStarted: `always`, and nobody has a browser.
        UsageError: not an http(s) URL.
        FetchFailed: no event within the time.
    """
    canonical = canonical_url(url)
    if not canonical:
        raise UsageError(f"{url!r} is not an http(s) URL")
    if (
        render == "always"
        and not runtime.container.browser
        and not await runtime.container.renders_elsewhere()
    ):
        raise NotStarted(f"no browser: {HOW_TO_GET}")
    target = target_of(canonical, render=render == "always")
    command = Command(
        id=_new_id(),
        job=NO_JOB,
        url=canonical,
        slot=target.slot,
        h=target.h,
        asked=canonical,
        asked_h=target.h,
        priority=0,
        render=render == "always",
        plain=render == "never",
        max_age_s=0 if render == "never" else DAY_S,
    )
    return await settle_one(runtime, command, timeout_s=timeout_s)


async def search_one(runtime: Runtime, spec: SearchSpec) -> Event:
    """One query to the providers that are switched on.

    Raises:
        FetchFailed: no event within the time.
    """
    command = Command(
        id=_new_id(), job=NO_JOB, kind="search", spider="search", search=spec, max_age_s=0, priority=0
    )
    return await settle_one(runtime, command, timeout_s=runtime.config.search_timeout_seconds + SPARE_S)


async def settle_one(runtime: Runtime, command: Command, *, timeout_s: float) -> Event:
    """Put a command without a job into the frontier and wait for its event.

    Raises:
        FetchFailed: no event within the time.
    """
    frontier = runtime.container.frontier
    try:
        async with asyncio.timeout(timeout_s), frontier.subscribe_settled(command.id) as wakes:
            await frontier.push([command])
            while not (texts := wakes.take_texts()):
                await wakes.wait(timeout_s)
    except TimeoutError:
        raise FetchFailed(
            Why(Reason.OTHER, f"nothing came within {timeout_s:.0f} s; `research doctor` shows what works")
        ) from None
    return Event.from_wire(texts[0])


def _new_id() -> str:
    return f"{NO_JOB}:{secrets.token_hex(8)}"
