"""Checks what is asked: search providers, the embedding model, the model endpoint and the small local model."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from research_crawler.adapters.redis.presence import CRAWLER
from research_crawler.core.config import Config
from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.core.settings.sources import masked
from research_crawler.core.text.translatable import translatable
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.doctor.check import NAMED, HealthCheck
from research_crawler.services.fetch_once import search_one

if TYPE_CHECKING:
    from research_crawler.engines.registry import ProviderStatus

_OWN_SEARCH = translatable(
    "start a SearXNG of your own and set SEARXNG_URL (docs/search-providers.md has the three lines)"
)
_NO_CRAWLER = translatable("no crawler runs here, so the providers were not asked")
_START_CRAWLER = translatable("start `research up`, or ask with `research doctor`")
ANSWERS_WITHIN_S = 8.0
"""How long all providers together may take; they are asked side by side."""
PROBE_QUERY = "weather"
"""Every provider knows something about it, an encyclopedia too."""


async def check_search(runtime: Runtime) -> list[HealthCheck]:
    """The providers, each after one real search."""
    from research_crawler.engines.registry import provider_statuses, providers_from

    config = runtime.config
    if not runtime.crawl and not await runtime.container.presence.others(CRAWLER):
        return [HealthCheck("warn", "search", _NO_CRAWLER, _START_CRAWLER)]
    on = [provider.name for provider in providers_from(config)]
    answers = {answer.name: answer for answer in await ask_providers(runtime, on)}
    statuses = await provider_statuses(config, runtime.container.provider_health)
    checks = [search_check(status, answers.get(status.name)) for status in statuses]
    if not on:
        todo = translatable("set SEARXNG_URL or RESEARCH_PROVIDERS")
        checks.append(HealthCheck("bad", "search", translatable("no provider is switched on"), todo))
    elif not any(answer.is_ok for answer in answers.values()):
        text = translatable("no provider answers, so no question can be researched")
        checks.append(HealthCheck("bad", "search", text, _OWN_SEARCH))
    elif not any(answer.is_ok and _is_general(answer.name) for answer in answers.values()):
        text = translatable("only encyclopedias answer, which seldom suffices")
        checks.append(HealthCheck("warn", "search", text, _OWN_SEARCH))
    return checks


def search_check(status: "ProviderStatus", answer: "ProviderCheck | None") -> HealthCheck:
    """The check of one provider."""
    if not status.on or answer is None:
        return HealthCheck("off", "search", f"{status.name}: {status.line}")
    is_good = answer.is_ok and not status.why
    return HealthCheck("ok" if is_good else "warn", "search", f"{status.name}: {answer.text}; {status.line}")


def _is_general(name: str) -> bool:
    from research_crawler.engines.registry import declarations

    return bool(declarations()[name].provider.general)


async def check_embeddings(config: Config) -> list[HealthCheck]:
    """The embedding model, after one real sentence."""
    from research_crawler.adapters.models.embedder import SentenceEmbedder

    embedder = SentenceEmbedder(config.embedding_model)
    try:
        vector = (await embedder.embed(["one sentence"]))[0]
    finally:
        await embedder.close()
    return [
        HealthCheck(
            "ok",
            "embeddings",
            translatable("%(name)s, %(number)s dimensions", name=embedder.name, number=len(vector)),
        )
    ]


async def check_model(config: Config) -> list[HealthCheck]:
    """The model endpoint, or those that this machine has."""
    from research_crawler.runtime.model_endpoint import check_endpoint

    if not config.has_endpoint:
        return await _no_endpoint()
    config = await check_endpoint(config)
    where = masked(config.openai_base_url) or "api.openai.com"
    text = translatable(
        "%(where)s: %(model)s, quick roles %(quick)s",
        where=where,
        model=config.mind_model,
        quick=config.reflex_or_mind_model,
    )
    if config.model_context_tokens:
        text = translatable("%(model)s, %(n)s tokens of context", model=text, n=config.model_context_tokens)
    text = translatable("%(model)s; reads %(n)s tokens of a page", model=text, n=config.page_tokens)
    return [HealthCheck("ok", "model", text)]


async def _no_endpoint() -> list[HealthCheck]:
    """The model servers on this machine, none of which is used without being told."""
    from research_crawler.adapters.models.local_endpoints import find_endpoints
    from research_crawler.services.submission.model_choice import NOBODY

    found = await find_endpoints()
    none = translatable("none set, so reports are digests of excerpts")
    if not found:
        return [HealthCheck("ok", "model", none, NOBODY)]
    return [
        HealthCheck(
            "ok", "model", none, translatable("`research run --model auto` takes one of this machine")
        ),
        *(
            HealthCheck(
                "ok",
                "model",
                translatable(
                    "%(program)s at %(address)s: %(models)s",
                    program=endpoint.program,
                    address=endpoint.base_url,
                    models=_named(endpoint.models),
                ),
            )
            for endpoint in found
        ),
    ]


def _named(models: Sequence[str]) -> str:
    named = ", ".join(models[:NAMED])
    more = len(models) - NAMED
    return translatable("%(text)s and %(n)s more", text=named, n=more) if more > 0 else named


async def check_local_model(_: Config) -> list[HealthCheck]:
    """The small model that can be installed."""
    from research_crawler.adapters.models.local_model import find_model
    from research_crawler.core.errors import NotStarted

    try:
        return [
            HealthCheck(
                "ok", "local model", translatable("%(name)s, for `--local-model`", name=find_model().name)
            )
        ]
    except NotStarted as error:
        return [HealthCheck("off", "local model", str(error))]


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
            event = await search_one(runtime, SearchSpec(query=PROBE_QUERY, providers=[name], max_results=1))
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
