"""The command `research doctor`, which checks the installation and says how to fix what is missing."""

import shutil
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.session import echo, run_session, settings
from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError
from research_crawler.core.settings.origins import unknown_environment
from research_crawler.core.settings.sources import masked
from research_crawler.core.web.user_agent import user_agent_of

if TYPE_CHECKING:
    from research_crawler.engines.registry import ProviderStanding
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.provider_check import ProviderCheck
    from research_crawler.services.watches import Overview

OK, WARN, BAD, _OFF = "ok  ", "warn", "FAIL", "off "
LEAST_FREE_MB, LITTLE_FREE_MB = 200, 2_000
LOCAL_INDEX_POINTS = 20_000
"""With more findings than this, a Qdrant server is better than the index in memory."""
OVERDUE_MS = 120_000
"""A watch that is due for longer than this has no scheduler, because a scheduler looks every second."""
_OWN_SEARCH = "start a SearXNG of your own and set SEARXNG_URL (docs/search-providers.md has the three lines)"
NAMED = 3
"""How many failed watches, or models of a server, are named in a line."""
Line = tuple[str, str, str]


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
        ("stores", _stores), ("search", _search), ("embeddings", _embeddings), ("model", _model),
        ("local model", _local_model),
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
    return (_OFF, "browser", f"{'RESEARCH_BROWSER=off' if config.browser else 'none'}: {HOW_TO_GET}")


async def _stores(config: Config) -> list[Line]:
    from research_crawler.runtime.runtime import running

    async with running(config, crawl=False, plan=False) as runtime:
        return [
            *await _redis(runtime),
            *await _archive(runtime),
            *await _vector_index(runtime),
            *await _watches(runtime),
            await _processes(runtime),
        ]


async def _redis(runtime: "Runtime") -> list[Line]:
    folder, counts = runtime.container.folder, await runtime.container.frontier.counts()
    url = runtime.config.redis_url
    where = masked(url) if url else f"embedded in {folder.home}"
    queued = sum(counts.queued.values())
    text = f"{where}; {queued} commands queued, {counts.leased} leased, {counts.dead} given up"
    jobs = f"{counts.active_jobs} jobs active, {counts.pending_jobs} pending"
    warnings = [(WARN, "redis", warning) for warning in folder.warnings]
    return [
        (OK, "redis", f"{text}; {jobs}"), *warnings, *((BAD, "frontier", line) for line in counts.problems)
    ]  # fmt: skip


async def _archive(runtime: "Runtime") -> list[Line]:
    sizes = await runtime.container.archive.sizes()
    on_disk = sizes.pop("bytes", 0)
    rows = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in sizes.items())
    lines = [(OK, "archive", f"{rows}; {on_disk / 1e6:.1f} MB")]
    if sizes.get("findings", 0) > LOCAL_INDEX_POINTS and not runtime.config.qdrant_url:
        lines.append(
            (WARN, "index", f"more than {LOCAL_INDEX_POINTS:,} findings; set QDRANT_URL to a Qdrant server")
        )
    folder = runtime.container.folder.home
    lines.append((OK, "data folder", f"{folder}, {_size_of(folder) / 1e6:.1f} MB"))
    return [*lines, await _retention(runtime)]


async def _vector_index(runtime: "Runtime") -> list[Line]:
    from research_crawler.adapters.models.embedder import SentenceEmbedder
    from research_crawler.services.vector_index import backlog_note, server_fault

    config, note = runtime.config, await backlog_note(runtime)
    if not config.qdrant_url:
        return [(WARN, "vectors", note)] if note else []
    embedder = SentenceEmbedder(config.embedding_model)
    fault = await server_fault(runtime, dimensions=embedder.dimensions)
    if fault:
        lost = "research goes on without searches by meaning"
        return [(BAD, "vectors", "; ".join(filter(None, (fault, note, lost))))]
    where = f"Qdrant at {masked(config.qdrant_url)}"
    return [(WARN if note else OK, "vectors", "; ".join(filter(None, (where, note))))]


async def _retention(runtime: "Runtime") -> Line:
    from research_crawler.background.retention import Retention

    config, container = runtime.config, runtime.container
    due = await container.archive.due(await Retention(config, container.jobs, container.archive).rule())
    limit = f" of at most {config.archive_max_gb:g} GB" if config.archive_max_gb else ""
    held = f"pages are kept for {config.keep_pages_days} days; {due.held_bytes / 1e6:.1f} MB{limit}"
    due_parts = [
        f"raw bytes of {due.raw_pages:,} pages ({due.raw_bytes / 1e6:.1f} MB)" if due.raw_pages else "",
        f"{due.pages:,} pages that no finding cites" if due.pages else "",
        f"{due.noarchive:,} pages that forbid archiving" if due.noarchive else "",
        f"{due.runs:,} old runs of watches" if due.runs else "",
        f"{due.over_bytes / 1e6:.1f} MB above the limit, oldest first" if due.over_bytes else "",
    ]
    text = "; ".join(filter(None, due_parts))
    return (WARN if due.over_bytes else OK), "retention", f"{held}; due: {text or 'nothing'}"


def _size_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size
        except OSError:  # The file was deleted meanwhile.
            continue
    return total


