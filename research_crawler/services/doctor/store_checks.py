"""Checks what is kept: Redis, the archive, the vectors, the watches, and who works on them."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from research_crawler.core.settings.sources import masked
from research_crawler.core.text.translatable import joined, translatable
from research_crawler.services.doctor.check import NAMED, CheckState, HealthCheck

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.watch_control import Overview

LOCAL_INDEX_POINTS = 20_000
"""With more findings than this, a Qdrant server is better than the index in memory, and none is made in memory for a
single question (`findings_search.py`): 5,000 take 4 s."""
OVERDUE_MS = 120_000
"""A watch that is due for longer than this has no scheduler, because a scheduler looks every second."""


async def check_stores(runtime: "Runtime") -> list[HealthCheck]:
    """All stores, and which processes run."""
    return [
        *await _redis(runtime),
        *await _archive(runtime),
        *await _vector_index(runtime),
        *await _watches(runtime),
        await _processes(runtime),
    ]


async def _redis(runtime: "Runtime") -> list[HealthCheck]:
    folder, counts = runtime.container.folder, await runtime.container.frontier.counts()
    url = runtime.config.redis_url
    where = masked(url) if url else translatable("embedded in %(folder)s", folder=folder.home)
    commands = translatable(
        "commands: %(queued)s queued, %(leased)s leased, %(dead)s given up",
        queued=sum(counts.queued.values()),
        leased=counts.leased,
        dead=counts.given_up,
    )
    jobs = translatable(
        "jobs: %(active)s active, %(pending)s pending", active=counts.active_jobs, pending=counts.pending_jobs
    )
    from research_crawler.adapters.redis.connection import memory_fault

    warnings = [HealthCheck("warn", "redis", warning) for warning in folder.warnings]
    if fault := await memory_fault(folder.redis):
        warnings.append(HealthCheck("bad", "memory", fault))
    return [
        HealthCheck("ok", "redis", joined([where, commands, jobs])),
        *warnings,
        *(HealthCheck("bad", "frontier", line) for line in counts.problems),
    ]


async def _archive(runtime: "Runtime") -> list[HealthCheck]:
    sizes = await runtime.container.archive.sizes()
    on_disk = sizes.pop("bytes", 0)
    rows = translatable(
        "pages: %(pages)s, with raw bytes: %(raw_pages)s, findings: %(findings)s, jobs: %(jobs)s; %(size)s MB",
        **sizes,
        size=on_disk / 1e6,
    )
    lines = [HealthCheck("ok", "archive", rows)]
    if sizes.get("findings", 0) > LOCAL_INDEX_POINTS and not runtime.config.qdrant_url:
        lines.append(
            HealthCheck(
                "warn",
                "index",
                translatable("more than %(most)s findings", most=LOCAL_INDEX_POINTS),
                translatable("set QDRANT_URL to a Qdrant server"),
            )
        )
    folder = runtime.container.folder.home
    size = await asyncio.to_thread(_size_of, folder)
    lines.append(
        HealthCheck(
            "ok", "data folder", translatable("%(folder)s, %(size)s MB", folder=folder, size=size / 1e6)
        )
    )
    return [*lines, await _retention(runtime)]


async def _vector_index(runtime: "Runtime") -> list[HealthCheck]:
    from research_crawler.adapters.models.embedder import SentenceEmbedder
    from research_crawler.services.index_state import backlog_note, server_fault

    config, note = runtime.config, await backlog_note(runtime)
    if not config.qdrant_url:
        return [HealthCheck("warn", "vectors", note)] if note else []
    embedder = SentenceEmbedder(config.embedding_model)
    fault = await server_fault(runtime, dimensions=embedder.dimensions)
    if fault:
        lost = translatable("research goes on without searches by meaning")
        return [HealthCheck("bad", "vectors", joined([fault, note]), lost)]
    where = translatable("Qdrant at %(address)s", address=masked(config.qdrant_url))
    return [HealthCheck("warn" if note else "ok", "vectors", joined([where, note]))]


async def _retention(runtime: "Runtime") -> HealthCheck:
    from research_crawler.background.retention_sweep import Retention

    config, container = runtime.config, runtime.container
    due = await container.archive.due(await Retention(config, container.jobs, container.archive).rule())
    held = translatable(
        "pages are kept for %(days)s days; %(size)s MB",
        days=config.keep_pages_days,
        size=due.held_bytes / 1e6,
    )
    if config.archive_max_gb:
        held = translatable("%(held)s of at most %(most)s GB", held=held, most=f"{config.archive_max_gb:g}")
    parts = [
        (due.raw_pages, translatable("pages whose raw bytes go: %(n)s", n=due.raw_pages)),
        (due.pages, translatable("pages that no finding cites: %(n)s", n=due.pages)),
        (due.noarchive, translatable("pages that must not be archived: %(n)s", n=due.noarchive)),
        (due.runs, translatable("old runs of watches: %(n)s", n=due.runs)),
        (
            due.over_bytes,
            translatable("%(size)s MB above the limit, oldest first", size=due.over_bytes / 1e6),
        ),
    ]
    text = joined((text for is_due, text in parts if is_due), ", ") or translatable("nothing")
    told = translatable("%(held)s; due: %(due)s", held=held, due=text)
    return HealthCheck("warn" if due.over_bytes else "ok", "retention", told)


def _size_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size
        except OSError:  # The file was deleted meanwhile.
            continue
    return total


async def _watches(runtime: "Runtime") -> list[HealthCheck]:
    from research_crawler.adapters.sql.stores.watch_store import SqlWatches
    from research_crawler.services.watch_control import now_ms, overview

    return watch_checks(await overview(SqlWatches(runtime.container.archive)), now_ms())


def watch_checks(overview: "Overview", now_ms: int) -> list[HealthCheck]:
    """The checks of watches: how many there are, the next run, and the ones whose last run failed."""
    from planner.watches.price_alerts import plain_line

    if not overview.active and not overview.paused:
        return [
            HealthCheck("ok", "watches", translatable("none"), translatable("`research watch add` makes one"))
        ]
    text: str = translatable(
        "%(active)s active, %(paused)s paused", active=overview.active, paused=overview.paused
    )
    state: CheckState = "ok"
    todo = ""
    if overview.next_watch and overview.next_watch.next_due_ms is not None:
        name, due_ms = plain_line(overview.next_watch.watch.name), overview.next_watch.next_due_ms
        text = translatable(
            "%(watches)s; next run %(time)s (%(name)s)", watches=text, time=_time_text(due_ms), name=name
        )
        if due_ms < now_ms - OVERDUE_MS:
            state, text = "warn", translatable("%(watches)s: overdue", watches=text)
            todo = translatable("`research up` or `research plan` runs watches on time")
    checks = [HealthCheck(state, "watches", text, todo)]
    if failed := overview.failed:
        names = ", ".join(f"{watch.id} ({plain_line(run.note)})" for watch, run in failed[:NAMED])
        failures = translatable("%(n)s failed in their last run: %(names)s", n=len(failed), names=names)
        if len(failed) > NAMED:
            failures = translatable("%(text)s and %(n)s more", text=failures, n=len(failed) - NAMED)
        checks.append(HealthCheck("warn", "watches", failures))
    return checks


def _time_text(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def _processes(runtime: "Runtime") -> HealthCheck:
    from research_crawler.services.jobs.job_lifecycle import missing_process

    works_itself = runtime.plan and runtime.crawl
    if works_itself or not await missing_process(runtime):
        return HealthCheck("ok", "processes", translatable("crawler and planner are running"))
    return HealthCheck(
        "ok",
        "processes",
        translatable("none running"),
        translatable("`research run` starts its own, `research up` runs until stopped"),
    )
