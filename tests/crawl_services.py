"""The services of a crawler in a test: real parts where they cost nothing, twins in memory for the rest."""

from typing import Any

from redis.asyncio import Redis

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.memory_provider_health import MemoryHealth
from research_crawler.core.config import load_core_config
from research_crawler.core.crawler_services import CrawlServices
from research_crawler.core.ports.crawler import PageReaders
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.extraction.process.pool import ParsePool
from research_crawler.frontier.node import Node
from research_crawler.frontier.store import Frontier


async def nobody() -> bool:
    """No other node has a browser."""
    return False


def crawl_services(**given: Any) -> CrawlServices:
    """A complete set; what a test looks at is `given`. Its frontier's Redis is connected by nobody."""
    embedder, frontier = HashEmbedder(), Frontier(Redis())
    config = given.get("config") or load_core_config()
    own = {name: given.pop(name) for name in ("brain", "page_processor", "product_model") if name in given}
    readers = PageReaders(
        **({"brain": ExtractiveBrain(embedder)} | own),
        page_tokens=config.page_tokens,
        reads_sections=config.reads_sections,
    )

    async def readers_for(_: str) -> PageReaders:
        return readers

    parts = {
        "config": config,
        "guard": AddressGuard(allow_private=[], allowed_hosts=[], blocked_hosts=[]),
        "archive": MemoryArchive(),
        "embedder": embedder,
        "readers_for": readers_for,
        "frontier": frontier,
        "node": Node(frontier),
        "parse_pool": ParsePool(1),
        "provider_health": MemoryHealth(),
        "renders_elsewhere": nobody,
    }
    return CrawlServices(**(parts | given))
