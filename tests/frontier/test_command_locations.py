"""What the frontier tells of where a job's commands are."""


async def test_a_queued_command_is_shown_with_its_host_its_rest_and_those_before_it(world):
    await world.push(
        world.visit("j1:1"), world.visit("j2:1", "a.example/2"), world.visit("j1:2", "a.example/3")
    )
    [first] = await world.lease()
    await world.fetch(first)
    await world.wait(2_000)
    leased, queued = await world.frontier.locations("j1")
    assert (leased.command, leased.leased, leased.queue, leased.for_ms) == ("j1:1", True, "page", 2_000)
    assert leased.slot == ""
    assert (queued.command, queued.leased, queued.queue, queued.slot) == ("j1:2", False, "page", "a.example")
    assert (queued.for_ms, queued.free_in_ms, queued.before) == (2_000, 3_000, 1)


async def test_a_lease_that_holds_a_permit_names_its_host(world):
    await world.push(world.visit("j1:1"))
    await world.lease()
    [location] = await world.frontier.locations("j1")
    assert (location.leased, location.slot, location.kind) == (True, "a.example", "visit")


async def test_a_job_without_open_commands_is_nowhere(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.settle(lease)
    assert await world.frontier.locations("j1") == []
    assert await world.redis.exists("research:queued") == 0


async def test_a_command_that_waits_for_a_node_alone_waits_in_no_slot(world):
    await world.push(world.search("j1:1"))
    await world.wait(400)
    [location] = await world.frontier.locations("j1")
    assert (location.kind, location.slot, location.provider, location.for_ms) == ("search", "_", "", 400)


async def test_a_command_behind_a_download_that_is_under_way_says_so_and_not_how_long_it_may_take(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
    [first] = await world.lease()
    behind = next(location for location in await world.frontier.locations("j1") if not location.leased)
    assert behind.is_full
    await world.fetch(first)
    behind = next(location for location in await world.frontier.locations("j1") if not location.leased)
    assert not behind.is_full
