import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from research_crawler.adapters.redis.job_overview import JobOverview
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.errors import BadMessage, NewerWire, UsageError
from research_crawler.core.models.base import OLDEST_READ, WIRE_VERSION
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import ClaimedJob, Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.messages.commands import Command, VisitCommand
from research_crawler.core.models.messages.events import CommandDone, PersonAnswered, read_event
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.store import Frontier

UNNUMBERED = json.loads((Path(__file__).parents[2] / "data/unnumbered_jobs.json").read_text(encoding="utf-8"))
"""Jobs as the last release whose records had no number kept them: {"redis": {id: hash}, "archive": {id: JSON}}."""


class Planner:
    """A job store with a clock that the test sets."""

    def __init__(self, redis: Redis) -> None:
        self.redis, self.now = redis, 1_000_000
        self.jobs = RedisJobs(redis, clock=lambda: self.now)
        self.frontier = Frontier(redis, clock=lambda: self.now)

    async def submit(self, *ids: str) -> None:
        for job in ids:
            assert await self.jobs.submit(Job(id=job, inputs=JobInputs(goal="why")))

    async def take(self, max_active: int = 9) -> ClaimedJob | None:
        return await self.jobs.take(max_active=max_active)

    async def commit(self, taken: ClaimedJob, state: str = "executing", **more: Any) -> str:
        fields = more.pop("fields", {})
        return await self.jobs.commit(taken, taken.job.model_copy(update={"state": state, **fields}), **more)

    def visit(self, cid: str) -> Command:
        t = frontier_target(f"http://h{cid.split(':')[1]}.example/")
        return VisitCommand(
            id=cid, job=cid.split(":", maxsplit=1)[0], url=t.url, slot=t.slot, page_key=t.page_key
        )

    async def settle_all(self) -> None:
        await self.frontier.beat("n", {})
        for lease in await self.frontier.lease("n", 99, ["page"]):
            c = lease.command
            await self.frontier.settle(CommandDone(uid=c.id, command=c.id, job=c.job), lease.token)


@pytest.fixture
async def planner(redis_client: Redis) -> AsyncIterator[Planner]:
    made = Planner(redis_client)
    await made.frontier.configure(default_delay_ms=5_000, host_permits=8, model_permits=2)
    yield made
    problems = (await made.frontier.counts()).problems
    await made.frontier.close()
    await made.jobs.close()
    assert not problems


def an_answer(uid: str) -> PersonAnswered:
    return PersonAnswered(uid=uid, job="j1", answer=ReviewAnswer(kind="accept"))


def kinds(taken: ClaimedJob) -> list[str]:
    return [read_event(text).kind for text in taken.events]


async def test_a_job_goes_from_submit_to_completed(planner):
    await planner.submit("j1")
    taken = await planner.take()
    assert (taken.job.state, taken.takes, kinds(taken)) == ("planning", 1, ["start"])
    assert await planner.commit(taken, commands=[planner.visit("j1:1")]) == "ok"
    assert await planner.take() is None
    await planner.settle_all()
    taken = await planner.take()
    assert (taken.job.version, kinds(taken)) == (1, ["done"])
    assert await planner.commit(taken, "completed", fields={"report": "x" * 50_000}) == "ok"
    job = await planner.jobs.get("j1")
    assert (job.state, job.version, len(job.report)) == ("completed", 2, 50_000)
    assert 0 < await planner.redis.pttl("research:job:j1") <= 86_400_000


async def test_the_record_is_read_as_it_was_submitted(planner):
    limits = Limits(max_tokens=7, timeout_seconds=1.5)
    job = Job(
        id="j1", inputs=JobInputs(goal="ü “quoted” \n", urls=["http://a/"]), limits=limits, created_at="now"
    )
    await planner.jobs.submit(job)
    assert await planner.jobs.get("j1") == job
    assert await planner.jobs.get("j2") is None


async def test_a_job_is_submitted_once(planner):
    await planner.submit("j1")
    assert not await planner.jobs.submit(Job(id="j1", inputs=JobInputs(goal="other")))
    assert (await planner.jobs.get("j1")).inputs.goal == "why"


@pytest.mark.parametrize("name", ["", "thirteenchars", "a:b", "a b", "é"])
async def test_an_invalid_job_id_is_refused(planner, name):
    with pytest.raises(UsageError):
        await planner.jobs.submit(Job(id=name, inputs=JobInputs(goal="why")))


