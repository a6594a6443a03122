"""`/jobs`: start, list, read and cancel jobs. `job_event_routes.py` has their live events."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response, status
from fastapi.responses import PlainTextResponse

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import Job, State, Status, status_of
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.interfaces.http.faults import Answers, ErrorAnswer
from research_crawler.interfaces.http.state import RuntimeOf, StateOf
from research_crawler.services.jobs.job_lifecycle import cancel_job
from research_crawler.services.jobs.job_lookup import find_job, state_document_of
from research_crawler.services.jobs.job_results import INTERNAL_FIELDS, JobResult, result_of_job
from research_crawler.services.jobs.job_status import current_status
from research_crawler.services.jobs.listed_jobs import MOST_JOBS, JobPage, page_of_jobs
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job

router = APIRouter(prefix="/jobs", tags=["jobs"])
UNKNOWN_JOB: Answers = {404: {"model": ErrorAnswer, "description": "There is no such job."}}
NOT_OVER: Answers = {409: {"model": ErrorAnswer, "description": "The job is not over."}}


class StartedJob(Frozen):
    """A job that was put into the queue; `task_id` is its id."""

    task_id: str
    status: Status
    state: State
    topic: str


def started_job(job: Job, response: Response) -> StartedJob:
    """The answer to a question that was put into the queue."""
    response.headers["Location"] = f"/jobs/{job.id}"
    return StartedJob(task_id=job.id, status=status_of(job.state), state=job.state, topic=job.topic)


@router.post("", status_code=status.HTTP_202_ACCEPTED)
async def start_job(
    question: JobQuestion,
    runtime: RuntimeOf,
    response: Response,
    idempotency_key: Annotated[
        str, Header(description="Your own key of this request: sent again, it gives the same job.")
    ] = "",
) -> StartedJob:
    """Put a question into the queue."""
    request = await asyncio.to_thread(request_from, runtime.config, question)
    return started_job(await submit_job(runtime, request, key=idempotency_key), response)


@router.get("")
async def list_jobs(
    runtime: RuntimeOf,
    limit: Annotated[int, Query(ge=1, le=MOST_JOBS)] = 50,
    after: Annotated[str, Query(description="`next` of the page before.")] = "",
) -> JobPage:
    """The jobs, newest first, page by page."""
    return await page_of_jobs(runtime, limit=limit, after=after)


@router.get("/{job_id}", responses=UNKNOWN_JOB)
async def job_status(job_id: str, state: StateOf) -> JobStatus:
    """The progress of a job, what it has found so far, and what it waits for."""
    return await current_status(state.runtime, job_id, state.feeds.around)


@router.get(
    "/{job_id}/result", response_model_exclude=set(INTERNAL_FIELDS), responses={**UNKNOWN_JOB, **NOT_OVER}
)
async def job_result(job_id: str, runtime: RuntimeOf) -> JobResult:
    """The report of a job that is over, with its claims, quotes and sources."""
    return await result_of_job(runtime, job_id)


@router.get("/{job_id}/state", response_class=PlainTextResponse, responses=UNKNOWN_JOB)
async def job_state(job_id: str, runtime: RuntimeOf) -> PlainTextResponse:
    """The job's research_state.md as it is now."""
    text = await state_document_of(runtime, await find_job(runtime, job_id))
    return PlainTextResponse(text, media_type="text/markdown")


@router.post("/{job_id}/cancel", responses=UNKNOWN_JOB)
async def stop_job(job_id: str, runtime: RuntimeOf) -> JobStatus:
    """Stop a job at once. One that is over stays as it is."""
    await cancel_job(runtime, job_id)
    return await current_status(runtime, job_id)
