"""The stream that an open page of a job follows: its steps, and the parts of the page that have changed."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated
from weakref import WeakValueDictionary

from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from research_crawler.core.errors import UnknownJob
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.interfaces.dashboard.page_templates import macros
from research_crawler.interfaces.dashboard.preferences import preferences_of
from research_crawler.interfaces.http.routes.job_event_routes import place_of_reader
from research_crawler.interfaces.http.state import StateOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_view import view_of_job

router = APIRouter(prefix="/jobs")
PARTS = ("now", "questions", "found", "pages")
"""The parts of the page that change, each a macro of `live_parts.html` and an element with this id."""


@dataclass
class _Drawn:
    """The parts of one job in one language, drawn once for all who look at it."""

    status: JobStatus | None = None
    text: str = ""
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)


_drawn: WeakValueDictionary[tuple[int, str, str], _Drawn] = WeakValueDictionary()


@router.get("/{job_id}/events", response_class=EventSourceResponse)
async def live_events(
    request: Request, job_id: str, state: StateOf, after: Annotated[str, Depends(place_of_reader)]
) -> AsyncIterator[ServerSentEvent]:
    """The events until the job is over: `step`, whose id may come back as Last-Event-ID, `view` and `end`."""
    language = preferences_of(request).language
    written = macros(language, "live_parts.html")
    shared = _drawn.setdefault((id(state), job_id, language), _Drawn())
    try:
        async for event in state.feeds.events(job_id, after=after):
            if event.name == "end" and isinstance(event.data, JobStatus):
                ended = json.dumps({"state": event.data.state})
                yield ServerSentEvent(event="end", id=event.id, raw_data=ended)
            elif isinstance(event.data, JobStatus):
                text = await _parts(state.runtime, shared, event.data, language)
                yield ServerSentEvent(event="view", raw_data=text)
            else:
                line = json.dumps({"html": str(written.step(event.id, event.data))})
                yield ServerSentEvent(event="step", id=event.id, raw_data=line)
    except UnknownJob:  # it was forgotten meanwhile
        return


async def _parts(runtime: Runtime, shared: _Drawn, status: JobStatus, language: str) -> str:
    """The parts as the page has them, as JSON."""
    async with shared.drawing:
        if shared.status is not status:
            view = await view_of_job(runtime, status.task_id, status)
            written = macros(language, "live_parts.html")
            parts = {part: str(getattr(written, part)(view)) for part in PARTS}
            shared.status, shared.text = status, json.dumps({"state": status.state, "parts": parts})
        return shared.text
