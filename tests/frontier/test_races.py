import asyncio
from collections import Counter

import pytest

from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.messages.commands import Command, VisitCommand
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.store import Frontier

NODES, HOSTS, PAGES, DELAY_MS = 3, 4, 12, 15


@pytest.fixture
async def clients(redis_url):
    made = [connect_url(redis_url) for _ in range(NODES)]
    yield made
    for client in made:
        await client.aclose()


def visits(job: str) -> list[Command]:
    targets = [frontier_target(f"http://h{n % HOSTS}.example/{n}") for n in range(PAGES)]
    return [
        VisitCommand(id=f"{job}:{n}", job=job, url=t.url, slot=t.slot, page_key=t.page_key)
        for n, t in enumerate(targets)
    ]


async def test_three_nodes_share_hosts_politely_and_fetch_each_page_once(clients):
    frontiers = [Frontier(client) for client in clients]
    await frontiers[0].configure(default_delay_ms=DELAY_MS, host_permits=8, model_permits=1)
    for job in ("j1", "j2", "j3"):
        await frontiers[0].push(visits(job))
    loop, ends, fetched, settled = asyncio.get_running_loop(), dict[str, float](), Counter[str](), list[str]()
    gaps = list[float]()

    async def work(frontier: Frontier, lease) -> None:
        c = lease.command
        if lease.permit:
            gaps.append(loop.time() - ends.get(c.slot, -1.0))
            fetched[c.url] += 1
            await asyncio.sleep(0.002)
            ends[c.slot] = loop.time()
            assert await frontier.download_ended(c.id, lease.token, c.target, 0, "page")
            assert await frontier.stored(c.id, lease.token, "sha", c.target)
        assert await frontier.settle(CommandDone(uid=c.id, command=c.id, job=c.job), lease.token)
        settled.append(c.id)

    async def node(name: str, frontier: Frontier) -> None:
        await frontier.beat(name, {})
        while len(settled) < 3 * PAGES:
            leases = await frontier.lease(name, 8, ["page"])
            await asyncio.gather(*(work(frontier, lease) for lease in leases))
            await asyncio.sleep(0.002)

    async with asyncio.timeout(20):
        await asyncio.gather(*(node(f"n{i}", frontier) for i, frontier in enumerate(frontiers)))
    assert sorted(settled) == sorted(c.id for job in ("j1", "j2", "j3") for c in visits(job))
    assert set(fetched.values()) == {1}
    # The server's clock counts whole ms, so that a gap may seem one shorter here.
    assert min(gaps) >= (DELAY_MS - 1) / 1000
    assert (await frontiers[0].counts()).problems == []
    for frontier in frontiers:
        await frontier.close()


async def test_two_workers_never_decide_one_version_twice(clients):
    stores = [RedisJobs(client) for client in clients[:2]]
    for n in range(6):
        await stores[0].submit(Job(id=f"j{n}", inputs=JobInputs(goal="why")))
    decided = Counter[tuple[str, int]]()
    done = set[str]()

    async def worker(jobs: RedisJobs) -> None:
        while len(done) < 6:
            taken = await jobs.take(max_active=3)
            if taken is None:
                await asyncio.sleep(0.002)
                continue
            decided[taken.job.id, taken.job.version] += 1
            await asyncio.sleep(0.001)
            is_last = taken.job.version == 4
            new = taken.job.model_copy(update={"state": "completed" if is_last else "executing"})
            timers = {} if is_last else {("go", taken.job.version): taken.now_ms}
            assert await jobs.commit(taken, new, timers=timers) == "ok"
            if is_last:
                done.add(taken.job.id)

    async with asyncio.timeout(20):
        await asyncio.gather(worker(stores[0]), worker(stores[1]), worker(stores[0]))
    assert len(decided) == 30 and set(decided.values()) == {1}
    for store in stores:
        await store.close()


async def test_of_two_that_settle_one_command_one_is_lost(clients):
    one, two = Frontier(clients[0]), Frontier(clients[1])
    await one.push(visits("j1")[:1])
    await one.beat("n", {})
    [lease] = await one.lease("n", 1, ["page"])
    event = CommandDone(uid="j1:0", command="j1:0", job="j1")
    assert sorted(await asyncio.gather(one.settle(event, lease.token), two.settle(event, lease.token))) == [
        False,
        True,
    ]
    await one.close()
    await two.close()


async def test_two_submits_of_one_job_make_one(clients):
    stores = [RedisJobs(client) for client in clients[:2]]
    job = Job(id="j1", inputs=JobInputs(goal="why"))
    assert sorted(await asyncio.gather(*(store.submit(job) for store in stores))) == [False, True]
    for store in stores:
        await store.close()
