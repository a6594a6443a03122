import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from research_crawler.adapters.redis.budgets import RedisBudget
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.brain_errors import BudgetExhausted
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.commands import VisitCommand
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.store import Frontier

ORIGIN = "http://model:80"


class Desk:
    """A job that has been taken, and its budget."""

    def __init__(self, redis: Redis) -> None:
        self.redis, self.now = redis, 1_000_000
        self.budget = RedisBudget(redis, clock=lambda: self.now)
        self.jobs = RedisJobs(redis, clock=lambda: self.now)
        self.frontier = Frontier(redis, clock=lambda: self.now)
        self.token = ""

    async def open(self, max_tokens: int | None = 300) -> None:
        await self.frontier.configure(default_delay_ms=5_000, host_permits=8, model_permits=2)
        await self.jobs.submit(
            Job(id="j1", inputs=JobInputs(goal="why"), limits=Limits(max_tokens=max_tokens))
        )
        self.token = (await self.jobs.take(max_active=9)).token

    async def reserve(
        self, call: str = "0:planner:0", bound: int = 100, token: str | None = None, job: str = "j1"
    ) -> str:
        return await self.budget.reserve(
            job=job, call=call, token=token or self.token, bound_tokens=bound, deadline_s=20
        )

    async def spend(self, rid: str, tokens: int, call: str = "0:planner:0", answer: str = "yes") -> None:
        await self.budget.spend(rid, job="j1", call=call, token=self.token, tokens=tokens, answer=answer)


@pytest.fixture
async def desk(redis_client: Redis) -> AsyncIterator[Desk]:
    made = Desk(redis_client)
    await made.open()
    yield made
    for part in (made.budget, made.jobs, made.frontier):
        await part.close()


async def test_what_is_spent_replaces_what_was_reserved(desk):
    rid = await desk.reserve()
    assert await desk.budget.booked("j1") == (0, 100)
    await desk.spend(rid, 40)
    await desk.spend(rid, 40)
    assert await desk.budget.booked("j1") == (40, 0)


async def test_the_ceiling_holds_over_open_reservations(desk):
    for n in range(3):
        await desk.reserve(f"0:planner:{n}")
    with pytest.raises(BudgetExhausted, match="ceiling of the job"):
        await desk.reserve("0:planner:3", 1)


async def test_a_job_without_a_ceiling_may_spend_any_amount(redis_client):
    desk = Desk(redis_client)
    await desk.open(None)
    await desk.reserve(bound=10**9)
    await desk.budget.close()
    await desk.jobs.close()
    await desk.frontier.close()


async def test_a_call_repeated_by_a_takeover_is_booked_twice(desk):
    await desk.reserve()
    desk.now += 15_000
    desk.token = (await desk.jobs.take(max_active=9)).token
    await desk.reserve()
    assert await desk.budget.booked("j1") == (0, 200)


async def test_a_call_repeated_with_the_same_token_is_booked_once(desk):
    assert await desk.reserve() == await desk.reserve()
    assert await desk.budget.booked("j1") == (0, 100)


async def test_only_the_current_token_may_reserve(desk):
    with pytest.raises(LeaseLost):
        await desk.reserve(token="stale")
    await desk.jobs.cancel("j1")
    with pytest.raises(LeaseLost):
        await desk.reserve()


async def test_an_unspent_reservation_counts_in_full_after_its_deadline(desk):
    rid = await desk.reserve()
    desk.now += 4_000
    for _ in range(4):
        await desk.frontier.reap()
        desk.now += 4_000
    await desk.frontier.reap()
    assert await desk.budget.booked("j1") == (100, 0)
    await desk.spend(rid, 30)
    assert await desk.budget.booked("j1") == (30, 0)


async def test_an_answer_is_kept_for_the_takeover_and_not_replaced(desk):
    rid = await desk.reserve()
    assert await desk.budget.kept_answer(job="j1", call="0:planner:0") is None
    await desk.spend(rid, 40, answer="first")
    await desk.spend(rid, 40, answer="second")
    assert await desk.budget.kept_answer(job="j1", call="0:planner:0") == "first"


async def test_an_answer_that_comes_too_late_is_paid_but_not_kept(desk):
    rid = await desk.reserve()
    stale = desk.token
    desk.now += 15_000
    await desk.jobs.take(max_active=9)
    desk.token = stale
    await desk.spend(rid, 40)
    assert await desk.budget.booked("j1") == (40, 0)
    assert await desk.budget.kept_answer(job="j1", call="0:planner:0") is None


