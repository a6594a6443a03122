"""The Python interface: a running process, and research as functions."""

from typing import Any

from planner.job.prior_intelligence import section_from
from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError, UsageError
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.jobs import FINAL_STATES, Job, JobInputs
from research_crawler.core.models.reports import Phase1Intelligence, Report
from research_crawler.runtime.model_endpoint import check_endpoint
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.jobs import find_job, findings_of, follow, report_of
from research_crawler.services.new_jobs import new_job

__all__ = [
    "Runtime",
    "completed_inputs",
    "execute_full_research",
    "execute_phase2",
    "execute_research",
    "follow",
    "inputs_from",
    "report_of",
    "running",
]


async def execute_research(goal: str, *, config: Config, **inputs: Any) -> Report:
    """Run phase 1 for a goal in this process and return its report.

    Args:
        goal: what to research.
        config: settings; `configuration.load_system_config()` reads them from where the command line does.
        inputs: further fields of `JobInputs` (context, task, intent, prior_turn_context, topic …).

    Raises:
        UsageError: the goal is empty, or an input is unknown.
        NotStarted: something is missing; the message says what to do.
    """
    return await _execute(config, JobInputs(goal=goal, **{"strategy": "phase1_only", **_checked(inputs)}))


async def execute_phase2(
    goal: str,
    *,
    config: Config,
    phase1: Phase1Intelligence | str | None = None,
    vendors: int | None = None,
    **inputs: Any,
) -> Report:
    """Ask vendors for the products that phase 1 recommends. The report's `phase2` holds their offers.

    Args:
        goal: what is wanted; may be empty if `phase1` is a job.
        config: settings.
        phase1: the id of a finished job, whose phase 1 is used with its evidence; or intelligence from
            another source, which says what to look for but is not evidence.
        vendors: how many vendors should answer; None: PHASE2_VENDORS.
        inputs: as for `execute_research`; also region and currency.

    Raises:
        UsageError: the goal is empty, or the job found nothing to start from.
        UnknownJob: no job has this id.
    """
    fields = {"vendors": vendors or config.phase2_vendors, **_checked(inputs)}
    if isinstance(phase1, Phase1Intelligence):
        fields["context"] = f"{fields.get('context', '')}\n\n{section_from(phase1)}".strip()
    from_job = phase1 if isinstance(phase1, str) else ""
    strategy = None if from_job else "phase2_only"
    return await _execute(
        config, JobInputs(goal=goal, **{"strategy": strategy, "from_job": from_job, **fields})
    )


async def execute_full_research(
    goal: str, *, config: Config, vendors: int | None = None, **inputs: Any
) -> Report:
    """Research a goal as `research run` does, and ask vendors if the goal asks for an offer.

    Args:
        goal: what to research.
        config: settings.
        vendors: how many vendors should answer; None: PHASE2_VENDORS.
        inputs: as for `execute_research`; also region, currency and strategy.

    Raises:
        UsageError: the goal is empty, or an input is unknown.
        NotStarted: something is missing; the message says what to do.
    """
    fields = {"vendors": vendors or config.phase2_vendors, **_checked(inputs)}
    return await _execute(config, JobInputs(goal=goal, **fields))


async def completed_inputs(config: Config, inputs: JobInputs) -> JobInputs:
    """Do the same as `inputs_from` before the crawler and the planner start.

    It only connects to the stores, so that a wrong job id fails before anything else is started.
    """
    if not inputs.from_job:
        return inputs
    async with running(config, crawl=False, plan=False) as client:
        return await inputs_from(client, inputs)


async def inputs_from(runtime: Runtime, inputs: JobInputs) -> JobInputs:
    """Complete the inputs of a job that starts from another job: an empty input is taken from that job.

    Raises:
        UnknownJob: no job has this id.
        UsageError: that job is not over, or it found nothing.
    """
    if not inputs.from_job:
        return inputs
    source = await find_job(runtime, inputs.from_job)
    if source.state not in FINAL_STATES:
        raise UsageError(f"job {source.id} is not over; `research status {source.id}` shows its progress")
    if not await findings_of(runtime, source):
        raise UsageError(f"job {source.id} found nothing that phase 2 could start from; start a new job")
    names = ("goal", "task", "context", "prior_turn_context", "topic", "region", "currency")
    return with_values_of(inputs, source.inputs, [name for name in names if not getattr(inputs, name)])


async def _execute(config: Config, inputs: JobInputs) -> Report:
    await check_endpoint(config)
    job = new_job(config, await completed_inputs(config, inputs))
    async with running(config) as runtime:
        await runtime.container.jobs.submit(job)
        return await _wait_for_report(runtime, job)


async def _wait_for_report(runtime: Runtime, job: Job) -> Report:
    async for _ in follow(runtime, job.id):
        pass
    report = await report_of(runtime, job.id)
    if report is None:
        raise ResearchError(f"job {job.id} ended without a report; `research status {job.id}` says why")
    return report


def _checked(inputs: dict[str, Any]) -> dict[str, Any]:
    """Check the names of the caller's inputs, and note whether an intent is among them.

    Raises:
        UsageError: an input is unknown.
    """
    if unknown := sorted(inputs.keys() - JobInputs.model_fields.keys()):
        raise UsageError(
            f"there is no input {unknown[0]!r}; known: {', '.join(sorted(JobInputs.model_fields))}"
        )
    return {**inputs, "intent_given": True} if "intent" in inputs else dict(inputs)
