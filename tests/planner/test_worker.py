import asyncio
import contextlib
import json
import time

import pytest

from planner.columns.column_input import given_columns
from planner.reports.report import RenderContext, unfinished
from planner.rounds.ports import Ports
from planner.timers import Timers
from planner.worker import PlannerWorker, WorkerSettings
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.job_folder import DiskJobFolder, MemoryJobFolder
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.errors import StorageFull
from research_crawler.core.models.jobs.column_reading import PickedValue, PickedValues
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import CommandDone, RoleTokens, Usage
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.tasks.owners import owner_at_work
from research_crawler.frontier.store import Frontier
from tests.planner.scripted import ScriptedBrain, a_finding, a_job, done, ended, found, read, search, visit

A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"


class RecordingJobs(RedisJobs):
    """Keeps what was committed."""

    def __init__(self, redis) -> None:
        super().__init__(redis)
        self.committed: list[Job] = []

    async def commit(self, taken, new, **more) -> str:
        answer = await super().commit(taken, new, **more)
        self.committed += [new] if answer == "ok" else []
        return answer


class World:
    """A Redis with a planner, timers and a fake crawler that settles commands with `answer`."""

    def __init__(self, redis) -> None:
        self.jobs, self.frontier, self.archive = RecordingJobs(redis), Frontier(redis), MemoryArchive()
        self.brains: dict[str, ScriptedBrain] = {}
        self.plain = ScriptedBrain(name="plain")
        self.settled: list[str] = []

    async def brain_for(self, job: Job) -> ScriptedBrain:
        return self.brains.get(job.id, self.plain)

    def worker(self, **more) -> PlannerWorker:
        settings = more.pop("settings", WorkerSettings())
        ports = {"archive": self.archive, "extractive_brain": self.plain, "folder": DiskJobFolder()} | more
        return PlannerWorker(
            Ports(
                jobs=self.jobs,
                brain_for=self.brain_for,
                waits=self.frontier,
                **ports,
            ),
            settings=settings,
        )

    def answer(self, command) -> CommandDone:
        """The outcome of a command."""
        if command.kind == "search":
            return found(command, A, B, C)
        return read(command, f"Page {command.url[8]} has a fact for {command.job}.")

    async def crawl(self) -> None:
        """A crawler node without a network."""
        await self.frontier.configure(default_delay_ms=0, host_permits=8, model_permits=8)
        while True:
            await self.frontier.beat("node", {})
            for lease in await self.frontier.lease("node", 50, ["search", "page"]):
                self.settled.append(lease.command.id)
                await self.frontier.settle(self.answer(lease.command), lease.token)
            await asyncio.sleep(0.005)

    @contextlib.asynccontextmanager
    async def running(self, *workers: PlannerWorker, crawl: bool = True):
        tasks = [asyncio.create_task(worker.run()) for worker in workers]
        helpers = [asyncio.create_task(Timers(self.jobs.fire, self.frontier.reap, every_s=0.05).run())]
        if crawl:
            helpers.append(asyncio.create_task(self.crawl()))
        try:
            yield
        finally:
            for worker in workers:
                await worker.stop()
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*tasks, *helpers, return_exceptions=True)
            await self.frontier.leave("node")
            await self.jobs.close()
            await self.frontier.close()

    async def ended(self, job: str, within_s: float = 15.0) -> Job:
        give_up_at = time.monotonic() + within_s
        while time.monotonic() < give_up_at:
            record = await self.jobs.get(job)
            if record and record.state in FINAL_STATES:
                return record
            await asyncio.sleep(0.02)
        raise AssertionError(f"{job} did not end: {await self.jobs.get(job)}")


def job_named(name: str, **more) -> Job:
    return a_job(limits=more.pop("limits", None), **more).model_copy(update={"id": name})


@pytest.fixture
def world(redis_client) -> World:
    return World(redis_client)


