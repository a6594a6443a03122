"""What former releases wrote into Redis is read to its end, and nodes of the former release work beside ours.

`tests/data/wire_<n>.json` holds the keys of a running system of the release with wire version n: commands of every kind
that wait, are leased or are put aside for a person, mailboxes, timers, three jobs. `wire_2_release.json` has the former
release's scripts and the schemas by which it reads; `record_release.py` has recorded both.
"""

import base64
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from redis.asyncio import Redis

from planner.job.commands import search_command, section_command, visit_command
from planner.offers.vendor_commands import VendorCommandBuilder
from planner.rounds.job_transitions import apply_events
from planner.watches.watch_transitions import next_action, read_run
from research_crawler.adapters.redis.job_fields import encoded_fields, job_from
from research_crawler.core.errors import NewerWire
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.jobs.job import ClaimedJob
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import (
    Command,
    FetchCommand,
    Lease,
    PageEntry,
    SearchCommand,
    SearchSpec,
    VisitCommand,
    read_command,
)
from research_crawler.core.models.messages.events import (
    CommandDone,
    DeadlineDue,
    Event,
    JobResumed,
    JobStarted,
    NextStepDue,
    PersonAnswered,
    RoundDue,
    read_event,
)
from research_crawler.core.models.messages.searches import SearchProgress
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Refusal, Why
from research_crawler.core.vendors import Catalogue
from research_crawler.frontier.person_queue import PersonQueue
from research_crawler.frontier.scripts import INCLUDE
from research_crawler.frontier.spider_requests import command_of
from tests.cases import each_case
from tests.frontier.conftest import World, at
from tests.planner.scripted import a_job

DATA = Path(__file__).parents[1] / "data"
FORMER = 2
RELEASE = json.loads((DATA / f"wire_{FORMER}_release.json").read_text(encoding="utf-8"))
QUEUES = ["search", "page", "vendor", "render", "own.mine"]


def decoded(text: str) -> str | bytes:
    return base64.b64decode(text.removeprefix("base64:")) if text.startswith("base64:") else text


async def restore(redis: Redis, keys: dict[str, Any]) -> None:
    """Write the keys that were recorded, each with its own type."""
    for key, stored in keys.items():
        value = stored["value"]
        match stored["type"]:
            case "string":
                await redis.set(key, value)
            case "hash":
                await redis.hset(key, mapping=value)
            case "zset":
                await redis.zadd(key, dict(value))
            case "set":
                await redis.sadd(key, *map(decoded, value))
            case "list":
                await redis.rpush(key, *value)
            case "stream":
                for _, fields in value:
                    await redis.xadd(key, fields)
            case other:
                raise AssertionError(other)


