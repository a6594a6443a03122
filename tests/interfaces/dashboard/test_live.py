"""The stream of an open page: what has changed comes as parts of the page, and a lost stream goes on where it broke."""

import json

from tests.interfaces.dashboard.test_pages import OURS, TAG


async def events_of(visitor, job: str, last: str, **headers: str) -> list[tuple[str, str, dict]]:
    """The events up to the first of a name: name, id, data."""
    found, event = [], {}
    async with visitor.client.stream("GET", f"/ui/jobs/{job}/events", headers=headers) as answer:
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            key, _, value = line.partition(": ")
            event |= {key: value} if value else {}
            if not line and "data" in event:
                found.append((event["event"], event.get("id", ""), json.loads(event["data"])))
                event = {}
                if found[-1][0] == last:
                    break
    return found


async def test_a_lost_stream_goes_on_after_the_last_step_and_shows_the_parts_as_they_are_now(visitor):
    goal = "<script>alert(1)</script> pumps?"
    job = (await visitor.served.post("/jobs", {"goal": goal}))["task_id"]
    await visitor.served.step(job, "<b onclick=x>one</b>", "two")
    *steps, (_, _, view) = await events_of(visitor, job, "view")
    assert [name for name, _, _ in steps] == ["step"] * len(steps)
    assert "&lt;b onclick=x&gt;one" in steps[-2][2]["html"] and "two" in steps[-1][2]["html"]
    parts = view["parts"]
    assert set(parts) == {"now", "questions", "found", "pages"} and view["state"] == "executing"
    tags = {tag.lstrip("/") for tag in TAG.findall("".join(parts.values()) + steps[-2][2]["html"])}
    assert [tag for tag in tags if not OURS.fullmatch(tag)] == []
    again = await events_of(visitor, job, "view", **{"Last-Event-ID": steps[-2][1]})
    assert [name for name, _, _ in again] == ["step", "view"] and "two" in again[0][2]["html"]


async def test_a_page_in_german_gets_its_parts_in_german(visitor):
    job = (await visitor.served.post("/jobs", {"goal": "Wie laut sind Wärmepumpen?"}))["task_id"]
    await visitor.served.step(job, "eins")
    await visitor.send("/preferences", language="de", back="/jobs")
    *_, (_, _, view) = await events_of(visitor, job, "view")
    assert "sucht und liest" in view["parts"]["now"] and "Suchen" in view["parts"]["now"]


async def test_the_stream_of_a_job_that_is_over_ends_and_is_not_asked_for_again(visitor):
    job = (await visitor.served.post("/jobs", {"goal": "How do heat pumps work?"}))["task_id"]
    await visitor.send(f"/jobs/{job}/cancel")
    *_, (name, id_, data) = await events_of(visitor, job, "end")
    assert (name, id_, data) == ("end", "end", {"state": "cancelled"})
    answer = await visitor.client.get(f"/ui/jobs/{job}/events", headers={"Last-Event-ID": "end"})
    assert answer.status_code == 204
    assert (await visitor.client.get("/ui/jobs/nosuchjob/events")).status_code == 404
