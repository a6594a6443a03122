"""The long-running commands: `research up`, `crawl` and `plan`."""

import contextlib
import os
import signal
import threading

import click

from research_crawler.cli.session import echo_err, run_session, settings
from research_crawler.core.settings.sources import masked


@click.command()
@click.option(
    "--until-eof",
    is_flag=True,
    help="Also stop when standard input is closed, as it is when the program ends that started this command.",
)
def up(*, until_eof: bool) -> None:
    """Run crawler, planner and index in one process, until stopped."""
    if until_eof:
        threading.Thread(target=_stop_at_eof, daemon=True).start()
    _serve(crawl=True, plan=True, status="crawler and planner are up")


def _stop_at_eof() -> None:
    """Wait for the end of standard input, then stop this process as a signal does, once."""
    with contextlib.suppress(OSError):
        while os.read(0, 65_536):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


@click.command()
def crawl() -> None:
    """Run a crawler node, until stopped. Any number of nodes may share one Redis."""
    _serve(crawl=True, plan=False, status="crawler node is up")


@click.command()
def plan() -> None:
    """Run a planner worker, until stopped. Any number of workers may share one Redis."""
    _serve(crawl=False, plan=True, status="planner worker is up")


def _serve(*, crawl: bool, plan: bool, status: str) -> None:
    config = settings()

    async def work() -> int:
        from research_crawler.runtime.model_endpoint import check_endpoint
        from research_crawler.runtime.runtime import running

        checked = await check_endpoint(config)
        async with running(checked, crawl=crawl, plan=plan, watch=plan) as runtime:
            folder = runtime.container.folder
            role = "owner" if folder.owner else "client"
            redis = masked(config.redis_url) if config.redis_url else "embedded"
            echo_err(f"{status}; data folder {folder.home} ({role}), Redis {redis}; press Ctrl-C to stop")
            if runtime.resumed:
                echo_err(f"resuming interrupted jobs: {' '.join(runtime.resumed)}")
            await runtime.wait()
        return 0

    run_session(config, work)