async def test_a_job_goes_from_question_to_archived_report(world, tmp_path):
    job = job_named("whole").model_copy(update={"folder": str(tmp_path / "out")})
    world.brains["whole"] = ScriptedBrain(search("heat pumps"), visit(A, B), done("two sources agree"))
    async with world.running(world.worker()):
        assert await world.jobs.submit(job)
        record = await world.ended("whole")
    assert record.state == "completed"
    assert "Page a has a fact for whole. [1]" in record.report
    assert {"planning", "executing", "synthesizing", "completed"} <= {
        job.state for job in world.jobs.committed if job.id == "whole"
    }
    assert world.settled == ["whole:1", "whole:2", "whole:3"]
    kept, findings, report = await world.archive.get_job("whole")
    assert kept.state == "completed"
    assert [f.command for f in findings] == ["whole:2", "whole:3"]
    assert report["status"] == "completed"
    assert report["report_markdown"] == record.report
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        "context.md",
        "research_state.md",
        "research_plan.md",
        "scored_results.json",
        "page_findings.json",
        "research-meta.json",
        "report.md",
        "run_report.md",
        "claims.jsonl",
    }
    assert (tmp_path / "out" / "report.md").read_text() == record.report
    assert len(json.loads((tmp_path / "out" / "page_findings.json").read_text())) == 2
    assert "## Status\ndone" in (tmp_path / "out" / "research_state.md").read_text()
    assert (await world.frontier.counts()).problems == []


class SlowFolder(MemoryJobFolder):
    """A folder on a slow disk: its first documents are written when claims were renewed meanwhile."""

    def __init__(self, jobs) -> None:
        super().__init__()
        self.renewed, self.renew, self.written = asyncio.Event(), jobs.renew, set()
        jobs.renew = self.note

    async def note(self, claims):
        lost = await self.renew(claims)
        self.renewed.set()
        return lost

    async def write(self, folder, documents, *, version=0, again=False):
        if not self.folders:
            self.renewed.clear()
            await self.renewed.wait()
            await asyncio.sleep(0)
        await super().write(folder, documents, version=version, again=again)
        self.written.add(version)


async def test_the_documents_of_a_committed_step_are_written_though_its_claim_ends_with_the_commit(world):
    world.brains["slowdisk"] = ScriptedBrain(search("x"), visit(A), done())
    folder = SlowFolder(world.jobs)
    async with world.running(world.worker(folder=folder)):
        await world.jobs.submit(job_named("slowdisk").model_copy(update={"folder": "/disk"}))
        version = (await world.ended("slowdisk")).version
    assert folder.written == set(range(version))


async def test_first_results_are_committed_before_the_scorer_has_answered(world):
    brain = ScriptedBrain(search("x"), done())
    scored = asyncio.Event()

    async def slow_label(request, call):
        await scored.wait()
        return await ScriptedBrain.label(brain, request, call)

    brain.label = slow_label
    world.brains["early"] = brain
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("early"))
        while not (record := await world.jobs.get("early")).results:
            await asyncio.sleep(0.01)
        assert not record.results[0].scored
        assert record.progress.fraction == 0.2
        scored.set()
        assert (await world.ended("early")).results[0].scored


@pytest.mark.long
async def test_hundreds_of_jobs_run_side_by_side_over_two_workers(world):
    names = [f"many{n}" for n in range(120)]
    for name in names:
        world.brains[name] = ScriptedBrain(search("x"), visit(A, B), done())
    async with world.running(world.worker(), world.worker()):
        for name in names:
            await world.jobs.submit(job_named(name))
        for name in names:
            assert (await world.ended(name, 40)).state == "completed"
    assert sorted(world.settled) == sorted(f"{name}:{n}" for name in names for n in (1, 2, 3))


async def test_only_pages_that_results_named_can_be_visited(world):
    seen = ["https://unseen.example/", "http://169.254.169.254/latest"]
    world.brains["guard"] = ScriptedBrain(search("x"), visit(*seen))
    world.plain.script = [visit(A), done()]
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("guard"))
        record = await world.ended("guard")
    assert [v.url for v in record.visits] == [A]


