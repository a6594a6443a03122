"""Submits jobs, for every interface: what an interface was asked becomes a checked job in the queue."""

from dataclasses import replace

from research_crawler.core.config import Config
from research_crawler.core.errors import JobNotOver, UsageError
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.jobs import FINAL_STATES, Job, JobInputs
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.follow_ups import follow_up_inputs
from research_crawler.services.jobs import find_job, findings_of
from research_crawler.services.new_jobs import JobRequest
from research_crawler.services.own_files import store_files


async def submit_job(runtime: Runtime, request: JobRequest) -> Job:
    """Put a job into the queue and return it. This is all that an interface calls to start research.

    Raises:
        UnknownJob: the job to start from does not exist.
        UsageError: the request is malformed, or the job to start from is not over or found nothing.
    """
    inputs = await inputs_from(runtime, request.inputs)
    files = await store_files(runtime, request.files)
    completed = replace(request, inputs=inputs.changed(files=files) if files else inputs)
    job = completed.to_job(runtime.config)
    await runtime.container.jobs.submit(job)
    return job


async def completed_request(config: Config, request: JobRequest) -> JobRequest:
    """Complete the inputs before the crawler and the planner start.

    It only connects to the stores, so that a wrong job id fails before anything else is started.

    Raises:
        UnknownJob, UsageError: see `inputs_from`.
    """
    if not (request.inputs.from_job or request.inputs.about_job):
        return request
    async with running(config, crawl=False, plan=False) as client:
        return replace(request, inputs=await inputs_from(client, request.inputs))


async def inputs_from(runtime: Runtime, inputs: JobInputs) -> JobInputs:
    """Complete the inputs of a job that starts from another job: an empty input is taken from that job.

    Raises:
        UnknownJob: no job has this id.
        UsageError: that job is not over, or it found nothing.
    """
    if inputs.about_job:
        return await follow_up_inputs(runtime, inputs)
    if not inputs.from_job:
        return inputs
    source = await find_job(runtime, inputs.from_job)
    if source.state not in FINAL_STATES:
        raise JobNotOver(source.id)
    if not await findings_of(runtime, source):
        raise UsageError(f"job {source.id} found nothing that phase 2 could start from; start a new job")
    names = ("goal", "task", "context", "prior_turn_context", "topic", "region", "currency")
    return with_values_of(inputs, source.inputs, [name for name in names if not getattr(inputs, name)])
