"""Opens a browser window for a person, keeps the session that results, and lets the pages go on."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from research_crawler.adapters.browser_program import HOW_TO_INSTALL, find_browser
from research_crawler.adapters.host_sessions import HostSessions
from research_crawler.core.errors import InterventionOver, NoBrowser
from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.interventions.intervention_answers import (
    InterventionAnswer,
    end_intervention,
    find_intervention,
)

NO_DISPLAY = (
    "there is no display for a window; on a server, use the noVNC desk of docker/compose.yaml (profile `desk`), "
    "or `--remote-debugging PORT` through an SSH tunnel, or give a session with `research interventions done {id} "
    "--state FILE`"
)
_LOOK_S = 1.0
"""How often it is looked whether a wall is open."""


async def open_window(
    runtime: Runtime,
    id: str,
    *,
    remote_port: int = 0,
    finished: asyncio.Event | None = None,
    announce: Callable[[str], None] = lambda _: None,
) -> InterventionAnswer:
    """Show the page in a browser until the person closes the window; then keep the session and let the pages go on.

    Args:
        runtime: a connected process.
        id: which intervention.
        remote_port: without a window; a browser's developer tools connect to this port of this machine instead.
        finished: set when the person says otherwise that it is done.
        announce: is told what the person can do.

    Raises:
        UnknownIntervention: there is none with this id.
        InterventionOver: it is answered already, or ended meanwhile.
        NoBrowser: there is no display, or no browser that starts.
    """
    from playwright.async_api import Error as PlaywrightError  # here, because it loads slowly

    from research_crawler.core.web.user_agent import user_agent_of
    from research_crawler.handlers.person_browser import person_window
    from research_crawler.handlers.upstream_proxy import UpstreamProxy

    intervention, config = await find_intervention(runtime, id), runtime.config
    if intervention.state != "open":
        raise InterventionOver(intervention.id, intervention.state)
    options = _options(runtime, intervention, remote_port)
    guard = AddressGuard.of_crawlers(config)
    await runtime.container.people.extend(
        intervention, int((time.time() + config.intervention_timeout_seconds) * 1000)
    )
    try:
        async with person_window(
            intervention.url,
            options=options,
            guard=guard,
            pace=runtime.container.people,
            user_agent=user_agent_of(config),
            session=await asyncio.to_thread(HostSessions(config.home).get, intervention.host),
            upstream=UpstreamProxy.from_config(config),
        ) as window:
            announce(_how_to(intervention, remote_port))
            await _until_done(runtime, intervention, window.closed, finished or asyncio.Event())
    except PlaywrightError as error:
        raise NoBrowser(f"the browser does not start: {str(error).splitlines()[0]}") from error
    return await end_intervention(runtime, intervention.id, state=window.state)


def _options(runtime: Runtime, intervention: Intervention, remote_port: int) -> dict[str, Any]:
    """How the browser is launched: with a window and sound, or for developer tools on loopback."""
    if not remote_port and not _has_display():
        raise NoBrowser(NO_DISPLAY.format(id=intervention.id))
    program = find_browser(runtime.config.changed(browser_headless=bool(remote_port)))
    if program is None:
        raise NoBrowser(f"there is no browser for a window; {HOW_TO_INSTALL}")
    flags = [flag for flag in program.options["args"] if flag != "--mute-audio"]
    if remote_port:
        flags += [f"--remote-debugging-port={remote_port}", "--remote-debugging-address=127.0.0.1"]
    return {**program.options, "args": flags}


def _has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _how_to(intervention: Intervention, remote_port: int) -> str:
    if remote_port:
        inspected = f"http://127.0.0.1:{remote_port} in chrome://inspect"
        return f"open {inspected}, solve it at {intervention.host}, and close that page"
    return f"solve it at {intervention.host} in the window, and close the window"


async def _until_done(
    runtime: Runtime, intervention: Intervention, closed: asyncio.Event, finished: asyncio.Event
) -> None:
    """Wait until the window is closed, the person says so, or somebody else has ended the intervention."""
    waits = [asyncio.create_task(event.wait()) for event in (closed, finished)]
    try:
        while (await find_intervention(runtime, intervention.id)).state == "open":
            done, _ = await asyncio.wait(waits, timeout=_LOOK_S, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return
    finally:
        await end_tasks(waits)
