"""The tasks extension (SEP-2663): for clients that know it, web_research is a task, and every job can be asked for as
one.

The client polls `tasks/get`; a completed task carries the result of the tool. It is the same job as of the plain
tools: its task id is the job's id. `tasks/update` takes answers to questions that a task has put, and none puts any: a
job that waits for a person is `working`, says so in its message, and is answered by the review.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension, MethodBinding
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    RequestParams,
    Result,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from research_crawler.core.errors import ResearchError, UsageError
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.interfaces.mcp.tools.research_tools import result_of
from research_crawler.interfaces.mcp.tools.tool import tool_error

TASKS: Final = "io.modelcontextprotocol/tasks"
POLL_MS: Final = 5_000
"""How often a client is told to ask for a task's state."""
_MODERN: Final = frozenset(MODERN_PROTOCOL_VERSIONS)
_AS_TASK: Final = "web_research"

TaskState = Literal["working", "completed", "failed", "cancelled"]
_STATES: Final[dict[str, TaskState]] = {
    "pending": "working",
    "running": "working",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
}


class TaskOfJob(Result):
    """A job as a task: the answer to the call that started it, and to `tasks/get`."""

    result_type: Literal["task", "complete"]
    task_id: str
    status: TaskState
    status_message: str | None = None
    created_at: str
    last_updated_at: str
    ttl_ms: int | None = None
    poll_interval_ms: int = POLL_MS
    result: dict[str, Any] | None = None
    """Of a completed task: what the tool would have returned."""
    error: dict[str, Any] | None = None
    """Of a failed one, as a JSON-RPC error."""

    def on_the_wire(self) -> dict[str, Any]:
        """The task as JSON. The SDK leaves out what is null, but a time to live without end must be sent as null."""
        return {"ttlMs": None, **self.model_dump(mode="json", by_alias=True, exclude_none=True)}


class TaskParams(RequestParams):
    """The parameters of `tasks/get` and `tasks/cancel`."""

    task_id: str


class TaskUpdateParams(TaskParams):
    """The parameters of `tasks/update`."""

    input_responses: dict[str, Any] = Field(default_factory=dict)


class JobTasks(Extension):
    """Serves jobs as tasks."""

    identifier = TASKS

    def __init__(self, gateway: ResearchGateway) -> None:
        """`gateway`: where the jobs are."""
        self._gateway = gateway

    def methods(self) -> Sequence[MethodBinding]:
        """The requests of the extension."""
        return (
            MethodBinding("tasks/get", TaskParams, self._get, _MODERN),
            MethodBinding("tasks/update", TaskUpdateParams, self._update, _MODERN),
            MethodBinding("tasks/cancel", TaskParams, self._cancel, _MODERN),
        )

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Return a task where the client knows tasks and the report of web_research is not there yet."""
        answered = await call_next(ctx)
        if params.name != _AS_TASK or not _knows_tasks(ctx) or not isinstance(answered, CallToolResult):
            return answered
        fields = answered.structured_content or {}
        if answered.is_error or fields.get("status") != "started":
            return answered
        return _as_task(await self._gateway.status(str(fields["task_id"])), "task").on_the_wire()

    async def _get(self, _ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
        try:
            status = await self._gateway.status(params.task_id)
            ended = await result_of(self._gateway, params.task_id) if status.status == "completed" else None
        except ResearchError as error:
            raise _as_protocol_error(error) from error
        return _as_task(status, "complete", ended).on_the_wire()

    async def _update(self, _ctx: ServerRequestContext[Any, Any], params: TaskUpdateParams) -> HandlerResult:
        try:
            await self._gateway.status(params.task_id)
        except ResearchError as error:
            raise _as_protocol_error(error) from error
        return Result()  # answers to questions that are not open are ignored, as the extension says

    async def _cancel(self, _ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
        try:
            await self._gateway.cancel(params.task_id)
        except ResearchError as error:
            raise _as_protocol_error(error) from error
        return Result()


def _knows_tasks(ctx: ServerRequestContext[Any, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    declared = capabilities.extensions if capabilities else None
    return ctx.protocol_version in _MODERN and TASKS in (declared or {})


def _as_task(
    status: JobStatus, result_type: Literal["task", "complete"], ended: CallToolResult | None = None
) -> TaskOfJob:
    now = datetime.now(UTC)
    acted = now - timedelta(seconds=status.last_action_age_seconds or 0.0)
    message = status.waits_for[0] if status.waits_for else status.progress.current_action
    if status.needs_input:
        message = status.needs_input.question
    error = {"code": INTERNAL_ERROR, "message": status.error or "the research failed"}
    return TaskOfJob(
        result_type=result_type,
        task_id=status.task_id,
        status=_STATES[status.status],
        status_message=message or None,
        created_at=status.created_at or now.isoformat(timespec="seconds"),
        last_updated_at=status.completed_at or acted.isoformat(timespec="seconds"),
        result=ended.model_dump(mode="json", by_alias=True, exclude_none=True) if ended else None,
        error=error if status.status == "failed" else None,
    )


def _as_protocol_error(error: ResearchError) -> MCPError:
    code = INVALID_PARAMS if isinstance(error, UsageError) else INTERNAL_ERROR
    return MCPError(code=code, message=tool_error(error))
