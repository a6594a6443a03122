"""Feeds batches: rows become jobs as places are free, and jobs that are over become results of rows.

Any number of processes may run one. A row is claimed in the archive first, then its job is submitted under an id made
of batch and row: if the process ends between the two, the next feeder finds a row without a job and submits it. A job
that is submitted twice counts once.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from planner.columns.column_questions import with_columns
from planner.job.factory import make_job
from planner.job.outcome import cause_of
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.stores.batch_store import ROWS_AT_ONCE, SqlBatches
from research_crawler.core.batch_template import filled
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.batches import Batch, BatchRow, RowResult, RowState
from research_crawler.core.models.jobs.columns import value_texts
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.reports.report import EVIDENCE_INSUFFICIENT, Report
from research_crawler.core.ports.archives import Archive
from research_crawler.core.tasks.every import every

_EVERY_S: Final = 0.5
"""How often batches are looked at: rows become jobs, jobs become results."""
_BEGUN_AT_ONCE: Final = 4
"""So many rows begin with each look: begun all at once, they search, read and write at the same moment, and none ends
for a long time."""
SAME_CAUSE: Final = 5
"""So many rows that fail in a row for one and the same reason stop their batch."""
BESIDE_OTHERS: Final = 8
"""While a job that is no row is under way, rows begin, and go on, in only one place of so many: they take its
processor. With one of four a question took up to 2.7 times as long as alone (docs/decisions/017)."""
_SUBJECT_CHARS: Final = 500
"""Longest subject that a row gives its job."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Ended:
    """A row whose job is over."""

    row: BatchRow
    state: RowState
    result: RowResult


