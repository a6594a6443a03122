"""The Python interface: a running process, and research as functions."""

import asyncio
import logging

from planner.job.earlier.prior_intelligence import section_from
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import Phase1Intelligence, Report
from research_crawler.runtime.model_endpoint import check_endpoint
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.jobs.job_lookup import follow, report_of
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import completed_request, submit_job

__all__ = [
    "JobQuestion",
    "Runtime",
    "execute_full_research",
    "execute_phase2",
    "execute_research",
    "follow",
    "report_of",
    "running",
]

log = logging.getLogger(__name__)


async def execute_research(question: JobQuestion | str, *, config: Config | None = None) -> Report:
    """Run phase 1 for a question in this process and return its report.

    Args:
        question: what to research; a text is its goal.
        config: settings; None reads them from where the command line does (environment, files), as
            `configuration.load_system_config()` does.

    Raises:
        UsageError: the goal is empty, or an input is malformed.
        NotStarted: something is missing; the message says what to do.
    """
    asked = _question(question)
    return await _execute(asked.changed(strategy=asked.strategy or "phase1_only"), config)


async def execute_phase2(
    question: JobQuestion | str = "",
    *,
    config: Config | None = None,
    phase1: Phase1Intelligence | str | None = None,
) -> Report:
    """Ask vendors for the products that phase 1 recommends. The report's `phase2` holds their offers.

    Args:
        question: what is wanted; its goal may be empty if `phase1` is a job.
        config: settings; None reads them from where the command line does.
        phase1: the id of a finished job, whose phase 1 is used with its evidence; or intelligence from
            another source, which says what to look for but is not evidence.

    Raises:
        UsageError: the goal is empty, or the job found nothing to start from.
        UnknownJob: no job has this id.
    """
    asked = _question(question)
    if isinstance(phase1, str):
        return await _execute(asked.changed(from_job=phase1), config)
    if phase1 is not None:
        asked = asked.changed(context=f"{asked.context}\n\n{section_from(phase1)}".strip())
    return await _execute(asked.changed(strategy=asked.strategy or "phase2_only"), config)


async def execute_full_research(question: JobQuestion | str, *, config: Config | None = None) -> Report:
    """Research a question as `research run` does, and ask vendors if it asks for an offer.

    Args:
        question: what to research; a text is its goal. With `vendors` it asks for an offer.
        config: settings; None reads them from where the command line does.

    Raises:
        UsageError: the goal is empty, or an input is malformed.
        NotStarted: something is missing; the message says what to do.
    """
    return await _execute(_question(question), config)


def _question(question: JobQuestion | str) -> JobQuestion:
    return JobQuestion(goal=question) if isinstance(question, str) else question


def _own_config() -> Config:
    """The settings that the command line would use, with a warning about each that was not taken."""
    config = load_system_config()
    for note in config.notes:
        log.warning(note)
    return config


async def _execute(question: JobQuestion, config: Config | None) -> Report:
    config = await check_endpoint(config or _own_config())
    request = await asyncio.to_thread(request_from, config, question)
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
