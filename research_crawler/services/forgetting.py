"""Deletes data for `research forget` from Redis, the archive, the vector index and the job folders.

The order matters:

1. Redis, so that no process archives the job again.
2. The events that wait for the indexer, before the archive deletes their pages.
3. The archive.
4. The vector index, through the outbox, because only the process that owns a local index can delete from it.
5. The files: Redis' append-only file is rewritten when the indexers are done, because it repeats every command, and
   SQLite's file when the rows are gone.

Each step may be repeated. If the command is interrupted, run it again.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from research_crawler.adapters.host_sessions import HostSessions
from research_crawler.adapters.job_folder import DiskJobFolder, has_document, remove_folder
from research_crawler.adapters.redis.compaction import rewrite_append_only_file
from research_crawler.adapters.sql.stores.notice_store import SqlNotices
from research_crawler.background.retention_sweep import active_jobs, pages_of
from research_crawler.core.errors import UnknownJob, UsageError
from research_crawler.core.models.archive.keeping import GONE, Removal, Selection
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report
from research_crawler.core.web.urls import ascii_host, canonical_url, is_public_suffix
from research_crawler.runtime.runtime import Runtime
from research_crawler.text.writing.markdown import address

REPORT = "report.md"
ALL_JOBS = ALL_COMMANDS = 1_000_000
"""A limit that stands for all jobs, and for all commands."""
INDEXED_WITHIN_S = 10.0
"""How long the command waits for the indexers to delete vectors, before it rewrites Redis' file."""


