"""The scripts on a real Redis against the model, in any order a confused world could call them."""

import asyncio
import os
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from research_crawler.adapters.redis.budgets import RedisBudget
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.brain_errors import BudgetExhausted
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.jobs.job import ClaimedJob, Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.commands import (
    Command,
    Lease,
    SearchCommand,
    SearchSpec,
    VisitCommand,
    is_rendered,
)
from research_crawler.core.models.messages.events import CommandDone, PersonAnswered
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.core.models.web.target import Target
from research_crawler.core.web.urls import page_key
from research_crawler.frontier.store import Frontier
from tests.frontier.dump import differences, dump_model, dump_redis, ready_of, settle_time
from tests.frontier.model import PERMIT_MS, Item, Model

PREFIX, START = "t:", 1_000_000
DELAYS = {"a": 5_000, "b": 2_000, "d": 0}
URLS = ["a/1", "a/2", "b/1", "b/2", "d/1", "d/2", "d/3"]
NODES, JOBS = ["n1", "n2", "n3"], ["j1", "j2", "j3"]
HOST_PERMITS = 2
T = TypeVar("T")

urls, nodes, jobs_ = (
    st.sampled_from([*URLS, "a/1", "d/1", "d/1", "d/1"]),
    st.sampled_from(NODES),
    st.sampled_from(JOBS),
)
SPECS = st.fixed_dictionaries(
    {
        "url": urls,
        "max_age_s": st.sampled_from([86_400, 86_400, 86_400, 0, 20]),
        "priority": st.sampled_from([5, 5, 5, 0]),
        "max_wait_ms": st.sampled_from([0, 0, 0, 3_000]),
        "search": st.sampled_from([False, False, False, False, True]),
    }
)
PUSHES = st.lists(SPECS, min_size=1, max_size=6)
WORK = st.one_of(
    st.tuples(st.just("a_lease_asks_for_a_permit"), urls, st.integers(0, 2)),
    st.tuples(
        st.just("a_download_ends"),
        st.sampled_from(
            ["page", "page", "redirect", "redirect", "refused", "robots", "transient", "aborted"]
        ),
        urls,
        st.sampled_from([None, None, None, None, "a", "d"]),
        st.sampled_from([0, 0, 3_000]),
    ),
    st.tuples(st.just("a_page_is_stored"), urls),
    st.tuples(st.just("a_command_settles"), st.sampled_from(["ok", "failed", "refused"])),
    st.tuples(
        st.just("a_command_is_given_back"),
        st.sampled_from(
            ["transient", "transient", "wait", "wait", "render", "no_page", "drain", "turn", "turn"]
        ),
        urls,
        st.integers(0, 10),
    ),
    st.tuples(st.just("a_node_asks_a_model"), st.integers(0, 1), st.sampled_from([None, 40, 120])),
)


def target(url: str, *, render: bool = False) -> Target:
    return Target(url=f"http://{url}", slot=url[0], page_key=page_key(f"http://{url}", render=render))


def parts(t: Target) -> tuple[str, str, str]:
    return t.url, t.slot, t.page_key


@dataclass
class Download:
    """One download as a host sees it: from the grant to the report of its end."""

    name: str
    start: int
    end: int | None = None
    gap: int = 0

    def ended(self, now: int) -> int | None:
        if self.end is None and self.start + PERMIT_MS <= now:
            return self.start + PERMIT_MS
        return self.end


