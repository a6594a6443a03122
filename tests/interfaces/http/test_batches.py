"""Batches, reviews and the memory over HTTP."""

ROWS = [
    {"name": "Velmar", "country": "DE"},
    {"name": "Korva", "country": "NO"},
    {"name": "Ilmo", "country": "SE"},
]
TEMPLATE = "{name} {country}: what does it cost?"


async def test_a_batch_is_started_looked_at_row_by_row_cancelled_and_resumed(served):
    body = {
        "rows": ROWS,
        "template": TEMPLATE,
        "name": "shops",
        "question": {"depth": "quick", "max_visits": 2},
    }
    started = await served.post("/batches", body)
    assert (started["state"], started["rows_total"], started["template"]) == ("running", 3, TEMPLATE)
    assert [one["batch"] for one in await served.get("/batches")] == [started["batch"]]
    page = await served.get("/batches/shops/rows?limit=2")
    assert [row["fields"] for row in page["rows"]] == ROWS[:2]
    rest = await served.get(f"/batches/shops/rows?limit=2&after={page['next']}")
    assert [[row["fields"]["name"] for row in rest["rows"]], rest["next"]] == [["Ilmo"], None]
    cancelled = await served.post("/batches/shops/cancel", status=200)
    assert (cancelled["state"], cancelled["rows_ended"]) == ("cancelled", 3)
    assert len((await served.get("/batches/shops/rows?state=cancelled"))["rows"]) == 3
    assert (await served.post("/batches/shops/resume", status=200))["state"] == "running"
    table = await served.client.get("/batches/shops/result")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert len(table.text.splitlines()) == 4
    assert (
        "sandbox"
        in (await served.client.get("/batches/shops/result?form=html")).headers["content-security-policy"]
    )


async def test_a_batch_with_a_wrong_row_starts_nothing_and_names_row_and_column(served):
    wrong = [
        ({"table": "name,country\nVelmar,DE\nKorva\n", "template": TEMPLATE}, "line 3, column 'country'"),
        ({"table": "name,country\nVelmar,DE\nVelmar,DE\n", "template": TEMPLATE}, "line 3"),
        ({"rows": ROWS, "template": "{town}: what does it cost?"}, "town"),
        ({"rows": ROWS, "table": "x"}, "give `rows` or `table`"),
        ({}, "give `rows` or `table`"),
        ({"rows": ROWS, "template": TEMPLATE, "question": {"max_visits": -1}}, "question.max_visits"),
    ]
    for body, words in wrong:
        error = (await served.post("/batches", body, 422))["error"]
        assert words in error["message"], error
    assert await served.get("/batches") == []
    assert (await served.get("/batches/none", 404))["error"]["code"] == "unknown_batch"


async def test_a_job_is_shown_for_review_and_an_answer_that_it_does_not_wait_for_is_refused(served):
    job_id = (await served.post("/jobs", {"goal": "How do heat pumps work?"}))["task_id"]
    view = await served.get(f"/jobs/{job_id}/review")
    assert (view["job"], view["state"], view["question"]) == (job_id, "pending", None)
    await served.post(f"/jobs/{job_id}/review", {"kind": "accept"}, 422)
    await served.post(f"/jobs/{job_id}/review", {"kind": "nonsense"}, 422)
    await served.get("/jobs/nosuchjob/review", 404)


async def test_a_search_of_the_memory_needs_words_and_a_host_that_is_one(served):
    assert "query is empty" in (await served.get("/memory/search?q=%20", 422))["error"]["message"]
    assert "not a host name" in (await served.get("/memory/search?q=x&host=a%20b", 422))["error"]["message"]
    await served.get("/memory/search", 422)
