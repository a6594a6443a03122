"""What a new job reuses: findings of earlier jobs that no review has rejected."""

from planner.job.earlier.recall import (
    may_recall,
    wants_recall,
    with_findings_for_answer,
    with_findings_for_offer,
)
from planner.outline.states import with_earlier_answers
from planner.rounds.ports import Ports
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.ports.archives import Archive


async def reuse_earlier_findings(job: Job, ports: Ports, now_ms: int) -> tuple[Job, list[Finding]]:
    """The job with the findings of earlier jobs that bear on it, and these findings; only at the start of the job."""
    if not wants_recall(job):
        return job, []
    memory, known = ports.memory, list[Finding]()
    if job.inputs.from_job:
        archived = await ports.archive.get_job(job.inputs.from_job)
        known = archived[1] if archived else []
    elif job.inputs.about_job and memory:
        known = await memory.of_job(job.inputs.about_job, job)
    elif memory and may_recall(job):
        known = await memory.recall(job, now_ms)
    known = await _not_retracted(known, ports.archive)
    job = await _with_earlier_answers(job, known, ports.archive)
    if job.inputs.intent == "commerce" and not job.inputs.about_job:
        return with_findings_for_offer(job, known, now_ms), known
    return with_findings_for_answer(job, known, now_ms), known


async def _with_earlier_answers(job: Job, known: list[Finding], archive: Archive) -> Job:
    """The job whose given outline has the answers of the job that it is about, where both ask the same."""
    if not (job.inputs.about_job and job.outline.is_given):
        return job
    archived = await archive.get_job(job.inputs.about_job)
    if archived is None:
        return job
    answers = with_earlier_answers(job.outline, archived[0].outline, {finding.id for finding in known})
    return job.changed(outline=answers)


async def _not_retracted(known: list[Finding], archive: Archive) -> list[Finding]:
    """The findings of earlier jobs that no review has rejected since."""
    stored = await archive.find_findings([finding.id for finding in known])
    retracted = {finding.id for finding in stored if finding.retracted}
    return [finding for finding in known if finding.id not in retracted and not finding.retracted]
