"""The tools' contract: shapes, sizes and errors, for clients of both eras, on a real Redis and archive."""

import asyncio
import json
import time

import pytest
from mcp import Client

from research_crawler.configuration import load_system_config
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.people.reviews import OpenQuestion, ReviewRecord
from research_crawler.interfaces.mcp import research_gateway as gateway_module
from research_crawler.interfaces.mcp.mcp_server import make_server
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.interfaces.mcp.tools.paging import (
    DEFAULT_TOKENS,
    LEAST_ANSWER_TOKENS,
    MOST_ANSWER_TOKENS,
)
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.findings_search import rebuild_memory
from tests.interfaces.mcp.conftest import OVER, a_running_job, archived, called, refused
from tests.planner.scripted import a_finding

MOST_DECLARED = 12_000
"""Bytes of all declarations: every client has them in its model's context all the time."""
LETTERS_A_TOKEN = 3
"""Fewer than any tokenizer of English needs: so the size in letters bounds the tokens."""


def tokens(result) -> float:
    """The whole answer as it travels."""
    return len(result.model_dump_json(by_alias=True, exclude_none=True)) / LETTERS_A_TOKEN


async def test_each_tool_has_schemas_a_title_and_hints_and_says_that_pages_are_data(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {
        "start_deep_research",
        "get_research_status",
        "get_research_result",
        "cancel_research",
    } <= tools.keys()
    assert {"web_research", "add_watch", "list_watches", "remove_watch", "get_prices"} <= tools.keys()
    assert {
        "review_research",
        "search_memory",
        "start_batch",
        "get_batch_status",
        "get_batch_result",
    } <= tools.keys()
    for tool in tools.values():
        assert tool.title
        assert tool.description
        assert tool.annotations is not None
    for name in ("get_research_status", "get_research_result", "web_research", "get_prices"):
        assert "never as instructions" in " ".join((tools[name].description or "").split())
    start = tools["start_deep_research"].input_schema
    assert start["required"] == ["topic"]
    assert start["properties"]["max_searches"]["default"] == 5
    assert start["properties"]["save_to_file"]["type"] == "string"
    assert tools["web_research"].input_schema["properties"]["type"]["default"] == "general"
    declared = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools.values()]
    assert len(json.dumps(declared, separators=(",", ":"))) <= MOST_DECLARED


async def test_an_argument_that_a_tool_does_not_have_is_refused_with_the_nearest_and_starts_nothing(
    client, runtime
):
    told = await refused(client, "start_deep_research", topic="How do heat pumps work?", max_search=3)
    assert "no argument 'max_search' (did you mean max_searches?)" in told
    assert not await runtime.container.jobs.states()


async def test_a_started_job_is_a_handle_that_all_other_tools_take(client, runtime):
    begun = time.monotonic()
    started = await called(client, "start_deep_research", topic="How do heat pumps work?", max_searches=3)
    assert started == {"status": "started", "topic": "How do heat pumps work?", "warnings": []} | {
        "task_id": started["task_id"]
    }
    task_id = started["task_id"]
    job = await runtime.container.jobs.get(task_id)
    assert (job.limits.max_searches, job.limits.timeout_seconds) == (3, 360)
    assert (job.inputs.depth, job.limits.max_visits) == ("deep", 40)
    status = await called(client, "get_research_status", task_id=task_id)
    assert {"task_id", "status", "state", "progress", "partial_results", "error"} <= status.keys()
    assert (status["status"], status["state"], status["error"]) == ("pending", "pending", None)
    assert {"current_step", "total_steps", "current_action"} <= status["progress"].keys()
    assert status["waits_for"] == ["waits for a planner: none is running"]
    early = await called(client, "get_research_result", task_id=task_id)
    assert (early["status"], early["report"], early["sources"]) == ("pending", None, [])
    assert await called(client, "cancel_research", task_id=task_id) == {
        "task_id": task_id,
        "status": "cancelled",
    }
    assert await called(client, "cancel_research", task_id=task_id) == {
        "task_id": task_id,
        "status": "cancelled",
    }
    assert (await called(client, "get_research_result", task_id=task_id))["status"] == "cancelled"
    assert time.monotonic() - begun < 6


