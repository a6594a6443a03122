"""The result of a job as every interface gives it."""

from research_crawler.core.errors import JobNotOver
from research_crawler.core.models.reports.report import Report
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import report_of

INTERNAL_FIELDS = frozenset({"v", "exit_code"})
"""Fields of a report that are not part of the result: its wire version, and the exit code of the command line."""


class JobResult(Report):
    """The report of a job that is over. The id is `job`, and besides `task_id`, as the sources name it."""

    task_id: str


async def result_of_job(runtime: Runtime, job_id: str) -> JobResult:
    """The result of a job that is over.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
        JobNotOver: it is still running.
    """
    report = await report_of(runtime, job_id)
    if report is None:
        raise JobNotOver(job_id)
    return result_of_report(report)


def result_of_report(report: Report) -> JobResult:
    """A report as the result of its job."""
    return JobResult.model_construct(**dict(report), task_id=report.job)
