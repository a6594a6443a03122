"""Whose work waits: owners have turns, and a line of each is served in order."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.job.commands import visit_command
from planner.job.factory import make_job
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.commands import Lease
from research_crawler.core.tasks.leases import Task
from research_crawler.core.tasks.owners import OwnersQueue, owned_by, owner_at_work

ARRIVALS = st.lists(st.one_of(st.sampled_from("abcd"), st.none()), max_size=60)
"""Owners whose next item arrives; None: the next item is served."""


@given(ARRIVALS)
def test_each_line_keeps_its_order_and_nothing_is_lost(arrivals):
    queue, put, got = OwnersQueue[tuple[str, int]](), Counter[str](), list[tuple[str, int]]()
    for owner in arrivals:
        if owner is not None:
            put[owner] += 1
            queue.append(owner, (owner, put[owner]))
        elif queue:
            assert queue.first == queue._lines[next(iter(queue._lines))][0]
            got.append(queue.popleft())
    while queue:
        got.append(queue.popleft())
    assert len(queue) == 0
    for owner, count in put.items():
        assert [n for name, n in got if name == owner] == list(range(1, count + 1))


@given(ARRIVALS)
def test_nobody_waits_for_more_than_one_item_of_each_other_owner(arrivals):
    queue, since = OwnersQueue[str](), dict[str, Counter[str]]()
    for owner in [*arrivals, *([None] * len(arrivals))]:
        if owner is not None:
            queue.append(owner, owner)
            since.setdefault(owner, Counter())
        elif queue:
            served = queue.popleft()
            assert all(count <= 1 for count in since[served].values())
            for waiting, seen in since.items():
                if waiting != served:
                    seen[served] += 1
            since.pop(served)
            if served in queue._lines:
                since[served] = Counter()


def test_an_item_that_no_longer_waits_is_taken_out():
    queue = OwnersQueue[int]()
    queue.append("a", 1)
    queue.append("b", 2)
    assert queue.remove("a", 1)
    assert not queue.remove("a", 1)
    assert queue.popleft() == 2
    with pytest.raises(IndexError):
        queue.popleft()
    assert queue.first is None


async def test_tasks_that_begin_in_a_block_belong_to_its_owner():
    async def told() -> str:
        await asyncio.sleep(0)
        return owner_at_work()

    with owned_by("a batch"):
        task = asyncio.create_task(told())
    assert owner_at_work() == ""
    assert await task == "a batch"


@pytest.mark.parametrize("batch", ["", "batchaaaaaaa"])
async def test_a_job_and_its_commands_take_the_same_turns(batch):
    async def told() -> str:
        return owner_at_work()

    job = make_job(JobInputs(goal="how do heat pumps work?", batch=bool(batch), batch_id=batch), Limits())
    command = visit_command(job, 1, "https://a.example/", 1_000)
    assert job.takes_turn_as == command.takes_turn_as == (batch or job.id)
    assert await Task(Lease(command=command, token="t")).run(told()) == command.takes_turn_as
