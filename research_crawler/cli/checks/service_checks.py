"""Checks what is asked: search providers, the embedding model, the model endpoint and the small local model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from research_crawler.cli.checks.lines import BAD, NAMED, OFF, OK, WARN, Line
from research_crawler.core.config import Config
from research_crawler.core.settings.sources import masked

if TYPE_CHECKING:
    from research_crawler.engines.registry import ProviderStanding
    from research_crawler.services.provider_check import ProviderCheck

_OWN_SEARCH = "start a SearXNG of your own and set SEARXNG_URL (docs/search-providers.md has the three lines)"


async def check_search(config: Config) -> list[Line]:
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
        return OFF, "search", f"{standing.name}: {standing.line}"
    is_good = answer.is_ok and not standing.why
    return (OK if is_good else WARN), "search", f"{standing.name}: {answer.text}; {standing.line}"


def _is_general(name: str) -> bool:
    from research_crawler.engines.registry import declarations

    return bool(declarations()[name].provider.general)


async def check_embeddings(config: Config) -> list[Line]:
    """The embedding model, after one real sentence."""
    from research_crawler.adapters.models.embedder import SentenceEmbedder

    embedder = SentenceEmbedder(config.embedding_model)
    try:
        vector = (await embedder.embed(["one sentence"]))[0]
    finally:
        await embedder.close()
    return [(OK, "embeddings", f"{embedder.name}, {len(vector)} dimensions")]


async def check_model(config: Config) -> list[Line]:
    """The model endpoint, or those that this machine has."""
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
    from research_crawler.services.submission.model_choice import NOBODY

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


async def check_local_model(_: Config) -> list[Line]:
    """The small model that can be installed."""
    from research_crawler.adapters.models.local_model import find_model
    from research_crawler.core.errors import NotStarted

    try:
        return [(OK, "local model", f"{find_model().name}, for `--local-model`")]
    except NotStarted as error:
        return [(OFF, "local model", str(error))]
