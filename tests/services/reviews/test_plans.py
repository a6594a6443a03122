"""Plans that a person approves before anything is fetched, also where memory, files or an offer need no search."""

import pytest

from planner.job.progress import WRITING
from research_crawler.cli.views.printed_reports import status_line
from research_crawler.cli.views.review_view import review_lines
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.planning_state import StoredSource
from tests.planner.scripted import ScriptedBrain, done, search
from tests.services.reviews.world import ReviewWorld

OWN = StoredSource(url="file:///minutes.md", sha="ab" * 32, title="minutes.md", origin="file")


@pytest.fixture
async def new_world(redis_client):
    worlds = []

    def make(*decisions, **inputs):
        world = ReviewWorld(redis_client, **{"review": "never", "approve_plan": True} | inputs)
        world.brain = ScriptedBrain(*decisions)
        worlds.append(world)
        return world

    yield make
    for world in worlds:
        await world.close()


def fetched(world, job):
    """What was searched, and what was visited that is not stored."""
    return [one.query for one in job.searches], [one.url for one in job.visits if not one.origin]


async def test_a_plan_without_any_search_is_shown_too_and_carried_out_when_accepted(new_world):
    world = new_world(done("the file says it"), files=[OWN])
    job = await world.start()
    assert (job.state, job.review.question.kind, job.review.question.action) == (
        "waiting_for_human", "plan", "",
    )  # fmt: skip
    assert "the file says it" in "\n".join(review_lines(await world.view()))
    await world.answer("accept")
    job = await world.until_quiet()
    assert (job.state, fetched(world, job)) == ("completed", ([], []))
    assert job.plan.done_reason == "the file says it"


async def test_stored_pages_are_read_before_the_plan_and_nothing_else_is(new_world):
    world = new_world(search("the rest"), files=[OWN])
    job = await world.start()
    assert (job.review.question.kind, job.review.question.queries) == ("plan", ["the rest"])
    assert (world.settled, fetched(world, job)) == (1, ([], []))


async def test_a_person_who_wants_more_than_memory_has_gets_another_plan(new_world):
    world = new_world(done("the file says it"), search("quiet ones"), files=[OWN])
    await world.start()
    await world.answer("append", text="only quiet ones", append_as="constraint")
    job = await world.until_quiet()
    assert (job.review.question.no, job.review.question.queries) == (2, ["quiet ones"])


async def test_an_offer_that_needs_no_phase_1_asks_before_its_vendors_are_asked(new_world):
    world = new_world(intent="commerce", strategy="phase2_only", goal="a quiet dishwasher under $500")
    world.job = world.job.changed(strategy="phase2_only")
    job = await world.start()
    assert (job.state, job.review.question.kind, job.phase2) == ("waiting_for_human", "plan", None)
    assert (world.settled, await world.held()) == (0, [])
    assert "the caller chose it; vendors are asked next" in "\n".join(review_lines(await world.view()))
    await world.answer("accept")
    for _ in range(3):
        world.now_ms += 50
        await world._plan()
    assert (await world.get()).phase2 is not None


async def test_files_are_read_though_no_search_is_allowed(new_world):
    world = new_world(done(), files=[OWN], approve_plan=False)
    world.job = world.job.model_copy(update={"limits": Limits(max_searches=0, max_visits=3)})
    job = await world.start()
    assert (job.state, [visit.outcome for visit in job.visits]) == ("completed", ["ok"])


async def test_a_job_whose_report_waits_for_a_person_is_neither_running_nor_at_its_end(new_world):
    world = new_world(done("the file says it"), files=[OWN], review="always", approve_plan=False)
    job = await world.start()
    assert job.review.question.kind == "review"
    assert "waiting " in status_line(job)
    assert (job.progress.fraction, job.progress.current_step) == (WRITING, job.progress.total_steps - 1)
    await world.answer("accept")
    job = await world.get()
    assert ("answered" in status_line(job), job.progress.fraction) == (True, 1.0)
    await world.answer("reject", text="what about noise?")
    assert (await world.get()).progress.fraction <= WRITING