async def test_a_link_of_a_page_read_earlier_may_be_visited(world):
    link = "https://far.example/deep"
    world.brains["links"] = ScriptedBrain(visit(A), search("x"), visit(link), done())
    extractive_answer = world.answer

    def answer(command):
        return read(command, "One.", links=[link]) if command.first_url == A else extractive_answer(command)

    world.answer = answer
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("links", urls=[A]))
        record = await world.ended("links")
    assert [v.url for v in record.visits] == [A, link]


async def test_the_limit_of_waiting_ends_a_job_whose_pages_never_come(world):
    world.brains["slow"] = ScriptedBrain(search("x"))
    async with world.running(world.worker(), crawl=False):
        await world.frontier.beat("a node for other work", {})
        await world.jobs.submit(job_named("slow", limits=Limits(waiting_timeout_seconds=1.5)))
        record = await world.ended("slow")
    assert record.state == "completed"
    assert record.plan.forced == "waiting"
    counts = await Frontier(world.frontier.redis).counts()
    assert sum(counts.queued.values()) == 0


@pytest.mark.long
async def test_jobs_that_were_submitted_while_no_crawler_ran_are_done_when_one_comes(world):
    names = [f"early{n}" for n in range(5)]
    limits = Limits(timeout_seconds=2.0, waiting_timeout_seconds=4.0)
    async with world.running(world.worker(), crawl=False):
        for name in names:
            world.brains[name] = ScriptedBrain(search("x"), visit(A, B), done())
            await world.jobs.submit(job_named(name, limits=limits))
        await asyncio.sleep(7)
        assert {(await world.jobs.get(name)).state for name in names} == {"planning"}
    async with world.running(world.worker()):
        records = [await world.ended(name) for name in names]
    assert [(record.plan.forced, record.plan.pages_read) for record in records] == [("", 2)] * 5
    assert all([await world.jobs.findings(name) for name in names])


@pytest.mark.long
async def test_a_crawler_and_a_planner_that_come_back_cost_a_job_nothing(world):
    world.brains["away"] = ScriptedBrain(search("x"), visit(A, B), done())
    limits = Limits(timeout_seconds=2.0, waiting_timeout_seconds=10.0)
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("away", limits=limits))
        while "away:1" not in world.settled:
            await asyncio.sleep(0.01)
    await asyncio.sleep(5)
    async with world.running(world.worker(), crawl=False):
        await asyncio.sleep(12)
        assert (await world.jobs.get("away")).state == "executing"
    async with world.running(world.worker()):
        record = await world.ended("away")
    assert (record.plan.forced, record.plan.pages_read) == ("", 2)
    assert record.plan.spent_ms < 2_000


async def test_a_brain_that_fails_at_everything_still_leaves_a_report(world):
    brain = ScriptedBrain(BrainUnavailable("down"), name="model")
    brain.answer = BrainUnavailable("down")
    world.brains["down"] = brain
    world.plain.script = [search("x"), visit(A)]
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("down"))
        record = await world.ended("down")
    assert record.state == "completed"
    assert sum("down" in warning for warning in record.warnings) == 1
    assert record.warnings[0].startswith("The model did not write this report (down).")
    assert record.report.startswith(
        "# how do heat pumps work\n\n> **Warning:** The model did not write this report"
    )


async def test_no_report_without_a_model_is_written_where_the_model_writes_one(world):
    brain = ScriptedBrain(search("x"), visit(A), done(), name="model")
    world.brains["kept"] = brain
    written, write = [], world.plain.write

    async def note(view, call):
        written.append(view.goal)
        return await write(view, call)

    world.plain.write = note
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("kept"))
        record = await world.ended("kept")
    assert not written
    assert "report by model" in record.report


async def test_a_failed_synthesis_keeps_the_report_without_a_model_and_says_so(world):
    brain = ScriptedBrain(search("x"), visit(A), done(), name="model")
    brain.answer = BrainUnavailable("no answer in time")
    world.brains["lost"] = brain
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("lost"))
        record = await world.ended("lost")
    said = "The model did not write this report (no answer in time)."
    assert [warning for warning in record.warnings if warning.startswith(said)]
    assert f"> **Warning:** {said}" in record.report
    assert "Page a has a fact for lost. [1]" in record.report


