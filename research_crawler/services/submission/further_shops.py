"""Asks the shops that a finished job has left out, with what it has found."""

import asyncio

from planner.job.factory import MAX_ANSWERING_VENDORS
from planner.reports.shopping.offers import shops_not_asked
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.runtime.runtime import Runtime


async def unasked_shops(runtime: Runtime, job: Job) -> list[str]:
    """Hosts of the shops that a job could have asked too; none while it runs, and where it has found nothing that
    shops can be asked about."""
    if job.phase2 is None or job.state not in FINAL_STATES or not job.plan.findings:
        return []
    from research_crawler.adapters.vendor_catalogue import load_catalogue

    catalogue = await asyncio.to_thread(load_catalogue, runtime.config)
    return shops_not_asked(job, job.phase2, catalogue)


def wanted_shops(job: Job, unasked: list[str]) -> int:
    """How many shops have to answer so that all of them are asked, as far as a job may ask."""
    asked = sum(vendor.stage in ("answered", "failed") for vendor in job.phase2.vendors) if job.phase2 else 0
    return min(MAX_ANSWERING_VENDORS, asked + len(unasked))


async def further_shops_question(runtime: Runtime, job: Job) -> JobQuestion:
    """The question that asks all shops for what a job recommends, those that it has left out too."""
    return JobQuestion(from_job=job.id, vendors=wanted_shops(job, await unasked_shops(runtime, job)))
