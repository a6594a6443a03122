"""Submits jobs, for every interface: what an interface was asked becomes a checked job in the queue."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from research_crawler.core.config import Config
from research_crawler.core.errors import JobNotOver, UnknownJob, UsageError
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, JobInputs
from research_crawler.core.models.jobs.planning_state import StoredSource
from research_crawler.core.models.reports.report import Report
from research_crawler.core.models.watches.watch import short_id
from research_crawler.runtime.runtime import Runtime, connected
from research_crawler.services.jobs.job_lookup import find_job, findings_of, job_named, report_of
from research_crawler.services.submission.new_jobs import JobRequest

MAX_KEY: Final = 255
"""Longest idempotency key."""
MAX_EARLIER_ANSWER_CHARS = 4_000
"""So much of an earlier answer goes with a follow-up."""


async def submit_job(runtime: Runtime, request: JobRequest, *, key: str = "") -> Job:
    """Put a job into the queue and return it. This is all that an interface calls to start research.

    Args:
        runtime: a process that is connected to the stores.
        request: what is asked.
        key: the caller's own key of this request (`Idempotency-Key`). The same key gives the same job, however often
            it is submitted, as long as the job is kept.

    Raises:
        UnknownJob: the job to start from does not exist.
        UsageError: the request is malformed, the job to start from is not over or found nothing, or the key was
            used for another request.
    """
    inputs = await inputs_from(runtime, request.inputs)
    files = await _stored_files(runtime, request.files)
    completed = replace(request, inputs=inputs.changed(files=files) if files else inputs)
    job = completed.to_job(runtime.config, job_id=_id_of_key(key))
    if key:
        with suppress(UnknownJob):
            return _same_request(await find_job(runtime, job.id), job, completed)
    if job.inputs.notify:  # first, so that a job that exists never ends unheard
        from research_crawler.adapters.sql.stores.notice_store import SqlNotices

        await SqlNotices(runtime.container.archive).expect(job.id, job.inputs.notify)
    if await queue_job(runtime, job):
        return job
    return _same_request(await find_job(runtime, job.id), job, completed)


def _id_of_key(key: str) -> str:
    """The id of the job with this key, the same in every process; "" without a key."""
    if not key:
        return ""
    if len(key) > MAX_KEY:
        raise UsageError(f"an idempotency key has at most {MAX_KEY} characters")
    return short_id(f"submit:{key}")


def _same_request(earlier: Job, job: Job, request: JobRequest) -> Job:
    """The earlier job of a key, if it was asked for by the same request."""
    if earlier.inputs != job.inputs or not earlier.limits.has(request.limits):
        raise UsageError("this idempotency key was used for another request; take a new key")
    return earlier


async def _stored_files(runtime: Runtime, paths: Sequence[Path]) -> list[StoredSource]:
    if not paths:
        return []
    from research_crawler.services.submission.own_files import store_files

    return await store_files(runtime, paths)


async def completed_request(config: Config, request: JobRequest) -> JobRequest:
    """Complete the inputs before the crawler and the planner start.

    It only reads files and connects to the stores, so that a damaged file or a wrong job id fails before anything
    else is started.

    Raises:
        UnknownJob, UsageError: see `inputs_from` and `try_files`.
    """
    if request.files:
        from research_crawler.services.submission.own_files import try_files

        await try_files(config, request.files)
    if not (request.inputs.from_job or request.inputs.about_job):
        return request
    async with connected(config) as client:
        return replace(request, inputs=await inputs_from(client, request.inputs))


async def inputs_from(runtime: Runtime, inputs: JobInputs) -> JobInputs:
    """Complete the inputs of a job that starts from another job: an empty input is taken from that job.

    Raises:
        UnknownJob: no job has this id.
        UsageError: that job is not over, or it found nothing.
    """
    if inputs.about_job:
        inputs = inputs.changed(about_job=await job_named(runtime.container, inputs.about_job))
        return await follow_up_inputs(runtime, inputs)
    if not inputs.from_job:
        return inputs
    source = await find_job(runtime, await job_named(runtime.container, inputs.from_job))
    if source.state not in FINAL_STATES:
        raise JobNotOver(source.id)
    if not await findings_of(runtime, source):
        raise UsageError(f"job {source.id} found nothing that phase 2 could start from; start a new job")
    names = ("goal", "task", "context", "prior_turn_context", "topic", "region", "currency")
    inputs = inputs.changed(from_job=source.id)
    return with_values_of(inputs, source.inputs, [name for name in names if not getattr(inputs, name)])


async def follow_up_inputs(runtime: Runtime, inputs: JobInputs) -> JobInputs:
    """Complete the inputs of a follow-up question: what is empty is taken from the job that it is about.

    The earlier question is the conversation before this one, its answer is context, and its goal is the topic, so that
    "and on Debian?" is about the same thing. The planner adds the earlier findings, and reads the earlier pages again.

    Raises:
        UnknownJob: no job has this id.
        JobNotOver: it is not over.
    """
    earlier = await find_job(runtime, inputs.about_job)
    if earlier.state not in FINAL_STATES:
        raise JobNotOver(earlier.id)
    report = await report_of(runtime, earlier.id)
    names = ("region", "currency", "topic")
    completed = with_values_of(inputs, earlier.inputs, [name for name in names if not getattr(inputs, name)])
    before = earlier.inputs.prior_turn_context
    return completed.changed(
        topic=completed.topic or earlier.inputs.goal[:400],
        prior_turn_context="\n".join(filter(None, (before, earlier.inputs.goal, inputs.prior_turn_context))),
        context="\n\n".join(filter(None, (_answered(report), inputs.context))),
    )


def _answered(report: Report | None) -> str:
    """The question and answer of the earlier job, without citation marks, which mean nothing in another report."""
    if report is None:
        return ""
    answer = " ".join(claim.text for claim in report.claims)[:MAX_EARLIER_ANSWER_CHARS]
    return f"Earlier question: {report.goal}\nIts answer: {answer}" if answer else ""


async def queue_job(runtime: Runtime, job: Job) -> bool:
    """Keep a job in the archive, then submit it to Redis, which may lose its last second at a power loss.

    Returns:
        False if there is a job with this id already.

    Raises:
        StorageFull: the archive or Redis takes nothing; the job is not queued then.
    """
    from research_crawler.adapters.sql.open_jobs import SqlOpenJobs  # here: it loads the database

    open_jobs = SqlOpenJobs(runtime.container.archive)
    await open_jobs.add(job)
    try:
        return await runtime.container.jobs.submit(job)
    except Exception:
        await open_jobs.drop(job.id)  # it was refused: it must not begin later
        raise
