"""The Python interface: a running process, and research as functions."""

import logging
from typing import Any

from planner.job.prior_intelligence import section_from
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError, UsageError
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.reports.report import Phase1Intelligence, Report
from research_crawler.runtime.model_endpoint import check_endpoint
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.jobs.control import follow, report_of
from research_crawler.services.submission.new_jobs import JobRequest
from research_crawler.services.submission.submit import completed_request, submit_job

__all__ = [
    "Runtime",
    "execute_full_research",
    "execute_phase2",
    "execute_research",
    "follow",
    "report_of",
    "running",
]

log = logging.getLogger(__name__)


async def execute_research(goal: str, *, config: Config | None = None, **inputs: Any) -> Report:
    """Run phase 1 for a goal in this process and return its report.

    Args:
        goal: what to research.
        config: settings; None reads them from where the command line does (environment, files), as
            `configuration.load_system_config()` does.
        inputs: further fields of `JobInputs` (context, task, intent, prior_turn_context, topic …).

    Raises:
        UsageError: the goal is empty, or an input is unknown.
        NotStarted: something is missing; the message says what to do.
    """
    return await _execute(
        config or _own_config(), JobInputs(goal=goal, **{"strategy": "phase1_only", **_checked(inputs)})
    )


async def execute_phase2(
    goal: str,
    *,
    config: Config | None = None,
    phase1: Phase1Intelligence | str | None = None,
    vendors: int | None = None,
    **inputs: Any,
) -> Report:
    """Ask vendors for the products that phase 1 recommends. The report's `phase2` holds their offers.

    Args:
        goal: what is wanted; may be empty if `phase1` is a job.
        config: settings; None reads them from where the command line does.
        phase1: the id of a finished job, whose phase 1 is used with its evidence; or intelligence from
            another source, which says what to look for but is not evidence.
        vendors: how many vendors should answer; None: PHASE2_VENDORS.
        inputs: as for `execute_research`; also region and currency.

    Raises:
        UsageError: the goal is empty, or the job found nothing to start from.
        UnknownJob: no job has this id.
    """
    config = config or _own_config()
    fields = {"vendors": vendors or config.phase2_vendors, **_checked(inputs)}
    if isinstance(phase1, Phase1Intelligence):
        fields["context"] = f"{fields.get('context', '')}\n\n{section_from(phase1)}".strip()
    from_job = phase1 if isinstance(phase1, str) else ""
    strategy = None if from_job else "phase2_only"
    return await _execute(
        config, JobInputs(goal=goal, **{"strategy": strategy, "from_job": from_job, **fields})
    )


async def execute_full_research(
    goal: str, *, config: Config | None = None, vendors: int | None = None, **inputs: Any
) -> Report:
    """Research a goal as `research run` does, and ask vendors if the goal asks for an offer.

    Args:
        goal: what to research.
        config: settings; None reads them from where the command line does.
        vendors: how many vendors should answer, which asks for offers; None: PHASE2_VENDORS, if the goal asks for one.
        inputs: as for `execute_research`; also region, currency and strategy.

    Raises:
        UsageError: the goal is empty, or an input is unknown.
        NotStarted: something is missing; the message says what to do.
    """
    config = config or _own_config()
    fields = {"vendors": vendors or config.phase2_vendors, **_checked(inputs)}
    if vendors and not {"intent", "strategy"} & set(fields):
        fields |= {"intent": "commerce", "intent_given": True}
    return await _execute(config, JobInputs(goal=goal, **fields))


def _own_config() -> Config:
    """The settings that the command line would use, with a warning about each that was not taken."""
    config = load_system_config()
    for note in config.notes:
        log.warning(note)
    return config


async def _execute(config: Config, inputs: JobInputs) -> Report:
    config = await check_endpoint(config)
    request = JobRequest(inputs=inputs)
    request.check(config)
    request = await completed_request(config, request)
    async with running(config) as runtime:
        return await _wait_for_report(runtime, await submit_job(runtime, request))


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
