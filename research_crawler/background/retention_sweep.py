"""Deletes old pages and runs. The process that indexes does a full sweep at its start and then every hour."""

import asyncio
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.config import Config
from research_crawler.core.log import get_log
from research_crawler.core.models.archive.keeping import Removal, RetentionRule
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.ports.archives import Archive
from research_crawler.core.tasks.every import every

SWEEP_S, GLANCE_S, LAST_S = 3_600.0, 60.0, 5.0
"""Time between full sweeps, time between sweeps of pages that forbid archiving, time for the last sweep."""
UNKNOWN_USE = timedelta(minutes=10)
"""How long a page may be in use without a record of it.

A job's record names a page when the visit is settled (a lease lasts 5 min) and its event is read.
"""
GB = 1_000_000_000
"""Bytes of a gigabyte, as the setting of the archive's size counts."""
RUNS_KEPT = timedelta(days=90)
"""How long the row of a watch's run is kept: when it was and how it ended.

A watch that runs every five minutes has 26,000 rows by then.
"""

log = get_log(__name__)


class Retention:
    """Deletes pages that are too old, too many, or that forbid archiving, and old runs of watches."""

    def __init__(self, config: Config, jobs: RedisJobs, archive: Archive) -> None:
        self._config, self._jobs, self._archive = config, jobs, archive
        self._has_warned = False
        self._next_sweep_s = 0.0

    async def run(self) -> None:
        """Sweep until cancelled. An error is logged, and the loop goes on."""
        await every(GLANCE_S, self._glance, "the deletion of old pages")

    async def _glance(self) -> None:
        now_s = time.monotonic()
        is_full = now_s >= self._next_sweep_s
        await self.sweep(full=is_full)
        if is_full:
            self._next_sweep_s = now_s + SWEEP_S

    async def sweep(self, *, full: bool = True) -> Removal:
        """Delete what is due. A sweep that is not `full` deletes only pages that forbid archiving."""
        rule = await self.rule()
        if not full:
            rule = RetentionRule(noarchive_before=rule.noarchive_before, in_use=rule.in_use)
        removed = await self._archive.retain(rule)
        if not removed.is_empty:
            log.info(
                "old pages and runs were deleted",
                pages=removed.pages,
                raw_pages=removed.raw_pages,
                runs=removed.runs,
            )
        if full:
            await self._warn_if_too_large(rule)
        return removed

    async def sweep_last(self) -> None:
        """Delete pages that forbid archiving when the process ends: they must not wait for the next one."""
        try:
            async with asyncio.timeout(LAST_S):
                await self.sweep(full=False)
        except Exception as error:  # The next process does it.
            log.info("the last sweep was skipped", error=repr(error))

    async def rule(self) -> RetentionRule:
        """The rule that holds now."""
        now = datetime.now(UTC)
        active = await active_jobs(self._jobs)
        return RetentionRule(
            pages_before=_iso(now - timedelta(days=self._config.keep_pages_days)),
            noarchive_before=_iso(now - UNKNOWN_USE if active else now + timedelta(seconds=1)),
            max_bytes=int(self._config.archive_max_gb * GB),
            in_use=frozenset(pages_of(active)),
            runs_before_ms=int((now - RUNS_KEPT).timestamp() * 1000),
        )

    async def _warn_if_too_large(self, rule: RetentionRule) -> None:
        """Warn if the archive is too large after a sweep: jobs cite the rest, so a person has to decide."""
        due = await self._archive.due(rule)
        if due.over_bytes and not self._has_warned:
            log.warning(
                "the archive is larger than RESEARCH_ARCHIVE_MAX_GB, and jobs cite all its pages; "
                "raise the limit, or delete old jobs",
                held_gb=round(due.held_bytes / GB, 2),
            )
        self._has_warned = bool(due.over_bytes)


async def active_jobs(jobs: RedisJobs) -> list[Job]:
    """The jobs that are not over."""
    states = await jobs.states()
    found = [await jobs.get(job) for job, state in states.items() if state not in FINAL_STATES]
    return [job for job in found if job]


def pages_of(jobs: Iterable[Job]) -> set[str]:
    """The hashes of the pages that these jobs have read."""
    read = {visit.sha for job in jobs for visit in job.visits if visit.sha}
    return read | {file.sha for job in jobs for file in job.inputs.files}


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
