"""`research forget`: what a person no longer wants to be kept, out of Redis, archive, index and job folders.

Order matters. Redis goes first, so that nobody archives the job again; events that wait for the indexer are taken
back before the archive is told; the index learns of it last, through the outbox, for only the process that owns a
local index can delete from it. Each step may be repeated: an interrupted command is simply given again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from planner.reports.stale_citations import cited_pages, mark_gone
from research_crawler.adapters.job_folder import DiskJobFolder, has_document, remove_folder
from research_crawler.background.retention import active_jobs, pages_of
from research_crawler.core.errors import UsageError
from research_crawler.core.models.events import Event
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.keeping import Removal, Selection
from research_crawler.core.models.reports import Report
from research_crawler.core.urls import ascii_host, canonical_url, is_public_suffix
from research_crawler.runtime.runtime import Runtime

REPORT = "report.md"
ALL_JOBS = 1_000_000


@dataclass(frozen=True)
class Forgotten:
    """What `research forget` removed, and what it could not."""

    removal: Removal
    jobs: list[str] = field(default_factory=list)
    """Jobs of which anything was there."""
    left_folders: list[str] = field(default_factory=list)
    """Folders outside of the data folder that hold documents of forgotten jobs."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was there."""
        return self.removal.is_empty and not self.jobs


def selection_of(*, job: str = "", url: str = "", host: str = "", before: str = "") -> Selection:
    """What to forget, from what a person wrote.

    Raises:
        UsageError: not exactly one of them, or none that could be meant.
    """
    if sum(map(bool, (job, url, host, before))) != 1:
        raise UsageError("say what to forget: JOB, --url, --host or --before, one of them")
    if job and not (job.isascii() and job.isalnum()):
        raise UsageError(f"{job!r} is no job id; `research list` shows them")
    if url and not canonical_url(url):
        raise UsageError(f"{url!r} is not an http(s) URL")
    name = ascii_host(host)
    if host and (not name or is_public_suffix(name)):
        raise UsageError(f"{host!r} is not a host name such as shop.example.org")
    return Selection(
        jobs=[job] if job else [], url=canonical_url(url) if url else "", host=name, before=before
    )


async def forget(runtime: Runtime, selection: Selection) -> Forgotten:
    """Remove what is selected, everywhere; jobs that are not over are left alone.

    Raises:
        UsageError: a job that was named is not over.
    """
    parts = runtime.container
    records = await _records(runtime, selection)
    ids = list(dict.fromkeys([*selection.jobs, *records]))
    known = [job for job in ids if await parts.jobs.forget(job)]
    waiting = await parts.outbox.withdraw(lambda event: event.job in ids or _is_of(event, selection))
    whole = selection.changed(jobs=ids, pages=sorted(pages_of(records.values())))
    removal = await parts.archive.forget(whole, in_use=pages_of(await active_jobs(parts.jobs)))
    await parts.outbox.put_empty({*waiting, *removal.commands})
    citing = [job for job in removal.citing if job not in ids]
    await _mark_reports(runtime, citing)
    folders = [job for job in ids if await remove_folder(runtime.config.home / "jobs", job)]
    return Forgotten(
        removal=removal.changed(citing=citing),
        jobs=list(dict.fromkeys([*known, *removal.jobs, *folders])),
        left_folders=_elsewhere(records.values(), runtime.config.home),
    )


async def marked_report(runtime: Runtime, report: Report) -> Report:
    """A report as it is to be shown: citations of pages that are gone say so."""
    return mark_gone(report, await runtime.container.archive.kept_pages(cited_pages(report)))


async def _records(runtime: Runtime, selection: Selection) -> dict[str, Job]:
    """The records of the jobs to forget, as far as there are any."""
    jobs, archive = runtime.container.jobs, runtime.container.archive
    found: dict[str, Job] = {}
    for job_id in selection.jobs:
        kept = await archive.get_job(job_id)
        job = await jobs.get(job_id) or (kept[0] if kept else None)
        found |= {job_id: job} if job else {}
    if selection.before:
        active = {job.id: job for job in await jobs.list_jobs()}
        for job in [*active.values(), *await archive.list_jobs(ALL_JOBS)]:
            is_over = active.get(job.id, job).state in FINAL_STATES
            if is_over and (job.completed_at or job.created_at) < selection.before:
                found.setdefault(job.id, job)
    return found


def _is_of(event: Event, selection: Selection) -> bool:
    """Whether an event rests on a page that is forgotten by name."""
    page = [event.page.url, event.page.final_url] if event.page else []
    return selection.covers(*page, *(finding.url for finding in event.findings))


async def _mark_reports(runtime: Runtime, job_ids: Sequence[str]) -> None:
    """Write the mark into the reports on disk of jobs that cite what is gone."""
    for job_id in job_ids:
        kept = await runtime.container.archive.get_job(job_id)
        if kept and kept[2] and await has_document(kept[0].folder, REPORT):
            report = await marked_report(runtime, Report.model_validate(kept[2]))
            await DiskJobFolder().write(kept[0].folder, {REPORT: report.report_markdown})


def _elsewhere(jobs: Iterable[Job], home: Path) -> list[str]:
    folders = {job.folder for job in jobs if job.folder and Path(job.folder).parent != home / "jobs"}
    return sorted(folder for folder in folders if Path(folder).is_dir())
