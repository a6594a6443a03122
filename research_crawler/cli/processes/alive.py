"""The command `research alive`, by which a container engine knows whether a container does its work."""

import click

from research_crawler.cli.session import echo, fail, run_session, settings
from research_crawler.core.config import Config

_ROLES = ("crawler", "planner")


@click.command()
@click.argument("role", type=click.Choice(_ROLES))
def alive(role: str) -> None:
    """Say whether a crawler or a planner of this machine, or of this container, works. The exit code is 1 if none does.

    A process that works announces itself in Redis once a second; one that stands still, or has lost Redis, does not.
    This is the health check of the containers; an HTTP server is asked for /health instead.
    """
    config = settings()
    if not config.redis_url:
        fail("`research alive` asks a shared Redis: set REDIS_URL", code=2)
    run_session(config, lambda: _look(config, role))


async def _look(config: Config, role: str) -> int:
    from research_crawler.adapters.redis.connection import PROBE_PATIENCE_S, connect_url
    from research_crawler.adapters.redis.presence import Presence

    client = connect_url(config.redis_url, patience_s=PROBE_PATIENCE_S)
    try:
        count = await Presence(client, prefix=config.redis_prefix).here(role)
    finally:
        await client.aclose()
    echo(f"{role}: {count} running on this machine")
    return 0 if count else 1