async def test_a_job_whose_synthesis_never_ends_fails_with_the_report_without_a_model(world, monkeypatch):
    monkeypatch.setattr("planner.worker.LAST_TRY", 1)
    brain = ScriptedBrain(search("x"), visit(A), done(), name="model")
    brain.answer = ValueError("a bug")
    world.brains["bug"] = brain
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("bug"))
        record = await world.ended("bug")
    assert record.state == "failed"
    report = unfinished(record, await world.jobs.findings("bug"), RenderContext(generated_at="", seconds=0))
    assert "> **Warning:** The model did not write this report" in report.report_markdown
    assert "Page a has a fact for bug. [1]" in report.report_markdown


async def test_a_worker_that_stops_gives_its_job_back_and_another_one_continues_at_once(world):
    brain = ScriptedBrain(search("x"), visit(A), done())
    asked, decide = asyncio.Event(), brain.decide

    async def hang(view, call):
        asked.set()
        await asyncio.sleep(60)

    brain.decide = hang
    world.brains["handed"] = brain
    first = world.worker()
    async with world.running(world.worker(settings=WorkerSettings(max_steps=0)), crawl=True):
        task = asyncio.create_task(first.run())
        await world.jobs.submit(job_named("handed"))
        await asyncio.wait_for(asked.wait(), 5)
        await first.stop()
        await task
        brain.decide = decide
        second = world.worker()
        task = asyncio.create_task(second.run())
        assert (await world.ended("handed", 5)).state == "completed"
        await second.stop()
        await task


async def test_a_cancelled_job_is_dropped_while_its_brain_is_asked(world):
    brain = ScriptedBrain(search("x"))
    asked, ended_ = asyncio.Event(), asyncio.Event()

    async def hang(view, call):
        asked.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended_.set()

    brain.decide = hang
    world.brains["gone"] = brain
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("gone"))
        await asyncio.wait_for(asked.wait(), 5)
        assert await world.jobs.cancel("gone")
        await asyncio.wait_for(ended_.wait(), 5)
        assert (await world.jobs.get("gone")).state == "cancelled"


async def test_the_last_try_of_a_broken_step_ends_the_job_with_its_error(world, redis_client):
    world.brains["broken"] = ScriptedBrain(RuntimeError("the brain has a bug"))
    await world.jobs.submit(job_named("broken"))
    await redis_client.hset("research:job:broken", "_takes", 5)
    async with world.running(world.worker()):
        record = await world.ended("broken")
    assert record.state == "failed"
    assert "the brain has a bug" in record.error
    assert (await world.archive.get_job("broken"))[0].error == record.error


async def test_a_full_disk_at_the_end_keeps_the_job_for_another_try(world, redis_client):
    class FullArchive(MemoryArchive):
        async def save_job(self, job, findings, report):
            raise StorageFull("the disk of the data folder is full; free space")

    world.brains["full"] = ScriptedBrain(done())
    async with world.running(world.worker(archive=FullArchive())):
        await world.jobs.submit(job_named("full"))
        while not await redis_client.hget("research:job:full", "_token"):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        assert (await world.jobs.get("full")).state == "synthesizing"


async def test_a_folder_that_cannot_be_written_is_one_warning(world, tmp_path):
    (tmp_path / "file").write_text("in the way")
    job = job_named("folder").model_copy(update={"folder": str(tmp_path / "file")})
    world.brains["folder"] = ScriptedBrain(search("x"), visit(A), done())
    async with world.running(world.worker()):
        await world.jobs.submit(job)
        record = await world.ended("folder")
    assert record.state == "completed"
    about = [warning for warning in record.warnings if "could not be written" in warning]
    assert len(about) == 1
    assert "could not be written" in record.report


async def test_a_job_with_an_event_of_a_newer_version_is_left_to_a_newer_process(world, redis_client):
    await world.jobs.submit(job_named("newer"))
    await redis_client.rpush("research:mail:newer", '{"v":99,"uid":"x","kind":"start"}')
    async with world.running(world.worker()):
        await asyncio.sleep(0.3)
        assert (await world.jobs.get("newer")).version == 0
    assert (await world.jobs.get("newer")).state == "planning"


