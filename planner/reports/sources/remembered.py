"""Mark the sources that an earlier job read, and that this one has from the archive."""

from collections.abc import Sequence

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.cited_parts import Source


def with_memory_marked(job: Job, sources: Sequence[Source], findings: Sequence[Finding]) -> list[Source]:
    """The sources, each marked if all that the job has of it comes from earlier jobs or their pages."""
    again = {visit.sha for visit in job.visits if visit.origin == "memory"}
    fetched = {visit.sha for visit in job.visits if visit.sha and visit.origin != "memory"}
    earlier = {f.page_sha256 for f in findings if not f.command.startswith(f"{job.id}:")}
    known = (again | earlier) - fetched
    return [
        source.changed(is_remembered=True) if source.content_hash in known else source for source in sources
    ]