class Protocol(RuleBasedStateMachine):
    """Calls in any order, by owners and by those who have lost what they name."""

    leases: Bundle[Lease] = Bundle("leases")
    takes: Bundle[ClaimedJob] = Bundle("takes")

    def __init__(self, redis_url: str) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.model = Model({name: (delay, 1 if delay else HOST_PERMITS) for name, delay in DELAYS.items()})
        self.model.now = START
        self.numbers: Counter[str] = Counter()
        self.downloads: dict[str, list[Download]] = {name: [] for name in DELAYS}
        self.redis = Redis.from_url(redis_url, decode_responses=True)
        self.eyes = BlockingRedis.from_url(redis_url, decode_responses=True)  # looks in half the time
        made: dict[str, Any] = {"prefix": PREFIX, "clock": lambda: self.model.now}
        self.frontier = Frontier(self.redis, **made)
        self.jobs, self.budget = RedisJobs(self.redis, **made), RedisBudget(self.redis, **made)
        self.run(self.prepare())
        for job, ceiling in zip(JOBS[:2], (None, 300), strict=True):
            self.a_job_is_submitted(job, ceiling)

    async def prepare(self) -> None:
        await self.redis.flushall()
        await self.frontier.configure(default_delay_ms=9_000, host_permits=HOST_PERMITS, model_permits=1)
        for name, delay in DELAYS.items():
            await self.redis.hset(f"{PREFIX}slot:{name}", "delay", str(delay))
        for node in NODES[:2]:
            await self.frontier.beat(node, {})
            self.model.beat(node, {})

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)  # a runner would handle signals anew for each call

    def teardown(self) -> None:
        async def close() -> None:
            for part in (self.frontier, self.jobs, self.budget):
                await part.close()
            await self.redis.aclose()

        self.run(close())
        self.loop.close()
        self.eyes.close()

    @initialize(
        target=leases,
        specs=st.lists(SPECS, min_size=4, max_size=10),
        how=st.lists(st.lists(WORK, max_size=4), max_size=3),
    )
    def work_begins(
        self, specs: list[dict[str, Any]], how: list[list[tuple[Any, ...]]]
    ) -> MultipleResults[Lease]:
        for n, spec in enumerate(specs):
            self.commands_are_pushed(JOBS[n % 2], [spec])
        return multiple(*self.lease("n1", 64, how, ["search", "page"]))

    # -- the world
    @rule(ms=st.sampled_from([1, 400, 1_000, 2_000, 5_000, 9_000, 12_000, 36_000]), is_watched=st.booleans())
    def time_passes(self, ms: int, is_watched: bool) -> None:
        """Where nobody watches, the reaper has slept, too."""
        end = self.model.now + ms
        while is_watched and self.model.now + 4_000 < end:
            self.model.now += 4_000
            self.reap_and_fire()
        self.model.now = end
        self.reap_and_fire()

    def reap_and_fire(self) -> None:
        assert self.run(self.frontier.reap()) == self.model.reap()
        assert self.run(self.jobs.fire()) == sum(self.model.fire_due(job) for job in self.model.jobs)

    # -- nodes
    def beat(self, node: str, forgets: int) -> None:
        held = {i.id: i.held.token for i in self.model.held_by(node)[forgets:] if i.held} | {"j9:1": "stale"}
        assert self.run(self.frontier.beat(node, held)) == self.model.beat(node, held)

    def a_node_leaves(self, node: str) -> None:
        for item in self.model.held_by(node):
            self.end_downloads(item.id)
        assert self.run(self.frontier.leave(node)) == self.model.leave(node)

    @rule(
        target=leases,
        node=nodes,
        free=st.sampled_from([1, 2, 64, 64, 64]),
        how=st.lists(st.lists(WORK, max_size=4), max_size=3),
        renders=st.booleans(),
        is_mute=st.sampled_from([False] * 9 + [True]),
    )
    def a_node_leases(
        self, node: str, free: int, how: list[list[tuple[Any, ...]]], renders: bool, is_mute: bool
    ) -> MultipleResults[Lease]:
        if not is_mute:
            self.beat(node, forgets=0)
        spiders = ["search", "page", "render"] if renders else ["search", "page"]
        return multiple(*self.lease(node, free, how, spiders))

    def lease(
        self, node: str, free: int, how: list[list[tuple[Any, ...]]], spiders: list[str]
    ) -> list[Lease]:
        self.model.ready = ready_of(self.eyes, PREFIX)
        got = self.run(self.frontier.lease(node, free, spiders))
        expected = self.model.lease(node, free, spiders)
        assert [lease.command.id for lease in got] == [item.id for item in expected]
        for lease, item in zip(got, expected, strict=True):
            assert item.held
            self.model.name(item, lease.token)
            assert lease.permit == (item.held.permit is not None)
            assert (lease.page is None) == (self.model.needs(item)[0] == "fetch" or item.search)
            assert (lease.command.target.url, lease.command.redirects) == (
                "" if item.search else item.url,
                item.redirects,
            )
            if item.held.permit:
                self.begin_download(item.held.permit[0], lease.token, item.redirects)
        for lease, work in zip(got, how, strict=False):
            self.go_on(lease, work)
        return got

    @rule(lease=leases, how=st.lists(WORK, min_size=1, max_size=4))
    def a_lease_goes_on(self, lease: Lease, how: list[tuple[Any, ...]]) -> None:
        self.go_on(lease, how)

    def go_on(self, lease: Lease, how: list[tuple[Any, ...]]) -> None:
        for method, *arguments in how:
            getattr(self, method)(lease, *arguments)

    def a_lease_asks_for_a_permit(self, lease: Lease, url: str, redirects: int) -> None:
        to, cid = self.target_for(lease, url), lease.command.id
        known = f"{lease.token}:{redirects}" in self.model.host(to.slot).permits
        reply = self.run(self.frontier.permit(cid, lease.token, to, redirects))
        assert (reply.kind, reply.wait_ms) == self.model.permit(cid, lease.token, parts(to), redirects)
        assert (reply.entry is not None) == (reply.kind in ("page", "refused", "moved"))
        if reply.kind == "go" and not known:
            self.begin_download(to.slot, lease.token, redirects)

    def a_download_ends(self, lease: Lease, outcome: Any, to: str, other: str | None, block_ms: int) -> None:
        cid, item = lease.command.id, self.model.owner(lease.command.id, lease.token)
        slot, redirects = (item.held.permit if item and item.held else None) or (
            lease.command.slot,
            lease.command.redirects,
        )
        if other or slot == "_":
            slot = other or "d"
        at, moved = Target(url="", slot=slot, page_key=""), self.target_for(lease, to)
        for download in self.downloads[slot]:
            if download.name == f"{lease.token}:{redirects}" and download.ended(self.model.now) is None:
                download.end = self.model.now
                download.gap = min(1_000, DELAYS[slot]) if outcome == "robots" else DELAYS[slot]
        done = self.frontier.download_ended(
            cid, lease.token, at, redirects, outcome, block_ms=block_ms, to=moved
        )
        assert self.run(done) == self.model.download_ended(
            cid, lease.token, slot, redirects, outcome, parts(moved), block_ms
        )

    def a_page_is_stored(self, lease: Lease, url: str) -> None:
        final = self.target_for(lease, url)
        done = self.frontier.stored(lease.command.id, lease.token, "s" + url, final)
        assert self.run(done) == self.model.stored(lease.command.id, lease.token, "s" + url, final.page_key)

    def a_command_settles(self, lease: Lease, what: Any) -> None:
        cid = lease.command.id
        if self.model.owner(cid, lease.token):
            self.end_downloads(cid)
        event = CommandDone(uid=cid, command=cid, job=lease.command.job, outcome=what)
        assert self.run(self.frontier.settle(event, lease.token)) == self.model.settle(cid, lease.token, what)

    def a_command_is_given_back(self, lease: Lease, why: Any, url: str, redirects: int) -> None:
        cid = lease.command.id
        item = self.model.items.get(cid)
        if why == "turn" and not (item and item.search):
            why = "wait"  # only a search waits for a turn at a provider
        to = (
            target(lease.command.target.url[7:] or url, render=True)
            if why == "render"
            else self.target_for(lease, url)
        )
        if self.model.owner(cid, lease.token):
            self.end_downloads(cid)
        back = self.frontier.give_back(cid, lease.token, why, target=to, redirects=redirects)
        assert self.run(back) == self.model.give_back(cid, lease.token, why, parts(to), redirects)

    def commands_are_pushed(self, job: str, specs: list[dict[str, Any]]) -> None:
        both = [self.command(job, spec) for spec in specs]
        waits = self.run(self.frontier.push([command for command, _ in both]))
        assert [ms >= 0 for ms in waits] == [self.model.push(item) for _, item in both]

    # -- jobs
    @rule(
        what=st.one_of(
            st.tuples(st.just("a_job_is_submitted"), jobs_, st.sampled_from([None, 300])),
            st.tuples(st.just("a_person_answers"), jobs_),
            st.tuples(st.just("a_job_is_cancelled"), jobs_),
            st.tuples(st.just("a_node_leaves"), nodes),
            st.tuples(st.just("searches_choose_again"), st.sampled_from([*DELAYS, "_"])),
            st.tuples(st.just("beat"), nodes, st.integers(0, 2)),
            st.tuples(st.just("commands_are_pushed"), st.sampled_from([*JOBS, "-"]), PUSHES),
            st.tuples(st.just("commands_are_pushed"), st.sampled_from([*JOBS, "-"]), PUSHES),
        )
    )
    def somebody_interferes(self, what: tuple[Any, ...]) -> None:
        method, *arguments = what
        getattr(self, method)(*arguments)

    def searches_choose_again(self, slot: str) -> None:
        assert self.run(self.frontier.reroute(slot)) == self.model.reroute(slot)

    def a_job_is_submitted(self, job: str, ceiling: int | None) -> None:
        record = Job(id=job, inputs=JobInputs(goal="why"), limits=Limits(max_tokens=ceiling))
        assert self.run(self.jobs.submit(record)) == self.model.submit(job, ceiling)

    @rule(target=takes, most=st.sampled_from([1, 2, 9]), die_before=st.sampled_from([0, 0, 0, 3, 7]))
    def a_worker_takes(self, most: int, die_before: int) -> MultipleResults[ClaimedJob]:
        for _ in range(die_before):
            self.take(most)
            self.model.now += 15_000
        return multiple(*self.take(most))

    def take(self, most: int) -> list[ClaimedJob]:
        taken, expected = self.run(self.jobs.take(max_active=most)), self.model.take(most)
        assert (taken.job.id if taken else None) == expected
        if not taken:
            return []
        record = self.model.jobs[taken.job.id]
        record.token = taken.token
        assert (taken.takes, taken.now_ms, len(taken.events)) == (record.takes, record.now, record.upto)
        return [taken]

    @rule(
        taken=takes,
        state=st.sampled_from(["executing"] * 5 + ["waiting_for_human", "completed", "failed"]),
        specs=st.lists(SPECS, max_size=3),
        timers=st.dictionaries(
            st.tuples(st.sampled_from(["round", "deadline", "go"]), st.integers(0, 2)),
            st.sampled_from([-1, 0, 5_000, 60_000]),
            max_size=2,
        ),
        withdraw=st.sampled_from([False, False, True]),
    )
    def a_worker_commits(
        self,
        taken: ClaimedJob,
        state: Any,
        specs: list[dict[str, Any]],
        timers: dict[tuple[str, int], int],
        withdraw: bool,
    ) -> None:
        both = [self.command(taken.job.id, spec) for spec in specs]
        due = {timer: self.model.now + ms for timer, ms in timers.items()}
        done = self.jobs.commit(
            taken,
            taken.job.model_copy(update={"state": state}),
            commands=[command for command, _ in both],
            timers=due,
            withdraw=withdraw,
        )
        assert self.run(done) == self.model.commit(
            *(taken.job.id, taken.token, taken.job.version, state),
            [item for _, item in both],
            due,
            withdraw,
        )

    @rule(
        taken=takes,
        how=st.one_of(
            st.tuples(st.just("a_worker_keeps_or_releases_its_claim"), st.booleans()),
            st.tuples(st.just("a_worker_asks_a_model"), st.integers(0, 1), st.sampled_from([None, 40, 120])),
        ),
    )
    def a_worker_goes_on(self, taken: ClaimedJob, how: tuple[Any, ...]) -> None:
        method, *arguments = how
        getattr(self, method)(taken, *arguments)

    def a_worker_keeps_or_releases_its_claim(self, taken: ClaimedJob, releases: bool) -> None:
        job, claim = taken.job.id, {taken.job.id: taken.token}
        if releases:
            assert self.run(self.jobs.release(claim)) == self.model.release(job, taken.token)
        else:
            self.run(self.jobs.renew(claim))
            self.model.renew(job, taken.token)

    def a_person_answers(self, job: str) -> None:
        event = PersonAnswered(uid=f"{job}:answer", job=job, no=1, answer=ReviewAnswer(kind="accept"))
        assert self.run(self.jobs.deliver(job, event)) == self.model.deliver(job, ("answer", "", "1"))

    def a_job_is_cancelled(self, job: str) -> None:
        assert self.run(self.jobs.cancel(job)) == self.model.cancel(job)

    # -- money
    def a_worker_asks_a_model(self, taken: ClaimedJob, n: int, cost: int | None) -> None:
        self.ask_model(taken.job.id, f"{taken.job.version}:plan:{n}", taken.token, cost)

    def a_node_asks_a_model(self, lease: Lease, n: int, cost: int | None) -> None:
        if lease.command.job in self.model.jobs:
            self.ask_model(lease.command.job, f"{lease.command.id}:extract:{n}", lease.token, cost)

    def ask_model(self, job: str, call: str, token: str, cost: int | None) -> None:
        """Reserve, and spend unless cost is None (the process ends in between)."""
        try:
            rid = self.run(
                self.budget.reserve(job=job, call=call, token=token, bound_tokens=100, deadline_s=20)
            )
            answer = "yes"
        except (LeaseLost, BudgetExhausted) as error:
            rid, answer = f"{job}:{call}:{token}", "lost" if isinstance(error, LeaseLost) else "no"
        assert answer == self.model.reserve(job, call, token, 100, 20_000)
        if cost is not None and answer == "yes":
            self.run(self.budget.spend(rid, job=job, call=call, token=token, tokens=cost, answer=f"{cost}"))
            self.model.spend(job, call, token, rid, cost, f"{cost}")
        kept = self.run(self.budget.kept_answer(job=job, call=call))
        assert kept == self.model.jobs[job].answers.get(call)

    # -- what must hold
    @invariant()
    def redis_holds_what_the_model_says(self) -> None:
        assert not self.run(self.frontier.counts()).problems
        stored = dump_redis(self.eyes, PREFIX, self.model)
        now, delays = self.model.now, DELAYS | {"_": 0}
        found = list(
            differences(settle_time(stored, now, delays), settle_time(dump_model(self.model), now, delays))
        )
        assert not found, "\n".join(found)
        settled = [cid for cid, _ in stored["outbox"]]
        assert len(settled) == len(set(settled)), "an event came twice"
        locks = [place[5] for place in stored["places"].values() if len(place) == 7 and place[5] != "-"]
        assert len(locks) == len(set(locks)), "two leases fetch one page"

    def begin_download(self, slot: str, token: str, redirects: int) -> None:
        """A host sees a download begin: was it polite?"""
        now, flying = self.model.now, 0
        for download in self.downloads[slot]:
            end = download.ended(now)
            flying += end is None
            if DELAYS[slot]:
                assert end is not None, f"{slot}: a second download begins"
                assert now >= end + (download.gap or DELAYS[slot]), f"{slot}: {now - end} ms after the last"
        assert flying < (1 if DELAYS[slot] else HOST_PERMITS)
        self.downloads[slot].append(Download(f"{token}:{redirects}", now))

    def end_downloads(self, cid: str) -> None:
        """The permit that a lease holds comes back with it."""
        held = self.model.items[cid].held
        if held and held.permit:
            slot, redirects = held.permit
            for download in self.downloads[slot]:
                if download.name == f"{held.token}:{redirects}" and download.ended(self.model.now) is None:
                    download.end = self.model.now

    def target_for(self, lease: Lease, url: str) -> Target:
        return target(url, render=is_rendered(lease.command))

    def command(self, job: str, spec: dict[str, Any]) -> tuple[Command, Item]:
        self.numbers[job] += 1
        cid, is_search = f"{job}:{self.numbers[job]}", spec["search"]
        t = Target(url="", slot="_", page_key="") if is_search else target(spec["url"])
        shared = {"id": cid, "job": job, "priority": spec["priority"]}
        waits = {"max_age_s": spec["max_age_s"], "max_wait_ms": spec["max_wait_ms"]}
        command = (
            SearchCommand(**shared, search=SearchSpec(query="q"))
            if is_search
            else VisitCommand(**shared, **waits, url=t.url, slot=t.slot, page_key=t.page_key)
        )
        item = Item(
            *(cid, *parts(t)),
            search=is_search,
            fresh_ms=spec["max_age_s"] * 1000,
            priority=spec["priority"],
            max_wait=spec["max_wait_ms"],
        )
        return command, item


def explore(redis_url: str, examples: int, steps: int, *, same_each_time: bool = False) -> None:
    run_state_machine_as_test(
        lambda: Protocol(redis_url),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=same_each_time or settings.default.derandomize,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_scripts_do_what_the_model_says(redis_url: str) -> None:
    explore(redis_url, examples=6, steps=50)


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_the_scripts_do_what_the_model_says_for_long(redis_url: str) -> None:
    """With RESEARCH_EXPLORE set, 1,500 new ways each time."""
    if os.environ.get("RESEARCH_EXPLORE"):
        explore(redis_url, examples=1_500, steps=80)
    else:
        explore(redis_url, examples=60, steps=80, same_each_time=True)