async def test_fields_that_did_not_change_are_not_written(planner):
    await planner.submit("j1")
    taken = await planner.take()
    await planner.redis.hset("research:job:j1", "brain", '"kept"')
    await planner.commit(
        taken, timers={("go", 1): planner.now + 1}, fields={"plan": PlanningState(iteration=3)}
    )
    job = await planner.jobs.get("j1")
    assert (job.brain, job.plan.iteration) == ("kept", 3)


async def test_a_running_job_whose_plan_has_a_field_that_this_version_dropped_goes_on(planner):
    await planner.submit("j1")
    old = '{"v":1,"iteration":2,"active_ms":41000,"open":["j1:1"]}'
    await planner.redis.hset("research:job:j1", "plan", old)
    taken = await planner.take()
    assert taken.job.plan == PlanningState(v=1, iteration=2, open_commands=["j1:1"])
    later = taken.job.changed(state="completed", plan=taken.job.plan.changed(iteration=3))
    assert await planner.jobs.commit(taken, later) == "ok"
    assert (await planner.jobs.get("j1")).plan == later.plan
    assert "active_ms" not in await planner.redis.hget("research:job:j1", "plan")


async def version_in_redis(planner: Planner, job: str) -> str:
    return await planner.redis.hget(f"research:job:{job}", "v")


async def test_a_record_has_the_wire_version_of_the_release_that_wrote_it_last(planner):
    await planner.submit("j1")
    assert await version_in_redis(planner, "j1") == str(WIRE_VERSION)
    await planner.redis.hset("research:job:j1", "v", OLDEST_READ)
    taken = await planner.take()
    assert taken.job.v == OLDEST_READ
    assert await planner.commit(taken, state="completed") == "ok"
    assert await version_in_redis(planner, "j1") == str(WIRE_VERSION)


@pytest.mark.parametrize("job", UNNUMBERED["redis"])
async def test_a_record_without_a_number_is_read_and_gets_one_with_its_next_commit(planner, job):
    before = UNNUMBERED["redis"][job]
    assert "v" not in before
    await planner.redis.hset(f"research:job:{job}", mapping=before | {"_token": "t", "_upto": "0"})
    read = await planner.jobs.get(job)
    assert (read.v, read.inputs.goal) == (OLDEST_READ, json.loads(before["inputs"])["goal"])
    assert len(read.visits) == len(json.loads(before["visits"]))
    taken = ClaimedJob(job=read, token="t", takes=1, now_ms=planner.now, seed=1, events=[])
    assert await planner.commit(taken, state="completed") == "ok"
    assert await version_in_redis(planner, job) == str(WIRE_VERSION)
    after = await planner.jobs.get(job)
    assert after.changed(v=read.v, version=read.version, state=read.state) == read


async def test_a_job_of_a_newer_release_is_left_to_workers_of_that_release(planner):
    """However often this one looks for jobs: it does not end the job after six takes either."""
    await planner.submit("taken", "waits")
    assert (await planner.take(max_active=1)).job.id == "taken"
    for job in ("taken", "waits"):
        newer = {"v": WIRE_VERSION + 1, "limits": '"of a form that nobody knows"'}
        await planner.redis.hset(f"research:job:{job}", mapping=newer)
    await planner.submit("ours")
    for _ in range(8):
        planner.now += 20_000
        taken = await planner.take()
        assert taken.job.id == "ours"
        await planner.jobs.release({"ours": taken.token})
        assert await planner.jobs.take(max_active=9, only="taken") is None
    with pytest.raises(NewerWire):
        await planner.jobs.get("taken")
    shown = await JobOverview(planner.redis).listed(["taken", "waits", "ours"])
    assert [job and job.id for job in shown] == [None, None, "ours"]


async def test_a_commit_over_32_kb_names_the_field_to_trim(planner):
    await planner.submit("j1")
    taken = await planner.take()
    with pytest.raises(BadMessage, match="the largest field is warnings"):
        await planner.commit(taken, fields={"warnings": ["x" * 40_000]})


async def test_a_second_commit_of_a_take_is_lost(planner):
    await planner.submit("j1")
    taken = await planner.take()
    assert await planner.commit(taken, commands=[planner.visit("j1:1")]) == "ok"
    assert await planner.commit(taken, commands=[planner.visit("j1:2")]) == "lost"
    assert await planner.redis.hkeys("research:req") == ["j1:1"]


