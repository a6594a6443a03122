"""The tool that answers for a person what a job asks, or sends a finished report back."""

import asyncio
from typing import Annotated, Final, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from research_crawler.core.models.people.reviews import AppendKind
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.interfaces.mcp.tools.paging import first_letters
from research_crawler.interfaces.mcp.tools.tool import ADDS, TaskId, add, answer
from research_crawler.interfaces.mcp.tools.tool_answers import ReviewedResearch
from research_crawler.services.reviews.review_answers import answer_review
from research_crawler.services.reviews.review_requests import ReviewRequest

_WAIT_S: Final = 0.7
"""How long an answer of a person is waited for before the tool says that it is under way."""
_MOST_CLAIMS: Final = 20
"""Most retracted claims that are named."""
_CLAIM: Final = 300
"""Longest retracted claim."""


def add_review_tools(server: MCPServer, gateway: ResearchGateway) -> None:
    """Register the tool."""

    async def review_research(
        task_id: TaskId,
        decision: Annotated[
            Literal["accept", "reject", "reject_finding", "reject_source", "append"],
            Field(
                description="reject: what is wrong stands in text; append: text is added as the user's own."
            ),
        ],
        text: Annotated[str, Field(description="What is wrong or missing, what is added, or why.")] = "",
        append_as: Annotated[AppendKind | None, Field(description="With append: what the text is.")] = None,
        findings: Annotated[
            list[str] | None, Field(description="With reject_finding: ids of evidence such as E3.")
        ] = None,
        source: Annotated[
            str, Field(description="With reject_source: a URL, a host, or the number in Key Sources.")
        ] = "",
    ) -> Annotated[CallToolResult, ReviewedResearch]:
        """Answer the question of research that waits for the user, or review a finished report, for the user.

        Ask the user first: a rejection or an addition starts a new round, and accepting ends the research.
        """
        runtime = await gateway.runtime()
        request = ReviewRequest(
            kind=decision, text=text, append_as=append_as, findings=findings or [], source=source
        )
        reviewing = gateway.spawn(answer_review(runtime, task_id, request))
        await asyncio.wait({reviewing}, timeout=_WAIT_S)
        if not reviewing.done():
            status = await gateway.status(task_id)
            return answer(
                ReviewedResearch(task_id=task_id, status=status.status, state=status.state, is_applied=False)
            )
        outcome = reviewing.result()
        retracted = [first_letters(claim, _CLAIM) for claim in outcome.retracted_claims[:_MOST_CLAIMS]]
        return answer(
            ReviewedResearch(
                task_id=task_id,
                status=outcome.status,
                state=outcome.state,
                is_applied=outcome.is_applied,
                retracted_claims=retracted,
            )
        )

    add(server, gateway, review_research, "Review research", ADDS)
