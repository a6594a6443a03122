"""Ceilings of tokens and money hold for jobs, batches and days, whoever asks and whatever happens."""

import asyncio
import random

import pytest

from research_crawler.adapters.redis.budgets import RedisBudget
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.brain_errors import BudgetExhausted
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import Spent
from research_crawler.frontier.store import Frontier

DAY_MS = 86_400_000
NOW = 1_000 * DAY_MS


class Bank:
    """Jobs of one batch that are taken, and budgets with a clock that the test sets."""

    def __init__(self, redis) -> None:
        self.redis, self.now = redis, NOW
        self.jobs = RedisJobs(redis, clock=lambda: self.now)
        self.tokens: dict[str, str] = {}

    def budget(self, **day) -> RedisBudget:
        return RedisBudget(self.redis, clock=lambda: self.now, **day)

    async def job(self, name: str, *, batch: str = "", **limits) -> None:
        inputs = JobInputs(goal="why", batch=bool(batch), batch_id=batch)
        await self.jobs.submit(Job(id=name, inputs=inputs, limits=Limits(**limits)))
        taken = await self.jobs.take(max_active=99)
        self.tokens[taken.job.id] = taken.token

    async def reserve(
        self, budget: RedisBudget, job: str, n: int, tokens: int, usd: float = 0.0, model: str = ""
    ) -> str:
        return await budget.reserve(
            job=job,
            call=f"0:planner:{n}",
            token=self.tokens[job],
            bound_tokens=tokens,
            deadline_s=30,
            bound_usd=usd,
            model=model,
        )

    async def spend(
        self, budget: RedisBudget, job: str, n: int, name: str, tokens: int, usd: float = 0.0
    ) -> None:
        await budget.spend(
            name, job=job, call=f"0:planner:{n}", token=self.tokens[job], tokens=tokens, answer="yes", usd=usd
        )


@pytest.fixture
async def bank(redis_client):
    made = Bank(redis_client)
    yield made
    await made.jobs.close()


async def test_the_money_of_a_job_is_reserved_before_a_call_and_settled_after_it(bank):
    budget = bank.budget()
    await bank.job("j1", max_usd=0.01)
    first = await bank.reserve(budget, "j1", 0, 500, 0.008)
    with pytest.raises(
        BudgetExhausted, match=r"money ceiling of the job does not allow another \$0\.0030"
    ) as caught:
        await bank.reserve(budget, "j1", 1, 500, 0.003)
    assert caught.value.whose == "job"
    await bank.spend(budget, "j1", 0, first, 100, 0.002)
    assert await bank.reserve(budget, "j1", 2, 500, 0.008)
    await budget.close()


@pytest.mark.parametrize(
    ("limit", "bound"), [({"batch_max_tokens": 1_000}, (600, 0.0)), ({"batch_max_usd": 0.001}, (1, 0.0006))]
)
async def test_the_ceiling_of_a_batch_is_shared_by_its_rows_and_by_nobody_else(bank, limit, bound):
    budget = bank.budget()
    for job in ("r1", "r2"):
        await bank.job(job, batch="batchaaaaaaa", **limit)
    await bank.job("alone")
    name = await bank.reserve(budget, "r1", 0, *bound)
    with pytest.raises(BudgetExhausted, match="ceiling of the batch"):
        await bank.reserve(budget, "r2", 0, *bound)
    assert await bank.reserve(budget, "alone", 0, *bound)
    await bank.spend(budget, "r1", 0, name, 1, 0.000001)
    assert await bank.reserve(budget, "r2", 1, *bound)
    await budget.close()


async def test_the_ceiling_of_a_day_holds_for_all_jobs_until_the_next_day(bank):
    budget = bank.budget(day_max_tokens=1_000, day_max_usd=5.0)
    for job in ("j1", "j2"):
        await bank.job(job)
    await bank.reserve(budget, "j1", 0, 900, 1.0)
    with pytest.raises(BudgetExhausted, match="token ceiling of the day"):
        await bank.reserve(budget, "j2", 0, 200)
    bank.now += DAY_MS
    await bank.jobs.renew(bank.tokens)
    assert await bank.reserve(budget, "j2", 1, 200, 4.0)
    assert await budget.account("day.1001") == (200, 4.0)
    await budget.close()