async def _search(config: Config) -> list[Line]:
    """The providers, each after one real search."""
    from research_crawler.engines.registry import provider_standings, providers_from
    from research_crawler.runtime.runtime import running
    from research_crawler.services.provider_check import ask_providers

    on = [provider.name for provider in providers_from(config)]
    async with running(config, crawl="search", plan=False) as runtime:
        answers = {answer.name: answer for answer in await ask_providers(runtime, on)}
        standings = await provider_standings(config, runtime.container.provider_health)
    lines = [search_line(standing, answers.get(standing.name)) for standing in standings]
    if not on:
        lines.append((BAD, "search", "no provider is switched on; set SEARXNG_URL or RESEARCH_PROVIDERS"))
    elif not any(answer.is_ok for answer in answers.values()):
        lines.append((BAD, "search", f"no provider answers, so no question can be researched; {_OWN_SEARCH}"))
    elif not any(answer.is_ok and _is_general(answer.name) for answer in answers.values()):
        lines.append((WARN, "search", f"only encyclopedias answer, which seldom suffices; {_OWN_SEARCH}"))
    return lines


def search_line(standing: "ProviderStanding", answer: "ProviderCheck | None") -> Line:
    """The line on one provider."""
    if not standing.on or answer is None:
        return _OFF, "search", f"{standing.name}: {standing.line}"
    is_good = answer.is_ok and not standing.why
    return (OK if is_good else WARN), "search", f"{standing.name}: {answer.text}; {standing.line}"


def _is_general(name: str) -> bool:
    from research_crawler.engines.registry import declarations

    return bool(declarations()[name].provider.general)


async def _watches(runtime: "Runtime") -> list[Line]:
    from research_crawler.adapters.sql.watches import SqlWatches
    from research_crawler.services.watches import now_ms, overview

    return watch_lines(await overview(SqlWatches(runtime.container.archive)), now_ms())


def watch_lines(overview: "Overview", now_ms: int) -> list[Line]:
    """The lines on watches: how many there are, the next run, and the ones whose last run failed."""
    from planner.watches.alerts import plain_line
    from research_crawler.cli.views.watches import time_text

    if not overview.active and not overview.paused:
        return [(OK, "watches", "none; `research watch add` makes one")]
    text, mark = f"{overview.active} active, {overview.paused} paused", OK
    if overview.next_watch and overview.next_watch.next_due_ms is not None:
        name, due_ms = plain_line(overview.next_watch.watch.name), overview.next_watch.next_due_ms
        text += f"; next run {time_text(due_ms)} ({name})"
        if due_ms < now_ms - OVERDUE_MS:
            text, mark = f"{text}: overdue; `research up` or `research plan` runs watches on time", WARN
    lines = [(mark, "watches", text)]
    if failed := overview.failed:
        names = ", ".join(f"{watch.id} ({plain_line(run.note)})" for watch, run in failed[:NAMED])
        more = f" and {len(failed) - NAMED} more" if len(failed) > NAMED else ""
        lines.append((WARN, "watches", f"{len(failed)} failed in their last run: {names}{more}"))
    return lines


async def _processes(runtime: "Runtime") -> Line:
    from research_crawler.services.jobs import missing_process

    if not await missing_process(runtime):
        return OK, "processes", "crawler and planner are running"
    return OK, "processes", "none running; `research run` starts its own, `research up` runs until stopped"


async def _embeddings(config: Config) -> list[Line]:
    from research_crawler.adapters.models.embedder import SentenceEmbedder

    embedder = SentenceEmbedder(config.embedding_model)
    try:
        vector = (await embedder.embed(["one sentence"]))[0]
    finally:
        await embedder.close()
    return [(OK, "embeddings", f"{embedder.name}, {len(vector)} dimensions")]


async def _model(config: Config) -> list[Line]:
    from research_crawler.runtime.model_endpoint import check_endpoint

    if not config.has_endpoint:
        return await _no_endpoint()
    config = await check_endpoint(config)
    where = masked(config.openai_base_url) or "api.openai.com"
    roles = f"{config.mind_model}, quick roles {config.reflex_or_mind_model}"
    context = f", {config.model_context_tokens:,} tokens of context" if config.model_context_tokens else ""
    return [(OK, "model", f"{where}: {roles}{context}; reads {config.page_tokens:,} tokens of a page")]


async def _no_endpoint() -> list[Line]:
    """The model servers on this machine, none of which is used without being told."""
    from research_crawler.adapters.models.local_endpoints import find_endpoints
    from research_crawler.services.model_choice import NOBODY

    found = await find_endpoints()
    none = "none set, so reports are digests of excerpts"
    if not found:
        return [(OK, "model", f"{none}; {NOBODY}")]
    return [
        (OK, "model", f"{none}; `research run --model auto` takes one of this machine"),
        *((OK, "model", f"{one.program} at {one.base_url}: {_named(one.models)}") for one in found),
    ]


def _named(models: Sequence[str]) -> str:
    more = f" and {len(models) - NAMED} more" if len(models) > NAMED else ""
    return ", ".join(models[:NAMED]) + more


async def _local_model(_: Config) -> list[Line]:
    from research_crawler.adapters.models.local_model import find_model
    from research_crawler.core.errors import NotStarted

    try:
        return [(OK, "local model", f"{find_model().name}, for `--local-model`")]
    except NotStarted as error:
        return [(_OFF, "local model", str(error))]
