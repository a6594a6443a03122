"""An indexer in a process of its own, for tests that kill it: indexes the entries of the outbox, then ends."""

import asyncio
import sys
from pathlib import Path

from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_outbox import RedisOutbox
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.background.indexer import Indexer
from research_crawler.core.config import load_core_config


async def index(redis_url: str, home: Path) -> None:
    redis = connect_url(redis_url)
    archive = SqlArchive(load_core_config(home=home))
    await archive.open()
    await Indexer(RedisOutbox(redis), archive, MemoryIndex(), embedder=HashEmbedder()).index_some()
    await archive.close()
    await redis.aclose()


asyncio.run(index(sys.argv[1], Path(sys.argv[2])))