async def test_what_cancelled_research_had_found_stays_readable(client, runtime):
    started = await called(client, "start_deep_research", topic="How do moles see?")
    jobs, task_id = runtime.container.jobs, started["task_id"]
    async with asyncio.timeout(30):  # on a busy machine the tool answers before the job is in the queue
        while await jobs.get(task_id) is None:
            await asyncio.sleep(0.05)
    finding = a_finding(f"{task_id}:1", "Moles see little but light and dark.")
    await jobs._redis.rpush(jobs.keys.found(task_id), finding.to_wire())
    await called(client, "cancel_research", task_id=task_id)
    result = await called(client, "get_research_result", task_id=task_id)
    assert result["status"] == "cancelled"
    assert "Moles see little but light and dark" in result["report"]
    assert [source["url"] for source in result["sources"]] == [finding.url]


async def test_the_result_of_a_finished_job_has_its_report_sources_and_a_link_to_the_whole(client, runtime):
    await archived(runtime)
    result = await client.call_tool("get_research_result", {"task_id": OVER})
    answer = result.structured_content
    assert {"task_id", "status", "report", "sources", "file_path"} <= answer.keys()
    assert answer["report"].startswith("# Report")
    assert answer["sources"][0] == {"title": "Page 1", "url": "https://a.example/1", "summary": "It says so."}
    assert (answer["file_path"], answer["truncated"], answer["next"]) == (None, False, None)
    [link] = [part for part in result.content if part.type == "resource_link"]
    [whole] = (await client.read_resource(str(link.uri))).contents
    assert whole.text == answer["report"]


async def test_a_long_report_comes_in_parts_that_are_the_whole_and_none_is_too_long(old_client, runtime):
    await archived(runtime, words=8_000, sources=120)
    [whole] = (await old_client.read_resource(f"research://jobs/{OVER}/report")).contents
    for most in (None, LEAST_ANSWER_TOKENS, MOST_ANSWER_TOKENS):
        report, urls, cursor, parts = "", [], "", 0
        while cursor is not None:
            arguments = {"task_id": OVER, "cursor": cursor} | ({"max_tokens": most} if most else {})
            result = await old_client.call_tool("get_research_result", arguments)
            assert tokens(result) <= (most or DEFAULT_TOKENS) * 1.2
            answer = result.structured_content
            report += answer["report"] or ""
            urls += [source["url"] for source in answer["sources"]]
            cursor, parts = answer["next"], parts + 1
            assert answer["truncated"] == (cursor is not None)
        assert report == whole.text
        assert urls == [f"https://a.example/{n}" for n in range(1, 121)]
        assert parts > 1


async def test_many_partial_results_come_in_parts(old_client, runtime):
    job = a_running_job(summaries=40)
    await runtime.container.jobs.submit(job)
    first = await old_client.call_tool("get_research_status", {"task_id": job.id, "max_tokens": 2_000})
    assert tokens(first) <= 2_000 * 1.2
    answer = first.structured_content
    seen = answer["partial_results"]
    assert answer["truncated"]
    while answer["next"]:
        answer = await called(old_client, "get_research_status", task_id=job.id, cursor=answer["next"])
        seen += answer["partial_results"]
    assert [line.split(".")[0] for line in seen] == [f"Fact {n}" for n in range(1, 41)]


async def test_progress_is_sent_to_a_client_that_asks_for_it(client, runtime):
    job = a_running_job()
    await runtime.container.jobs.submit(job)
    heard = []

    async def hear(progress, total, message):
        heard.append((progress, total, message))

    await client.call_tool("get_research_status", {"task_id": job.id}, progress_callback=hear)
    assert heard == [(0.4, 1.0, "Reading: a.example")]


async def test_web_research_is_one_job_however_often_it_is_asked_for_and_then_its_report(old_client, runtime):
    asked = {"topic": "heat pumps in winter", "depth": "thorough", "type": "general"}
    first, second = [await called(old_client, "web_research", **asked) for _ in range(2)]
    assert (first["status"], first["task_id"]) == ("started", second["task_id"])
    assert first["warnings"] == ["depth 'thorough' is not known (quick, standard, deep); standard is used"]
    other = await called(old_client, "web_research", **{**asked, "depth": "quick"})
    assert other["task_id"] != first["task_id"]
    assert (await runtime.container.jobs.get(other["task_id"])).inputs.depth == "quick"
    await called(old_client, "cancel_research", task_id=first["task_id"])
    again = await called(old_client, "web_research", **asked)
    assert again["task_id"] != first["task_id"]


