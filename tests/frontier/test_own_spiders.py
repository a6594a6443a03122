"""The scripts, for spiders of other projects: what a callback made goes in one step with its command."""

import pytest
from redis.exceptions import ResponseError

from research_crawler.core.errors import BadMessage
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.frontier.spider_requests import command_of, queue_of

OWN = [queue_of("mine")]


def request(number: int, *, once: bool = True, host: str = "a.example", priority: int = 0):
    url = f"http://{host}/{number}"
    return command_of(
        "{}", url=url, spider="mine", identity=url, priority=priority, fingerprint=url if once else ""
    )


def page(name: str) -> CommandDone:
    return CommandDone(uid=name, command=name, job="-")


async def settle(world, lease, **made) -> bool:
    c = lease.command
    return await world.frontier.settle(page(c.id), lease.token, **made)


async def test_a_spider_leases_its_own_requests_and_nobody_elses(world):
    await world.push(request(1), world.visit("j1:1", "b.example/1"))
    assert [lease.command.url for lease in await world.lease(spiders=OWN)] == ["http://a.example/1"]
    assert [lease.command.id for lease in await world.lease()] == ["j1:1"]


async def test_a_host_has_one_place_for_all_spiders(world):
    await world.push(request(1), world.visit("j1:1", "a.example/2"))
    [first] = await world.lease(spiders=OWN)
    assert await world.lease() == []
    assert await world.fetch(first)
    await world.wait(5_000)
    assert [lease.command.id for lease in await world.lease()] == ["j1:1"]


async def test_requests_and_pages_of_a_callback_are_published_when_their_command_is_settled(world):
    await world.push(request(1))
    [lease] = await world.lease(spiders=OWN)
    made = [request(2, host="b.example"), request(3, host="c.example")]
    assert await settle(world, lease, further=[page("-:item1"), page("-:item2")], commands=made)
    assert [event.command for event in await world.outbox()] == ["-:item1", "-:item2", lease.command.id]
    assert {one.command.id for one in await world.lease(spiders=OWN)} == {one.id for one in made}


async def test_nothing_of_a_lost_lease_is_published(world):
    await world.push(request(1))
    [lost] = await world.lease(spiders=OWN)
    await world.frontier.give_back(lost.command.id, lost.token, "drain")
    assert not await settle(world, lost, further=[page("-:item")], commands=[request(2)])
    assert await world.outbox() == []
    assert await world.command(request(2).id) is None


async def test_an_event_that_is_too_long_settles_nothing(world):
    await world.push(request(1))
    [lease] = await world.lease(spiders=OWN)
    with pytest.raises(BadMessage):
        await settle(world, lease, further=[page("-:item").changed(reason=Why(Reason.OTHER, "x" * 70_000))])
    assert await settle(world, lease)


async def test_a_request_with_a_fingerprint_is_made_once(world):
    assert await world.push(request(1)) == [0]
    [lease] = await world.lease(spiders=OWN)
    assert await settle(world, lease)
    assert await world.push(request(1), request(1, once=False)) == [-2, 5_000]


async def test_higher_priorities_of_scrapy_come_first(world):
    await world.push(request(1), request(2, priority=1), request(3, priority=-900), request(4, priority=900))
    order = []
    for _ in range(4):
        [lease] = await world.lease(spiders=OWN)
        order.append(lease.command.url[-1])
        await world.fetch(lease)
        await settle(world, lease)
        await world.wait(5_000)
    assert order == ["4", "2", "1", "3"]


async def test_queued_requests_of_projects_are_counted_and_waited_for(world):
    await world.push(request(1), request(2))
    assert (await world.frontier.counts()).queued["own"] == 2
    assert await world.frontier.waits(["a.example"]) == [10.0]


async def test_seen_requests_are_forgotten_when_no_command_is_open(world):
    await world.push(request(1))
    assert await world.frontier.flush(OWN[0]) == -1
    [lease] = await world.lease(spiders=OWN)
    assert await world.frontier.flush(OWN[0]) == -1
    await settle(world, lease)
    assert await world.frontier.flush(OWN[0]) == 0
    assert await world.push(request(1)) != [-2]


async def test_a_flush_of_everything_leaves_what_nodes_work_on(world):
    await world.push(request(1), request(2), request(3, host="b.example"))
    leases = await world.lease(spiders=OWN)
    assert await world.frontier.flush(OWN[0], everything=True) == 3 - len(leases)
    for lease in leases:
        assert await settle(world, lease)


@pytest.mark.parametrize("kind", ["list", "set", "zset"])
async def test_an_entry_leaves_its_key_in_the_step_that_queues_its_requests(world, kind):
    redis, entries = world.redis, [b"\xff", b"b"]
    if kind == "list":
        await redis.rpush("k", *entries)
    elif kind == "set":
        await redis.sadd("k", *entries)
    else:
        await redis.zadd("k", {entries[0]: 2, entries[1]: 1})
    assert set(await world.frontier.inlet_read("k", kind, 10)) == set(entries)
    assert len(await world.frontier.inlet_read("k", kind, 1)) == 1
    assert await world.frontier.inlet_take("k", kind, entries[0], [request(1)])
    assert not await world.frontier.inlet_take("k", kind, entries[0], [request(2)])
    assert await world.frontier.inlet_read("k", kind, 10) == [b"b"]
    assert [lease.command.url for lease in await world.lease(spiders=OWN)] == ["http://a.example/1"]
    assert await world.command(request(2).id) is None


async def test_a_key_of_another_type_is_an_error(world):
    await world.redis.set("k", "text")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await world.frontier.inlet_read("k", "list", 10)


async def test_a_dead_nodes_requests_are_made_by_another(world):
    await world.push(request(1))
    [lease] = await world.lease(spiders=OWN)
    await world.wait(40_000, reaps=True)
    assert not await settle(world, lease, commands=[request(2)])
    [again] = await world.lease(spiders=OWN)
    assert (again.command.id, again.command.attempt) == (lease.command.id, 1)
