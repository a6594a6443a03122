"""Watches from slot to alert, with a real Redis and a real archive; only the web and the clock are fakes."""

import asyncio
import contextlib
import time
from decimal import Decimal

import pytest

from planner.rounds.ports import Ports
from planner.timers import Timers
from planner.watches.schedule import next_due_ms, run_id
from planner.watches.watch_scheduler import LOOK_AFTER_MS, LOOK_EVERY_MS, WatchScheduler
from planner.worker import PlannerWorker, WorkerSettings
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.job_folder import DiskJobFolder
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.alert_store import SqlAlerts
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.core.models.watches.watch import AlertRule, RunEntry, Schedule, WatchPage
from research_crawler.frontier.store import Frontier
from tests.planner.scripted import ScriptedBrain
from tests.planner.watches.watch_samples import NOW, a_product, a_watch, an_event

HOUR = 3_600_000


class World:
    """A planner with a scheduler, and a fake crawler that answers from `prices`."""

    def __init__(self, redis, archive: SqlArchive) -> None:
        self.jobs, self.frontier = RedisJobs(redis), Frontier(redis)
        self.watches, self.alerts = SqlWatches(archive), SqlAlerts(archive)
        self.now_ms = NOW
        self.prices: dict[str, list[str | None]] = {}
        """By URL: what its next fetches show; the last one stays. None: the page is blocked."""
        self.fetched: list[str] = []

    def scheduler(self) -> WatchScheduler:
        return WatchScheduler(self.watches, self.jobs, clock_ms=lambda: self.now_ms)

    async def add(self, watch) -> None:
        due = next_due_ms(watch.schedule, watch.id, -1)
        await self.watches.add(watch, next_due_ms=due)

    def answer(self, command):
        self.fetched.append(command.url)
        left = self.prices[command.url]
        price = left.pop(0) if len(left) > 1 else left[0]
        if price is None:
            return an_event(command.id, outcome="blocked", reason="captcha", job=command.job)
        return an_event(command.id, a_product(price, url=command.url), job=command.job)

    async def crawl(self) -> None:
        await self.frontier.configure(default_delay_ms=0, host_permits=8, model_permits=8)
        while True:
            await self.frontier.beat("node", {})
            for lease in await self.frontier.lease("node", 50, ["vendor"]):
                event = self.answer(lease.command)
                await self.frontier.settle(event, lease.token)
            await asyncio.sleep(0.005)

    @contextlib.asynccontextmanager
    async def running(self):
        plain = ScriptedBrain(name="plain")

        async def brain_for(_):
            return plain

        ports = Ports(
            jobs=self.jobs,
            brain_for=brain_for,
            waits=self.frontier,
            archive=MemoryArchive(),
            extractive_brain=plain,
            folder=DiskJobFolder(),
        )
        worker = PlannerWorker(ports, watches=self.watches, settings=WorkerSettings(confirm_ms=30))
        tasks = [
            asyncio.create_task(work)
            for work in (
                worker.run(),
                Timers(self.jobs.fire, self.frontier.reap, every_s=0.02).run(),
                self.crawl(),
            )
        ]
        try:
            yield
        finally:
            await worker.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.jobs.close()
            await self.frontier.close()

    async def ended(self, run: str) -> RunEntry:
        give_up_at = time.monotonic() + 20
        while time.monotonic() < give_up_at:
            entry, job = await self.watches.get_run(run), await self.jobs.get(run)
            if entry and entry.state in ("done", "failed") and job and job.state in FINAL_STATES:
                return entry
            await asyncio.sleep(0.02)
        raise AssertionError(f"{run} did not end: {await self.jobs.get(run)}")

    async def run_slot(self, watch, slot_ms: int) -> RunEntry:
        self.now_ms = slot_ms + HOUR // 4
        await self.scheduler().tick()
        return await self.ended(run_id(watch.id, slot_ms))


@pytest.fixture
async def archive(tmp_path):
    archive = SqlArchive(Config(home=tmp_path))
    await archive.open()
    yield archive
    await archive.close()


