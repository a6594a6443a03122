"""Tells how the vector index is: whether a Qdrant server answers, and what it lacks."""

from research_crawler.core.errors import NotStarted
from research_crawler.runtime.runtime import Runtime


async def backlog_note(runtime: Runtime) -> str:
    """A line about findings that are in the archive but not yet in the vector index; "" if there are none."""
    waiting = await runtime.container.outbox.count_postponed()
    if not waiting:
        return ""
    pages = "page or search" if waiting == 1 else "pages and searches"
    return f"the findings of {waiting:,} {pages} are kept, but wait for the vector index; a process that works fills it"


async def server_fault(runtime: Runtime, *, dimensions: int) -> str:
    """Why the configured Qdrant server cannot be used, and what to do; "" if it answers or none is configured."""
    from research_crawler.adapters.qdrant_index import QdrantIndex

    if not runtime.config.qdrant_url:
        return ""
    index = QdrantIndex(runtime.config, dimensions=dimensions)
    try:
        await index.count()
    except NotStarted as error:
        return str(error)
    finally:
        await index.close()
    return ""