async def test_a_commit_after_which_nothing_would_wake_the_job_is_refused(planner):
    await planner.submit("j1")
    taken = await planner.take()
    assert await planner.commit(taken) == "refused"
    assert await planner.commit(taken, "waiting_for_human") == "ok"


async def test_open_commands_that_stay_keep_a_job_alive_and_withdrawn_ones_do_not(planner):
    await planner.submit("j1")
    await planner.commit(await planner.take(), commands=[planner.visit("j1:1")])
    await planner.jobs.deliver("j1", an_answer("x"))
    taken = await planner.take()
    assert await planner.commit(taken, withdraw=True) == "refused"
    assert await planner.commit(taken) == "ok"


async def test_commit_consumes_exactly_the_events_it_was_given(planner):
    await planner.submit("j1")
    taken = await planner.take()
    await planner.jobs.deliver("j1", an_answer("late"))
    assert await planner.commit(taken) == "ok"
    again = await planner.take()
    assert [read_event(text).uid for text in again.events] == ["late"]


async def test_a_second_take_sees_the_clock_seed_and_events_of_the_first(planner):
    await planner.submit("j1")
    first = await planner.take()
    await planner.jobs.deliver("j1", an_answer("late"))
    planner.now += 15_000
    second = await planner.take()
    assert (second.now_ms, second.seed, second.events) == (first.now_ms, first.seed, first.events)
    assert (second.takes, second.token != first.token) == (2, True)
    assert await planner.commit(first, commands=[planner.visit("j1:1")]) == "lost"
    assert await planner.commit(second, commands=[planner.visit("j1:1")]) == "ok"


async def test_a_claim_lasts_15_s_and_is_renewed_up_to_300_s(planner):
    await planner.submit("j1")
    taken = await planner.take()
    for _ in range(29):
        planner.now += 10_000
        assert await planner.jobs.renew({"j1": taken.token}) == []
        assert await planner.take() is None
    planner.now += 10_000
    await planner.jobs.renew({"j1": taken.token})
    planner.now += 5_000
    assert (await planner.take()).takes == 2
    assert await planner.jobs.renew({"j1": taken.token}) == ["j1"]


async def test_a_released_claim_is_free_at_once_and_counts_no_take(planner):
    await planner.submit("j1")
    taken = await planner.take()
    assert await planner.jobs.release({"j1": taken.token}) == 1
    assert await planner.jobs.release({"j1": taken.token}) == 0
    assert (await planner.take()).takes == 1


async def test_the_seventh_take_of_a_version_ends_the_job(planner):
    await planner.submit("j1")
    for n in range(1, 7):
        assert (await planner.take()).takes == n
        planner.now += 15_000
    assert await planner.take() is None
    job = await planner.jobs.get("j1")
    assert job.state == "failed" and "6 workers" in job.error


async def test_no_more_jobs_are_admitted_than_may_be_active(planner):
    await planner.submit("j1", "j2", "j3")
    one = await planner.take(2)
    two = await planner.take(2)
    assert await planner.take(2) is None
    assert (await planner.frontier.counts()).pending_jobs == 1
    await planner.commit(one, "waiting_for_human")
    three = await planner.take(2)
    assert {one.job.id, two.job.id, three.job.id} == {"j1", "j2", "j3"}


async def test_a_cancelled_job_loses_its_commands_timers_and_token(planner):
    await planner.submit("j1")
    await planner.commit(
        await planner.take(), commands=[planner.visit("j1:1")], timers={("go", 1): planner.now + 9}
    )
    await planner.jobs.deliver("j1", an_answer("x"))
    taken = await planner.take()
    assert await planner.jobs.cancel("j1")
    assert not await planner.jobs.cancel("j1") and not await planner.jobs.cancel("j9")
    assert await planner.commit(taken, commands=[planner.visit("j1:2")]) == "lost"
    assert await planner.redis.hlen("research:req") == 0 == await planner.redis.zcard("research:timers")
    assert not await planner.jobs.deliver("j1", an_answer("y"))


