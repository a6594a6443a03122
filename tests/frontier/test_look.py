"""How a planner sees what becomes of a job's commands."""


async def test_a_look_says_how_long_a_node_has_worked_on_each_command(world):
    await world.submit("j1")
    await world.push(world.visit("j1:1", "a.example/1"), world.visit("j1:2", "a.example/2"))
    (lease,) = await world.lease()
    await world.frontier.beat("n1", {"j1:1": lease.token}, {"j1:1": 1_700})
    look = await world.frontier.look("j1")
    assert {one.command: (one.is_leased, one.worked_ms) for one in look.commands} == {
        "j1:1": (True, 1_700),
        "j1:2": (False, 0),
    }
    assert look.nodes == 1
    await world.frontier.leave("n1")
    assert (await world.frontier.look("j1")).nodes == 0


async def test_the_work_under_a_lost_lease_goes_with_its_command_and_is_kept_for_no_other(world):
    await world.submit("j1")
    await world.push(world.visit("j1:1"))
    (lease,) = await world.lease()
    await world.frontier.beat("n1", {"j1:1": lease.token}, {"j1:1": 2_000})
    assert await world.frontier.give_back("j1:1", lease.token, "transient")
    assert (await world.command("j1:1")).spent_ms == 2_000
    await world.wait(6_000)
    (again,) = await world.lease()
    assert again.command.spent_ms == 2_000
    assert (await world.frontier.look("j1")).commands[0].worked_ms == 0
    assert await world.settle(again)
    assert await world.redis.exists("research:worked") == 0
