"""A job that a person reviews, on a real Redis: the planner's real steps, and a crawler without a network."""

import contextlib
from types import SimpleNamespace

from planner.rounds.job_step import JobStep
from planner.rounds.ports import Ports
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.job_folder import DiskJobFolder
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.frontier.store import Frontier
from research_crawler.services.reviews.review_answers import answer_review
from research_crawler.services.reviews.review_requests import ReviewRequest
from research_crawler.services.reviews.views import review_of
from tests.planner.scripted import NOW, ScriptedBrain, a_job, done, found, read, search, visit

HOSTS = "abcdefgh"


class Reader(ScriptedBrain):
    """Searches, reads up to two pages that are listed, and ends; each round of a review again."""

    async def decide(self, view, call):
        urls = [one.result.url for one in view.candidates][:2]
        rounds = {record.round for record in (*view.searches, *view.visited)}
        here = [number for number in rounds if number > view.rounds_before]
        if self.script:
            step = self.script[0]
        elif "search" in view.allowed and not here:
            step = search(f"query {len(view.searches)}")
        elif "visit" in view.allowed and urls and len(here) < 2:
            step = visit(*urls)
        else:
            step = done()
        self.script = [step]
        return await self._decided(view, call)

    async def _decided(self, view, call):
        return await super().decide(view, call)


class ReviewWorld:
    """One job, its stores, and a planner and a crawler that work until the job waits or is over."""

    def __init__(self, redis, prefix="research:", *, archive=None, now_ms=NOW, **inputs) -> None:
        self.now_ms = now_ms
        self.redis = redis
        self.jobs = RedisJobs(redis, prefix=prefix, clock=lambda: self.now_ms)
        self.frontier = Frontier(redis, prefix=prefix, clock=lambda: self.now_ms)
        self.archive = archive or MemoryArchive()
        self.brain = Reader()
        self.settled = 0
        config = load_core_config()
        others = SimpleNamespace(others=self._no_others)
        parts = SimpleNamespace(
            jobs=self.jobs, archive=self.archive, frontier=self.frontier, presence=others, config=config
        )
        self.runtime = SimpleNamespace(container=parts, config=config, plan=False)
        limits = Limits(max_searches=2, max_visits=3, timeout_seconds=100_000.0)
        self.job = a_job(limits=limits, **{"review": "always"} | inputs)

    @staticmethod
    async def _no_others(_role):
        return 0

    async def close(self):
        await self.jobs.close()
        await self.frontier.close()

    async def start(self) -> Job:
        await self.frontier.configure(default_delay_ms=0, host_permits=8, model_permits=8)
        await self.jobs.submit(self.job)
        return await self.until_quiet()

    async def get(self) -> Job | None:
        return await self.jobs.get(self.job.id)

    async def until_quiet(self) -> Job | None:
        """Work until the job waits for a person or is over."""
        for _ in range(400):
            job = await self.get()
            if job is None:  # it is over, and Redis has forgotten it
                return None
            waits = job.state == "waiting_for_human" and not await self._has_mail()
            if job.state in FINAL_STATES or waits:
                return job
            await self._crawl()
            await self._plan()
            self.now_ms += 50
        raise AssertionError(f"the job does not come to rest: {await self.get()}")

    async def _has_mail(self) -> bool:
        return bool(await self.redis.exists(f"research:mail:{self.job.id}"))

    async def _plan(self) -> None:
        await self.jobs.fire()
        taken = await self.jobs.take(max_active=10)
        if taken is None:
            return

        async def own_brain(_):
            return self.brain

        ports = Ports(
            self.jobs,
            own_brain,
            self.frontier,
            self.archive,
            extractive_brain=self.brain,
            folder=DiskJobFolder(),
        )
        with contextlib.suppress(LeaseLost):
            await JobStep(ports, taken).run()

    async def _crawl(self) -> None:
        await self.frontier.beat("node", {})
        for lease in await self.frontier.lease("node", 50, ["search", "page"]):
            self.settled += 1
            await self.frontier.settle(self.outcome(lease.command), lease.token)

    def outcome(self, command):
        if command.kind == "search":
            place, number = len(command.search.query) % 5, command.id.rpartition(":")[2]
            return found(command, *(f"https://{host}.example/{number}" for host in HOSTS[place:][:3]))
        return read(command, f"A fact of {command.url}.", f"Another one of {command.url}.")

    async def answer(self, kind, **more):
        return await answer_review(self.runtime, self.job.id, ReviewRequest(kind=kind, **more))

    async def view(self):
        return await review_of(self.runtime, self.job.id)

    async def archived(self):
        """The archived job, its findings and its report."""
        return await self.archive.get_job(self.job.id)

    async def held(self) -> list[str]:
        """What the job holds in Redis that could wake it, end it or cost something."""
        keys, job = self.jobs.keys, self.job.id
        held = []
        for name in ("runnable", "pending"):
            if await self.redis.zscore(f"research:{name}", job) is not None:
                held.append(name)
        timers = await self.redis.zrange("research:timers", 0, -1)
        held += [str(one) for one in timers if one.decode().startswith(job)]
        held += [str(one) for one in await self.redis.smembers(f"research:cmds:{job}")]
        if await self.redis.hget(keys.job(job), "_token"):
            held.append("claim")
        if await self.redis.sismember("research:active", job):
            held.append("active")
        held += [f"lease {one}" for one in await self.redis.hkeys("research:lease")]
        return held


def asks(question: str) -> Decision:
    """A decision of the planner to ask a person."""
    return Decision(action="ask_human", question=question, reason="the pages do not say it")
