"""What is no longer kept: a sweep by the process that indexes, at its start and then every hour (row 4.8)."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import structlog

from research_crawler.adapters.redis.jobs import RedisJobs
from research_crawler.core.config import Config
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.keeping import Removal, RetentionRule
from research_crawler.core.ports import Archive

SWEEP_S, GLANCE_S, LAST_S = 3_600.0, 60.0, 5.0
"""Between two sweeps; between two looks for pages that must go as soon as their jobs are over; for the last one."""
UNKNOWN_USE = timedelta(minutes=10)
"""A job's record names a page once its visit is settled (a lease lives 5 min) and the event is read: until then
nobody can tell whether the page is in use."""
GB = 1_000_000_000
RUNS_KEPT = timedelta(days=90)
"""A run's row says when a look was and how it ended. Of a watch of every five minutes there are 26,000 by then."""

log = structlog.get_logger(__name__)


class Retention:
    """Deletes pages by age, by room, and those that forbid archiving; and old runs of watches."""

    def __init__(self, config: Config, jobs: RedisJobs, archive: Archive) -> None:
        self._config, self._jobs, self._archive = config, jobs, archive
        self._has_told = False

    async def run(self) -> None:
        """Sweep until cancelled; a fault is logged and tried again."""
        clock = asyncio.get_running_loop().time
        next_sweep = clock()
        while True:
            is_whole = clock() >= next_sweep
            try:
                await self.sweep(whole=is_whole)
            except Exception:
                log.exception("old pages could not be removed; trying again")
            else:
                next_sweep = clock() + SWEEP_S if is_whole else next_sweep
            await asyncio.sleep(GLANCE_S)

    async def sweep(self, *, whole: bool = True) -> Removal:
        """Delete what is due; not `whole`: only pages that forbid archiving."""
        rule = await self.rule()
        if not whole:
            rule = RetentionRule(noarchive_before=rule.noarchive_before, in_use=rule.in_use)
        removed = await self._archive.retain(rule)
        if not removed.is_empty:
            log.info(
                "pages and runs are no longer kept",
                pages=removed.pages,
                raw_pages=removed.raw_pages,
                runs=removed.runs,
            )
        if whole:
            await self._tell_if_full(rule)
        return removed

    async def sweep_last(self) -> None:
        """At the end of a process: what must not outlive its job goes now, not when another process starts."""
        try:
            async with asyncio.timeout(LAST_S):
                await self.sweep(whole=False)
        except Exception as error:  # the next process does it
            log.info("the last sweep was left out", error=repr(error))

    async def rule(self) -> RetentionRule:
        """The rule of this moment."""
        now = datetime.now(UTC)
        active = await active_jobs(self._jobs)
        return RetentionRule(
            pages_before=_iso(now - timedelta(days=self._config.keep_pages_days)),
            noarchive_before=_iso(now - UNKNOWN_USE if active else now + timedelta(seconds=1)),
            max_bytes=int(self._config.archive_max_gb * GB),
            in_use=frozenset(pages_of(active)),
            runs_before_ms=int((now - RUNS_KEPT).timestamp() * 1000),
        )

    async def _tell_if_full(self, rule: RetentionRule) -> None:
        """What is left is cited: only a person may let it go."""
        due = await self._archive.due(rule)
        if due.over_bytes and not self._has_told:
            log.warning(
                "the archive is above RESEARCH_ARCHIVE_MAX_GB with what its jobs cite; "
                "raise it, or forget jobs: research forget --before DATE",
                held_gb=round(due.held_bytes / GB, 2),
            )
        self._has_told = bool(due.over_bytes)


async def active_jobs(jobs: RedisJobs) -> list[Job]:
    """The jobs that are not over."""
    states = await jobs.states()
    found = [await jobs.get(job) for job, state in states.items() if state not in FINAL_STATES]
    return [job for job in found if job]


def pages_of(jobs: Iterable[Job]) -> set[str]:
    """Hashes of the pages that these jobs have read."""
    return {visit.sha for job in jobs for visit in job.visits if visit.sha}


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
