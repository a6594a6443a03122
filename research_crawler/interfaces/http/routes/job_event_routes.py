"""`/jobs/{id}/events`: a job's events as they happen, as server-sent events."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, HTTPException
from fastapi.sse import EventSourceResponse, ServerSentEvent

from research_crawler.core.errors import UnknownJob
from research_crawler.interfaces.http.routes.job_routes import UNKNOWN_JOB
from research_crawler.interfaces.http.state import RuntimeOf, StateOf
from research_crawler.services.jobs.job_feed import END_ID, check_job

router = APIRouter(prefix="/jobs", tags=["jobs"])


async def place_of_reader(
    job_id: str,
    runtime: RuntimeOf,
    last_event_id: Annotated[str, Header(description="Go on after this event.")] = "",
) -> str:
    """The event after which the reader goes on; an answer that it is at the end already ends its retries."""
    await check_job(runtime, job_id)
    if last_event_id == END_ID:
        raise HTTPException(status_code=204)
    return last_event_id


@router.get("/{job_id}/events", response_class=EventSourceResponse, responses=UNKNOWN_JOB)
async def job_events(
    job_id: str, state: StateOf, after: Annotated[str, Depends(place_of_reader)]
) -> AsyncIterator[ServerSentEvent]:
    """The events of a job until it is over.

    `step`: a line of its timeline; its id may be given back as Last-Event-ID. `status`: where it stands, as
    GET /jobs/{id} says it. `end`: the last one, with the status.
    """
    try:
        async for event in state.feeds.events(job_id, after=after):
            yield ServerSentEvent(event=event.name, id=event.id, raw_data=event.data.model_dump_json())
    except UnknownJob:  # it was forgotten meanwhile
        return
