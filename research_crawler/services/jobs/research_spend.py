"""What research has cost: tokens and money by day, model, batch and job, beside the ceilings that hold."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pydantic import Field

from research_crawler.adapters.redis.budgets import SpanBooked
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs.job import Job, Outcome, State
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches import batch_control
from research_crawler.services.jobs.listed_jobs import job_entries, records_page

DAYS_TOLD = 60
"""Days of spending that are listed: two months, as services bill by the month."""
HOURS_DAYS = 16
"""Days whose hours are kept (`_budgets.lua`); older ones are days of UTC in every time zone."""
_DAY_S, _HOUR_S, _HOURS = 86_400, 3_600, 24
"""Seconds of a day and an hour, and hours of a day."""


class Spending(Frozen):
    """Tokens and money, with the ceilings for them; None: no ceiling."""

    tokens: int = 0
    usd: float = 0.0
    max_tokens: int | None = None
    max_usd: float | None = None

    @property
    def share(self) -> float | None:
        """The part of the tighter ceiling that is used, from 0 to 1; None without a ceiling."""
        shares = [self.tokens / self.max_tokens] if self.max_tokens else []
        shares += [self.usd / self.max_usd] if self.max_usd else []
        return min(1.0, max(shares)) if shares else None


class ModelSpent(Frozen):
    """What the calls of a model have cost on a day."""

    model: str
    """Empty: calls whose model was not noted, as those of earlier releases."""
    tokens: int
    usd: float


class DaySpent(Spending):
    """What all jobs of a day (UTC) have spent, and what running calls have reserved."""

    day: str
    models: list[ModelSpent] = Field(default_factory=list)
    """The same by model, the one with the most first."""


class BatchSpent(Spending):
    """What a batch has spent."""

    batch: str
    name: str
    state: str
    rows: int
    ended_rows: int


class JobSpent(Spending):
    """What a job has spent."""

    task_id: str
    topic: str
    state: State
    outcome: Outcome | None = None
    """Of a completed job: what its report makes of it."""
    model_calls: int
    pages_fetched: int


class SpendPage(Frozen):
    """Days, batches, and a page of jobs, newest first."""

    days: list[DaySpent]
    batches: list[BatchSpent]
    jobs: list[JobSpent]
    next: str | None = None
    """What to give as `after` for further jobs; null: there are none."""


async def spend_page(runtime: Runtime, *, limit: int, after: str = "") -> SpendPage:
    """What was spent.

    Args:
        runtime: a connected process.
        limit: how many jobs, at most.
        after: `next` of the page before; empty: the newest jobs.

    Raises:
        UsageError: `after` is not from a page.
    """
    records, following = await records_page(runtime, limit=limit, after=after)
    jobs = [_spent_by(job) for job in records]
    return SpendPage(
        days=await spent_days(runtime), batches=await spent_batches(runtime), jobs=jobs, next=following
    )


@dataclass(frozen=True)
class SpentEntry:
    """A line of a list of what was spent: a job, or the rows of a batch together."""

    batch: str
    """Empty: a job alone."""
    jobs: list[JobSpent]


async def spent_entries(
    runtime: Runtime, *, limit: int, after: str = ""
) -> tuple[list[SpentEntry], str | None]:
    """A page of such lines, newest first, and what to give as `after` for the next page.

    Raises:
        UsageError: `after` is not from a page.
    """
    found, following = await job_entries(runtime, limit, after=after)
    entries = [SpentEntry(jobs[0].inputs.batch_id, [_spent_by(job) for job in jobs]) for jobs in found]
    return entries, following


def _spent_by(job: Job) -> JobSpent:
    return JobSpent(
        task_id=job.id,
        topic=job.topic,
        state=job.state,
        outcome=job.outcome,
        model_calls=job.usage.model_calls,
        pages_fetched=job.pages_fetched,
        tokens=job.usage.prompt_tokens + job.usage.completion_tokens,
        usd=job.usage.usd,
        max_tokens=job.limits.max_tokens,
        max_usd=job.limits.max_usd,
    )


async def spent_days(runtime: Runtime) -> list[DaySpent]:
    """Today, and the days before on which something was spent."""
    booked, _ = await _booked(runtime)
    today = int(time.time()) // _DAY_S
    return [
        DaySpent(
            day=_date_of(day.at),
            tokens=day.whole[0],
            usd=day.whole[1],
            max_tokens=runtime.config.day_max_tokens,
            max_usd=runtime.config.day_max_usd,
            models=_models(day.whole, day.models),
        )
        for day in booked
        if any(day.whole) or day.at == today
    ]


async def days_in(runtime: Runtime, zone: ZoneInfo) -> list[DaySpent]:
    """The same by the days of a time zone, without ceilings, which are those of days in UTC.

    An hour counts to the day in which it begins. What was spent before hours were noted counts to the day with the same
    date in UTC.
    """
    booked, names = await _booked(runtime)
    now = int(time.time()) // _HOUR_S
    first = max(min(day.at for day in booked), now // _HOURS - HOURS_DAYS) * _HOURS
    hours = await runtime.container.budget.hours(range(first, now + 1), names)
    found: dict[str, _Sums] = {datetime.now(zone).date().isoformat(): _Sums()}
    rest = {day.at: _Sums().plus(day) for day in booked}
    for hour in hours:
        day = datetime.fromtimestamp(hour.at * _HOUR_S, zone).date().isoformat()
        found.setdefault(day, _Sums()).plus(hour)
        rest.setdefault(hour.at // _HOURS, _Sums()).plus(hour, times=-1)
    for at, sums in rest.items():
        found.setdefault(_date_of(at), _Sums()).add(sums)
    return [
        DaySpent(day=day, tokens=sums.whole[0], usd=sums.whole[1], models=_models(sums.whole, sums.models))
        for day, sums in sorted(found.items(), reverse=True)
        if any(sums.whole) or day == max(found)
    ]


@dataclass
class _Sums:
    """Tokens and money of a day, in all and by model."""

    whole: tuple[int, float] = (0, 0.0)
    models: dict[str, tuple[int, float]] = field(default_factory=dict)

    def plus(self, span: SpanBooked, *, times: int = 1) -> "_Sums":
        """These sums with those of a day or an hour, or without them."""
        self.whole = _sum(self.whole, span.whole, times)
        for model, spent in span.models.items():
            self.models[model] = _sum(self.models.get(model, (0, 0.0)), spent, times)
        return self

    def add(self, sums: "_Sums") -> None:
        """Add what another day has above zero: more was noted by hours than by days where both were read apart."""
        self.whole = _sum(self.whole, (max(0, sums.whole[0]), max(0.0, sums.whole[1])))
        for model, (tokens, usd) in sums.models.items():
            self.models[model] = _sum(self.models.get(model, (0, 0.0)), (max(0, tokens), max(0.0, usd)))


def _sum(one: tuple[int, float], other: tuple[int, float], times: int = 1) -> tuple[int, float]:
    return one[0] + times * other[0], round(one[1] + times * other[1], 6)


def _date_of(day: int) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(days=day)).date().isoformat()


async def _booked(runtime: Runtime) -> tuple[list[SpanBooked], list[str]]:
    """What was spent on the last days (UTC), and the models that were called."""
    budget, today = runtime.container.budget, int(time.time()) // _DAY_S
    names = await budget.models()
    return await budget.days(range(today, today - DAYS_TOLD, -1), names), names


def _models(whole: tuple[int, float], models: Mapping[str, tuple[int, float]]) -> list[ModelSpent]:
    """What each model has spent, with the rest of the day under no name."""
    found = [ModelSpent(model=name, tokens=tokens, usd=usd) for name, (tokens, usd) in models.items()]
    rest_usd = round(whole[1] - sum(one.usd for one in found), 6)
    rest = ModelSpent(model="", tokens=whole[0] - sum(one.tokens for one in found), usd=rest_usd)
    spent = [one for one in (*found, rest) if one.tokens > 0 or one.usd > 0]
    return sorted(spent, key=lambda one: (-one.usd, -one.tokens, one.model))


async def spent_batches(runtime: Runtime) -> list[BatchSpent]:
    """The newest batches, with what their rows under way have used."""
    return [
        BatchSpent(
            batch=entry.batch.id,
            name=entry.batch.name or entry.batch.template,
            state=entry.state,
            rows=entry.batch.rows,
            ended_rows=entry.ended_rows,
            tokens=entry.tokens,
            usd=entry.usd,
            max_tokens=entry.batch.limits.batch_max_tokens,
            max_usd=entry.batch.limits.batch_max_usd,
        )
        for entry in await batch_control.all_batches(runtime)
    ]
