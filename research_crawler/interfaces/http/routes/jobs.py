"""`/jobs`: start, list, follow, read and cancel jobs."""

from fastapi import APIRouter, Response, status
from fastapi.responses import PlainTextResponse

from research_crawler.core.errors import JobNotOver
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs import Job, State, Status, status_of
from research_crawler.core.models.reports import Report
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.jobs import cancel_job, find_job, report_of, state_document_of
from research_crawler.services.questions import JobQuestion, request_from
from research_crawler.services.submission import submit_job

router = APIRouter(prefix="/jobs", tags=["jobs"])


class StartedJob(Frozen):
    """A job that was put into the queue; `task_id` is its id."""

    task_id: str
    status: Status
    state: State
    topic: str


@router.post("", status_code=status.HTTP_202_ACCEPTED)
async def start_job(
    question: JobQuestion,
    runtime: RuntimeOf,
    response: Response,
) -> StartedJob:
    """Put a question into the queue."""
    job = await submit_job(runtime, request_from(runtime.config, question))
    response.headers["Location"] = f"/jobs/{job.id}"
    return _started(job)


@router.get("/{job_id}")
async def job_status(job_id: str, runtime: RuntimeOf) -> StartedJob:
    """The progress of a job."""
    return _started(await find_job(runtime, job_id))


@router.get("/{job_id}/result")
async def job_result(job_id: str, runtime: RuntimeOf) -> Report:
    """The report of a job that is over, with its claims, quotes and sources."""
    report = await report_of(runtime, job_id)
    if report is None:
        raise JobNotOver(job_id)
    return report


@router.get("/{job_id}/state", response_class=PlainTextResponse)
async def job_state(job_id: str, runtime: RuntimeOf) -> PlainTextResponse:
    """The job's research_state.md as it is now."""
    text = await state_document_of(runtime, await find_job(runtime, job_id))
    return PlainTextResponse(text, media_type="text/markdown; charset=utf-8")


@router.post("/{job_id}/cancel")
async def stop_job(job_id: str, runtime: RuntimeOf) -> StartedJob:
    """Stop a job; one that is over stays as it is."""
    await cancel_job(runtime, job_id)
    return _started(await find_job(runtime, job_id))


def _started(job: Job) -> StartedJob:
    return StartedJob(task_id=job.id, status=status_of(job.state), state=job.state, topic=job.inputs.goal)