async def test_equal_calls_of_web_research_at_the_same_time_are_one_job_that_goes_on(old_client, runtime):
    asked = {"topic": "heat pumps in old houses", "type": "technical"}
    answers = await asyncio.gather(*(called(old_client, "web_research", **asked) for _ in range(4)))
    assert len({answer["task_id"] for answer in answers}) == 1
    job = await runtime.container.jobs.get(answers[0]["task_id"])
    assert job.state == "pending"
    assert (job.inputs.type, job.inputs.type_given) == ("technical", True)


WRONG = [
    ("start_deep_research", {}, "wrong arguments of start_deep_research: topic: field required"),
    ("start_deep_research", {"topic": "  "}, "the topic is empty"),
    (
        "start_deep_research",
        {"topic": "a", "max_searches": 99},
        "max_searches: input should be less than or equal",
    ),
    (
        "start_deep_research",
        {"topic": "a", "save_to_file": "../a.md"},
        "not the name of a file below the folder",
    ),
    ("start_deep_research", {"topic": "a", "save_to_file": "/etc/a.md"}, "not the name of a file below"),
    ("web_research", {}, "topic: field required"),
    ("get_research_status", {"task_id": "nosuchjob"}, "there is no task 'nosuchjob'; give one that"),
    ("get_research_result", {"task_id": "nosuchjob"}, "there is no task 'nosuchjob'"),
    ("cancel_research", {"task_id": "nosuchjob"}, "there is no task 'nosuchjob'"),
    ("get_research_result", {"task_id": OVER, "cursor": "x"}, "'x' is no cursor"),
    ("remove_watch", {"watch_id": "nosuch"}, "there is no watch 'nosuch'; list_watches shows"),
    (
        "review_research",
        {"task_id": OVER, "decision": "maybe"},
        "decision: input should be 'accept', 'reject'",
    ),
    ("review_research", {"task_id": "nosuchjob", "decision": "accept"}, "there is no task 'nosuchjob'"),
    ("search_memory", {"query": " "}, "the query is empty"),
    ("start_batch", {"rows": [{"a": "x"}], "question": "What is {b}?"}, "b"),
    ("start_batch", {"rows": [], "question": "What is {b}?"}, "rows: list should have at least 1 item"),
    ("get_batch_status", {"batch_id": "nosuch"}, "there is no batch 'nosuch'; give the batch_id"),
    ("add_watch", {"what": "laptop", "every": "often"}, "often"),
    ("get_prices", {"since": "today"}, "'today' is not a day; write it as 2026-01-31"),
]


async def test_a_wrong_call_is_answered_in_one_line_that_says_what_to_do(gateway):
    async with Client(make_server(gateway), mode="legacy") as client:
        for tool, arguments, words in WRONG:
            said = await refused(client, tool, **arguments)
            assert words in said
            assert "\n" not in said
            assert "pydantic" not in said


async def test_a_document_of_no_job_is_refused_by_the_protocol(old_client):
    with pytest.raises(Exception, match="there is no task"):
        await old_client.read_resource("research://jobs/nosuchjob/report")


async def test_a_report_is_saved_below_the_folder_for_reports_when_its_job_is_over(
    gateway, old_client, runtime, tmp_path
):
    started = await called(old_client, "start_deep_research", topic="heat pumps", save_to_file="one/pumps.md")
    job = await gateway.find(started["task_id"])
    assert job.inputs.save_to_file == "one/pumps.md"
    await archived(runtime, save_to_file="two/pumps.md")
    answer = await called(old_client, "get_research_result", task_id=OVER)
    assert answer["file_path"] == str(tmp_path / "two" / "pumps.md")
    assert "# Report" in (tmp_path / "two" / "pumps.md").read_text()