@dataclass(frozen=True)
class Forgotten:
    """What `research forget` deleted, and which folders it left."""

    removal: Removal
    jobs: list[str] = field(default_factory=list)
    """The jobs of which something was stored."""
    left_folders: list[str] = field(default_factory=list)
    """Folders outside of the data folder that still hold documents of these jobs."""
    notes: list[str] = field(default_factory=list)
    """What could not be deleted yet, and why."""

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to delete."""
        return self.removal.is_empty and not self.jobs


def selection_of(*, job: str = "", url: str = "", host: str = "", before: str = "") -> Selection:
    """Turn the arguments of `research forget` into a selection.

    Raises:
        UsageError: not exactly one argument is given, or it is malformed.
    """
    if sum(map(bool, (job, url, host, before))) != 1:
        raise UsageError("say what to forget: exactly one of a job, a URL, a host and a day")
    if job and not (job.isascii() and job.isalnum()):
        raise UnknownJob(job)
    if url and not canonical_url(url):
        raise UsageError(f"{url!r} is not an http(s) URL")
    if before > (datetime.now(UTC) + timedelta(days=1)).date().isoformat():
        raise UsageError(f"{before} is still to come: every job ended before it; give a day that has been")
    name = ascii_host(host)
    if host and (not name or is_public_suffix(name)):
        raise UsageError(f"{host!r} is not a host name such as shop.example.org")
    return Selection(
        jobs=[job] if job else [], url=canonical_url(url) if url else "", host=name, before=before
    )


async def forget(runtime: Runtime, selection: Selection) -> Forgotten:
    """Delete everything that is selected, from every store. Jobs that are not over stay.

    Raises:
        UsageError: a job that was named is not over.
    """
    container = runtime.container
    records = await _records(runtime, selection)
    ids = list(dict.fromkeys([*selection.jobs, *records]))
    known = [job for job in ids if await container.jobs.forget(job)]
    waiting = await container.outbox.withdraw(
        lambda event: event.job in ids or _uses_selected_page(event, selection)
    )
    full_selection = selection.changed(jobs=ids, pages=sorted(pages_of(records.values())))
    pages_in_use = pages_of(await active_jobs(container.jobs))
    removal = await container.archive.forget(full_selection, in_use=pages_in_use)
    commands = {*waiting, *removal.commands, *await _lacking(runtime, ids)}
    notes = await _forget_vectors(runtime, commands)
    citing = [job for job in removal.citing if job not in ids]
    await _mark_reports(runtime, citing)
    if selection.host:
        await asyncio.to_thread(HostSessions(runtime.config.home).drop, selection.host.removeprefix("www."))
    for job in ids:
        await SqlNotices(container.archive).drop(job)
    folders = [job for job in ids if await remove_folder(runtime.config.home / "jobs", job)]
    notes += filter(None, [await rewrite_append_only_file(container.folder.redis)])
    return Forgotten(
        removal=removal.changed(citing=citing),
        jobs=list(dict.fromkeys([*known, *removal.jobs, *folders])),
        left_folders=_outside_folders(records.values(), runtime.config.home),
        notes=notes,
    )


async def _lacking(runtime: Runtime, jobs: Collection[str]) -> list[str]:
    """The commands of these jobs whose findings wait for the vector index."""
    waiting = await runtime.container.outbox.postponed(ALL_COMMANDS)
    return [command for command in waiting if command.rpartition(":")[0] in jobs]


async def _forget_vectors(runtime: Runtime, commands: Collection[str]) -> list[str]:
    """Delete the vectors of these commands; returns a line if that is not done yet."""
    outbox = runtime.container.outbox
    await outbox.note_indexed(sorted(commands))
    if not commands or not runtime.container.memory.exists:
        return []  # a local index is in the memory of its process, and the next one is made of the archive
    await outbox.put_empty(commands)
    give_up_at = asyncio.get_running_loop().time() + INDEXED_WITHIN_S
    while await outbox.lacks(commands):
        if asyncio.get_running_loop().time() > give_up_at:
            return ["the vectors, and the ids of their commands in Redis, are deleted when the indexer runs"]
        await asyncio.sleep(0.1)
    return []


async def marked_report(runtime: Runtime, report: Report) -> Report:
    """The report with a mark at each citation of a page that has been deleted."""
    return mark_gone(report, await runtime.container.archive.kept_pages(cited_pages(report)))


async def _records(runtime: Runtime, selection: Selection) -> dict[str, Job]:
    """The records of the jobs to forget that are stored somewhere."""
    jobs, archive = runtime.container.jobs, runtime.container.archive
    found: dict[str, Job] = {}
    for job_id in selection.jobs:
        archived = await archive.get_job(job_id)
        job = await jobs.get(job_id) or (archived[0] if archived else None)
        found |= {job_id: job} if job else {}
    if selection.before:
        active = {job.id: job for job in await jobs.list_jobs()}
        for job in [*active.values(), *await archive.list_jobs(ALL_JOBS)]:
            is_over = active.get(job.id, job).state in FINAL_STATES
            if is_over and (job.completed_at or job.created_at) < selection.before:
                found.setdefault(job.id, job)
    return found


def _uses_selected_page(event: CommandDone, selection: Selection) -> bool:
    """Whether the page of an event, or of one of its findings, is selected by its URL or host."""
    page = [event.page.url, event.page.final_url] if event.page else []
    return selection.covers(*page, *(finding.url for finding in event.findings))


async def _mark_reports(runtime: Runtime, job_ids: Sequence[str]) -> None:
    """Rewrite report.md of the jobs that cite deleted pages, with the marks."""
    for job_id in job_ids:
        archived = await runtime.container.archive.get_job(job_id)
        if archived and archived[2] and await has_document(archived[0].folder, REPORT):
            report = await marked_report(runtime, Report.model_validate(archived[2]))
            await DiskJobFolder(runtime.config.home).write(
                archived[0].folder, {REPORT: report.report_markdown}
            )


def _outside_folders(jobs: Iterable[Job], home: Path) -> list[str]:
    folders = {job.folder for job in jobs if job.folder and Path(job.folder).parent != home / "jobs"}
    return sorted(folder for folder in folders if Path(folder).is_dir())


def cited_pages(report: Report) -> set[str]:
    """Hashes of all pages that a report is based on."""
    hashes = {entry.page_sha256 for entry in report.evidence}
    return (hashes | {source.content_hash for source in report.sources}) - {""}


def mark_gone(report: Report, kept: Collection[str]) -> Report:
    """The report, with a mark at every citation whose page is not in `kept`.

    Args:
        kept: hashes of the pages that the archive still has.
    """
    gone = cited_pages(report) - set(kept)
    if not gone:
        return report
    sources = [
        source.changed(gone=True) if source.content_hash in gone else source for source in report.sources
    ]
    marked = [source for source in sources if source.gone]
    lines = [_marked(line, marked) for line in report.report_markdown.split("\n")]
    return report.changed(sources=sources, gone_pages=sorted(gone), report_markdown="\n".join(lines))


def _marked(line: str, gone: Collection[Source]) -> str:
    """A line of Key Sources (`3. Title – host, date, URL`) with the mark at its end, if its page is gone."""
    is_gone = any(
        line.startswith(f"{source.n}. ") and line.endswith((f", {address(source.url)}", f", {source.url}"))
        for source in gone
    )
    return f"{line} ({GONE})" if is_gone else line
