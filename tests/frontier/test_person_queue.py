"""Commands that wait for a person: what they hold meanwhile, what follows from the answer, and what survives."""

import pytest

from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.frontier.person_queue import PersonQueue

WALL = Why(Reason.CAPTCHA, "by a vendor")


def question(world, id_="i1", host="a.example", job="j1"):
    return Intervention(
        id=id_, host=host, url=f"http://{host}/1", kind=Reason.CAPTCHA, job=job,
        asked_ms=world.now, until_ms=world.now + 600_000,
    )  # fmt: skip


@pytest.fixture
async def people(world):
    await world.submit()
    return PersonQueue(world.frontier, clock=lambda: world.now)


async def asked(world, people, command, id_="i1"):
    await world.push(command)
    (lease,) = await world.lease()
    await world.fetch(lease)
    host = command.slot
    return await people.ask(lease.command, lease.token, WALL, question(world, id_, host), b"jpeg")


async def came(world):
    return [event for event in await world.mail() if event.kind != "start"]


async def test_a_command_that_waits_for_a_person_holds_no_lease_no_permit_and_no_host(world, people):
    assert await asked(world, people, world.visit("j1:1", ask=True)) == "i1"
    assert await world.redis.hlen("research:lease") == 0
    assert await world.redis.zcard("research:fly:a.example") == 0
    world.now += 6_000
    await world.push(world.visit("j1:2", "a.example/2"))
    assert [lease.command.id for lease in await world.lease()] == ["j1:2"]
    (place,) = [p for p in await world.frontier.locations("j1") if p.command == "j1:1"]
    assert (place.queue, place.leased) == ("person", False)
    look = await world.frontier.look("j1")
    assert {one.command: one.asks_person for one in look.commands} == {"j1:1": True, "j1:2": False}
    assert await world.frontier.counts() and not (await world.frontier.counts()).problems
    assert await people.picture("i1") == b"jpeg"


async def test_all_pages_of_a_host_wait_for_one_answer_and_go_on_together(world, people):
    await asked(world, people, world.visit("j1:1", ask=True))
    world.now += 6_000
    assert await asked(world, people, world.visit("j1:2", "a.example/2", ask=True), "i2") == "i1"
    assert await people.waiting("i1") == ["j1:1", "j1:2"]
    assert [one.id for one in await people.all()] == ["i1"]
    assert await people.end(question(world), "done") == 2
    assert await people.end(question(world), "done") == -1
    world.now += 6_000
    (first,) = await world.lease()
    assert (first.command.intervention, first.command.times_asked, first.command.attempt) == ("", 1, 0)
    assert await came(world) == []
    assert not (await world.frontier.counts()).problems


async def test_without_an_answer_in_time_its_pages_end_as_blocked_by_their_wall(world, people):
    await asked(world, people, world.visit("j1:1", ask=True))
    assert await people.sweep() == 0
    world.now += 600_001
    assert await people.sweep() == 1
    (event,) = await came(world)
    assert (event.command, event.outcome, event.reason) == ("j1:1", "blocked", WALL)
    assert [one.state for one in await people.all()] == ["expired"]
    world.now += 2 * 86_400_000
    await people.sweep()
    assert await people.all() == []


async def test_an_intervention_is_over_when_its_job_is(world, people):
    await asked(world, people, world.visit("j1:1", ask=True))
    await world.jobs.cancel("j1")
    await people.sweep()
    assert [one.state for one in await people.all()] == ["over"]
    assert not (await world.frontier.counts()).problems


async def test_a_page_that_another_command_stores_is_read_without_the_person(world, people):
    await asked(world, people, world.visit("j1:1", ask=True))
    await world.submit("j2")
    world.now += 6_000
    await world.push(world.visit("j2:1"))
    (lease,) = await world.lease()
    await world.fetch(lease)
    await world.store(lease)
    (other,) = await world.lease()
    assert (other.command.id, other.page.kind, other.permit) == ("j1:1", "page", False)
    assert await people.waiting("i1") == []


async def test_the_refusal_of_another_job_is_dropped_when_a_person_has_opened_the_host(world, people):
    await asked(world, people, world.visit("j1:1", ask=True))
    await world.submit("j2")
    world.now += 6_000
    await world.push(world.visit("j2:1"))
    (lease,) = await world.lease()
    await world.fetch(lease, "refused", reason="captcha")
    assert await people.waiting("i1") == ["j1:1"]
    await people.end(question(world), "done")
    world.now += 6_000
    again = [one for one in await world.lease() if one.command.id == "j1:1"]
    assert again and again[0].page is None


async def test_the_round_timer_of_the_job_rings_when_a_page_is_put_aside(world, people):
    await world.redis.hset("research:job:j1", "_timers", "j1 round 1\nj1 deadline 1")
    await world.redis.zadd(
        "research:timers", {"j1 round 1": world.now + 45_000, "j1 deadline 1": world.now + 90_000}
    )
    await asked(world, people, world.visit("j1:1", ask=True))
    await world.jobs.fire()
    assert [event.kind for event in await came(world)] == ["round"]


async def test_a_persons_navigation_takes_its_turn_among_the_visits_of_the_host(world, people):
    assert await people.take_navigation_permit("a.example", "p:1") == 0
    await world.push(world.visit("j1:1"))
    assert await world.lease() == []
    assert await people.take_navigation_permit("a.example", "p:2") > 0
    await people.return_navigation_permit("a.example", "p:1")
    world.now += 4_000
    assert await people.take_navigation_permit("a.example", "p:2") == 1_000
    world.now += 1_000
    assert await people.take_navigation_permit("a.example", "p:2") == 0


async def test_an_answer_and_a_lost_lease_change_nothing_twice(world, people):
    await world.push(world.visit("j1:1", ask=True))
    (lease,) = await world.lease()
    assert await people.ask(lease.command, "stale", WALL, question(world)) == ""
    assert await people.all() == []
