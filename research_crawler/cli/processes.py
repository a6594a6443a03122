"""The long-running commands: `research up`, `crawl` and `plan`."""

import click

from research_crawler.cli.session import echo_err, run_session, settings
from research_crawler.core.settings.sources import masked


@click.command()
def up() -> None:
    """Run crawler, planner and index in one process, until stopped."""
    _serve(crawl=True, plan=True, status="crawler and planner are up")


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