async def test_a_late_settle_of_a_withdrawn_command_is_lost(planner):
    await planner.submit("j1")
    await planner.commit(await planner.take(), commands=[planner.visit("j1:1")])
    await planner.frontier.beat("n", {})
    [lease] = await planner.frontier.lease("n", 1, ["page"])
    await planner.jobs.cancel("j1")
    event = CommandDone(uid="j1:1", command="j1:1", job="j1")
    assert not await planner.frontier.settle(event, lease.token)
    assert (await planner.frontier.slot("h1.example"))["flying"] == 1


async def test_timers_fire_once_and_are_replaced_by_each_commit(planner):
    await planner.submit("j1")
    await planner.commit(
        await planner.take(), timers={("round", 1): planner.now + 5_000, ("deadline", 0): planner.now + 9_000}
    )
    assert await planner.jobs.fire() == 0
    planner.now += 5_000
    assert (await planner.jobs.fire(), await planner.jobs.fire()) == (1, 0)
    taken = await planner.take()
    event = read_event(taken.events[0])
    assert (event.kind, event.no, event.job) == ("round", 1, "j1")
    await planner.commit(taken, timers={("deadline", 1): planner.now + 60_000})
    planner.now += 59_999
    assert await planner.jobs.fire() == 0


async def test_a_timer_that_is_due_runs_the_job_again_at_once(planner):
    await planner.submit("j1")
    await planner.commit(await planner.take(), timers={("go", 4): planner.now})
    assert kinds(await planner.take()) == ["go"]


async def test_findings_are_appended_and_urls_are_permitted_by_commit(planner):
    await planner.submit("j1")
    finding = Finding(
        id="f1", command="j1:1", claim="c", quote="q", start=0, end=1, page_sha256="s", url="http://a/"
    )
    for n in range(2):
        taken = await planner.take()
        await planner.commit(
            taken,
            timers={("go", n): planner.now},
            findings=[finding.model_copy(update={"id": f"f{n}"})],
            seen=[f"http://a/{n}"],
        )
    assert [found.id for found in await planner.jobs.findings("j1")] == ["f0", "f1"]
    assert await planner.jobs.seen("j1", ["http://a/0", "http://a/1", "http://a/2"]) == [True, True, False]
    assert await planner.jobs.seen("j1", []) == []


async def test_thousands_of_permitted_urls_go_in_one_commit(planner):
    await planner.submit("j1")
    urls = [f"http://a/{n}" for n in range(5_000)]
    assert await planner.commit(await planner.take(), timers={("go", 1): planner.now}, seen=urls) == "ok"
    assert all(await planner.jobs.seen("j1", urls))


async def test_jobs_are_listed_newest_first(planner):
    for job in ("j1", "j2", "j3"):
        await planner.submit(job)
        planner.now += 1
    await planner.redis.delete("research:job:j2")
    assert [job.id for job in await planner.jobs.list_jobs()] == ["j3", "j1"]
    assert await planner.redis.zcard("research:jobs") == 2


async def test_changes_yields_after_each_commit(planner):
    await planner.submit("j1")
    taken = await planner.take()
    changes = planner.jobs.changes("j1", timeout_s=100)
    waiting = asyncio.ensure_future(anext(changes))
    await asyncio.sleep(0.05)
    await planner.commit(taken, "completed")
    await asyncio.wait_for(waiting, 30)
    await changes.aclose()


async def test_workers_are_woken_for_runnable_jobs(planner):
    runnable = planner.jobs.runnable_jobs(timeout_s=100)
    waiting = asyncio.ensure_future(anext(runnable))
    await asyncio.sleep(0.05)
    await planner.submit("j1")
    await asyncio.wait_for(waiting, 30)
    await runnable.aclose()


async def test_an_ended_job_is_forgotten_completely(planner):
    await planner.submit("j1", "j2")
    await planner.jobs.cancel("j1")
    for kind in ("found", "ans", "seen", "budget"):
        await planner.redis.set(f"research:{kind}:j1", "x")
    dead = '{"v":1,"id":"j1:9","job":"j1"}', '{"v":1,"id":"j2:9","job":"j2"}'
    await planner.redis.lpush("research:dead", *dead)
    assert await planner.jobs.forget("j1") is True
    assert await planner.jobs.forget("j1") is False
    assert await planner.jobs.get("j1") is None
    assert await planner.jobs.known_ids() == ["j2"]
    assert not [key for key in await planner.redis.keys("*") if key.endswith(":j1")]
    assert await planner.redis.lrange("research:dead", 0, -1) == [dead[1]]