async def test_pages_that_fail_in_every_way_do_not_stop_the_job(world):
    ways = iter([("refused", "robots"), ("failed", "http 500"), ("blocked", "captcha")])
    world.brains["walls"] = ScriptedBrain(search("x"), visit(A, B, C), done())
    extractive_answer = world.answer

    def answer(command):
        return extractive_answer(command) if command.kind == "search" else ended(command, *next(ways))

    world.answer = answer
    async with world.running(world.worker()):
        await world.jobs.submit(job_named("walls"))
        record = await world.ended("walls")
    assert record.state == "completed"
    assert (record.plan.visits_used, record.visits[-1].n) == (0, 3)
    _, _, report = await world.archive.get_job("walls")
    assert report["exit_code"] == 3


async def test_a_pending_job_waits_for_its_admission(world):
    hold = ScriptedBrain()
    release = asyncio.Event()

    async def wait_then_done(view, call):
        await release.wait()
        return await ScriptedBrain.decide(hold, view, call)

    hold.decide = wait_then_done
    world.brains["one"] = hold
    async with world.running(world.worker(settings=WorkerSettings(max_active=1))):
        await world.jobs.submit(job_named("one"))
        while (await world.jobs.get("one")).state == "pending":
            await asyncio.sleep(0.01)
        await world.jobs.submit(job_named("two"))
        await asyncio.sleep(0.2)
        assert (await world.jobs.get("two")).state == "pending"
        release.set()
        assert (await world.ended("two")).state == "completed"


async def test_beside_a_single_job_so_many_rows_go_on_and_then_all_of_them(world):
    brain, release, owners = ScriptedBrain(), asyncio.Event(), dict[str, str]()

    async def wait_then_done(view, call):
        owners[call.job] = owner_at_work()
        await release.wait()
        return await ScriptedBrain.decide(brain, view, call)

    brain.decide = wait_then_done
    names = ["single", "row0", "row1", "row2"]
    world.brains.update(dict.fromkeys(names, brain))
    async with world.running(world.worker(settings=WorkerSettings(rows_beside=1))):
        for name in names:
            job = job_named(name)
            await world.jobs.submit(job if name == "single" else job.model_copy(update={"owner": "batch"}))
            await asyncio.sleep(0.1)
        assert owners == {"single": "single", "row0": "batch"}
        release.set()
        for name in names:
            assert (await world.ended(name)).state == "completed"
    assert owners == {"single": "single", "row0": "batch", "row1": "batch", "row2": "batch"}


async def test_the_job_of_a_dead_worker_continues_with_the_same_events_and_clock(world, redis_client):
    world.brains["dead"] = ScriptedBrain(search("x"), visit(A), done())
    await world.jobs.submit(job_named("dead"))
    first = await world.jobs.take(max_active=10)
    await redis_client.zadd("research:runnable", {"dead": 0})  # its 15 s are over
    again = await world.jobs.take(max_active=10)
    assert (again.events, again.now_ms, again.takes) == (first.events, first.now_ms, 2)
    await redis_client.zadd("research:runnable", {"dead": 0})
    async with world.running(world.worker()):
        record = await world.ended("dead")
    assert record.state == "completed"
    assert world.settled == ["dead:1", "dead:2"]
    assert await world.jobs.commit(first, first.job, timers={("go", 1): 0}) == "lost"


class Stuck(ScriptedBrain):
    """A brain whose first report is held up until another planner has written one."""

    def __init__(self, *decisions) -> None:
        super().__init__(*decisions)
        self.begun, self.go_on, self.reports = asyncio.Event(), asyncio.Event(), 0

    async def write(self, view, call):
        self.reports += 1
        number = self.reports
        if number == 1:
            self.begun.set()
            await self.go_on.wait()
        draft = await super().write(view, call)
        return draft.model_copy(
            update={"certainty": f"So sure is the {('first', 'second')[number - 1]} report."}
        )


