"""Checks what is kept: Redis, the archive, the vectors, the watches, and who works on them."""

from pathlib import Path
from typing import TYPE_CHECKING

from research_crawler.cli.checks.lines import BAD, NAMED, OK, WARN, Line
from research_crawler.core.config import Config
from research_crawler.core.settings.sources import masked
from research_crawler.core.text.counting import count

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.watch_control import Overview

LOCAL_INDEX_POINTS = 20_000
"""With more findings than this, a Qdrant server is better than the index in memory."""
OVERDUE_MS = 120_000
"""A watch that is due for longer than this has no scheduler, because a scheduler looks every second."""


async def check_stores(config: Config) -> list[Line]:
    """All stores, and which processes run."""
    from research_crawler.runtime.runtime import running

    async with running(config, crawl=False, plan=False) as runtime:
        return [
            *await _redis(runtime),
            *await _archive(runtime),
            *await _vector_index(runtime),
            *await _watches(runtime),
            await _processes(runtime),
        ]


async def _redis(runtime: "Runtime") -> list[Line]:
    folder, counts = runtime.container.folder, await runtime.container.frontier.counts()
    url = runtime.config.redis_url
    where = masked(url) if url else f"embedded in {folder.home}"
    queued = sum(counts.queued.values())
    text = f"{where}; {queued} commands queued, {counts.leased} leased, {counts.dead} given up"
    jobs = f"{count(counts.active_jobs, 'job')} active, {counts.pending_jobs} pending"
    from research_crawler.adapters.redis.connection import memory_fault

    warnings = [(WARN, "redis", warning) for warning in folder.warnings]
    if fault := await memory_fault(folder.redis):
        warnings.append((BAD, "memory", fault))
    return [
        (OK, "redis", f"{text}; {jobs}"), *warnings, *((BAD, "frontier", line) for line in counts.problems)
    ]  # fmt: skip


async def _archive(runtime: "Runtime") -> list[Line]:
    sizes = await runtime.container.archive.sizes()
    on_disk = sizes.pop("bytes", 0)
    rows = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in sizes.items())
    lines = [(OK, "archive", f"{rows}; {on_disk / 1e6:.1f} MB")]
    if sizes.get("findings", 0) > LOCAL_INDEX_POINTS and not runtime.config.qdrant_url:
        lines.append(
            (WARN, "index", f"more than {LOCAL_INDEX_POINTS:,} findings; set QDRANT_URL to a Qdrant server")
        )
    folder = runtime.container.folder.home
    lines.append((OK, "data folder", f"{folder}, {_size_of(folder) / 1e6:.1f} MB"))
    return [*lines, await _retention(runtime)]


async def _vector_index(runtime: "Runtime") -> list[Line]:
    from research_crawler.adapters.models.embedder import SentenceEmbedder
    from research_crawler.services.index_state import backlog_note, server_fault

    config, note = runtime.config, await backlog_note(runtime)
    if not config.qdrant_url:
        return [(WARN, "vectors", note)] if note else []
    embedder = SentenceEmbedder(config.embedding_model)
    fault = await server_fault(runtime, dimensions=embedder.dimensions)
    if fault:
        lost = "research goes on without searches by meaning"
        return [(BAD, "vectors", "; ".join(filter(None, (fault, note, lost))))]
    where = f"Qdrant at {masked(config.qdrant_url)}"
    return [(WARN if note else OK, "vectors", "; ".join(filter(None, (where, note))))]


async def _retention(runtime: "Runtime") -> Line:
    from research_crawler.background.retention_sweep import Retention

    config, container = runtime.config, runtime.container
    due = await container.archive.due(await Retention(config, container.jobs, container.archive).rule())
    limit = f" of at most {config.archive_max_gb:g} GB" if config.archive_max_gb else ""
    held = f"pages are kept for {config.keep_pages_days} days; {due.held_bytes / 1e6:.1f} MB{limit}"
    due_parts = [
        f"raw bytes of {count(due.raw_pages, 'page')} ({due.raw_bytes / 1e6:.1f} MB)"
        if due.raw_pages
        else "",
        f"{count(due.pages, 'page')} that no finding cites" if due.pages else "",
        f"{count(due.noarchive, 'page')} that must not be archived" if due.noarchive else "",
        f"{due.runs:,} old runs of watches" if due.runs else "",
        f"{due.over_bytes / 1e6:.1f} MB above the limit, oldest first" if due.over_bytes else "",
    ]
    text = "; ".join(filter(None, due_parts))
    return (WARN if due.over_bytes else OK), "retention", f"{held}; due: {text or 'nothing'}"


def _size_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size
        except OSError:  # The file was deleted meanwhile.
            continue
    return total


async def _watches(runtime: "Runtime") -> list[Line]:
    from research_crawler.adapters.sql.watches import SqlWatches
    from research_crawler.services.watch_control import now_ms, overview

    return watch_lines(await overview(SqlWatches(runtime.container.archive)), now_ms())


def watch_lines(overview: "Overview", now_ms: int) -> list[Line]:
    """The lines on watches: how many there are, the next run, and the ones whose last run failed."""
    from planner.watches.price_alerts import plain_line
    from research_crawler.cli.views.watch_view import time_text

    if not overview.active and not overview.paused:
        return [(OK, "watches", "none; `research watch add` makes one")]
    text, mark = f"{overview.active} active, {overview.paused} paused", OK
    if overview.next_watch and overview.next_watch.next_due_ms is not None:
        name, due_ms = plain_line(overview.next_watch.watch.name), overview.next_watch.next_due_ms
        text += f"; next run {time_text(due_ms)} ({name})"
        if due_ms < now_ms - OVERDUE_MS:
            text, mark = f"{text}: overdue; `research up` or `research plan` runs watches on time", WARN
    lines = [(mark, "watches", text)]
    if failed := overview.failed:
        names = ", ".join(f"{watch.id} ({plain_line(run.note)})" for watch, run in failed[:NAMED])
        more = f" and {len(failed) - NAMED} more" if len(failed) > NAMED else ""
        lines.append((WARN, "watches", f"{len(failed)} failed in their last run: {names}{more}"))
    return lines


async def _processes(runtime: "Runtime") -> Line:
    from research_crawler.services.jobs.control import missing_process

    if not await missing_process(runtime):
        return OK, "processes", "crawler and planner are running"
    return OK, "processes", "none running; `research run` starts its own, `research up` runs until stopped"
