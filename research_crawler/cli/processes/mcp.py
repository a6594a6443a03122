"""The command `research mcp`: the MCP server on standard input and output."""

import click

from research_crawler.cli.session import run_session, settings
from research_crawler.cli.trust_option import TRUST_KEY


@click.command()
@click.option(
    "--join",
    is_flag=True,
    help="Only use a research system that runs already (`research up`), and start none.",
)
def mcp(*, join: bool) -> None:
    """Serve research as MCP tools on standard input and output, for Claude, editors and other clients.

    Where no planner and crawler run on the data folder, the command starts them, and ends them when its client
    closes standard input. Jobs that are not over then go on at the next start.
    """
    config = settings()
    context = click.get_current_context()
    options = ["--trust-folder"] if context.meta.get(TRUST_KEY) else []

    async def work() -> int:
        from research_crawler.interfaces.mcp.mcp_over_stdio import serve_stdio

        await serve_stdio(config, *options, alone=not join)
        return 0

    run_session(config, work)