@pytest.mark.parametrize("taken", [False, True])
async def test_a_job_that_has_not_ended_is_not_forgotten(planner, taken):
    await planner.submit("j1")
    if taken:
        await planner.commit(await planner.take(), commands=[planner.visit("j1:1")])
    with pytest.raises(UsageError, match="job j1 is not over"):
        await planner.jobs.forget("j1")
    assert await planner.jobs.get("j1")
    await planner.jobs.cancel("j1")
    assert await planner.jobs.forget("j1")


def row(n: int, batch: str = "batchaaaaaaa") -> Job:
    return Job(id=f"r{batch[5]}{n}", inputs=JobInputs(goal="why", batch=True, batch_id=batch), owner=batch)


async def taken_all(planner: Planner, **limits: int) -> list[str]:
    """The jobs that can be claimed one after the other."""
    found = []
    while taken := await planner.jobs.take(**({"max_active": 99} | limits)):
        found.append(taken)
    return found


def ids(all_taken: list[ClaimedJob]) -> list[str]:
    return [taken.job.id for taken in all_taken]


async def test_while_a_single_job_is_under_way_only_the_first_rows_of_a_batch_go_on(planner):
    for n in range(1, 7):
        await planner.jobs.submit(row(n))
        planner.now += 1
    rows = await taken_all(planner, rows_beside=2)
    assert len(rows) == 6  # nobody else waits
    await planner.submit("single")
    [single] = await taken_all(planner, rows_beside=2)
    for taken in rows:
        assert await planner.commit(taken, timers={("go", 1): planner.now}) == "ok"
    assert ids(await taken_all(planner, rows_beside=2)) == ["ra1", "ra2"]
    planner.now += 60_000  # claims that expired make no difference
    assert set(ids(await taken_all(planner, rows_beside=2))) == {"ra1", "ra2", "single"}
    single = await planner.jobs.get("single")
    assert await planner.jobs.cancel(single.id)
    assert len(await taken_all(planner, rows_beside=2)) == 4  # all the others go on


async def test_a_row_that_ends_lets_the_next_one_go_on_beside_a_single_job(planner):
    await planner.submit("single")
    await taken_all(planner)
    for n in range(1, 4):
        await planner.jobs.submit(row(n))
        planner.now += 1
    [first] = await taken_all(planner, rows_beside=1)
    assert await planner.commit(first, "completed") == "ok"
    [second] = await taken_all(planner, rows_beside=1)
    assert second.job.id == "ra2"


async def test_two_batches_go_on_beside_a_single_job(planner):
    await planner.submit("single")
    for n in range(4):
        await planner.jobs.submit(row(n, "batchaaaaaaa"))
        await planner.jobs.submit(row(n, "batchbbbbbbb"))
    taken = ids(await taken_all(planner, rows_beside=4))
    assert sorted(name[:2] for name in taken) == ["ra", "ra", "rb", "rb", "si"]


async def test_a_single_job_is_admitted_before_the_rows_that_wait(planner):
    await asyncio.gather(
        *(planner.jobs.submit(row(n)) for n in range(300))
    )  # more than are looked at in one go
    planner.now += 1
    await planner.submit("single")
    first, second = await planner.take(max_active=300), await planner.take(max_active=300)
    assert first.job.id == "ra0"  # a batch without rows under way has its turn too
    assert second.job.id == "single"


async def test_rows_leave_an_eighth_of_the_places_to_those_who_have_none(planner):
    for n in range(20):
        await planner.jobs.submit(row(n))
    assert len(await taken_all(planner, max_active=8)) == 7
    await planner.submit("single")
    planner.now += 1
    await planner.jobs.submit(row(1, "batchbbbbbbb"))
    assert ids(await taken_all(planner, max_active=8)) == ["single"]
    assert ids(await taken_all(planner, max_active=9)) == ["rb1"]


async def test_a_forgotten_row_is_no_longer_counted(planner):
    await planner.jobs.submit(row(1))
    taken = await planner.take()
    assert await planner.redis.hgetall("research:batches") == {"batchaaaaaaa": "1"}
    assert await planner.commit(taken, "completed") == "ok"
    assert await planner.jobs.forget("ra1")
    assert await planner.redis.keys("research:rows:*") == []
    assert await planner.redis.hgetall("research:batches") == {}
