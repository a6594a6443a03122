"""The tasks extension: the same jobs, as tasks of the protocol."""

from typing import Any, Literal

import pytest
from mcp import Client, MCPError
from mcp.client.extension import ClientExtension, ResultClaim, advertise
from mcp_types import CallToolResult, Request, RequestParams, Result
from pydantic import ConfigDict

from research_crawler.interfaces.mcp.mcp_server import make_server
from research_crawler.interfaces.mcp.tasks import TASKS
from tests.interfaces.mcp.conftest import OVER, a_running_job, archived, called

MODERN = "auto"
"""The client asks the server what it can, and takes the newest protocol."""


class Task(Result):
    """A task as a client reads it."""

    result_type: Literal["task"]
    task_id: str
    status: str
    created_at: str
    last_updated_at: str
    ttl_ms: int | None
    poll_interval_ms: int


class Answer(Result):
    """The answer to a request of the extension, whatever it has."""

    model_config = ConfigDict(extra="allow")


class KnowsTasks(ClientExtension):
    """A client that takes tasks, and keeps the last one."""

    identifier = TASKS

    def __init__(self) -> None:
        self.seen: list[Task] = []

    def claims(self):
        async def resolve(task: Task, _context: Any) -> CallToolResult:
            self.seen.append(task)
            return CallToolResult(
                content=[], structured_content={"task_id": task.task_id, "status": "started"}
            )

        return [ResultClaim(result_type="task", model=Task, resolve=resolve)]


async def sent(client: Client, method: str, **params: Any) -> dict[str, Any]:
    """Send a request of the extension."""

    class Params(RequestParams):
        model_config = ConfigDict(extra="allow")

    request = Request(method=method, params=Params.model_validate(params))
    answer = await client.session.send_request(request, Answer)
    return answer.model_dump(by_alias=True, mode="json")


async def test_web_research_is_a_task_for_a_client_that_knows_tasks(gateway):
    knows = KnowsTasks()
    async with Client(make_server(gateway), mode=MODERN, extensions=[knows]) as client:
        assert TASKS in (client.server_capabilities.extensions or {})
        await client.call_tool("web_research", {"topic": "heat pumps"})
        [task] = knows.seen
        assert client.protocol_version == "2026-07-28"
        assert (task.status, task.ttl_ms) == ("working", None)
        got = await sent(client, "tasks/get", taskId=task.task_id)
        assert (got["resultType"], got["taskId"], got["status"]) == ("complete", task.task_id, "working")
        assert got["statusMessage"] == "waits for a planner: none is running"
        assert (await called(client, "get_research_status", task_id=task.task_id))["status"] == "pending"
        await sent(client, "tasks/update", taskId=task.task_id, inputResponses={})
        await sent(client, "tasks/cancel", taskId=task.task_id)
        assert (await sent(client, "tasks/get", taskId=task.task_id))["status"] == "cancelled"


async def test_a_completed_task_carries_the_result_of_the_tool_and_a_failed_one_its_error(gateway, runtime):
    await archived(runtime)
    failed = a_running_job("failedaaaaaa").changed(state="failed", error="no network")
    await runtime.container.archive.save_job(failed, [], {})
    async with Client(make_server(gateway), mode=MODERN, extensions=[KnowsTasks()]) as client:
        done = await sent(client, "tasks/get", taskId=OVER)
        assert done["status"] == "completed"
        assert done["result"]["structuredContent"]["report"].startswith("# Report")
        over = await sent(client, "tasks/get", taskId=failed.id)
        assert (over["status"], over["error"]["message"]) == ("failed", "no network")
        with pytest.raises(MCPError, match="there is no task 'nosuchjob'"):
            await sent(client, "tasks/get", taskId="nosuchjob")


async def test_other_clients_get_the_handle_as_before(gateway):
    async with Client(make_server(gateway), mode=MODERN) as client:
        assert (await called(client, "web_research", topic="heat pumps"))["status"] == "started"
    extensions = [advertise(TASKS)]
    async with Client(make_server(gateway), mode="legacy", extensions=extensions) as client:
        assert (await called(client, "web_research", topic="heat pumps"))["status"] == "started"
        with pytest.raises(MCPError):
            await sent(client, "tasks/get", taskId=OVER)
