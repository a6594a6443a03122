"""What the release before this one wrote into Redis is read to its end, and what this one writes gives way to it.

`tests/data/wire_1.json` holds the keys of a running system of that release: commands of every kind that wait, are
leased or are put aside for a person, mailboxes, timers, three jobs. `wire_1_schemas.json` says how it reads messages.
"""

import base64
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from redis.asyncio import Redis

from planner.job.commands import search_command, section_command, visit_command
from planner.offers.vendor_commands import VendorCommandBuilder
from planner.rounds.step import apply
from planner.watches.watch_step import look, proceed
from research_crawler.core.errors import NewerWire
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.jobs.job import ClaimedJob
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import (
    Command,
    FetchCommand,
    SearchCommand,
    SearchSpec,
    read_command,
)
from research_crawler.core.models.messages.events import (
    CommandDone,
    DeadlineDue,
    Event,
    GoDue,
    JobResumed,
    JobStarted,
    PersonAnswered,
    RoundDue,
    read_event,
)
from research_crawler.core.models.messages.searches import SearchProgress
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.vendors import Catalogue
from research_crawler.frontier.people import PersonQueue
from research_crawler.frontier.spider_requests import command_of
from tests.frontier.conftest import World
from tests.planner.scripted import a_job

DATA = Path(__file__).parents[1] / "data"
FORMER = 1
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


@pytest.fixture
async def left(redis_client: Redis) -> AsyncIterator[World]:
    """A frontier as the release before left it, at the time at which its processes ended."""
    recorded = json.loads((DATA / "wire_1.json").read_text(encoding="utf-8"))
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
    assert (moved.target.url, moved.first_url, moved.hop) == (
        "https://moved.example/2",
        "https://h3.example/p",
        1,
    )
    assert isinstance(anew, FetchCommand)
    assert (anew.max_age_s, anew.patient, anew.insists, anew.priority) == (0, True, True, 6)


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
    assert kinds == {JobStarted, CommandDone, RoundDue, DeadlineDue, GoDue, JobResumed, PersonAnswered} - {
        JobStarted
    } | {JobStarted}
    running = taken["jobrunning"]
    applied = apply(running.job, events["jobrunning"], [], running.now_ms)
    assert [visit.command for visit in applied.job.visits if not visit.what] == ["jobrunning:5"]
    watch = taken["cmvkyvnsxnma"]
    looked = look(watch.job, events["cmvkyvnsxnma"], watch.now_ms)
    assert [reading.state for reading in looked.readings] == ["unclear"]
    assert await left.jobs.commit(watch, proceed(looked, [], watch.now_ms).job, withdraw=True) == "ok"


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
        GoDue(uid="5", job="j", no=1),
        PersonAnswered(uid="6", job="j", answer=ReviewAnswer(kind="accept")),
        CommandDone(
            uid="7", job="j", command="j:1", what="failed", reason=Why(Reason.BAD_REQUEST, "no callback")
        ),
    ]
    return [("Command", one) for one in commands] + [("Event", one) for one in events]


@pytest.mark.parametrize(("kind", "message"), written(), ids=lambda one: getattr(one, "kind", ""))
def test_the_former_release_can_read_each_message_and_so_gives_it_back_as_newer(kind, message):
    """Its check of the version comes after its check of the form: what it cannot read it would end as failed."""
    schema = json.loads((DATA / "wire_1_schemas.json").read_text(encoding="utf-8"))[kind]
    body = json.loads(message.to_wire())
    jsonschema.validate(body, schema)
    assert body["v"] == WIRE_VERSION == FORMER + 1
    assert body["kind"] == message.kind


async def test_a_node_of_the_former_release_leaves_newer_commands_to_newer_nodes(left):
    job = a_job()
    await left.frontier.push([visit_command(job, 1, "https://new.example/", 0)])
    left.now += 60_000
    await left.frontier.beat("old", {})
    await left.frontier.reap()
    reply = await left.frontier.call("lease", "old", 64, FORMER, "nonce", len(QUEUES), *QUEUES)
    texts = [json.loads(row[4]) for row in reply[1:]]
    assert {text["v"] for text in texts} == {FORMER}, "it is given its own commands beside newer ones"
    left.now += 2_000  # a command that was passed over is looked at again after a second
    await left.frontier.beat("n2", {})
    [lease] = [one for one in await left.frontier.lease("n2", 64, QUEUES) if one.command.job == job.id]
    assert lease.command.target.url == "https://new.example/"


def test_a_message_of_a_later_release_is_newer_even_if_its_kind_is_unknown():
    with pytest.raises(NewerWire):
        read_command('{"v":3,"id":"j:1","kind":"dance"}')
    with pytest.raises(NewerWire):
        read_event('{"v":3,"uid":"1","kind":"eclipse"}')