@pytest.fixture(params=[1, FORMER], ids=lambda version: f"wire {version}")
async def left(redis_client: Redis, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """A frontier as a former release left it, at the time at which its processes ended."""
    recorded = json.loads((DATA / f"wire_{request.param}.json").read_text(encoding="utf-8"))
    await restore(redis_client, recorded["keys"])
    world = World(redis_client)
    world.now = recorded["now_ms"]
    world.node = "n2"
    yield world
    await world.close()


async def drained(world: World) -> list[Command]:
    """All commands that a node of this release is given until nothing is left; it settles each."""
    await PersonQueue(world.frontier, clock=lambda: world.now).sweep()
    given: list[Command] = []
    for _ in range(60):
        await world.frontier.beat(world.node, {})
        await world.frontier.reap()
        for lease in await world.frontier.lease(world.node, 64, QUEUES):
            given.append(lease.command)
            assert await world.settle(lease)
        world.now += 4_000
    return given


async def test_every_command_that_waited_or_was_leased_comes_to_a_node_of_this_release(left):
    waiting = set(await left.redis.hkeys("research:req"))
    assert await left.redis.hlen("research:lease"), "some were under way"
    left.now += 900_000  # nobody opens the wall in time
    given = await drained(left)
    ended = {event.command for event in await left.mail("jobrunning") if isinstance(event, CommandDone)}
    by_id = {command.id: command for command in given}
    assert waiting == set(by_id) | {"jobrunning:5"}
    assert "jobrunning:5" in ended, "the page at the wall ended as blocked"
    kinds = Counter(command.kind for command in given)
    assert set(kinds) == {"search", "visit", "section", "vendor", "request"}
    assert await left.redis.hlen("research:req") == 0


async def test_a_command_keeps_what_the_former_release_knew_of_it(left):
    by_id = {command.id: command for command in await drained(left)}
    search, moved, anew = by_id["jobrunning:1"], by_id["jobrunning:6"], by_id["cmvkyvnsxnma:1"]
    assert isinstance(search, SearchCommand)
    assert SearchProgress.from_wire(search.progress).turns == 1
    assert (moved.target.url, moved.first_url, moved.redirects) == (
        "https://moved.example/2",
        "https://h3.example/p",
        1,
    )
    assert isinstance(anew, FetchCommand)
    assert (anew.max_age_s, anew.accepts_long_delay, anew.retries_unreachable, anew.priority) == (
        0,
        True,
        True,
        6,
    )


async def test_its_jobs_take_their_events_and_timers_and_go_on(left):
    await drained(left)
    left.now += 60_000_000
    assert await left.jobs.fire() >= 3
    taken: dict[str, ClaimedJob] = {}
    while (one := await left.jobs.take(max_active=9)) is not None:
        taken[one.job.id] = one
        left.now += 1
    assert set(taken) == {"jobrunning", "jobpending", "cmvkyvnsxnma"}
    events = {job: [read_event(text) for text in one.events] for job, one in taken.items()}
    kinds = {type(event) for known in events.values() for event in known}
    assert kinds == {
        JobStarted,
        CommandDone,
        RoundDue,
        DeadlineDue,
        NextStepDue,
        JobResumed,
        PersonAnswered,
    } - {JobStarted} | {JobStarted}
    running = taken["jobrunning"]
    applied = apply_events(running.job, events["jobrunning"], [], running.now_ms)
    assert [visit.command for visit in applied.job.visits if not visit.outcome] == ["jobrunning:5"]
    reasons = {visit.command: visit.reason for visit in applied.job.visits}
    assert reasons["jobrunning:7"] == Why(Reason.HTTP, "404")
    if "jobrunning:900" in reasons:
        assert [reasons[f"jobrunning:{n}"] for n in range(900, 904)] == [
            Why(Reason.CAPTCHA, "http 403", "hcaptcha"),
            Why(Reason.HTTP, "404"),
            Why(Reason.ROBOTS),
            Why(Reason.OTHER, "as another program wrote it"),
        ]
    watch = taken["cmvkyvnsxnma"]
    reading = read_run(watch.job, events["cmvkyvnsxnma"], watch.now_ms)
    assert [one.state for one in reading.readings] == ["unclear"]
    assert await left.jobs.commit(watch, next_action(reading, [], watch.now_ms).job, withdraw=True) == "ok"


def written() -> list[tuple[str, Command | Event]]:
    """One message of each kind, as this release writes it."""
    job = a_job(urls=["https://named.example/"])
    made = VendorCommandBuilder(job, 0, Catalogue())
    made.product("shop.example", "https://shop.example/p", "a mug", anew=True)
    visit = VisitRecord(n=1, command="j:0", url="https://a.example/", round=1, sha="0" * 64)
    commands = [
        search_command(job, 1, SearchSpec(query="a query")),
        visit_command(job, 2, "https://a.example/", 0),
        section_command(job, 3, visit, "A heading"),
        *made.made,
        command_of("{}", url="https://own.example/", spider="mine", identity="1", fingerprint="f"),
    ]
    events: list[Event] = [
        JobStarted(uid="1", job="j"),
        JobResumed(uid="2", job="j"),
        RoundDue(uid="3", job="j", no=0),
        DeadlineDue(uid="4", job="j", no=1),
        NextStepDue(uid="5", job="j", no=1),
        PersonAnswered(uid="6", job="j", answer=ReviewAnswer(kind="accept")),
        CommandDone(
            uid="7", job="j", command="j:1", outcome="failed", reason=Why(Reason.BAD_REQUEST, "no callback")
        ),
    ]
    return [("Command", one) for one in commands] + [("Event", one) for one in events]


@each_case(("kind", "message"), written())
def test_the_former_release_can_read_each_message_and_so_gives_it_back_as_newer(kind, message):
    body = json.loads(message.to_wire())
    jsonschema.validate(body, RELEASE["schemas"][kind])
    assert body["v"] == WIRE_VERSION == FORMER + 1
    assert body["kind"] == message.kind


class FormerNode:
    """A crawler node of the former release: its own scripts, and messages in its forms, on the Redis of a world."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.held: dict[str, tuple[str, dict[str, Any]]] = {}

    def _source(self, file: str, included: set[str]) -> str:
        def include(match: re.Match[str]) -> str:
            new = match[1] not in included
            included.add(match[1])
            return self._source(match[1], included) if new else ""

        return INCLUDE.sub(include, RELEASE["scripts"][file])

    async def call(self, script: str, *arguments: Any) -> Any:
        source = self._source(f"{script}.lua", set())
        return await self.world.redis.eval(source, 1, "research:", *arguments, self.world.now)

    async def lease(self) -> list[dict[str, Any]]:
        """The commands that it is given; each has a form that it can read."""
        pairs = [part for cid, (token, _) in self.held.items() for part in (cid, token, 0)]
        await self.call("beat", self.name, len(self.held), *pairs)
        reply = await self.call("lease", self.name, 64, FORMER, "nonce", len(QUEUES), *QUEUES)
        for cid, token, _, _, text in reply[1:]:
            command = json.loads(text)
            jsonschema.validate(command, RELEASE["schemas"]["Command"])
            self.held[cid] = token, command
        return [json.loads(row[4]) for row in reply[1:]]

    async def settle(self, cid: str, **outcome: Any) -> bool:
        token, command = self.held.pop(cid)
        event = {"v": FORMER, "uid": cid, "kind": "done", "job": command["job"], "command": cid}
        reply = await self.call("settle", cid, token, json.dumps(event | outcome), 0, 0)
        return reply in (b"ok", "ok")

    async def fetched(self, cid: str, outcome: str, reason: str) -> bool:
        token, command = self.held[cid]
        place = (command["slot"], command.get("hop", 0), outcome, -1, 1.0, -1, 0, -1, reason, "", "", "")
        return await self.call("fetched", cid, token, *place) in (b"ok", "ok")


@pytest.fixture
async def running(redis_client: Redis) -> AsyncIterator[World]:
    """What the former release left, with an hour to go on."""
    recorded = json.loads((DATA / f"wire_{FORMER}.json").read_text(encoding="utf-8"))
    await restore(redis_client, recorded["keys"])
    world = World(redis_client)
    world.now, world.node = recorded["now_ms"] + 900_000, "new"
    yield world
    await world.close()


async def test_nodes_of_both_releases_share_the_queues_and_every_command_ends_once(running):
    job = a_job()
    await running.frontier.push([visit_command(job, n, f"https://new{n}.example/", 0) for n in range(6)])
    old = FormerNode(running, "old")
    await PersonQueue(running.frontier, clock=lambda: running.now).sweep()
    waiting = set(await running.redis.hkeys("research:req"))
    by_old, by_new = [], []
    for turn in range(40):
        for command in await old.lease():
            by_old.append(command["id"])
            assert command["v"] == FORMER, "newer commands are left to newer nodes"
            assert await old.settle(command["id"], what="failed", reason="http 404")
        running.now += 1_500  # a command that was passed over is looked at again after a second
        await running.frontier.beat("new", {})
        await running.frontier.reap()
        for lease in await running.frontier.lease("new", 2 if turn < 8 else 64, QUEUES):
            by_new.append(lease.command.id)
            assert await running.settle(lease, outcome="failed", reason=Why(Reason.HTTP, "503"))
        running.now += 4_000
    assert Counter(by_old + by_new) == Counter(waiting), "each once"
    assert by_old, "the former release worked"
    assert len([cid for cid in by_new if cid.startswith(job.id)]) == 6
    assert len(by_new) > 6, "commands of the former release come to this one too"
    mail = {event.command: event for event in await running.mail("jobrunning") if hasattr(event, "command")}
    expected = dict.fromkeys(by_old, Why(Reason.HTTP, "404")) | dict.fromkeys(by_new, Why(Reason.HTTP, "503"))
    ended = {cid: why for cid, why in expected.items() if cid.startswith("jobrunning:")}
    assert {cid: mail[cid].reason for cid in ended} == ended


async def test_a_fault_that_a_newer_node_has_seen_keeps_its_reason_in_scripts_of_the_former_release(world):
    old, fault = FormerNode(world, "old"), Why(Reason.BROKEN, "cut off")
    text = json.loads(world.visit("j1:1", "fault.example/").to_wire()) | {"v": FORMER}
    await world.push(VisitCommand.model_validate(text))
    for _ in range(3):
        leases: list[Lease] = []
        while not leases:
            world.now += 6_000
            leases = await world.lease()
        assert await world.fetch(leases[0], "transient", reason=fault.stored)
        for _ in range(6):  # the node dies, and a process of the former release finds that
            world.now += 4_000
            await old.call("reap")
    [event] = [fields["event"] for _, fields in await world.redis.xrange("research:outbox")]
    jsonschema.validate(json.loads(event), RELEASE["schemas"]["Event"])
    assert (json.loads(event)["v"], read_event(event).reason) == (FORMER, fault)


async def test_pages_that_one_release_refuses_are_refused_or_asked_for_anew_by_the_other(running):
    wall = Refusal(Why(Reason.CAPTCHA, "http 403", "hcaptcha"), "blocked")
    old = FormerNode(running, "old")
    entry = {"v": FORMER, "kind": "refused", "reason": wall.text, "at": running.now, "keep_ms": 300_000}
    by_old, by_new = at("wall.example/1"), at("wall.example/2")
    await running.redis.set(f"research:page:{by_old.page_key}", json.dumps(entry))
    visit = running.visit("jobrunning:78", "wall.example/1")
    await running.frontier.push([visit])
    await running.frontier.beat("new", {})
    leases = await running.frontier.lease("new", 64, QUEUES)
    [page] = [lease.page for lease in leases if lease.command.id == "jobrunning:78"]
    assert page
    assert page.reason == wall
    newer = PageEntry(kind="refused", reason=wall, at=running.now, keep_ms=300_000).to_wire()
    await running.redis.set(f"research:page:{by_new.page_key}", newer)
    text = json.loads(running.visit("jobrunning:79", "wall.example/2").to_wire()) | {"v": FORMER}
    await running.frontier.push([VisitCommand.model_validate(text)])
    running.now += 60_000
    given = {command["id"] for command in await old.lease()}
    assert "jobrunning:79" in given
    assert PageEntry.from_wire(newer).reason == wall


def test_a_job_that_this_release_has_planned_can_be_read_by_planners_of_the_former_one():
    """Its records had no version, and it reads ours, for reasons are strings to both."""
    why = Why(Reason.CAPTCHA, "http 403", "hcaptcha")
    visit = VisitRecord(n=1, command="j:1", url="https://a.example/", round=1, outcome="blocked", reason=why)
    fields = encoded_fields(a_job().changed(visits=[visit]))
    record = {name: json.loads(text) for name, text in fields.items()} | {"version": 1}
    schema = RELEASE["schemas"]["Job"]
    jsonschema.validate(record, schema)
    assert job_from(fields | {"version": "1"}).visits == [visit]


def test_a_message_of_a_later_release_is_newer_even_if_its_kind_is_unknown():
    with pytest.raises(NewerWire):
        read_command('{"v":4,"id":"j:1","kind":"dance"}')
    with pytest.raises(NewerWire):
        read_event('{"v":4,"uid":"1","kind":"eclipse"}')
