"""Jobs over HTTP: started once, listed page by page, followed live, cancelled, read."""

import asyncio
import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.services.jobs.job_feed import JobFeeds, steps_after
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job

GOAL = {"goal": "How do heat pumps work?"}


def events_in(text: str) -> list[dict[str, str]]:
    """The server-sent events of a stream."""
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


async def test_a_job_is_started_looked_at_cancelled_and_read(served):
    started = await served.post("/jobs", {**GOAL, "depth": "quick", "max_visits": 3, "vendors": 2})
    assert (started["status"], started["state"], started["topic"]) == ("pending", "pending", GOAL["goal"])
    address = f"/jobs/{started['task_id']}"
    job = await served.runtime.container.jobs.get(started["task_id"])
    assert (job.limits.max_visits, job.inputs.depth, job.inputs.vendors) == (3, "quick", 2)
    status = await served.get(address)
    assert status["waits_for"] == ["waits for a planner: none is running"]
    assert (await served.get(f"{address}/result", 409))["error"]["code"] == "job_not_over"
    document = await served.client.get(f"{address}/state")
    assert document.text.startswith("# Research State")
    assert document.headers["content-type"] == "text/markdown; charset=utf-8"
    for _ in range(2):
        cancelled = await served.post(f"{address}/cancel", status=200)
        assert cancelled["state"] == "cancelled"
    result = await served.get(f"{address}/result")
    assert (result["task_id"], result["job"], result["status"]) == (job.id, job.id, "cancelled")
    assert (result["goal"], result["claims"]) == (GOAL["goal"], [])
    assert not {"v", "exit_code"} & result.keys()


async def test_what_all_jobs_share_is_looked_up_once_for_many_who_ask_for_the_status(served):
    address = f"/jobs/{(await served.post('/jobs', GOAL))['task_id']}"
    redis = served.runtime.container.folder.redis

    async def looked() -> int:
        """How often the server was asked for its memory, which is the same for all jobs."""
        return int((await redis.info("commandstats"))["cmdstat_info"]["calls"])

    await served.get(address)
    before = await looked()
    for _ in range(10):
        assert (await served.get(address))["waits_for"] == ["waits for a planner: none is running"]
    assert await looked() - before <= 3  # one of them is that of `looked`, one is for a slow machine


async def test_a_request_for_a_status_takes_no_thread(served):
    before = set(threading.enumerate())
    job = await served.post("/jobs", GOAL)
    await served.get(f"/jobs/{job['task_id']}")
    assert not [one for one in set(threading.enumerate()) - before if "AnyIO" in one.name]


async def test_a_key_gives_one_job_however_often_and_at_once_it_is_sent(served):
    answers = await asyncio.gather(
        *(served.post("/jobs", {**GOAL, "max_searches": 1}, **{"Idempotency-Key": "k1"}) for _ in range(8))
    )
    assert len({answer["task_id"] for answer in answers}) == 1
    assert len((await served.get("/jobs"))["jobs"]) == 1
    for other in (
        {"goal": "Another"},
        {**GOAL, "max_searches": 2},
        {**GOAL, "topic": "x", "max_searches": 1},
    ):
        refused = await served.post("/jobs", other, 422, **{"Idempotency-Key": "k1"})
        assert "used for another request" in refused["error"]["message"]
    await served.post(f"/jobs/{answers[0]['task_id']}/cancel", status=200)
    again = await served.post("/jobs", {**GOAL, "max_searches": 1}, **{"Idempotency-Key": "k1"})
    assert (again["task_id"], again["status"]) == (answers[0]["task_id"], "cancelled")
    assert (await served.post("/jobs", GOAL))["task_id"] != again["task_id"]
    await served.post("/jobs", GOAL, 422, **{"Idempotency-Key": "k" * 300})


async def test_all_jobs_are_listed_once_page_by_page_from_redis_and_the_archive(served):
    ids = [(await served.post("/jobs", {"goal": f"question {n}"}))["task_id"] for n in range(7)]
    for ended in ids[::2]:
        await served.post(f"/jobs/{ended}/cancel", status=200)
    await served.runtime.container.jobs.forget(ids[0])  # as it expires after a day: only the archive has it
    seen, after = [], ""
    while after is not None:
        page = await served.get(f"/jobs?limit=2&after={after}")
        assert len(page["jobs"]) <= 2
        seen += [job["task_id"] for job in page["jobs"]]
        after = page["next"]
    assert sorted(seen) == sorted(ids)
    whole = (await served.get("/jobs"))["jobs"]
    assert [job["task_id"] for job in whole] == seen
    assert [job["created_at"] for job in whole] == sorted((job["created_at"] for job in whole), reverse=True)


async def test_the_events_of_a_job_come_as_they_happen_and_go_on_after_any_of_them(served):
    job_id = (await served.post("/jobs", GOAL))["task_id"]
    reading = asyncio.create_task(served.client.get(f"/jobs/{job_id}/events"))
    await asyncio.sleep(0.2)
    await served.step(job_id, "one", "two", "two")
    await asyncio.sleep(0.2)
    await served.step(job_id, "three")
    await served.post(f"/jobs/{job_id}/cancel", status=200)
    events = events_in((await reading).text)
    first, *steps = [event for event in events if event["event"] == "step"]
    assert json.loads(first["data"])["text"].startswith("read as informational")
    assert [json.loads(step["data"])["text"] for step in steps] == ["one", "two", "two", "three"]
    assert [event["event"] for event in events][-1] == "end"
    assert json.loads(events[-1]["data"])["state"] == "cancelled"
    assert {json.loads(event["data"])["state"] for event in events if event["event"] == "status"} == {
        "pending",
        "executing",
    }
    for place, step in enumerate(steps[:1] + steps[2:]):
        late = await served.client.get(f"/jobs/{job_id}/events", headers={"Last-Event-ID": step["id"]})
        texts = [json.loads(e["data"]).get("text") for e in events_in(late.text) if e["event"] == "step"]
        assert texts == [["two", "two", "three"], ["three"], []][place]
    over = await served.client.get(f"/jobs/{job_id}/events", headers={"Last-Event-ID": "end"})
    assert (over.status_code, over.content) == (204, b"")


