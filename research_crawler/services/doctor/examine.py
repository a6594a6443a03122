"""Runs the checks: those that only look, and those that ask providers and models, which a paid service charges for."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Final

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
_OF_MODELS: Final = (
    ("embeddings", check_embeddings),
    ("model", check_model),
    ("local model", check_local_model),
)


async def examine(config: Config) -> AsyncIterator[HealthCheck]:
    """All checks, in a process of their own, each as soon as it has ended."""
    for check in check_machine(config):
        yield check
    for name, checks in (("stores", _stores), ("search", _search), *_OF_MODELS):
        for check in await _guarded(name, partial(checks, config)):
            yield check


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
    return [check for name, checks in _OF_MODELS for check in await _guarded(name, partial(checks, config))]


async def _guarded(name: str, check: _Checks) -> list[HealthCheck]:
    """The checks, or the error that ended them as one that failed."""
    try:
        return await check()
    except ResearchError as error:
        return [HealthCheck("bad", name, str(error))]