@pytest.fixture
def world(redis_client, archive) -> World:
    return World(redis_client, archive)


async def test_a_confirmed_drop_is_one_alert_and_a_price_of_one_fetch_is_none(world):
    watch = a_watch(rule=AlertRule(below=Decimal(900), currency="EUR"))
    url = watch.pages[0].url
    await world.add(watch)
    async with world.running():
        world.prices[url] = ["999"]
        assert (await world.run_slot(watch, NOW)).state == "done"
        world.prices[url] = ["1", "999"]  # wrong for one fetch
        await world.run_slot(watch, NOW + HOUR)
        assert await world.alerts.alerts() == []
        world.prices[url] = ["850"]
        await world.run_slot(watch, NOW + 2 * HOUR)
        await world.run_slot(watch, NOW + 3 * HOUR)
    alerts = await world.alerts.alerts()
    assert [(alert.change.before.price, alert.change.after.price) for alert in alerts] == [(999, 850)]
    assert alerts[0].reasons == ["below"]
    kept = await world.watches.observations(watch=watch.id)
    assert [(int(one.price), one.confirmed) for one in kept] == [
        (999, True), (999, True), (1, False), (999, True), (850, True), (850, True), (850, True),
    ]  # fmt: skip
    assert {one.page_sha for one in kept} == {"ab" * 32}


async def test_a_blocked_second_fetch_is_tried_again_and_a_blocked_page_is_a_state(world):
    watch = a_watch()
    url = watch.pages[0].url
    await world.add(watch)
    async with world.running():
        world.prices[url] = ["999"]
        await world.run_slot(watch, NOW)
        world.prices[url] = ["800", None, "800"]
        await world.run_slot(watch, NOW + HOUR)
        world.prices[url] = [None]
        await world.run_slot(watch, NOW + 2 * HOUR)
    assert [alert.change.after.price for alert in await world.alerts.alerts()] == [800]
    kept = await world.watches.observations(watch=watch.id)
    assert [(one.state, one.price) for one in kept[-2:]] == [("offer", 800), ("blocked", None)]
    assert kept[-1].product == kept[0].product
    assert kept[-1].reason.text == "captcha"


async def test_only_the_pages_with_something_new_are_fetched_again(world):
    pages = [WatchPage(url=f"https://shop.example/{name}", host="shop.example") for name in "ab"]
    watch = a_watch(*pages)
    await world.add(watch)
    async with world.running():
        world.prices = {page.url: ["10"] for page in pages}
        await world.run_slot(watch, NOW)
        world.fetched.clear()
        world.prices[pages[1].url] = ["9"]
        await world.run_slot(watch, NOW + HOUR)
    assert sorted(world.fetched) == [pages[0].url, pages[1].url, pages[1].url]


async def test_many_schedulers_make_each_slot_one_run(world):
    watches = [a_watch(id=f"watch{number:07}", every_ms=HOUR) for number in range(30)]
    for watch in watches:
        await world.add(watch)
    for hour in range(5):
        world.now_ms = NOW + hour * HOUR + HOUR // 4
        await asyncio.gather(*(world.scheduler().tick() for _ in range(4)))
        await world.watches.mark_runs(await world.jobs.known_ids(), "done")
    for watch in watches:
        slots = [run.slot_ms for run in await world.watches.runs_of(watch.id)]
        assert slots == [NOW + hour * HOUR for hour in reversed(range(5))]
    assert len(await world.jobs.known_ids()) == 150
    await world.jobs.close()


async def test_missed_slots_run_once_after_a_pause_of_the_scheduler(world):
    watch = a_watch()
    await world.add(watch)
    await world.scheduler().tick()
    world.now_ms = NOW + 50 * HOUR + HOUR // 4
    assert await world.scheduler().tick() == 1
    assert [run.slot_ms for run in await world.watches.runs_of(watch.id)] == [NOW + 50 * HOUR, NOW]
    await world.jobs.close()


