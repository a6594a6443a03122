"""What interfaces call: a running system, and research as functions."""

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
    """Run phase 1 for a goal in this process and answer with its report.

    Args:
        goal: what to research.
        config: settings; `configuration.load_system_config()` reads them from where the command line does.
        inputs: further fields of `JobInputs` (context, task, intent, prior_turn_context, topic …).

    Raises:
        UsageError: the goal is empty.
        NotStarted: a part is missing; the message says what to do.
    """
    return await _executed(config, JobInputs(goal=goal, **{"strategy": "phase1_only", **_known(inputs)}))


async def execute_phase2(
    goal: str,
    *,
    config: Config,
    phase1: Phase1Intelligence | str | None = None,
    vendors: int | None = None,
    **inputs: Any,
) -> Report:
    """Ask vendors for what phase 1 recommends; the report's `phase2` says what they offer.

    Args:
        goal: what is wanted; may be empty where a job is named.
        phase1: a finished job whose phase 1 is taken over with its evidence, or intelligence from elsewhere, which
            says what to look for and is evidence of nothing.
        vendors: how many are to answer; None: PHASE2_VENDORS.
        inputs: as for `execute_research`; also region and currency.

    Raises:
        UsageError: the goal is empty, or the job has nothing to start from.
        UnknownJob: there is no such job.
    """
    given = {"vendors": vendors or config.phase2_vendors, **_known(inputs)}
    if isinstance(phase1, Phase1Intelligence):
        given["context"] = f"{given.get('context', '')}\n\n{section_from(phase1)}".strip()
    from_job = phase1 if isinstance(phase1, str) else ""
    wanted = JobInputs(
        goal=goal, **{"strategy": None if from_job else "phase2_only", "from_job": from_job, **given}
    )
    return await _executed(config, wanted)


async def execute_full_research(
    goal: str, *, config: Config, vendors: int | None = None, **inputs: Any
) -> Report:
    """Research a goal and, where it wants an offer, ask vendors: what `research run` does.

    Args:
        vendors: how many are to answer; None: PHASE2_VENDORS.
        inputs: as for `execute_research`; also region, currency and strategy.

    Raises:
        UsageError: the goal is empty, an input is unknown.
        NotStarted: a part is missing; the message says what to do.
    """
    given = {"vendors": vendors or config.phase2_vendors, **_known(inputs)}
    return await _executed(config, JobInputs(goal=goal, **given))


async def completed_inputs(config: Config, inputs: JobInputs) -> JobInputs:
    """The same as `inputs_from`, for whoever has no system yet: nothing is started in vain for a wrong job."""
    if not inputs.from_job:
        return inputs
    async with running(config, crawl=False, plan=False) as client:
        return await inputs_from(client, inputs)


async def inputs_from(runtime: Runtime, inputs: JobInputs) -> JobInputs:
    """The inputs of a job that takes over another's phase 1: what they leave open is as it was there.

    Raises:
        UnknownJob: there is no such job.
        UsageError: it is not over, or found nothing.
    """
    if not inputs.from_job:
        return inputs
    source = await find_job(runtime, inputs.from_job)
    if source.state not in FINAL_STATES:
        raise UsageError(f"job {source.id} is not over; `research status {source.id}` shows how far it is")
    if not await findings_of(runtime, source):
        raise UsageError(f"job {source.id} found nothing that a phase 2 could start from")
    names = ("goal", "task", "context", "prior_turn_context", "topic", "region", "currency")
    return with_values_of(inputs, source.inputs, [name for name in names if not getattr(inputs, name)])


async def _executed(config: Config, inputs: JobInputs) -> Report:
    await check_endpoint(config)
    job = new_job(config, await completed_inputs(config, inputs))
    async with running(config) as runtime:
        await runtime.container.jobs.submit(job)
        return await _ended(runtime, job)


async def _ended(runtime: Runtime, job: Job) -> Report:
    async for _ in follow(runtime, job.id):
        pass
    report = await report_of(runtime, job.id)
    if report is None:
        raise ResearchError(f"job {job.id} ended without a report; `research status {job.id}` says why")
    return report


def _known(inputs: dict[str, Any]) -> dict[str, Any]:
    """The caller's inputs, an intent counting as given.

    Raises:
        UsageError: there is no such input.
    """
    if unknown := sorted(inputs.keys() - JobInputs.model_fields.keys()):
        raise UsageError(
            f"there is no input {unknown[0]!r}; known: {', '.join(sorted(JobInputs.model_fields))}"
        )
    return {**inputs, "intent_given": True} if "intent" in inputs else dict(inputs)
