"""Searches in the queues of their providers."""

from research_crawler.core.models.messages.commands import Lease
from research_crawler.core.models.messages.searches import Pace
from research_crawler.core.models.web.target import Target
from tests.frontier.conftest import World, at

OWN = "searxng@s.example"
CALL = Target(url="http://s.example/search", slot=OWN, page_key="")


async def wait_at(world: World, slot: str, *ids: str, progress: str = "") -> None:
    """Push searches and put each into the queue of a provider, as a node does that has chosen it."""
    await world.push(*(world.search(id_) for id_ in ids))
    for lease in await world.lease():
        assert not lease.permit
        await world.frontier.give_back(
            lease.command.id,
            lease.token,
            "turn",
            target=Target(url="", slot=slot, page_key=""),
            progress=progress,
        )


def ids(leases: list[Lease]) -> list[str]:
    return [lease.command.id for lease in leases]


async def end_call(world: World, lease: Lease, gap_ms: int = 0) -> None:
    await world.frontier.download_ended(
        lease.command.id, lease.token, CALL, 0, "robots", robots_gap_ms=gap_ms
    )


async def test_searches_are_leased_with_a_permit_of_their_provider_and_no_more_than_it_allows(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=3)})
    await wait_at(world, OWN, *(f"j{n}:1" for n in range(5)))
    leases = await world.lease()
    assert ids(leases) == ["j0:1", "j1:1", "j2:1"] and all(lease.permit for lease in leases)
    assert await world.lease() == []
    await end_call(world, leases[1])
    assert ids(await world.lease()) == ["j3:1"]


async def test_a_search_waits_without_end_and_without_an_attempt_and_keeps_what_it_has(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=1)})
    await wait_at(world, OWN, "j1:1", "j2:1", progress='{"v":1,"turns":7}')
    [first] = await world.lease()
    await world.frontier.download_ended("j1:1", first.token, CALL, 0, "transient", block_ms=3_600_000)
    await world.wait(3_599_000, reaps=True)
    assert await world.lease(spiders=["search"]) == []
    await world.wait(2_000)
    leases = await world.lease(spiders=["search"])
    assert "j2:1" in ids(leases)
    second = next(lease for lease in leases if lease.command.id == "j2:1")
    assert second.command.attempt == 0 and second.command.progress == '{"v":1,"turns":7}'


async def test_jobs_take_turns_at_a_provider(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=1)})
    await wait_at(world, OWN, *(f"j1:{n}" for n in range(5)))
    [first] = await world.lease()
    await wait_at(world, OWN, "j2:1")
    await world.settle(first)
    order = []
    for _ in range(5):
        [lease] = await world.lease()
        order.append(lease.command.id)
        await world.settle(lease)
    assert order == ["j1:1", "j2:1", "j1:2", "j1:3", "j1:4"]


async def test_a_search_beside_its_turn_stands_behind_those_that_wait_there(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=2), "other@o.example": Pace(0, 2)})
    await wait_at(world, "other@o.example", "j1:1")
    [lease] = await world.lease()
    assert (await world.frontier.permit("j1:1", lease.token, CALL, 150)).kind == "go"
    await world.frontier.download_ended("j1:1", lease.token, CALL, 150, "unused")
    await wait_at(world, OWN, "j2:1")
    reply = await world.frontier.permit("j1:1", lease.token, CALL, 150)
    assert (reply.kind, reply.wait_ms, reply.least_wait_ms) == ("wait", 1_000, 1_000)


async def test_calls_at_once_are_spaced_from_beginning_to_beginning(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=600, at_once=8)})
    await wait_at(world, OWN, "j1:1", "j2:1", "j3:1")
    [first] = await world.lease()
    await world.wait(599)
    assert await world.lease() == []
    await world.wait(1)
    assert ids(await world.lease()) == ["j2:1"]
    await end_call(world, first, gap_ms=600)
    await world.wait(600)
    assert ids(await world.lease()) == ["j3:1"]


async def test_searches_and_visits_share_the_slot_of_a_host_that_is_both(world):
    assert await world.frontier.set_paces({"a.example": Pace(delay_ms=1_000)}) == {"a.example": 0.0}
    await wait_at(world, "a.example", "j1:1")
    await world.push(world.visit("j2:1"))
    [search] = await world.lease()
    assert search.command.id == "j1:1" and search.permit
    await world.frontier.download_ended(
        "j1:1", search.token, at("a.example/"), 0, "robots", robots_gap_ms=1_000
    )
    await world.wait(1_000)
    [visit] = await world.lease()
    await world.fetch(visit)
    assert (await world.frontier.slot("a.example"))["next"] == world.now + 5_000


async def test_a_host_without_delay_is_searched_with_the_pause_of_its_provider(world):
    await world.redis.hset("research:slot:a.example", "delay", "0")
    await world.frontier.set_paces({"a.example": Pace(delay_ms=1_000)})
    await wait_at(world, "a.example", "j1:1", "j2:1")
    assert len(await world.lease()) == 1


async def test_searches_leave_a_provider_that_closes_in_their_order(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=1)})
    await wait_at(world, OWN, *(f"j{n}:1" for n in range(4)))
    [first] = await world.lease()
    await world.frontier.download_ended("j0:1", first.token, CALL, 0, "transient", block_ms=60_000)
    assert await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=1)}) == {OWN: 60.0}
    assert await world.frontier.reroute(OWN) == 3
    leases = await world.lease()
    assert ids(leases) == ["j1:1", "j2:1", "j3:1"] and not any(lease.permit for lease in leases)
    assert await world.frontier.reroute(OWN) == 0


async def test_a_search_of_a_dead_node_waits_for_its_provider_again(world):
    await world.frontier.set_paces({OWN: Pace(delay_ms=0, at_once=1)})
    await wait_at(world, OWN, "j1:1", progress="{}")
    await world.lease()
    await world.wait(36_000, reaps=True)
    [place] = await world.frontier.locations("j1")
    assert (place.leased, place.slot, place.provider) == (False, OWN, "searxng")
    command = await world.command("j1:1")
    assert command and (command.attempt, command.progress) == (1, "{}")
    [again] = await world.lease()
    assert again.permit
