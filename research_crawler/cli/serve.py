"""The command `research serve`, which answers over HTTP."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.session import echo_err, run_session, settings

if TYPE_CHECKING:
    import asyncio

    from research_crawler.runtime.runtime import Runtime

ADDRESS_OPTIONS = {
    "host": "Address to listen on. Default: RESEARCH_SERVE_HOST (127.0.0.1).",
    "port": "Port to listen on; 0: a free one. Default: RESEARCH_SERVE_PORT (8321).",
}


@click.command()
@click.option("--host", metavar="ADDRESS", help=ADDRESS_OPTIONS["host"])
@click.option("--port", type=click.IntRange(0, 65_535), help=ADDRESS_OPTIONS["port"])
def serve(*, host: str | None, port: int | None) -> None:
    """Answer over HTTP, until stopped: jobs, watches and prices for programs.

    It neither crawls nor plans: `research up` does, on the same data folder or the same REDIS_URL.
    `research up --serve` does all of it in one process.
    """
    config = settings(serve_host=host, serve_port=port)

    async def work() -> int:
        from research_crawler.runtime.runtime import running

        async with running(config, crawl=False, plan=False) as runtime, AsyncExitStack() as stack:
            task = await start_server(stack, runtime)
            await task
        return 0

    run_session(config, work)


async def start_server(stack: AsyncExitStack, runtime: "Runtime") -> "asyncio.Task[Any]":
    """Serve until the stack is closed, and say where. The task ends only if the server does."""
    from research_crawler.interfaces.http.app import http_app
    from research_crawler.interfaces.http.server import bound_socket, serving, url_of
    from research_crawler.interfaces.http.token import token_of

    token, place = token_of(runtime.config)
    listening = bound_socket(runtime.config)
    task = await stack.enter_async_context(serving(http_app(runtime, token=token), listening))
    echo_err(
        f"serving {url_of(listening)} (API: /docs); the bearer token is in {place}; press Ctrl-C to stop"
    )
    return task
