"""The tool that lists the walls which a person is asked to open."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.interfaces.mcp.tools.paging import DEFAULT_TOKENS, Cursor, TokenBudget
from research_crawler.interfaces.mcp.tools.tool import READS, CursorText, MaxTokens, add, answer
from research_crawler.interfaces.mcp.tools.tool_answers import InterventionList
from research_crawler.services.interventions.intervention_answers import InterventionView, all_interventions


def add_intervention_tools(server: MCPServer, gateway: ResearchGateway) -> None:
    """Register the tool."""

    async def list_interventions(
        cursor: CursorText = "", max_tokens: MaxTokens = DEFAULT_TOKENS
    ) -> Annotated[CallToolResult, InterventionList]:
        """List the CAPTCHAs, logins and consent walls that wait for a person.

        Tell the user to run `research interventions open <id>`, or to use the dashboard.
        """
        begin = Cursor.of(cursor, ["interventions"]).at
        found = await all_interventions(await gateway.runtime(), is_open=True)
        end = TokenBudget(max_tokens).take_items(found, begin, InterventionView.model_dump_json)
        rest = end < len(found)
        following = str(Cursor("interventions", end)) if rest else None
        return answer(InterventionList(interventions=found[begin:end], truncated=rest, next=following))

    add(server, gateway, list_interventions, "List interventions", READS)
