"""What interfaces call: a running system, and research as one function."""

from typing import Any

from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError
from research_crawler.core.models.jobs import JobInputs
from research_crawler.core.models.reports import Report
from research_crawler.job_access import follow, report_of
from research_crawler.model_endpoint import check_endpoint
from research_crawler.new_jobs import new_job
from research_crawler.system import System, running

__all__ = ["System", "execute_research", "follow", "report_of", "running"]


async def execute_research(goal: str, *, config: Config, **inputs: Any) -> Report:
    """Run phase 1 for a goal in this process and answer with its report.

    Args:
        goal: what to research.
        config: settings; `load_config()` reads them from where the command line does.
        inputs: further fields of `JobInputs` (context, task, intent, topic …).

    Raises:
        UsageError: the goal is empty.
        NotStarted: a part is missing; the message says what to do.
    """
    job = new_job(config, JobInputs(goal=goal, **inputs))
    await check_endpoint(config)
    async with running(config) as system:
        await system.parts.jobs.submit(job)
        async for _ in follow(system, job.id):
            pass
        report = await report_of(system, job.id)
    if report is None:
        raise ResearchError(f"job {job.id} ended without a report; `research status {job.id}` says why")
    return report
