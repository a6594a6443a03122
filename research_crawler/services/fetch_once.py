"""Runs a single command without a job: fetches one page, or runs one search."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Literal

from research_crawler.adapters.browser_program import HOW_TO_GET
from research_crawler.core.errors import FetchFailed, NotStarted, UsageError
from research_crawler.core.models.messages.commands import (
    STORED_PAGE_MAX_AGE_S,
    Command,
    SearchCommand,
    SearchSpec,
    VisitCommand,
)
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.runtime.runtime import Runtime

Render = Literal["auto", "always", "never"]
NO_JOB = "-"
"""The job id of a command that belongs to no job."""
VISIT_S = 60.0
"""Time limit of one page: two waits for a busy host, and the download."""
LOOK_S = 5.0
"""How often a caller is told what its search waits for."""


async def visit_one(
    runtime: Runtime, url: str, *, timeout_s: float = VISIT_S, render: Render = "auto"
) -> CommandDone:
    """Fetch one page through guard, robots and frontier. The event says where it is stored, or why it is not.

    Args:
        runtime: an open process that crawls, or that shares its Redis with one that does.
        url: the page.
        timeout_s: how long to wait for the event.
        render: `auto` renders the page in a browser if it needs one, and `always` renders it in any case.
            `never` fetches it anew without a browser, and shares the download with no other command.

    Raises:
        NotStarted: `render` is `always`, and no process has a browser.
        UsageError: `url` is not an http(s) URL.
        FetchFailed: no event arrived within `timeout_s`.
    """
    canonical = canonical_url(url)
    if not canonical:
        raise UsageError(f"{url!r} is not an http(s) URL")
    if (
        render == "always"
        and not runtime.container.browser
        and not await runtime.container.presence.renders_elsewhere()
    ):
        raise NotStarted(f"no browser: {HOW_TO_GET}")
    target = frontier_target(canonical, render=render == "always")
    command = VisitCommand(
        id=_new_id(),
        job=NO_JOB,
        url=canonical,
        slot=target.slot,
        page_key=target.page_key,
        requested_url=canonical,
        requested_page_key=target.page_key,
        priority=0,
        retries_unreachable=True,
        render=render == "always",
        no_render=render == "never",
        max_age_s=0 if render == "never" else STORED_PAGE_MAX_AGE_S,
    )
    return await settle_one(runtime, command, timeout_s=timeout_s)


async def search_one(
    runtime: Runtime, spec: SearchSpec, *, on_wait: Callable[[CommandLocation], None] = lambda _: None
) -> CommandDone:
    """Send one query to the providers that are switched on, and return the event with the results.

    It waits for its turn at a provider as the searches of jobs do, for as long as that takes. A search that is given
    up is taken back, so that no later process asks (and pays for) it.

    Args:
        runtime: an open process that crawls, or that shares its Redis with one that does.
        spec: the query.
        on_wait: is told every few seconds where the search waits.
    """
    command = SearchCommand(id=_new_id(), job=NO_JOB, search=spec, priority=0)
    frontier = runtime.container.frontier
    texts: list[str] = []
    try:
        async with frontier.subscribe_settled(command.id) as wakes:
            await frontier.push([command])
            while not (texts := wakes.take_texts()):
                if await wakes.wait(LOOK_S):
                    continue
                for location in await frontier.locations(NO_JOB):
                    if location.command == command.id and not location.leased:
                        on_wait(location)
    finally:
        if not texts:
            await asyncio.shield(frontier.withdraw(command.id))
    return CommandDone.from_wire(texts[0])


async def settle_one(runtime: Runtime, command: Command, *, timeout_s: float) -> CommandDone:
    """Put a command without a job into the frontier and wait for its event.

    A command that is given up is taken back, so that no later process runs it.

    Raises:
        FetchFailed: no event arrived within `timeout_s`.
    """
    frontier = runtime.container.frontier
    texts: list[str] = []
    try:
        async with asyncio.timeout(timeout_s), frontier.subscribe_settled(command.id) as wakes:
            await frontier.push([command])
            while not (texts := wakes.take_texts()):
                await wakes.wait(timeout_s)
    except TimeoutError:
        raise FetchFailed(Why(Reason.OTHER, f"no answer within {timeout_s:.0f} s")) from None
    finally:
        if not texts:
            await asyncio.shield(frontier.withdraw(command.id))
    return CommandDone.from_wire(texts[0])


def _new_id() -> str:
    return f"{NO_JOB}:{secrets.token_hex(8)}"