async def test_a_planner_that_has_lost_a_job_replaces_no_report_of_the_one_that_has_it(world, tmp_path):
    out = tmp_path / "out"
    brain = world.brains["twice"] = Stuck(search("x"), visit(A), done())
    late, other = world.worker(), world.worker()
    late._renew = asyncio.Event().wait  # it does not notice that it has lost the job
    async with world.running(late):
        await world.jobs.submit(job_named("twice").model_copy(update={"folder": str(out)}))
        await asyncio.wait_for(brain.begun.wait(), 15)
        await world.jobs._redis.zadd("research:runnable", {"twice": 0})  # its claim has expired
        task = asyncio.create_task(other.run())
        await world.ended("twice")
        await other.stop()
        brain.go_on.set()
        async with asyncio.timeout(15):
            while not late.is_idle:
                await asyncio.sleep(0.02)
        await task
    _, _, report = await world.archive.get_job("twice")
    assert brain.reports == 2
    assert "So sure is the second report." in report["report_markdown"]
    assert (out / "report.md").read_text() == report["report_markdown"]


class ColumnsBrain(ScriptedBrain):
    """Names the first passage's number for each open column, and pays for it."""

    async def pick_values(self, view, call):
        self.columns.append(view)
        call.usage = Usage(model_calls=1, prompt_tokens=70, by_role={"column_reader": RoleTokens(calls=1)})
        place = next(n for n, one in enumerate(view.passages) if "12" in one.text)
        picked = [PickedValue(column=name, passage=place, value="12") for name in view.wanted]
        return PickedValues(by=self.name, found=picked)


async def test_a_job_with_a_model_asks_it_once_for_what_code_leaves_open_of_its_columns(world):
    columns = given_columns("default: text, What is its default value?\nprice: money, What does it cost?")
    job = job_named("row")
    job = job.changed(inputs=job.inputs.changed(columns=columns, subject="pool_size"))
    markdown = "# pool_size\n\nUnless told otherwise the server keeps 12 of them."
    text = PageText(markdown=markdown, text=markdown, title="pool_size", language="en")
    await world.archive.put_page(StoredPage(sha="ab" * 32, url=A, final_url=A, page=text), None)
    brain = world.brains["row"] = ColumnsBrain(search("pool_size"), visit(A), done("it is known"))
    async with world.running(world.worker(embedder=HashEmbedder())):
        await world.jobs.submit(job)
        record = await world.ended("row")
    _, _, report = await world.archive.get_job("row")
    values = {value["name"]: value for value in report["values"]}
    assert (values["default"]["value"], values["default"]["by"]) == ("12", "scripted")
    assert values["price"]["value"] is None
    assert [view.wanted for view in brain.columns] == [["default", "price"]]
    assert record.by_role["column_reader"].calls == 1 and record.usage.prompt_tokens == 70
    assert record.outcome == "partly"


class Remembered:
    """A memory that has one finding for every job."""

    def __init__(self, finding) -> None:
        self.finding = finding

    async def recall(self, job, now_ms):
        return [self.finding]


async def test_a_value_is_read_from_a_page_of_an_earlier_job_that_this_one_has_not_read_again(world):
    columns = given_columns("price: money, What does it cost?")
    job = job_named("row")
    job = job.changed(inputs=job.inputs.changed(columns=columns, subject="Tarn 300"))
    markdown = "# Tarn 300\n\nThe Tarn 300 costs €1,899.\n\nIt weighs 17.5 kg."
    text = PageText(markdown=markdown, text=markdown, title="Tarn 300", language="en")
    await world.archive.put_page(StoredPage(sha="cd" * 32, url=C, final_url=C, page=text), None)
    known = a_finding("before:1", "It weighs 17.5 kg.", url=C).changed(page_sha256="cd" * 32)
    world.brains["row"] = ScriptedBrain(done("it is known"))
    async with world.running(world.worker(embedder=HashEmbedder(), memory=Remembered(known))):
        await world.jobs.submit(job)
        await world.ended("row")
    _, _, report = await world.archive.get_job("row")
    assert [(value["value"], value["url"]) for value in report["values"]] == [(1899.0, C)]
