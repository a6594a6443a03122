"""What all tools share: their answers, their errors in words, and how they are registered."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Annotated, Final, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ResourceLink, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from research_crawler.core.errors import ResearchError, UnknownBatch, UnknownJob, UnknownWatch
from research_crawler.core.models.base import first_fault
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.interfaces.mcp.tools.paging import LEAST_ANSWER_TOKENS, MOST_ANSWER_TOKENS

Given = ParamSpec("Given")
Tool = Callable[Given, Awaitable[CallToolResult]]

TaskId = Annotated[str, Field(description="Of start_deep_research or web_research.")]
CursorText = Annotated[str, Field(description="`next` of the answer before.")]
MaxTokens = Annotated[
    int,
    Field(
        ge=LEAST_ANSWER_TOKENS,
        le=MOST_ANSWER_TOKENS,
        description="Most tokens of the answer.",
    ),
]

SLOW: Final = "the research system does not answer at the moment; call this tool again in 3 seconds"
READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
STARTS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
ENDS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
ADDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


def add(
    server: MCPServer,
    gateway: ResearchGateway,
    tool: Tool[Given],
    title: str,
    hints: ToolAnnotations,
    *,
    name: str | None = None,
) -> None:
    """Register a tool; its name is the function's if none is given, its description the docstring."""

    may_repeat = bool(hints.read_only_hint or hints.idempotent_hint)

    @functools.wraps(tool)
    async def answered(*args: Given.args, **kwargs: Given.kwargs) -> CallToolResult:
        try:
            async with asyncio.timeout(gateway.answer_s if may_repeat else None):
                return await tool(*args, **kwargs)
        except ResearchError as error:
            raise ToolError(tool_error(error)) from error
        except ValidationError as error:
            raise ToolError(first_fault(error)) from error
        except TimeoutError as error:
            raise ToolError(SLOW) from error

    server.add_tool(answered, name=name, title=title, annotations=hints)


def answer(model: BaseModel, *links: ResourceLink) -> CallToolResult:
    """A tool's answer: structured, the same as text for clients that read no structured content, and links."""
    fields = model.model_dump(mode="json")
    return CallToolResult(
        content=[TextContent(type="text", text=model.model_dump_json()), *links], structured_content=fields
    )


def tool_error(error: ResearchError) -> str:
    """An error as a model can act on it."""
    if isinstance(error, UnknownJob):
        return (
            f"there is no task {error.job[:40]!r}; give one that start_deep_research or web_research returned"
        )
    if isinstance(error, UnknownWatch):
        return f"there is no watch {error.watch[:40]!r}; list_watches shows their ids"
    if isinstance(error, UnknownBatch):
        return f"there is no batch {error.batch[:40]!r}; give the batch_id that start_batch returned"
    return str(error).removeprefix("--")  # some messages name an option of the command line first


async def report_progress(context: Context, status: JobStatus) -> None:
    """Tell a client that asked for progress how far the job is; nothing is sent to one that did not."""
    progress = status.progress
    await context.report_progress(progress.fraction, 1.0, progress.current_action or status.state)
