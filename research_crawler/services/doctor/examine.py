"""Runs the checks: those that only look, and those that ask providers and models, which a paid service charges for."""

from collections.abc import Awaitable, Callable

from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError
from research_crawler.runtime.runtime import Runtime, connected, running
from research_crawler.services.doctor.check import HealthCheck
from research_crawler.services.doctor.machine import check_machine
from research_crawler.services.doctor.service_checks import (
    check_embeddings,
    check_local_model,
    check_model,
    check_search,
)
from research_crawler.services.doctor.store_checks import check_stores

_Checks = Callable[[], Awaitable[list[HealthCheck]]]


async def examine(config: Config) -> list[HealthCheck]:
    """All checks, in a process of their own."""
    return [
        *check_machine(config),
        *await _guarded("stores", lambda: _stores(config)),
        *await _guarded("search", lambda: _search(config)),
        *await _models(config),
    ]


async def _stores(config: Config) -> list[HealthCheck]:
    async with connected(config) as runtime:
        return await check_stores(runtime)


async def _search(config: Config) -> list[HealthCheck]:
    async with running(config, crawl="search", plan=False) as runtime:
        return await check_search(runtime)


async def look_around(runtime: Runtime) -> list[HealthCheck]:
    """The checks of a process that runs, which ask nobody."""
    return check_machine(runtime.config) + await _guarded("stores", lambda: check_stores(runtime))


async def ask_services(runtime: Runtime) -> list[HealthCheck]:
    """One real search of each provider, one sentence for the embeddings, one token of the model."""
    return await _guarded("search", lambda: check_search(runtime)) + await _models(runtime.config)


async def _models(config: Config) -> list[HealthCheck]:
    return [
        *await _guarded("embeddings", lambda: check_embeddings(config)),
        *await _guarded("model", lambda: check_model(config)),
        *await _guarded("local model", lambda: check_local_model(config)),
    ]


async def _guarded(name: str, check: _Checks) -> list[HealthCheck]:
    """The checks, or the error that ended them as one that failed."""
    try:
        return await check()
    except ResearchError as error:
        return [HealthCheck("bad", name, str(error))]