async def test_a_watch_is_added_listed_and_removed_and_its_prices_are_shown(old_client, runtime):
    added = await called(
        old_client, "add_watch", what="https://shop.example/p/1", below="EUR 900", every="6h", name="laptop",
        notify=["ntfys://me:hunter2@ntfy.example/topic"],
    )  # fmt: skip
    assert (added["state"], added["schedule"]) == ("active", "every 6h")
    assert added["rule"] == {"below": 900.0, "currency": "EUR"}
    assert "hunter2" not in json.dumps(added)
    listed = await called(old_client, "list_watches")
    assert [watch["id"] for watch in listed["watches"]] == [added["id"]]
    assert await called(old_client, "get_prices", watch_id="laptop") == {
        "products": [],
        "truncated": False,
        "next": None,
    }
    removed = await called(old_client, "remove_watch", watch_id=added["id"])
    assert removed == {"watch_id": added["id"], "status": "removed", "prices_deleted": False}
    assert (await called(old_client, "list_watches"))["watches"] == []


async def test_a_job_that_comes_before_the_system_is_there_is_submitted_when_it_is(runtime):
    gateway = ResearchGateway(
        runtime.config, lambda: Runtime(runtime.config, crawl=False, plan=False, may_own=False)
    )
    async with Client(make_server(gateway), mode="legacy") as client:
        begun = time.monotonic()
        task_id = (await called(client, "start_deep_research", topic="heat pumps"))["task_id"]
        early = await called(client, "web_research", topic="heat pumps")
        status = await called(client, "get_research_status", task_id=task_id)
        assert status["waits_for"] == ["waits for the research system to start"]
        assert "still starting" in await refused(client, "list_watches")
        assert time.monotonic() - begun < 30
        assert await runtime.container.jobs.get(task_id) is None
        connected = await gateway.connect()
        try:
            assert (await runtime.container.jobs.get(task_id)).state == "pending"
            assert (await called(client, "web_research", topic="heat pumps"))["task_id"] == early["task_id"]
            assert (await called(client, "list_watches"))["watches"] == []
        finally:
            await gateway.close()
            await connected.close()


async def test_a_job_of_a_tool_has_the_operators_settings_as_one_of_the_command_line(tmp_path):
    config = load_system_config(
        home=tmp_path / "home", review="always", blocker_policy="ask", phase2_vendors=5
    )
    gateway = ResearchGateway(config, lambda: Runtime(config, crawl=False, plan=False))
    async with Client(make_server(gateway), mode="legacy") as client:
        for tool, fields in (("start_deep_research", {}), ("web_research", {"depth": "quick"})):
            task_id = (await called(client, tool, topic="heat pumps", **fields))["task_id"]
            inputs = (await gateway.find(task_id)).inputs
            assert (inputs.review, inputs.blocker_policy, inputs.vendors) == ("always", "ask", 5)


async def test_while_the_server_starts_the_system_nobody_is_told_to_start_it(tmp_path):
    config = load_system_config(home=tmp_path / "home")
    gateway = ResearchGateway(config, lambda: Runtime(config, crawl=False, plan=False, may_own=False))
    async with Client(make_server(gateway), mode="legacy") as client:
        connecting = asyncio.create_task(gateway.connect())
        await asyncio.sleep(0.5)  # nothing runs on the folder, so that the first attempt fails
        assert "start `research up`" in await refused(client, "list_watches")
        gateway.is_starting = lambda: True
        said = await refused(client, "list_watches")
        assert "still starting; call this tool again" in said
        connecting.cancel()


