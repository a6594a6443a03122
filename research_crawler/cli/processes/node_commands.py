"""The long-running commands: `research up`, `crawl`, `plan` and `serve`."""

import contextlib
import os
import signal
import threading
from contextlib import AsyncExitStack, closing
from typing import TYPE_CHECKING

import click

from research_crawler.cli.options.option_values import WholeNumber
from research_crawler.cli.session import echo_err, run_session, settings
from research_crawler.core.settings.sources import masked

if TYPE_CHECKING:
    import asyncio

    from research_crawler.core.config import Config
    from research_crawler.interfaces.http.listening import Listening
    from research_crawler.runtime.runtime import Runtime


ADDRESS_OPTIONS = {
    "host": "Address to listen on. Default: RESEARCH_SERVE_HOST (127.0.0.1).",
    "port": "Port to listen on; 0: a free one. Default: RESEARCH_SERVE_PORT (8321).",
}


@click.command()
@click.option("--serve", is_flag=True, help="Also answer over HTTP, as `research serve` does.")
@click.option("--host", metavar="ADDRESS", help=f"With --serve: {ADDRESS_OPTIONS['host']}")
@click.option("--port", type=WholeNumber(0, 65_535), help=f"With --serve: {ADDRESS_OPTIONS['port']}")
@click.option(
    "--until-eof",
    is_flag=True,
    help="Also stop when standard input is closed, as it is when the program ends that started this command.",
)
def up(*, serve: bool, host: str | None, port: int | None, until_eof: bool) -> None:
    """Run crawler, planner and index in one process, until stopped."""
    if not serve and (host is not None or port is not None):
        raise click.UsageError("--host and --port need --serve", click.get_current_context())
    if until_eof:
        threading.Thread(target=_stop_at_eof, daemon=True).start()
    status = "crawler and planner are up"
    _run_parts(crawl=True, plan=True, status=status, serve=serve, serve_host=host, serve_port=port)


def _stop_at_eof() -> None:
    """Wait for the end of standard input, then stop this process as a signal does, once."""
    with contextlib.suppress(OSError):
        while os.read(0, 65_536):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


@click.command()
def crawl() -> None:
    """Run a crawler node, until stopped. Any number of nodes may share one Redis."""
    _run_parts(crawl=True, plan=False, status="crawler node is up")


@click.command()
def plan() -> None:
    """Run a planner worker, until stopped. Any number of workers may share one Redis."""
    _run_parts(crawl=False, plan=True, status="planner worker is up")


@click.command()
@click.option("--host", metavar="ADDRESS", help=ADDRESS_OPTIONS["host"])
@click.option("--port", type=WholeNumber(0, 65_535), help=ADDRESS_OPTIONS["port"])
def serve(*, host: str | None, port: int | None) -> None:
    """Answer over HTTP, until stopped: jobs, watches and prices for programs.

    It neither crawls nor plans: `research up` does, on the same data folder or the same REDIS_URL.
    `research up --serve` does all of it in one process.
    """
    config = settings(serve_host=host, serve_port=port)

    async def work() -> int:
        from research_crawler.interfaces.http.listening import Listening

        listening = Listening.prepared(config)
        from research_crawler.interfaces.http.http_server import serving, spare_collections
        from research_crawler.runtime.runtime import running

        with closing(listening.socket):
            async with (
                running(config, crawl=False, plan=False, may_own=False) as runtime,
                serving(runtime, listening) as server,
            ):
                echo_err(f"{listening.notice}; press Ctrl-C to stop")
                if listening.sign_in_line:
                    echo_err(listening.sign_in_line)
                spare_collections()
                await server.task
        return 0

    run_session(config, work)


def _run_parts(
    *,
    crawl: bool,
    plan: bool,
    status: str,
    serve: bool = False,
    serve_host: str | None = None,
    serve_port: int | None = None,
) -> None:
    config = settings(serve_host=serve_host, serve_port=serve_port)

    async def work() -> int:
        async with AsyncExitStack() as stack:
            listening = _listening(stack, config) if serve else None
            from research_crawler.runtime.model_endpoint import check_endpoint
            from research_crawler.runtime.runtime import running

            checked = await check_endpoint(config)
            echo_err("starting …")  # reading the modules and stores takes seconds on a busy machine
            runtime = await stack.enter_async_context(running(checked, crawl=crawl, plan=plan, watch=plan))
            folder = runtime.container.folder
            role = "owner" if folder.owner else "client"
            redis = masked(config.redis_url) if config.redis_url else "embedded"
            echo_err(f"{status}; data folder {folder.home} ({role}), Redis {redis}; press Ctrl-C to stop")
            if runtime.resumed:
                echo_err(f"resuming interrupted jobs: {' '.join(runtime.resumed)}")
            beside = [await _server(stack, runtime, listening)] if listening else []
            await runtime.wait(beside)
        return 0

    run_session(config, work)


def _listening(stack: AsyncExitStack, config: "Config") -> "Listening":
    from research_crawler.interfaces.http.listening import Listening

    listening = Listening.prepared(config)
    stack.enter_context(closing(listening.socket))
    return listening


async def _server(stack: AsyncExitStack, runtime: "Runtime", listening: "Listening") -> "asyncio.Task[None]":
    from research_crawler.interfaces.http.http_server import serving, spare_collections

    server = await stack.enter_async_context(serving(runtime, listening))
    echo_err(listening.notice)
    if listening.sign_in_line:
        echo_err(listening.sign_in_line)
    spare_collections()
    return server.task
