"""Records what the running release writes into Redis, for the tests of the release after it.

`python -m tests.frontier.record_release OLD.json NEW.json` takes jobs and commands from the last recording, lets this
release submit, plan, lease, fetch, settle, ask and fire with them, and writes all keys, the scripts, and the schemas
by which this release reads messages. It is run before the wire version goes up.
"""

import asyncio
import base64
import json
import re
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

from research_crawler.adapters.redis.job_fields import job_from
from research_crawler.adapters.redis.program import find_server
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import _COMMANDS, Lease, read_command
from research_crawler.core.models.messages.events import (
    _EVENTS,
    CommandDone,
    JobResumed,
    PageReading,
    PersonAnswered,
    ProviderReport,
    SearchResult,
)
from research_crawler.core.models.messages.searches import SearchProgress, TriedProvider
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import Link
from research_crawler.core.models.why import Refusal, Why
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.person_queue import PersonQueue
from research_crawler.frontier.store import Frontier

START_MS = 1_700_000_000_000
SPIDERS = ["search", "page", "vendor", "render", "own.mine"]
RUNNING, WATCH, ROW = "jobrunning", "cmvkyvnsxnma", "jobpending"
WALL = Why(Reason.CAPTCHA, "http 403", "hcaptcha")
SHA = "ab" * 32


