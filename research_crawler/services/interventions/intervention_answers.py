"""Interventions as every interface sees them: the list, one of them, and a person's answer."""

import asyncio
import time
from datetime import UTC, datetime

from pydantic import Field

from research_crawler.adapters.host_sessions import HostSessions
from research_crawler.core.errors import InterventionOver, UnknownIntervention
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.people.interventions import Intervention, InterventionState
from research_crawler.core.models.web.saved_sessions import StorageState
from research_crawler.runtime.runtime import Runtime


class InterventionView(Frozen):
    """What a person is asked about a host, and what came of it."""

    id: str
    state: InterventionState
    host: str
    url: str
    """The first page that met the wall."""
    kind: str
    """captcha, challenge, login_page or consent_wall."""
    detail: str = ""
    task_id: str
    """The job that met it first."""
    pages_waiting: int = 0
    asked_at: str
    until: str
    seconds_left: float = 0.0
    """Time until the pages end as blocked; 0 if it is not open."""
    closed_at: str | None = None


class InterventionAnswer(Frozen):
    """What a person's answer led to."""

    id: str
    state: InterventionState
    pages: int = Field(description="How many pages go on, or end as blocked.")


async def all_interventions(runtime: Runtime, *, is_open: bool = False) -> list[InterventionView]:
    """What persons are asked, newest first, with what ended within a day; `is_open`: only what waits."""
    people = runtime.container.people
    found = [one for one in await people.all() if one.state == "open" or not is_open]
    return [await _view(runtime, one) for one in found]


async def find_intervention(runtime: Runtime, id: str) -> Intervention:
    """The intervention with this id, or whose id begins so.

    Raises:
        UnknownIntervention: there is none, or several.
    """
    found = [one for one in await runtime.container.people.all() if id and one.id.startswith(id)]
    exact = [one for one in found if one.id == id] or found
    if len(exact) != 1:
        raise UnknownIntervention(id)
    return exact[0]


async def view_of_intervention(runtime: Runtime, id: str) -> InterventionView:
    """One intervention.

    Raises:
        UnknownIntervention: there is none with this id.
    """
    return await _view(runtime, await find_intervention(runtime, id))


async def picture_of(runtime: Runtime, id: str) -> bytes:
    """JPEG of the wall; empty if there is none.

    Raises:
        UnknownIntervention: there is none with this id.
    """
    return await runtime.container.people.picture((await find_intervention(runtime, id)).id)


async def end_intervention(
    runtime: Runtime, id: str, *, state: StorageState | None = None, cancel: bool = False
) -> InterventionAnswer:
    """Take a person's answer: keep the session, and let the pages go on; or (`cancel`) end them as blocked.

    Args:
        runtime: a connected process.
        id: which intervention.
        state: the session in which the wall is open; None: there is none to keep.
        cancel: nobody will open the wall.

    Raises:
        UnknownIntervention: there is none with this id.
        InterventionOver: it is answered already, or was too late.
    """
    intervention = await find_intervention(runtime, id)
    if intervention.state != "open":
        raise InterventionOver(intervention.id, intervention.state)
    if state is not None and not cancel and not state.is_empty:
        await asyncio.to_thread(HostSessions(runtime.config.home).put, intervention.host, state)
    ending: InterventionState = "cancelled" if cancel else "done"
    pages = await runtime.container.people.end(intervention, ending)
    if pages < 0:
        raise InterventionOver(intervention.id, (await find_intervention(runtime, intervention.id)).state)
    return InterventionAnswer(id=intervention.id, state=ending, pages=pages)


async def _view(runtime: Runtime, intervention: Intervention) -> InterventionView:
    is_open = intervention.state == "open"
    waiting = await runtime.container.people.waiting(intervention.id) if is_open else []
    return InterventionView(
        id=intervention.id,
        state=intervention.state,
        host=intervention.host,
        url=intervention.url,
        kind=intervention.kind.value,
        detail=intervention.detail,
        task_id=intervention.job,
        pages_waiting=len(waiting),
        asked_at=_time(intervention.asked_ms),
        until=_time(intervention.until_ms),
        seconds_left=max(0.0, round(intervention.until_ms / 1000 - time.time(), 1)) if is_open else 0.0,
        closed_at=_time(intervention.closed_ms) if intervention.closed_ms else None,
    )


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")
