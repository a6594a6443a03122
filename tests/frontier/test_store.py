import asyncio
import json

import pytest

from research_crawler.core.errors import BadMessage
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.messages.commands import read_command
from research_crawler.core.models.messages.events import CommandDone
from tests.frontier.conftest import World, at


# -- permits and politeness
async def test_a_host_gives_its_next_page_a_delay_after_the_end_of_the_last(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
    [first] = await world.lease()
    assert first.permit and await world.lease() == []
    await world.wait(3_000)
    await world.fetch(first)
    await world.wait(4_999)
    assert await world.lease() == []
    await world.wait(1)
    assert [lease.command.id for lease in await world.lease()] == ["j1:2"]


async def test_extraction_does_not_hold_the_host(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
    [first] = await world.lease()
    await world.fetch(first)
    await world.wait(5_000)
    assert [lease.command.id for lease in await world.lease()] == ["j1:2"]
    assert await world.settle(first)


async def test_a_permit_that_expires_counts_as_a_download_ended_then(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
    [first] = await world.lease()
    await world.wait(35_000 + 4_999)
    assert await world.lease() == []
    await world.wait(1)
    assert [lease.command.id for lease in await world.lease()] == ["j1:2"]
    assert await world.fetch(first)


async def test_a_slow_answer_slows_the_host_at_once_and_quick_ones_of_any_node_by_halves(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, suggested_delay_ms=8_000, jitter=1.1)
    assert (await world.frontier.slot("a.example"))["next"] == world.now + 8_800
    assert await delay_after(world, "page", 5_000) == 6_500
    assert await delay_after(world, "page", 5_000) == 5_750


async def test_a_quick_refusal_speeds_up_no_host(world):
    assert await delay_after(world, "page", 8_000) == 8_000
    assert await delay_after(world, "refused", 5_000) == 8_000
    assert await delay_after(world, "refused", 9_000) == 9_000


async def delay_after(world: World, outcome: str, suggested_delay_ms: int) -> int:
    """The host's delay after one more download."""
    await world.wait(60_000)
    await world.push(world.visit(f"j1:{world.now}", f"a.example/{world.now}"))
    [lease] = await world.lease()
    await world.fetch(lease, outcome, suggested_delay_ms=suggested_delay_ms)
    await world.settle(lease)
    return int((await world.frontier.slot("a.example"))["delay"])


async def test_jitter_never_goes_under_crawl_delay(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, crawl_delay_ms=9_000, jitter=0.8)
    assert (await world.frontier.slot("a.example"))["next"] == world.now + 9_000


async def test_after_robots_txt_a_host_rests_a_second(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, "robots")
    reply = await world.frontier.permit("j1:1", lease.token, lease.command.target, 0)
    assert (reply.kind, reply.wait_ms) == ("wait", 1_000)
    await world.wait(1_000)
    assert (await world.frontier.permit("j1:1", lease.token, lease.command.target, 0)).kind == "go"


async def test_after_a_robots_txt_with_crawl_delay_the_host_rests_that_long(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, "robots", crawl_delay_ms=7_000)
    reply = await world.frontier.permit("j1:1", lease.token, lease.command.target, 0)
    assert reply.wait_ms == 7_000


async def test_retry_after_blocks_the_host_for_everyone(world):
    await world.push(world.visit("j1:1"), world.visit("j2:1", "a.example/2"))
    [lease] = await world.lease()
    await world.fetch(lease, "transient", block_ms=60_000)
    await world.frontier.give_back("j1:1", lease.token, "transient")
    await world.wait(59_999)
    assert await world.lease() == []
    await world.wait(1)
    assert len(await world.lease()) == 1


async def test_a_lost_lease_can_still_return_its_permit(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.settle(lease)
    await world.push(world.visit("j1:2", "a.example/2"))
    await world.wait(5_000)
    [second] = await world.lease()
    await world.wait(20_000)
    await world.frontier.beat(world.node, {})
    assert not await world.fetch(second)
    assert (await world.frontier.slot("a.example"))["flying"] == 0


async def test_a_host_without_delay_gives_as_many_permits_as_configured(world):
    await world.redis.hset("research:slot:a.example", "delay", "0")
    await world.push(*(world.visit(f"j1:{n}", f"a.example/{n}") for n in range(20)))
    assert len(await world.lease()) == 8


async def test_a_permit_asked_for_twice_is_granted_once(world):
    await world.push(world.search("j1:1"))
    [lease] = await world.lease()
    to = at("provider.example/search")
    assert (await world.frontier.permit("j1:1", lease.token, to, 0)).kind == "go"
    assert (await world.frontier.permit("j1:1", lease.token, to, 0)).kind == "go"
    assert (await world.frontier.slot("provider.example"))["flying"] == 1


async def test_a_search_holds_permits_of_several_providers_at_once(world):
    await world.push(world.search("j1:1"))
    [lease] = await world.lease()
    one, two = at("one.example/"), at("two.example/")
    assert (await world.frontier.permit("j1:1", lease.token, one, 0)).kind == "go"
    assert (await world.frontier.permit("j1:1", lease.token, two, 1)).kind == "go"
    assert await world.frontier.download_ended("j1:1", lease.token, one, 0, "page")
    assert await world.frontier.download_ended("j1:1", lease.token, two, 1, "page")
    assert [(await world.frontier.slot(s))["flying"] for s in ("one.example", "two.example")] == [0, 0]


# -- order
async def test_a_jobs_tenth_page_comes_after_anothers_first(world):
    await world.redis.hset("research:slot:a.example", "delay", "0")
    await world.push(*(world.visit(f"j1:{n}", f"a.example/{n}") for n in range(10)))
    await world.push(world.visit("j2:1", "a.example/z"))
    assert [lease.command.id for lease in await world.lease(2)] == ["j1:0", "j2:1"]


async def test_a_new_job_does_not_get_ahead_for_the_turns_that_it_missed(world):
    await world.redis.hset("research:slot:a.example", "delay", "0")
    await world.push(*(world.visit(f"j1:{n}", f"a.example/{n}") for n in range(4)))
    await world.lease(3)
    await world.push(*(world.visit(f"j2:{n}", f"a.example/z{n}") for n in range(3)))
    assert [lease.command.id for lease in await world.lease(3)] == ["j1:3", "j2:0", "j2:1"]


async def test_a_higher_priority_goes_before_the_turns_of_jobs(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2", priority=0))
    assert [lease.command.id for lease in await world.lease()] == ["j1:2"]


async def test_lease_hands_out_no_more_than_the_node_can_take(world):
    await world.push(*(world.visit(f"j1:{n}", f"h{n}.example/") for n in range(5)))
    assert len(await world.lease(2)) == 2
    assert await world.lease(0) == []


async def test_forced_rendering_is_leased_to_browsers_alone(world):
    await world.push(world.visit("j1:1", render=True))
    assert await world.lease(spiders=["search", "page", "vendor"]) == []
    [lease] = await world.lease(spiders=["render"])
    assert lease.command.render


async def test_a_node_that_does_not_beat_gets_nothing(world):
    await world.push(world.visit("j1:1"))
    assert await world.frontier.lease("silent", 4, ["page"]) == []
    await world.wait(10_000)
    assert await world.frontier.lease(world.node, 4, ["page"]) == []


async def test_push_returns_the_expected_wait_after_the_commands_in_the_queue(world):
    waits = await world.push(*(world.visit(f"j1:{n}", f"a.example/{n}") for n in range(3)))
    assert waits == [0, 5_000, 10_000]
    assert await world.frontier.waits(["a.example", "b.example", "_"]) == [15.0, 0.0, 0.0]


async def test_a_visit_that_cannot_start_in_time_is_busy_at_once(world):
    await world.submit()
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, block_ms=40_000)
    assert await world.push(world.visit("j1:2", "a.example/2", max_wait_ms=25_000, round=3)) == [-1]
    event = (await world.mail())[-1]
    assert (event.outcome, event.wait_s, event.round, event.command) == ("busy", 40.0, 3, "j1:2")
    assert await world.command("j1:2") is None


async def test_a_stored_page_is_never_busy(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, block_ms=40_000)
    await world.store(lease)
    assert await world.push(world.visit("j2:1", max_wait_ms=1_000)) == [0]


async def test_lease_reports_when_the_next_command_may_be_due(world):
    assert await world.lease() == [] and world.frontier.due_in_ms is None
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
    [lease] = await world.lease()
    await world.fetch(lease)
    await world.lease()
    assert world.frontier.due_in_ms == 5_000


# -- pages
async def test_a_page_is_fetched_once_for_all_jobs(world):
    await world.push(*(world.visit(f"j{n}:1") for n in range(1, 4)))
    [first] = await world.lease()
    await world.fetch(first)
    await world.store(first, "the-page")
    others = await world.lease()
    assert [(lease.command.id, lease.permit, lease.page.sha) for lease in others] == [
        ("j2:1", False, "the-page"),
        ("j3:1", False, "the-page"),
    ]


async def test_commands_that_want_a_page_are_looked_at_again_when_its_fetcher_fails(world):
    await world.redis.hset("research:slot:a.example", "delay", "0")
    await world.push(world.visit("j1:1"), world.visit("j2:1"))
    [first] = await world.lease()
    assert await world.lease() == []
    await world.fetch(first, "transient")
    assert [lease.command.id for lease in await world.lease()] == ["j2:1"]


async def test_a_page_may_be_fetched_when_its_fetcher_works_on_another_one_now(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.frontier.give_back("j1:1", lease.token, "wait", target=at("b.example/1"), redirects=1)
    [moved] = await world.lease()
    assert moved.command.slot == "b.example"
    await world.wait(5_000)
    await world.push(world.visit("j2:1"))
    assert [lease.command.id for lease in await world.lease()] == ["j2:1"]


async def test_a_page_older_than_the_command_allows_is_fetched_again(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease)
    await world.store(lease)
    await world.wait(60_000)
    await world.push(world.visit("j2:1", max_age_s=60), world.visit("j3:1", max_age_s=61))
    assert {lease.command.id: lease.page is None for lease in await world.lease()} == {
        "j2:1": True,
        "j3:1": False,
    }


async def test_the_age_of_a_page_is_that_of_its_last_byte(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease)
    read_at = world.now
    await world.wait(8_000)
    await world.store(lease)
    assert (await world.frontier.entry(lease.command.page_key)).at == read_at


async def test_a_watch_neither_reads_nor_writes_pages(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease)
    await world.store(lease, "old")
    await world.wait(5_000)
    await world.push(world.visit("j2:1", max_age_s=0))
    [watch] = await world.lease()
    assert watch.permit and watch.page is None
    await world.fetch(watch)
    await world.store(watch, "new")
    assert (await world.frontier.entry(lease.command.page_key)).sha == "old"


async def test_a_redirect_is_followed_by_others_without_a_download(world):
    await world.push(world.visit("j1:1"), world.visit("j2:1"))
    [first] = await world.lease()
    to = at("b.example/target")
    await world.fetch(first, "redirect", to=to)
    assert (await world.frontier.permit("j1:1", first.token, to, 1)).kind == "go"
    await world.frontier.download_ended("j1:1", first.token, to, 1, "page")
    await world.frontier.stored("j1:1", first.token, "sha", to)
    [second] = await world.lease()
    assert (second.command.id, second.permit, second.page.sha) == ("j2:1", False, "sha")
    assert second.command.requested_url == "http://a.example/1"


async def test_a_redirect_loop_ends_after_ten_hops(world):
    await world.submit()
    for path, to in (("a.example/1", "b.example/1"), ("b.example/1", "a.example/1")):
        await world.push(world.visit(f"x:{path[0]}", path))
        [lease] = await world.lease()
        await world.fetch(lease, "redirect", to=at(to))
        await world.settle(lease, outcome="failed")
    await world.wait(10_000)
    await world.push(world.visit("j1:1"))
    assert await world.lease() == []
    [_, event] = await world.mail()
    assert (event.command, event.outcome, event.reason.text) == ("j1:1", "failed", "too_many_redirects")


async def test_a_refusal_is_remembered_for_five_minutes(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, "refused", reason="http 404")
    await world.push(world.visit("j2:1"))
    [second] = await world.lease()
    assert (second.permit, second.page.kind, second.page.reason.text) == (False, "refused", "http 404")
    await world.wait(300_000)
    await world.frontier.give_back("j2:1", second.token, "drain")
    [third] = [lease for lease in await world.lease() if lease.command.id == "j2:1"]
    assert third.permit and third.page is None


async def test_a_page_missing_from_the_archive_is_fetched_again(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease)
    await world.store(lease)
    await world.wait(5_000)
    await world.push(world.visit("j2:1"))
    [pointed] = await world.lease()
    assert pointed.page
    assert await world.frontier.give_back("j2:1", pointed.token, "no_page")
    [again] = await world.lease()
    assert again.permit and again.command.attempt == 0


async def test_needing_a_browser_starts_over_from_the_first_url(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    to, forced = at("b.example/shell"), at("a.example/1", render=True)
    await world.fetch(lease, "redirect", to=to)
    await world.frontier.permit("j1:1", lease.token, to, 1)
    await world.frontier.download_ended("j1:1", lease.token, to, 1, "page")
    assert await world.frontier.give_back("j1:1", lease.token, "render", target=forced)
    await world.wait(5_000)
    [again] = await world.lease(spiders=["render"])
    assert (again.command.render, again.command.target, again.command.redirects) == (True, forced, 0)
    assert (again.command.attempt, again.command.requested_page_key) == (0, forced.page_key)


# -- leases
async def test_a_lost_lease_cannot_settle(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.frontier.give_back("j1:1", lease.token, "drain")
    await world.wait(5_000)
    [other] = await world.lease()
    assert not await world.settle(lease)
    assert not await world.store(lease)
    assert not await world.frontier.give_back("j1:1", lease.token, "drain")
    assert (await world.frontier.permit("j1:1", lease.token, lease.command.target, 0)).kind == "lost"
    assert await world.settle(other)


async def test_a_settled_command_leaves_one_event_in_the_mailbox_and_in_the_outbox(world):
    await world.submit()
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    assert await world.settle(lease)
    assert not await world.settle(lease)
    assert [event.uid for event in await world.mail()] == ["j1:start", "j1:1"]
    assert [event.uid for event in await world.outbox()] == ["j1:1"]
    assert await world.redis.hlen("research:req") == 0


async def test_an_event_of_a_command_without_a_job_goes_to_the_outbox_alone(world):
    await world.push(world.visit("-:1"))
    [lease] = await world.lease()
    assert await world.settle(lease)
    assert await world.mail("-") == []
    assert [event.uid for event in await world.outbox()] == ["-:1"]


async def test_an_event_over_64_kb_is_refused_before_it_is_sent(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    with pytest.raises(BadMessage, match="65,536"):
        await world.settle(lease, reason="x" * 70_000)
    assert await world.settle(lease)


async def test_the_commands_of_a_dead_node_are_queued_again_and_the_attempt_counts(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "b.example/"))
    assert len(await world.lease()) == 2
    await world.wait(12_000, reaps=True)
    assert {(await world.command(cid)).attempt for cid in ("j1:1", "j1:2")} == {1}
    # The host whose download was running opens when its permit ends; the other commands wait for nothing else.
    assert await world.lease(node="n2") == []
    await world.wait(35_000)
    assert len(await world.lease(node="n2")) == 2


async def test_the_third_counted_attempt_is_the_last(world):
    await world.submit()
    await world.push(world.visit("j1:1"))
    for _ in range(3):
        await world.wait(5_000)
        [lease] = await world.lease()
        await world.fetch(lease, "transient", reason="http 503")
        await world.frontier.give_back("j1:1", lease.token, "transient")
    event = (await world.mail())[-1]
    assert (event.command, event.outcome, event.reason.text) == ("j1:1", "failed", "http 503")
    assert (await world.frontier.counts()).given_up == 1


async def test_draining_and_waiting_count_no_attempt(world):
    await world.push(world.visit("j1:1"))
    for why in ("drain", "wait", "no_page"):
        await world.wait(5_000)
        [lease] = await world.lease()
        await world.frontier.give_back("j1:1", lease.token, why, target=at("a.example/2"), redirects=1)
    assert (await world.command("j1:1")).attempt == 0
    assert (await world.command("j1:1")).url == "http://a.example/2"


async def test_a_reap_after_a_pause_gives_every_node_ten_seconds(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.frontier.reap()
    await world.wait(60_000)
    assert await world.frontier.reap() == 0
    assert await world.frontier.beat(world.node, {"j1:1": lease.token}) == []


async def test_a_lease_ends_after_300_s_also_on_a_living_node(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    for _ in range(75):
        await world.wait(4_000)
        await world.frontier.beat(world.node, {"j1:1": lease.token})
        await world.frontier.reap()
    assert await world.frontier.beat(world.node, {"j1:1": lease.token}) == ["j1:1"]


async def test_a_command_that_a_node_does_not_name_for_ten_seconds_goes_back_without_an_attempt(world):
    await world.push(world.visit("j1:1"))
    await world.lease()
    await world.wait(10_000)
    await world.frontier.beat(world.node, {})
    assert (await world.frontier.counts()).leased == 1
    await world.wait(1)
    await world.frontier.beat(world.node, {})
    assert (await world.frontier.counts()).leased == 0
    assert (await world.command("j1:1")).attempt == 0


async def test_a_node_that_leaves_gives_everything_back_without_an_attempt(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "b.example/"))
    await world.lease()
    assert await world.frontier.leave(world.node) == 2
    counts = await world.frontier.counts()
    assert (counts.leased, counts.queued["page"], counts.nodes) == (0, 2, 0)


async def test_a_command_reaped_twice_works_alone_on_an_emptied_node(world):
    await world.push(world.visit("j1:1"))
    for node in ("x1", "x2"):
        assert len(await world.lease(node=node)) == 1
        await world.wait(50_000, reaps=True)
    await world.redis.hset("research:slot:a.example", "blocked_until", str(world.now + 1_000))
    await world.push(world.visit("j1:2", "b.example/"))
    [other] = await world.lease()
    assert other.command.id == "j1:2"
    await world.wait(1_000)
    await world.push(world.visit("j1:3", "c.example/"))
    assert await world.lease() == []  # the node is being emptied
    [elsewhere] = await world.lease(node="n2")
    assert elsewhere.command.id == "j1:3"
    await world.settle(other)
    [alone] = await world.lease()
    assert alone.command.id == "j1:1"
    await world.push(world.visit("j1:4", "d.example/"))
    assert await world.lease() == []
    await world.settle(alone)
    assert [lease.command.id for lease in await world.lease()] == ["j1:4"]


async def test_neighbours_of_a_page_that_kills_its_process_survive(world):
    await world.submit()
    await world.push(*(world.visit(f"j1:{n}", f"h{n}.example/") for n in range(4)))
    for n in range(7):
        leases = await world.lease(node=f"x{n}")
        if "j1:0" in [lease.command.id for lease in leases]:
            await world.wait(60_000, reaps=True)  # j1:0 kills the process
            continue
        for lease in leases:
            await world.settle(lease)
    events = {event.command: event.outcome for event in (await world.mail())[1:]}
    assert events == {"j1:0": "failed", "j1:1": "ok", "j1:2": "ok", "j1:3": "ok"}


# -- messages
async def test_a_payload_that_does_not_validate_settles_as_bad_command(world):
    await world.submit()
    await world.push(
        world.visit("j1:1"), world.visit("j1:2", "b.example/"), world.visit("j1:3", "c.example/")
    )
    await world.redis.hset("research:req", "j1:1", '{"v":1,"id":"j1:1","job":"j1","priority":"soon"}')
    await world.redis.hset("research:req", "j1:2", "not JSON")
    assert [lease.command.id for lease in await world.lease()] == ["j1:3"]
    assert {(e.command, e.reason.text) for e in (await world.mail())[1:]} == {
        ("j1:1", "bad_command"),
        ("j1:2", "bad_command"),
    }


async def test_a_command_of_a_newer_version_waits_for_a_newer_node(world):
    await world.push(world.visit("j1:1"), world.visit("j1:2", "b.example/"))
    newer = json.loads(await world.redis.hget("research:req", "j1:1")) | {"v": WIRE_VERSION + 1}
    await world.redis.hset("research:req", "j1:1", json.dumps(newer))
    assert [lease.command.id for lease in await world.lease()] == ["j1:2"]
    assert json.loads(await world.redis.hget("research:req", "j1:1")) == newer


async def test_commands_of_a_job_that_is_over_are_not_taken(world):
    await world.submit()
    await world.jobs.cancel("j1")
    assert await world.push(world.visit("j1:1")) == [-1]
    assert await world.command("j1:1") is None


async def test_pushing_twice_is_pushing_once(world):
    command = world.visit("j1:1")
    assert await world.push(command, command) == [0, 0]
    assert (await world.frontier.counts()).queued["page"] == 1


# -- robots, wake-ups
async def test_robots_rules_are_stored_until_they_expire(world):
    assert await world.frontier.robots_get("http://a:80") is None
    await world.frontier.robots_set("http://a:80", "rules", 0.05)
    assert await world.frontier.robots_get("http://a:80") == "rules"
    await asyncio.sleep(0.08)
    assert await world.frontier.robots_get("http://a:80") is None


async def test_a_push_wakes_those_who_wait_for_its_spider(world):
    async with (
        world.frontier.subscribe_wake(["page"]) as pages,
        world.frontier.subscribe_wake(["search"]) as others,
    ):
        await world.push(world.visit("j1:1"), world.visit("j1:2", "b.example/"))
        assert await pages.wait(2.0)
        assert not await pages.wait(0.02), "many messages of a script are one"
        assert not await others.wait(0.02)


async def test_a_wake_up_comes_when_the_host_is_free(world):
    await world.redis.hset("research:slot:a.example", "delay", "80")
    await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
    [lease] = await world.lease()
    async with world.frontier.subscribe_wake(["page"]) as wakes:
        before = asyncio.get_running_loop().time()
        await world.fetch(lease)
        assert await wakes.wait(2.0)
        assert asyncio.get_running_loop().time() - before >= 0.079


async def test_withdrawn_leases_are_published(world):
    await world.submit()
    await world.push(world.visit("j1:1"), world.visit("j1:2", "b.example/"))
    await world.lease()
    async with world.frontier.subscribe_withdrawn() as withdrawn:
        await world.jobs.cancel("j1")
        assert await withdrawn.wait(2.0)
        assert withdrawn.take_texts() == ["j1:1 j1:2"]


async def test_the_servers_clock_is_used_by_default(redis_client):
    from research_crawler.frontier.store import Frontier

    frontier = Frontier(redis_client)
    await frontier.beat("n1", {})
    seconds, _ = await redis_client.time()
    assert 0 <= await redis_client.zscore("research:nodes", "n1") - (seconds * 1000 + 10_000) < 5_000
    await frontier.close()


async def test_an_event_can_be_made_from_its_command_alone(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    event = CommandDone(uid="j1:1", command="j1:1", job="j1")
    assert await world.frontier.settle(event, lease.token)


async def test_a_permit_aside_leaves_its_command_in_its_queue(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, "robots")
    elsewhere = at("b.example/robots.txt")
    reply = await world.frontier.permit("j1:1", lease.token, elsewhere, 1, aside=True)
    assert reply.kind == "go"
    assert (await world.frontier.slot("b.example"))["flying"] == 1
    command = read_command(await world.redis.hget("research:req", "j1:1"))
    assert (command.url, command.slot, command.redirects) == ("http://a.example/1", "a.example", 0)
    assert await world.frontier.download_ended("j1:1", lease.token, elsewhere, 1, "robots")
    assert (await world.frontier.slot("b.example"))["flying"] == 0


async def test_a_permit_aside_is_not_answered_with_the_page_of_the_command(world):
    await world.push(world.visit("j1:1"))
    [lease] = await world.lease()
    await world.fetch(lease, "refused", reason="http 404")
    await world.wait(10_000)
    target = lease.command.target
    assert (await world.frontier.permit("j1:1", lease.token, target, 0)).kind == "refused"
    assert (await world.frontier.permit("j1:1", lease.token, target, 0, aside=True)).kind == "go"


async def test_a_wait_reports_its_least_duration(world):
    await world.push(world.visit("j1:1", "a.example/1"), world.visit("j1:2", "b.example/1"))
    first, second = sorted(await world.lease(), key=lambda lease: lease.command.id)
    reply = await world.frontier.permit("j1:2", second.token, at("a.example/2"), 1)
    assert (reply.kind, reply.least_wait_ms) == ("wait", 0)
    assert reply.wait_ms > 30_000
    await world.fetch(first)
    reply = await world.frontier.permit("j1:2", second.token, at("a.example/2"), 1)
    assert reply.least_wait_ms == reply.wait_ms == 5_000


@pytest.mark.parametrize("leased", [False, True])
async def test_a_command_that_nobody_waits_for_is_taken_back(world, leased):
    command = world.visit("-:one")
    await world.frontier.push([command])
    if leased:
        await world.lease()
    assert await world.frontier.withdraw("-:one")
    assert not await world.frontier.withdraw("-:one")
    counts = await world.frontier.counts()
    assert (sum(counts.queued.values()), counts.leased, list(counts.problems)) == (0, 0, [])
    assert not await world.lease()