async def test_sixteen_tasks_with_a_jittery_model_never_pass_the_ceiling_of_their_batch(bank):
    draw, ceiling = random.Random(7), 20_000
    for n in range(16):
        await bank.job(f"r{n}", batch="batchaaaaaaa", batch_max_tokens=ceiling, batch_max_usd=0.02)
    budgets, used = [bank.budget() for _ in range(4)], list[tuple[int, float]]()

    async def row(n: int) -> None:
        budget = budgets[n % 4]
        for call in range(30):
            bound = draw.randint(200, 900)
            try:
                name = await bank.reserve(budget, f"r{n}", call, bound, bound / 1e6)
            except BudgetExhausted:
                return
            await asyncio.sleep(draw.random() / 200)
            if draw.random() < 0.1:
                continue  # its process was killed: nobody settles it
            tokens = draw.randint(1, bound)
            used.append((tokens, tokens / 1e6))
            await bank.spend(budget, f"r{n}", call, name, tokens, tokens / 1e6)

    await asyncio.gather(*(row(n) for n in range(16)))
    tokens, usd = await budgets[0].account("batch.batchaaaaaaa")
    assert sum(one for one, _ in used) <= tokens <= ceiling
    assert usd <= 0.02
    assert tokens > ceiling / 2
    bank.now += 2 * 30_000  # twice the time of a call
    frontier = Frontier(bank.redis, clock=lambda: bank.now)
    await frontier.reap()
    await frontier.close()
    assert await bank.redis.zcard("research:resv") == 0
    assert (await budgets[0].account("batch.batchaaaaaaa"))[
        0
    ] == tokens  # what was not settled counts in full
    sums = await bank.redis.hmget("research:ledger:batch.batchaaaaaaa", ["reserved", "reserved$"])
    assert [int(one) for one in sums] == [0, 0]
    for budget in budgets:
        await budget.close()


async def test_the_shared_ceiling_that_is_nearest_to_its_end_is_told(bank):
    budget = bank.budget(day_max_tokens=1_000, day_max_usd=10.0)
    await bank.job("j1", batch="b1", batch_max_tokens=200)
    limits = Limits(batch_max_tokens=200)
    assert (await budget.shared_spent(limits, "b1")).share == 0
    await bank.reserve(budget, "j1", 0, 100, usd=2.0)
    assert await budget.shared_spent(limits, "b1") == Spent(share=0.5, of="batch")
    assert await budget.shared_spent(Limits(), "") == Spent(share=0.2, of="day")
    assert (await bank.budget().shared_spent(Limits(), "b1")).share == 0
    bank.now += DAY_MS
    assert (await budget.shared_spent(Limits(), "")).share == 0
    await budget.close()


async def test_a_day_is_told_by_model_and_what_was_booked_before_keeps_its_place(bank):
    budget = bank.budget(day_max_tokens=1_000)
    await bank.job("j1")
    await bank.reserve(budget, "j1", 0, 100, 0.5)  # as a process of the release before books it
    first = await bank.reserve(budget, "j1", 1, 300, 1.0, model="org/large one|2")
    await bank.reserve(budget, "j1", 2, 200, 0.25, model="small")
    await bank.spend(budget, "j1", 1, first, 50, 0.125)
    with pytest.raises(BudgetExhausted, match="token ceiling of the day"):
        await bank.reserve(budget, "j1", 3, 700, model="small")
    models = {"org/large one|2": (50, 0.125), "small": (200, 0.25)}
    days = await budget.days([1_000, 999], await budget.models())
    [hour] = await budget.hours(range(999 * 24, 1_001 * 24), await budget.models())
    assert (hour.at // 24, hour.whole, hour.models) == (1_000, days[0].whole, days[0].models)
    assert [(day.at, day.whole) for day in days] == [(1_000, (350, 0.875)), (999, (0, 0.0))]
    assert days[0].models == models
    bank.now += 91 * DAY_MS
    await bank.jobs.renew(bank.tokens)
    await bank.reserve(budget, "j1", 4, 10, model="newest")
    assert await budget.models() == ["newest"]
    await budget.close()