async def test_a_run_that_was_claimed_but_not_submitted_is_submitted_by_the_next(world, monkeypatch):
    watch = a_watch()
    await world.add(watch)
    dying = world.scheduler()

    async def dies(*_) -> int:
        raise ConnectionError("killed here")

    monkeypatch.setattr(dying, "_submit_all", dies)
    with pytest.raises(ConnectionError):
        await dying.tick()
    assert await world.jobs.known_ids() == []
    assert await world.scheduler().tick() == 1
    assert await world.scheduler().tick() == 0
    assert await world.jobs.known_ids() == [run_id(watch.id, NOW)]
    await world.jobs.close()


async def test_runs_wait_in_the_archive_while_many_are_jobs(world):
    for number in range(12):
        await world.add(a_watch(id=f"watch{number:07}"))
    scheduler = WatchScheduler(world.watches, world.jobs, most_open=5, clock_ms=lambda: world.now_ms)
    assert [await scheduler.tick(), await scheduler.tick()] == [5, 0]
    done = await world.jobs.known_ids()
    await world.watches.mark_runs(done, "done")
    assert await scheduler.tick() == 5
    assert len(await world.jobs.known_ids()) == 10
    await world.jobs.close()


async def test_a_run_that_redis_lost_is_submitted_again(world, redis_client):
    watch = a_watch()
    await world.add(watch)
    scheduler = world.scheduler()
    await scheduler.tick()
    await redis_client.flushall()
    world.now_ms += LOOK_AFTER_MS + LOOK_EVERY_MS + 1
    await scheduler.tick()
    assert await world.jobs.known_ids() == [run_id(watch.id, NOW)]
    await world.jobs.close()


async def test_a_cancelled_run_ends_and_its_watch_goes_on(world):
    watch = a_watch()
    await world.add(watch)
    scheduler = world.scheduler()
    await scheduler.tick()
    await world.jobs.cancel(run_id(watch.id, NOW))
    world.now_ms += LOOK_AFTER_MS + LOOK_EVERY_MS + 1
    await scheduler.tick()
    assert (await world.watches.get_run(run_id(watch.id, NOW))).state == "failed"
    await world.jobs.close()


async def test_a_paused_watch_has_no_runs_and_a_removed_one_stores_no_readings(world):
    watch = a_watch()
    await world.add(watch)
    assert await world.watches.set_state(watch.id, "paused", next_due_ms=None)
    assert await world.scheduler().tick() == 0
    await world.watches.set_state(watch.id, "active", next_due_ms=NOW)
    assert await world.scheduler().tick() == 1
    await world.watches.set_state(watch.id, "removed", next_due_ms=None)
    assert await world.watches.settle(watch.id, "run", []) == []
    assert await world.watches.entries() == []
    await world.jobs.close()


@pytest.mark.parametrize("cron", ["", "0 * * * *"])
async def test_a_watch_goes_on_after_a_clock_that_was_far_ahead_for_a_moment(world, cron):
    watch = a_watch() if not cron else a_watch(schedule=Schedule(cron=cron, anchor_ms=NOW))
    world.prices = {page.url: ["999"] for page in watch.pages}
    await world.add(watch)
    async with world.running():
        right = NOW + HOUR // 4
        world.now_ms = right + 400 * 24 * HOUR
        assert await world.scheduler().tick() == 1
        world.now_ms = right
        await world.scheduler().tick()
        [entry] = await world.watches.entries()
        interval_ms = watch.schedule.every_ms or HOUR
        assert entry.next_due_ms - right <= 2 * interval_ms
        world.now_ms = entry.next_due_ms + 1
        assert await world.scheduler().tick() == 1


async def test_a_watch_that_was_added_by_a_clock_far_ahead_begins_when_the_clock_is_right(world):
    ahead = NOW + 400 * 24 * HOUR
    watch = a_watch(created_ms=ahead, schedule=Schedule(every_ms=6 * HOUR, anchor_ms=ahead))
    await world.add(watch)
    for _ in range(2):
        world.now_ms += 6 * HOUR + HOUR // 2
        await world.scheduler().tick()
    assert len(await world.watches.runs_of(watch.id)) == 1
