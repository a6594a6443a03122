"""Walls that a person is asked to open, over HTTP."""

from research_crawler.core.models.messages.commands import VisitCommand
from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import frontier_target

JPEG = b"\xff\xd8\xff\xe0 a picture"


async def put_wall(served, url="http://harbour.example/page", id_="0123456789", picture=JPEG) -> str:
    """A job whose page waits for a person."""
    job = (await served.post("/jobs", {"goal": "When is high water?", "on_blocker": "ask"}))["task_id"]
    parts, target = served.runtime.container, frontier_target(url)
    command = VisitCommand(
        id=f"{job}:1", job=job, url=target.url, slot=target.slot, page_key=target.page_key, ask=True
    )
    await parts.frontier.beat("node", {})
    await parts.frontier.push([command])
    (lease,) = await parts.frontier.lease("node", 1, ["page"])
    now_ms = parts.people.now_ms()
    one = Intervention(
        id=id_, host=target.slot, url=url, kind=Reason.LOGIN_PAGE, detail="<b>a wall</b>", job=job,
        asked_ms=now_ms, until_ms=now_ms + 600_000,
    )  # fmt: skip
    return await parts.people.ask(lease.command, lease.token, Why(Reason.LOGIN_PAGE), one, picture)


def session(host: str) -> dict[str, object]:
    cookie = {"name": "known", "value": "yes", "domain": host, "path": "/", "expires": -1}
    return {"cookies": [cookie, cookie | {"domain": "elsewhere.example"}], "origins": []}


async def test_a_wall_is_listed_with_its_picture_and_a_session_lets_its_pages_go_on(served):
    one = await put_wall(served)
    (listed,) = await served.get("/interventions?is_open=true")
    assert (listed["id"], listed["host"], listed["kind"], listed["pages_waiting"]) == (
        one, "harbour.example", "login_page", 1,
    )  # fmt: skip
    assert 590 < listed["seconds_left"] <= 600
    answer = await served.client.get(f"/interventions/{one}/picture")
    assert (answer.headers["content-type"], answer.content) == ("image/jpeg", JPEG)
    status = await served.get(f"/jobs/{listed['task_id']}")
    assert status["task_id"] == listed["task_id"]
    done = await served.post(f"/interventions/{one[:4]}/done", session("harbour.example"), 200)
    assert done == {"id": one, "state": "done", "pages": 1}
    (kept,) = (served.folder / "home" / "sessions").iterdir()
    assert "harbour.example" in kept.read_text() and "elsewhere" not in kept.read_text()
    assert await served.get("/interventions?is_open=true") == []
    assert (await served.get(f"/interventions/{one}"))["state"] == "done"
    again = await served.post(f"/interventions/{one}/cancel", None, 409)
    assert again["error"]["code"] == "intervention_over"
    assert (await served.runtime.container.frontier.counts()).problems == []


async def test_bad_answers_change_nothing_and_a_cancelled_wall_ends_its_pages_as_blocked(served):
    one = await put_wall(served, picture=b"")
    assert (await served.get("/interventions/ffff", 404))["error"]["code"] == "unknown_intervention"
    assert (await served.client.get(f"/interventions/{one}/picture")).status_code == 204
    await served.post(f"/interventions/{one}/done", {"cookies": [{"name": 1}]}, 422)
    await served.post("/jobs", {"goal": "x", "on_blocker": "evade"}, 422)
    answer = await served.post(f"/interventions/{one}/cancel", None, 200)
    assert answer == {"id": one, "state": "cancelled", "pages": 1}
    assert not (served.folder / "home" / "sessions").exists()