async def test_a_node_pays_with_the_lease_of_the_jobs_command(desk):
    t = frontier_target("http://a.example/")
    await desk.frontier.push([VisitCommand(id="j1:1", job="j1", url=t.url, slot=t.slot, page_key=t.page_key)])
    await desk.frontier.beat("n", {})
    [lease] = await desk.frontier.lease("n", 1, ["page"])
    await desk.reserve("j1:1:extract:0", token=lease.token)
    assert await desk.budget.booked("j1") == (0, 100)
    with pytest.raises(LeaseLost):
        await desk.reserve("j1:2:extract:0", token=lease.token)


async def test_a_command_without_a_job_has_no_budget_and_needs_its_lease(desk):
    t = frontier_target("http://a.example/")
    await desk.frontier.push([VisitCommand(id="-:1", job="", url=t.url, slot=t.slot, page_key=t.page_key)])
    await desk.frontier.beat("n", {})
    [lease] = await desk.frontier.lease("n", 1, ["page"])
    for job in ("", "-"):
        rid = await desk.reserve("-:1:extract:0", 10**9, token=lease.token, job=job)
        await desk.budget.spend(rid, job=job, call="-:1:extract:0", token=lease.token, tokens=5, answer="a")
    with pytest.raises(LeaseLost):
        await desk.reserve("-:1:extract:0", token="stale", job="")


async def test_an_endpoint_has_as_many_permits_as_configured(redis_client):
    desk = Desk(redis_client)
    await desk.open()
    desk.budget = RedisBudget(redis_client)
    running, most = 0, 0

    async def call(n: int) -> None:
        nonlocal running, most
        rid = await desk.budget.reserve(
            job="j1", call=f"0:planner:{n}", token=desk.token, bound_tokens=1, deadline_s=20
        )
        async with desk.budget.model_permit(ORIGIN, rid):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= 1

    await asyncio.gather(*(call(n) for n in range(12)))
    assert most == 2
    assert await redis_client.zcard(f"research:fly:model:{ORIGIN}") == 0
    for part in (desk.budget, desk.jobs, desk.frontier):
        await part.close()


async def test_a_blocked_endpoint_gives_no_permit_until_the_block_ends(redis_client):
    budget = RedisBudget(redis_client)
    await budget.block_model(ORIGIN, 150)
    started = asyncio.get_running_loop().time()
    async with budget.model_permit(ORIGIN, "r1"):
        assert asyncio.get_running_loop().time() - started >= 0.12
    await budget.close()


async def test_batches_wait_behind_interactive_calls(redis_client):
    await redis_client.hset("research:conf", "model_permits", "1")
    budget, order = RedisBudget(redis_client), list[str]()

    async def call(name: str, batch: bool) -> None:
        async with budget.model_permit(ORIGIN, name, batch=batch):
            order.append(name)
            await asyncio.sleep(0.02)

    async with budget.model_permit(ORIGIN, "first"):
        batch = asyncio.create_task(call("batch", True))
        await asyncio.sleep(0.03)
        interactive = asyncio.create_task(call("interactive", False))
        await asyncio.sleep(0.03)
    await asyncio.gather(batch, interactive)
    assert order == ["interactive", "batch"]
    await budget.close()


async def test_a_call_that_is_cancelled_while_it_waits_leaves_no_permit(redis_client):
    await redis_client.hset("research:conf", "model_permits", "1")
    budget = RedisBudget(redis_client)

    async def hold(name: str) -> None:
        async with budget.model_permit(ORIGIN, name):
            await asyncio.sleep(60)

    tasks = [asyncio.create_task(hold(name)) for name in ("one", "two")]
    await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert await redis_client.zcard(f"research:fly:model:{ORIGIN}") == 0
    await budget.close()


async def test_calls_that_wait_for_a_slot_are_counted_for_their_job_alone(redis_client):
    await redis_client.hset("research:conf", "model_permits", "1")
    budget = RedisBudget(redis_client)

    async def call(name: str) -> None:
        async with budget.model_permit(ORIGIN, name):
            pass

    async with budget.model_permit(ORIGIN, "j1:0:planner:0:t"):
        waiting = asyncio.create_task(call("j2:0:planner:0:t"))
        await asyncio.sleep(0.05)
        counts = await budget.waiting_calls(ORIGIN)
    await waiting
    assert counts == {"j2": 1}
    assert await budget.waiting_calls(ORIGIN) == {}
    await budget.close()
