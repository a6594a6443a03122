"""The command `research doctor`, which checks the installation and says how to fix what is missing."""

import shutil
import sys
from collections.abc import Awaitable, Callable

import click

from research_crawler.cli.checks.lines import BAD, OFF, OK, WARN, Line
from research_crawler.cli.checks.service_checks import (
    check_embeddings,
    check_local_model,
    check_model,
    check_search,
)
from research_crawler.cli.checks.store_checks import check_stores
from research_crawler.cli.session import echo, run_session, settings
from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError
from research_crawler.core.settings.origins import unknown_environment
from research_crawler.core.web.user_agent import user_agent_of

LEAST_FREE_MB, LITTLE_FREE_MB = 200, 2_000


@click.command()
def doctor() -> None:
    """Check settings, stores, search, embeddings and the model endpoint, and say how to fix what is missing.

    Each search provider that is on is asked for one result, and the model endpoint for one token; a paid service
    charges for them. The exit code is 1 if something is broken.
    """
    config = settings()
    run_session(config, lambda: _examine(config))


async def _examine(config: Config) -> int:
    lines: list[Line] = [
        (OK, "python", sys.version.split()[0]),
        *_environment(config),
        _contact(config),
        *_proxy(config),
        _disk(config),
        _browser(config),
    ]
    checks: list[tuple[str, Callable[[Config], Awaitable[list[Line]]]]] = [
        ("stores", check_stores), ("search", check_search), ("embeddings", check_embeddings), ("model", check_model),
        ("local model", check_local_model),
    ]  # fmt: skip
    for name, check in checks:
        try:
            lines += await check(config)
        except ResearchError as error:
            lines.append((BAD, name, str(error)))
    for mark, name, text in lines:
        echo(f"{mark}  {name:12} {text}")
    return 1 if any(mark == BAD for mark, _, _ in lines) else 0


def _environment(config: Config) -> list[Line]:
    return [
        (WARN, "environment", f"{name} is not a known setting; `research config show` lists all settings")
        for name in unknown_environment(type(config))
    ]


def _contact(config: Config) -> Line:
    if config.contact or config.user_agent:
        return OK, "user agent", user_agent_of(config)
    return WARN, "user agent", "set RESEARCH_CONTACT to an email address or URL, so that sites can reach you"


def _proxy(config: Config) -> list[Line]:
    from research_crawler.handlers.upstream_proxy import NOTICE, UpstreamProxy

    proxy = UpstreamProxy.from_config(config)
    return [(WARN, "proxy", f"{proxy.shown}: {NOTICE}")] if proxy else []


def _disk(config: Config) -> Line:
    folder = config.home
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    text = f"{free_mb:,} MB free for {config.home}"
    if free_mb < LEAST_FREE_MB:
        return BAD, "disk", f"{text}; free some space"
    return (OK if free_mb >= LITTLE_FREE_MB else WARN), "disk", text


def _browser(config: Config) -> Line:
    from research_crawler.adapters.browser import HOW_TO_GET, find_browser

    browser = find_browser(config)
    if browser:
        return (OK, "browser", browser.name)
    if config.browser and config.browser != "off":
        return (WARN, "browser", f"RESEARCH_BROWSER is not a program: {config.browser}; {HOW_TO_GET}")
    return (OFF, "browser", f"{'RESEARCH_BROWSER=off' if config.browser else 'none'}: {HOW_TO_GET}")
