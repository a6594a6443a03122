"""The command `research doctor`, which checks the installation and says how to fix what is missing."""

import click

from research_crawler.cli.session import echo, run_session, settings
from research_crawler.core.config import Config

MARKS_OF_CHECKS = {"ok": "ok  ", "warn": "warn", "bad": "FAIL", "off": "off "}


@click.command()
def doctor() -> None:
    """Check settings, stores, search, embeddings and the model endpoint, and say how to fix what is missing.

    Each search provider that is on is asked for one result, and the model endpoint for one token; a paid service
    charges for them. The exit code is 1 if something is broken.
    """
    config = settings()
    run_session(config, lambda: _examine(config))


async def _examine(config: Config) -> int:
    from research_crawler.services.doctor.examine import examine

    is_broken = False
    async for check in examine(config):
        echo(f"{MARKS_OF_CHECKS[check.state]}  {check.name:12} {check.line}")
        is_broken = is_broken or check.state == "bad"
    return 1 if is_broken else 0
