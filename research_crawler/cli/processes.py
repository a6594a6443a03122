"""Long-running processes: all in one, crawler node, planner worker."""

import click

from research_crawler.cli.session import run_session, settings, tell
from research_crawler.core.config_sources import masked


@click.command()
def up() -> None:
    """Run crawler, planner and index in one process, until stopped."""
    _serve(crawl=True, plan=True, what="crawler and planner are up")


@click.command()
def crawl() -> None:
    """Run a crawler node, until stopped. Any number may run on one Redis."""
    _serve(crawl=True, plan=False, what="crawler node is up")


@click.command()
def plan() -> None:
    """Run a planner worker, until stopped. Any number may run on one Redis."""
    _serve(crawl=False, plan=True, what="planner worker is up")


def _serve(*, crawl: bool, plan: bool, what: str) -> None:
    config = settings()

    async def work() -> int:
        from research_crawler.runtime.model_endpoint import check_endpoint
        from research_crawler.runtime.runtime import running

        await check_endpoint(config)
        async with running(config, crawl=crawl, plan=plan, watch=plan) as runtime:
            folder = runtime.container.folder
            role = "owner" if folder.owner else "client"
            redis = masked(config.redis_url) if config.redis_url else "embedded"
            tell(f"{what}; data folder {folder.home} ({role}), Redis {redis}; Ctrl-C stops")
            if runtime.resumed:
                tell(f"going on with interrupted jobs: {' '.join(runtime.resumed)}")
            await runtime.wait()
        return 0

    run_session(config, work)