@pytest.mark.long
async def test_two_hundred_readers_of_which_many_are_slow_share_one_look_and_no_queue(served):
    request = request_from(served.runtime.config, JobQuestion(**GOAL))
    job_id = (await submit_job(served.runtime, request)).id
    feeds = JobFeeds(served.runtime)
    steps: list[list[str]] = []
    statuses: list[int] = []

    async def read(pause_s: float) -> None:
        mine, seen = [], 0
        async for event in feeds.events(job_id):
            if isinstance(event.data, TimelineEntry):
                mine.append(event.data.text)
            seen += event.name == "status"
            await asyncio.sleep(pause_s)
        steps.append(mine)
        statuses.append(seen)

    readers = [asyncio.create_task(read(0.2 if n % 2 else 0)) for n in range(200)]
    await asyncio.sleep(0.3)
    tasks = len(asyncio.all_tasks())
    for n in range(12):
        await served.step(job_id, f"step {n}")
    assert len(asyncio.all_tasks()) == tasks
    await served.runtime.container.jobs.cancel(job_id)
    await asyncio.gather(*readers)
    assert all(mine[-12:] == [f"step {n}" for n in range(12)] for mine in steps)
    assert min(statuses) < 12  # the slow ones get the newest status, not every one
    assert not feeds._feeds


async def test_readers_and_waiting_requests_end_when_the_server_does(served):
    job_id = (await served.post("/jobs", GOAL))["task_id"]
    waiting = asyncio.create_task(served.post("/internet.research?wait=true", {"query": "x"}))
    async with served.client.stream("GET", f"/jobs/{job_id}/events") as answer, asyncio.timeout(20):
        parts = answer.aiter_text()
        begun = await anext(parts)
        while len(await served.runtime.container.jobs.list_jobs()) < 2:
            await asyncio.sleep(0.05)
        assert not waiting.done()
        served.state.end()
        assert (await waiting)["status"] == "pending"
        text = begun + "".join([part async for part in parts])
    assert "status" in [event["event"] for event in events_in(text)]
    assert (await served.get("/health", 503))["status"] == "ending"


async def test_a_question_of_a_turn_reads_its_context_and_writes_its_documents_below_the_root(served):
    folder = served.folder / "turns" / "one"
    (folder / "context.md").write_text("They asked about heating before.")
    body = {"query": "And what does it cost?", "turn_dir_path": "one", "context": "In Norway.", "wait": True}
    waiting = asyncio.create_task(served.post("/internet.research", body, 200))
    while not (found := (await served.get("/jobs"))["jobs"]):
        await asyncio.sleep(0.05)
    job = await served.runtime.container.jobs.get(found[0]["task_id"])
    assert job.inputs.context == "They asked about heating before.\n\nIn Norway."
    assert job.folder == str(folder)
    await served.post(f"/jobs/{job.id}/cancel", status=200)
    result = await waiting
    assert (result["task_id"], result["status"]) == (job.id, "cancelled")
    assert (folder / "research_state.md").exists()
    (served.folder / "outside").mkdir()
    (served.folder / "turns" / "link").symlink_to(served.folder / "outside")
    for path in (
        "..",
        "../outside",
        str(served.folder / "outside"),
        "link",
        "nothing",
        ".",
        "one/context.md",
        "a\0",
    ):
        refused = await served.post("/internet.research", {"query": "x", "turn_dir_path": path}, 422)
        assert "turn_dir_path must be an existing folder" in refused["error"]["message"], path
    both = await served.post("/internet.research", {"query": "x", "goal": "y"}, 422)
    assert "give `goal` or `query`" in both["error"]["message"]


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), max_size=12), st.integers(0, 11))
def test_going_on_after_a_step_gives_no_line_twice_and_leaves_none_out(lines, place):
    lines = sorted(lines, key=lambda line: line[0])
    timeline = [
        TimelineEntry(at_ms=at, iteration=n, action="search", text=text) for n, (at, text) in enumerate(lines)
    ]
    all_steps = steps_after(timeline, "")
    assert [entry for _, entry in all_steps] == timeline
    if place < len(timeline):
        told = all_steps[place][0]
        assert steps_after(timeline, told) == all_steps[place + 1 :]
        kept = steps_after(timeline[place + 1 :], told)  # the line itself was dropped from the record
        assert [entry for _, entry in kept] == timeline[place + 1 :]
    assert steps_after(timeline, "nonsense") == all_steps


@pytest.mark.parametrize(
    ("field", "value"),
    [("max_visits", True), ("max_visits", "5"), ("max_tokens", "900"), ("max_usd", "0.5"), ("vendors", True)],
)
async def test_a_number_is_a_number_and_no_text_or_truth_value(served, field, value):
    refused = await served.post("/jobs", {"goal": "heat pumps", field: value}, 422)
    assert refused["error"]["message"].startswith(f"{field}: ")


async def test_an_error_repeats_no_more_than_the_ends_of_a_long_value(served):
    long = "x" * 15_000
    for body in ({"goal": "a", long: 1}, {"goal": "a", "include_hosts": [f"{long} no host"]}):
        message = (await served.post("/jobs", body, 422))["error"]["message"]
        assert len(message) < 1_000
        assert message.endswith(("lists the fields", "docs.example.org"))
