"""Watches, prices and metrics over HTTP."""

from datetime import UTC, datetime

from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.models.watches.watch import Observation
from research_crawler.core.tasks.every import failures

WATCH = {"query": "a laptop", "vendors": ["amazon.com"], "below": "900 USD", "name": "laptops"}


async def test_a_watch_is_added_shown_paused_resumed_run_and_removed(served):
    added = await served.post("/watches", {**WATCH, "notify": ["ntfys://ntfy.sh/a-secret-topic"]}, 201)
    assert (added["name"], added["state"], added["schedule"]) == ("laptops", "active", "every 6h")
    assert added["rule"] == {"below": 900.0, "currency": "USD"}
    assert await served.get("/watches") == [added]
    assert (await served.get("/watches/laptops"))["products"] == []
    assert (await served.post("/watches/laptops/pause", status=200))["state"] == "paused"
    assert (await served.post(f"/watches/{added['id'][:5]}/resume", status=200))["state"] == "active"
    run = await served.post("/watches/laptops/runs")
    result = await served.get(f"/watches/laptops/runs/{run['job']}")
    assert (result["task_id"], result["state"], result["observations"]) == (run["job"], "submitted", [])
    await served.get("/watches/laptops/runs/nosuchrun", 404)
    assert (await served.get("/jobs"))["jobs"] == []  # runs of watches are no jobs of their own
    removed = await served.client.delete("/watches/laptops")
    assert removed.json()["state"] == "removed"
    assert await served.get("/watches") == []
    assert [one["id"] for one in await served.get("/watches?removed=true")] == [added["id"]]


async def test_prices_are_shown_and_exported(served):
    watch = await served.post("/watches", WATCH, 201)
    assert await served.get("/prices") == []
    seen = [
        Observation(id=f"o{n}", watch=watch["id"], run="run", product="p", at_ms=at, state="offer", price=price,
                    currency="USD", vendor="amazon.com", name="Laptop", confirmed=True)
        for n, (at, price) in enumerate([(day(1), "800"), (day(2), "750"), (day(3), "700.50")])
    ]  # fmt: skip
    await put(served, seen)
    (series,) = await served.get("/prices?watch=laptops&rows=1&since=2026-01-02")
    assert (series["lowest"], series["highest"], series["last"]["price"]) == (700.5, 750.0, 700.5)
    assert len(series["observations"]) == 1
    exported = await served.client.get("/prices/export")
    assert exported.headers["content-type"] == "text/csv; charset=utf-8"
    assert len(exported.text.splitlines()) == 4
    lines = await served.client.get("/prices/export?form=jsonl")
    assert len(lines.text.splitlines()) == 3
    await served.get("/prices?watch=nothing", 404)
    await served.get("/prices?since=yesterday", 422)


async def test_metrics_count_jobs_by_state_and_requests_by_route(served):
    for _ in range(3):
        await served.post("/jobs", {"goal": "x"})
    await served.get("/jobs/nosuchjob", 404)
    failures["the test of metrics"] += 1
    text = (await served.client.get("/metrics")).text
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert lines['research_jobs{state="pending"}'] == "3.0"
    assert lines['research_http_seconds_count{method="POST",route="/jobs",status="202"}'] == "3.0"
    assert lines['research_http_seconds_count{method="GET",route="/jobs/{job_id}",status="404"}'] == "1.0"
    assert lines["research_planners"] == "0.0"
    assert lines['research_loop_failures_total{loop="the test of metrics"}'] == "1.0"
    assert 'research_queue_commands{queue="page"}' in lines
    assert 'research_tokens{kind="prompt"}' in lines


def day(number: int) -> int:
    return int(datetime(2026, 1, number, tzinfo=UTC).timestamp() * 1000)


async def put(served, observations) -> None:
    from research_crawler.adapters.sql.inserting import insert_new
    from research_crawler.adapters.sql.tables.watch_tables import OBSERVATIONS, observation_row

    rows = [observation_row(one) for one in observations]
    archive = served.runtime.container.archive
    await archive.change(lambda connection: insert_new(connection, OBSERVATIONS, rows))
    assert len(await SqlWatches(archive).observations()) == len(rows)