class Release:
    """The processes of this release, on one clock."""

    def __init__(self, redis: Redis) -> None:
        self.redis, self.now = redis, START_MS
        self.frontier = Frontier(redis, clock=lambda: self.now)
        self.jobs = RedisJobs(redis, clock=lambda: self.now)
        self.people = PersonQueue(self.frontier, clock=lambda: self.now)
        self.leases: dict[str, Lease] = {}

    async def wait(self, ms: int) -> None:
        """Let time pass, in which the node beats and takes what it may."""
        for _ in range(max(1, ms // 4_000)):
            self.now += min(ms, 4_000)
            await self.frontier.beat("n1", {cid: lease.token for cid, lease in self.leases.items()})
            for lease in await self.frontier.lease("n1", 64, SPIDERS):
                self.leases[lease.command.id] = lease

    async def settle(self, cid: str, **outcome: Any) -> None:
        """End a command as a node does."""
        lease = self.leases.pop(cid)
        command = lease.command
        event = CommandDone(uid=cid, command=cid, job=command.job, round=command.round, **outcome)
        assert await self.frontier.settle(event, lease.token), cid

    async def fetched(self, cid: str, outcome: Any, **more: Any) -> None:
        """End a download as a node does."""
        lease = self.leases[cid]
        command = lease.command
        assert await self.frontier.download_ended(
            cid, lease.token, command.target, command.redirects, outcome, **more
        ), cid


def renewed(text: str) -> str:
    """A message of the last recording as one of this version; its form was readable by this version."""
    return re.sub(r'(\\*"v\\*":)\d+', rf"\g<1>{WIRE_VERSION}", text)


def with_url(command: Any, cid: str, url: str) -> Any:
    """Another command of the same kind."""
    target = frontier_target(url)
    slot = {} if command.kind == "section" else {"slot": target.slot}
    return command.changed(
        id=cid,
        url=url,
        page_key=target.page_key,
        requested_url=url,
        requested_page_key=target.page_key,
        **slot,
    )


def seeded(keys: dict[str, Any]) -> tuple[dict[str, Job], dict[str, Any]]:
    """The jobs and the commands of the last recording, as they were before anything happened to them."""
    jobs = {
        name: job_from({k: renewed(v) for k, v in keys[f"research:job:{name}"]["value"].items()})
        for name in (RUNNING, WATCH, ROW)
    }
    commands: dict[str, Any] = {
        cid: read_command(renewed(text)) for cid, text in keys["research:req"]["value"].items()
    }
    first = commands["jobrunning:1"]
    commands["jobrunning:1"] = first.changed(progress="", slot=commands["jobrunning:2"].slot)
    eight = commands["jobrunning:8"]
    for number, url in {
        4: "https://h1.example/p",
        5: "https://h2.example/p",
        6: "https://h3.example/p",
        7: "https://h4.example/p",
        17: "https://h6.example/p",
    }.items():
        commands[f"jobrunning:{number}"] = with_url(eight, f"jobrunning:{number}", url)
    commands["jobrunning:10"] = commands["jobrunning:11"].changed(id="jobrunning:10", round=0)
    commands["jobrunning:16"] = with_url(
        commands["jobrunning:15"], "jobrunning:16", "https://single-shop.example/p/1"
    )
    return jobs, commands


def with_endings(job: Job) -> Job:
    """The job with visits that ended in an earlier round, for reasons with and without a detail."""
    ended = [
        ("blocked", WALL),
        ("failed", Why(Reason.HTTP, "404")),
        ("refused", Why(Reason.ROBOTS)),
        ("failed", Why(Reason.OTHER, "as another program wrote it")),
    ]
    visits = [
        VisitRecord(
            n=900 + n,
            command=f"jobrunning:{900 + n}",
            url=f"https://e{n}.example/",
            round=0,
            outcome=what,
            reason=why,
            counted=False,
        )
        for n, (what, why) in enumerate(ended)
    ]
    return job.changed(visits=[*job.visits, *visits])


async def plan(release: Release, jobs: dict[str, Job], commands: dict[str, Any]) -> None:
    """Submit the jobs, and commit what their planners have decided."""
    timers = {
        RUNNING: {
            ("round", 1): START_MS + 30_000,
            ("deadline", 1): START_MS + 3_600_000,
            ("go", 1): START_MS + 40_000_000,
        },
        WATCH: {("round", 1): START_MS + 1_800_000},
    }
    for name, due in timers.items():
        assert await release.jobs.submit(Job(id=name, inputs=jobs[name].inputs, limits=jobs[name].limits))
        taken = await release.jobs.take(max_active=9)
        assert taken
        assert taken.job.id == name
        decided = with_endings(jobs[name]) if name == RUNNING else jobs[name]
        own = [command for cid, command in commands.items() if cid.startswith(f"{name}:")]
        old = Finding(
            id="6d6673a2-929c-5e38-a223-9132019cab2b",
            command="jobrunning:0",
            claim="Old finding.",
            quote="Old finding.",
            start=0,
            end=12,
            page_sha256=SHA,
            url="https://old.example/",
        )
        done = await release.jobs.commit(
            taken, decided.changed(version=taken.job.version), commands=own, timers=due, findings=[old]
        )
        assert done == "ok", done
    await release.frontier.push([command for cid, command in commands.items() if cid.startswith("-:")])
    assert await release.jobs.submit(Job(id=ROW, inputs=jobs[ROW].inputs, limits=jobs[ROW].limits))
    taken = await release.jobs.take(max_active=9)
    assert taken
    assert taken.job.id == ROW


async def crawl(release: Release) -> None:
    """Let one node work: pages, refusals, a wall, a redirect, a fault, a search between two providers."""
    await release.wait(1)
    await release.wait(40_000)
    report = ProviderReport(provider="p", ok=False, reason=Why(Reason.HTTP, "503"))
    progress = SearchProgress(
        tried=[TriedProvider(report=report, results=[SearchResult(url="https://x.example/")])], turns=1
    )
    search = release.leases.pop("jobrunning:1")
    provider = frontier_target("https://api.example/").changed(slot="q@api.example")
    await release.frontier.give_back(
        "jobrunning:1", search.token, "turn", target=provider, progress=progress.to_wire()
    )
    await release.fetched("jobrunning:4", "page")
    four = release.leases["jobrunning:4"]
    await release.frontier.stored("jobrunning:4", four.token, SHA, four.command.target)
    finding = Finding(
        id="02a8c1bd-792b-54b0-a164-109eb0d821c0",
        command="jobrunning:4",
        claim="Heat pumps move heat.",
        quote="Heat pumps move heat.",
        start=0,
        end=21,
        page_sha256=SHA,
        url="https://h1.example/p",
        title="A page",
    )
    page = PageReading(
        url="https://h1.example/p",
        final_url="https://h1.example/p",
        sha=SHA,
        title="A page",
        relevance=0.8,
        confidence=0.7,
        summary="It helps.",
        by="extractive",
        links=[Link(url="https://next.example/", text="more about heat pumps and how they work")],
    )
    await release.settle("jobrunning:4", page=page, findings=[finding], downloads=1, pages_fetched=1)
    gone = Why(Reason.HTTP, "404")
    await release.fetched("jobrunning:7", "refused", reason=Refusal(gone))
    await release.settle("jobrunning:7", outcome="failed", reason=gone)
    old = PageReading(url="https://old.example/", final_url="https://old.example/", sha="cd" * 32)
    await release.settle("jobrunning:10", page=old)
    product = Product(name="Laptop", price="$799.99", currency="USD", url="https://single-shop.example/p/1")
    await release.fetched("jobrunning:16", "page")
    await release.settle("jobrunning:16", products=[product], downloads=1, pages_fetched=1)
    await release.fetched("jobrunning:5", "refused", reason=Refusal(WALL, "blocked"))
    asked = Intervention(
        id="askaaaaaaaaa",
        host="h2.example",
        url="https://h2.example/p",
        kind=Reason.CAPTCHA,
        detail="by hcaptcha (http 403)",
        job=RUNNING,
        asked_ms=release.now,
        until_ms=release.now + 900_000,
    )
    five = release.leases.pop("jobrunning:5")
    command: Any = five.command
    assert await release.people.ask(command, five.token, WALL, asked)
    await release.fetched("jobrunning:6", "redirect", to=frontier_target("https://moved.example/2"))
    six = release.leases.pop("jobrunning:6")
    moved = frontier_target("https://moved.example/2")
    await release.frontier.give_back("jobrunning:6", six.token, "wait", target=moved, redirects=1)
    await release.fetched("jobrunning:17", "transient", reason=Why(Reason.TIMEOUT))
    lost = release.leases.pop("jobrunning:17")
    await release.frontier.give_back("jobrunning:17", lost.token, "transient")


async def record(old: Path, new: Path, redis: Redis) -> None:
    """Make the recording."""
    jobs, commands = seeded(json.loads(old.read_text("utf-8"))["keys"])
    release = Release(redis)
    await release.frontier.configure(default_delay_ms=5_000, host_permits=8, model_permits=2)
    await release.frontier.beat("n1", {})
    await plan(release, jobs, commands)
    await crawl(release)
    await release.jobs.deliver(
        RUNNING, PersonAnswered(uid="x:answer", job=RUNNING, answer=ReviewAnswer(kind="accept"))
    )
    await release.jobs.deliver(RUNNING, JobResumed(uid="x:resume", job=RUNNING))
    await release.jobs.fire()
    await release.frontier.publish(
        CommandDone(
            uid="-:b",
            command="-:b",
            job="-",
            query="a query",
            providers=[ProviderReport(provider="q", ok=False, reason=Why(Reason.HTTP, "503"))],
        )
    )
    await release.wait(1)
    keys = {}
    await redis.delete("research:server")  # which Redis it was: the recording is restored into another one
    for key in sorted(await redis.keys("*")):
        kind, value = await value_of(redis, key)
        keys[text_of(key)] = {"type": kind, "value": value}
    lua = resources.files("research_crawler.frontier").joinpath("lua")
    scripts = {path.name: path.read_text("utf-8") for path in sorted(lua.iterdir(), key=lambda p: p.name)}
    schemas = {
        "Command": _COMMANDS.json_schema(),
        "Event": _EVENTS.json_schema(),
        "Job": Job.model_json_schema(),
    }
    new.write_text(json.dumps({"now_ms": release.now, "keys": keys}, indent=1) + "\n", "utf-8")
    beside = {"scripts": scripts, "schemas": schemas}
    new.with_name(f"{new.stem}_release.json").write_text(json.dumps(beside, indent=1) + "\n", "utf-8")
    await release.frontier.close()
    await release.jobs.close()


def text_of(value: bytes) -> str:
    """Bytes as text; those that are none as base64."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(value).decode()


async def value_of(redis: Redis, key: bytes) -> tuple[str, Any]:
    """The type and the value of a key."""
    kind = text_of(await redis.type(key))
    match kind:
        case "string":
            value: Any = text_of(await redis.get(key))
        case "hash":
            value = {text_of(k): text_of(v) for k, v in (await redis.hgetall(key)).items()}
        case "zset":
            value = [[text_of(k), at] for k, at in await redis.zrange(key, 0, -1, withscores=True)]
        case "set":
            value = sorted(text_of(each) for each in await redis.smembers(key))
        case "list":
            value = [text_of(each) for each in await redis.lrange(key, 0, -1)]
        case _:
            entries = await redis.xrange(key)
            value = [[text_of(n), {text_of(k): text_of(v) for k, v in e.items()}] for n, e in entries]
    return kind, value


async def main(old: str, new: str) -> None:
    """Record over a Redis of its own."""
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/redis.sock"
        server = subprocess.Popen(
            [str(find_server()[0]), "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        try:
            while not Path(socket).exists():
                await asyncio.sleep(0.05)
            redis = Redis(unix_socket_path=socket)
            await record(Path(old), Path(new), redis)
            await redis.aclose()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