class BatchFeeder:
    """Keeps a number of rows running, shared fairly by the batches, until none waits."""

    def __init__(
        self,
        batches: SqlBatches,
        jobs: RedisJobs,
        archive: Archive,
        *,
        max_rows: int = 16,
        only: str = "",
    ) -> None:
        """Make a feeder.

        Args:
            batches: the store of batches.
            jobs: where rows become jobs.
            archive: where the reports of jobs that are over stand.
            max_rows: most rows that run at once, over all batches.
            only: the one batch to work on; "" for all.
        """
        self._batches, self._jobs, self._archive = batches, jobs, archive
        self._max_rows, self._only = max_rows, only

    async def run(self) -> None:
        """Work until cancelled. A failure (Redis or the archive does not answer) is logged once and tried again."""
        await every(_EVERY_S, self.tick, "the work on batches")

    async def tick(self) -> int:
        """Settle the rows whose jobs are over, and start rows in free places; returns how many were started."""
        running = await self._batches.running()
        chosen = [batch for batch in running if not self._only or batch.id == self._only]
        if not chosen:
            return 0
        under_way = {batch.id: await self._batches.rows(batch.id, states=["running"]) for batch in running}
        share = -(-self._max_rows // len(running))
        others = await self._jobs.active() - {row.job for rows in under_way.values() for row in rows}
        if others:  # somebody waits for an answer now
            share = max(1, share // BESIDE_OTHERS)
        started, faults = 0, list[Exception]()
        for batch in chosen:
            try:
                started += await self._feed(batch, under_way[batch.id], share)
            except Exception as error:  # one batch that cannot go on keeps no other from it
                faults.append(error)
        if faults:
            raise ExceptionGroup("batches cannot go on", faults)
        return started

    async def _feed(self, batch: Batch, under_way: Sequence[BatchRow], max_rows: int) -> int:
        ended, missing = await self._looked_at(under_way)
        if ended:
            values = [(one.row, one.state, one.result) for one in ended]
            await self._batches.settle(values, now_ms=_now_ms())
        if ended and await self._stop_if_all_fail(batch):
            return 0
        free = max_rows - (len(under_way) - len(ended))
        rows = [*missing, *await self._batches.claim(batch.id, min(free, ROWS_AT_ONCE, _BEGUN_AT_ONCE))]
        for row in rows:
            await self._start(batch, row)
        if not rows and len(ended) == len(under_way):
            await self._end_if_over(batch)
        return len(rows)

    async def _looked_at(self, rows: Sequence[BatchRow]) -> tuple[list[_Ended], list[BatchRow]]:
        """Those of the running rows whose jobs are over, and those that have no job."""
        states = await self._jobs.states_of([row.job for row in rows])
        ended, missing = list[_Ended](), list[BatchRow]()
        for row in rows:
            state = states.get(row.job)
            if state is not None and state not in FINAL_STATES:
                continue
            found = await self._archived(row)
            if found:
                ended.append(found)
            elif state is None:
                missing.append(row)
            # A job that is over and not archived yet was cancelled or given up; the archiver is about to see it.
        return ended, missing

    async def _archived(self, row: BatchRow) -> _Ended | None:
        kept = await self._archive.get_job(row.job)
        if kept is None or not kept[2]:
            return None
        state, result = result_of_row(kept[0], Report.model_validate(kept[2]))
        return _Ended(row, state, result)

    async def _start(self, batch: Batch, row: BatchRow) -> None:
        """Make a row's job, unless an earlier process has finished it."""
        now_ms = _now_ms()
        if found := await self._archived(row):
            await self._batches.settle([(row, found.state, found.result)], now_ms=now_ms)
            return
        try:
            job = row_job(batch, row, now_ms)
        except UsageError as error:
            failed = RowResult(error=str(error), cause=str(error))
            await self._batches.settle([(row, "failed", failed)], now_ms=now_ms)
            return
        await self._jobs.submit(job)

    async def _stop_if_all_fail(self, batch: Batch) -> bool:
        """Stop the batch if its last rows failed for one and the same reason."""
        results = await self._batches.last_results(batch.id, SAME_CAUSE)
        if shared := next((result.cause for result in results if result.ceiling in ("batch", "day")), ""):
            return await self._stop(batch, shared)
        causes = [result.cause for result in results]
        if len(causes) < SAME_CAUSE or not causes[0] or len(set(causes)) > 1:
            return False
        reason = f"{SAME_CAUSE} rows in a row failed for the same reason: {causes[0]}"
        return await self._stop(batch, reason)

    async def _stop(self, batch: Batch, reason: str) -> bool:
        return await self._batches.set_state(
            batch.id, "stopped", reason=reason, now_ms=_now_ms(), only_if="running"
        )

    async def _end_if_over(self, batch: Batch) -> None:
        counts = await self._batches.counts(batch.id)
        if not counts.get("waiting") and not counts.get("running"):
            await self._batches.set_state(batch.id, "completed", now_ms=_now_ms(), only_if="running")


def row_job(batch: Batch, row: BatchRow, now_ms: int) -> Job:
    """The pending job of a row.

    Raises:
        UsageError: the question of this row cannot be asked.
    """
    inputs = batch.inputs.changed(
        goal=filled(batch.template, row.fields),
        notify=[],  # the batch is told about as a whole
        subject="; ".join(value.replace(";", " ") for value in row.fields.values() if value)[:_SUBJECT_CHARS],
    )
    job = make_job(
        inputs,
        batch.limits,
        brain=batch.brain,
        model=batch.model,
        folder=str(Path(batch.folder, f"row-{row.n}")),
        job_id=row.job,
        created_at=datetime.fromtimestamp(now_ms / 1000, UTC),
    )
    return with_columns(job)


_ANSWER_CHARS: Final = 1_000
"""Longest answer or error of a row in the table."""
_MOST_SOURCES: Final = 5
"""Most addresses of sources of a row."""


def result_of_row(job: Job, report: Report) -> tuple[RowState, RowResult]:
    """The state of a row whose job is over, and its result."""
    cause = cause_of(job)
    result = RowResult(
        answer=_answer(report),
        confidence=confidence_of(job, report),
        findings=job.plan.findings,
        sources=[source.url for source in report.sources[:_MOST_SOURCES]],
        values=report.values,
        tokens=job.usage.prompt_tokens + job.usage.completion_tokens,
        usd=job.usage.usd,
        searches=job.plan.searches_used,
        pages=job.plan.pages_read,
        pages_fetched=job.pages_fetched,
        seconds=round(report.metrics.seconds, 3),
        cause=cause,
        ceiling=job.plan.ceiling,
        error=job.error[:_ANSWER_CHARS],
    )
    if job.state == "cancelled":
        return "cancelled", result
    has_answer = bool(report.claims or any(value.value is not None for value in report.values))
    if job.state == "failed" or (cause and not (job.plan.ceiling and has_answer)):
        return "failed", result
    nulls = sum(value.value is None for value in report.values)
    if nulls == len(report.values) and (nulls or report.exit_code == EVIDENCE_INSUFFICIENT):
        return "insufficient", result
    return ("partly" if nulls or report.outcome == "partly" else "done"), result


def _answer(report: Report) -> str:
    """The values that were found, each with its name, and behind them the first sentences of the report.

    Sentences that no model has read may be about something else than the row, and say another value than its cells.
    """
    values = value_texts(report.values)
    has_cells = bool(values) and report.brain == "extractive"
    parts = [values, *(claim.text for claim in report.claims if not has_cells)]
    return " ".join(part for part in parts if part)[:_ANSWER_CHARS]


def confidence_of(job: Job, report: Report) -> float | None:
    """How sure the answer is: the mean of its pages' confidence, and of its values where it has columns."""
    asked = [value for value in report.values if value.value is not None]
    if report.values:
        return round(sum(value.confidence for value in asked) / len(report.values), 3)
    if report.quality.confidence is not None:
        return report.quality.confidence
    read = [visit.confidence for visit in job.visits if visit.outcome == "ok" and visit.findings]
    return round(sum(read) / len(read), 3) if read and report.claims else None


def _now_ms() -> int:
    return int(time.time() * 1000)