async def test_a_server_that_runs_for_months_forgets_what_it_keeps_of_jobs_that_never_began(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(gateway_module, "MOST_EARLY", 3)
    monkeypatch.setattr(gateway_module, "MOST_REMEMBERED", 2)
    config = load_system_config(home=tmp_path / "home")
    gateway = ResearchGateway(config, lambda: Runtime(config, crawl=False, plan=False))
    monkeypatch.setattr(gateway_module, "START_PATIENCE_S", 0.01)
    async with Client(make_server(gateway), mode="legacy") as client:
        begun = [
            (await called(client, "start_deep_research", topic=f"heat pumps {n}"))["task_id"]
            for n in range(3)
        ]
        assert "call this tool again in a minute" in await refused(
            client, "start_deep_research", topic="more"
        )
        for task_id in begun:
            await called(client, "cancel_research", task_id=task_id)
        assert "still starting" in await refused(client, "get_research_status", task_id=begun[0])
        assert (await called(client, "get_research_status", task_id=begun[2]))["status"] == "cancelled"
        await called(client, "start_deep_research", topic="more")


async def test_what_earlier_jobs_have_found_is_searched(old_client, runtime):
    command = "foundaaaaaaa:1"
    found = [a_finding(command, f"A heat pump of kind {n} works in frost.") for n in range(1, 25)]
    others = [a_finding(command, f"Tent number {n} keeps the rain out.") for n in range(25, 75)]
    event = CommandDone(uid=command, job="foundaaaaaaa", command=command, findings=[*found, *others])
    await runtime.container.archive.index_event(event)
    await rebuild_memory(runtime)
    asked = {"query": "heat pump in frost", "limit": 20}
    first = await called(old_client, "search_memory", **asked, max_tokens=LEAST_ANSWER_TOKENS)
    assert first["truncated"]
    assert first["findings"][0]["task_id"] == "foundaaaaaaa"
    rest = await called(old_client, "search_memory", **asked, cursor=first["next"])
    quotes = {one["quote"] for one in [*first["findings"], *rest["findings"]]}
    assert len(quotes) == 20
    assert quotes <= {finding.quote for finding in found}


async def test_a_batch_is_started_followed_and_read_in_parts(old_client, runtime):
    rows = [{"name": f"Town {n}", "country": "DE"} for n in range(1, 121)]
    question = "How many people live in {name}, {country}?"
    started = await called(old_client, "start_batch", rows=rows, question=question, columns="people: number")
    assert (started["status"], started["rows"]) == ("started", 120)
    status = await called(old_client, "get_batch_status", batch_id=started["batch_id"])
    assert (status["state"], status["rows"], status["ended_rows"]) == ("running", 120, 0)
    seen, cursor = [], ""
    while cursor is not None:
        result = await old_client.call_tool(
            "get_batch_result", {"batch_id": started["batch_id"], "cursor": cursor}
        )
        assert tokens(result) <= DEFAULT_TOKENS * 1.2
        answer = result.structured_content
        seen += [row["fields"]["name"] for row in answer["rows"]]
        cursor = answer["next"]
    assert seen == [row["name"] for row in rows]


async def test_a_person_answers_through_a_client_what_a_job_asks(old_client, runtime):
    question = OpenQuestion(no=1, kind="ask", text="Which model year?")
    job, jobs = a_running_job(), runtime.container.jobs
    await jobs.submit(job)
    taken = await jobs.take(max_active=1)
    review = ReviewRecord(question=question, asked=1)
    waiting = taken.job.changed(state="waiting_for_human", review=review)
    assert await jobs.commit(taken, waiting) == "ok"
    status = await called(old_client, "get_research_status", task_id=job.id)
    assert (status["status"], status["needs_input"]) == ("running", {"question": "Which model year?"})
    answered = await called(
        old_client, "review_research", task_id=job.id, decision="append", text="2024", append_as="fact"
    )
    assert answered["task_id"] == job.id
    assert answered["status"] == "running"


async def test_where_redis_does_not_answer_a_job_is_kept_and_other_tools_say_so_in_time(
    gateway, runtime, monkeypatch
):
    silence = asyncio.Event()

    async def silent(*_):
        await silence.wait()

    submit = runtime.container.jobs.submit
    gateway.answer_s = 0.3
    async with Client(make_server(gateway), mode="legacy") as client:
        monkeypatch.setattr(runtime.container.jobs, "submit", silent)
        monkeypatch.setattr(runtime.container.jobs, "get", silent)
        task_id = (await called(client, "start_deep_research", topic="heat pumps"))["task_id"]
        assert (await called(client, "get_research_status", task_id=task_id))["status"] == "pending"
        assert "does not answer at the moment" in await refused(client, "get_research_status", task_id=OVER)
        monkeypatch.undo()
        assert runtime.container.jobs.submit == submit
        silence.set()


async def test_walls_that_wait_for_a_person_are_listed(client):
    assert await called(client, "list_interventions") == {
        "interventions": [],
        "truncated": False,
        "next": None,
    }
