"""Asks every search provider that is on for one result, so that `research doctor` knows which of them answer."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.fetch_once import search_one

ANSWERS_WITHIN_S = 8.0
"""How long all providers together may take; they are asked side by side."""
QUERY = "weather"
"""Every provider knows something about it, an encyclopedia too."""


@dataclass(frozen=True)
class ProviderCheck:
    """How one provider answered."""

    name: str
    is_ok: bool
    text: str


async def ask_providers(
    runtime: Runtime, names: Iterable[str], *, within_s: float = ANSWERS_WITHIN_S
) -> list[ProviderCheck]:
    """One real search of each provider, in a process that crawls searches. A call of a paid one is paid for."""
    return list(await asyncio.gather(*(_ask(runtime, name, within_s) for name in names)))


async def _ask(runtime: Runtime, name: str, within_s: float) -> ProviderCheck:
    try:
        async with asyncio.timeout(within_s):
            event = await search_one(runtime, SearchSpec(query=QUERY, providers=[name], max_results=1))
    except TimeoutError:
        return ProviderCheck(name, is_ok=False, text=f"no answer within {within_s:.0f} s")
    except FetchFailed as error:
        return ProviderCheck(name, is_ok=False, text=str(error))
    report = next((report for report in event.providers if report.provider == name), None)
    if report is not None and report.ok:
        results = "a result" if event.results else "no result"
        return ProviderCheck(name, is_ok=True, text=f"answered with {results} in {report.seconds:.1f} s")
    reason = report.reason.text if report else event.reason.text
    return ProviderCheck(name, is_ok=False, text=f"does not answer: {reason or 'no reason is known'}")
