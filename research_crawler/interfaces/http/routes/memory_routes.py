"""`/memory/search`: the findings of all jobs."""

from typing import Annotated

from fastapi import APIRouter, Query

from research_crawler.core.models.archive.memory import MAX_HITS, FindingFilter, MemoryAnswer
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.findings_search import memory_query, search_memory

router = APIRouter(prefix="/memory", tags=["memory"])


@router.get("/search")
async def search(
    runtime: RuntimeOf,
    q: Annotated[str, Query(description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=MAX_HITS)] = 10,
    host: Annotated[str, Query(description="Only this host and its subdomains.")] = "",
    since: Annotated[str, Query(description="Only pages fetched since this ISO date.")] = "",
    kind: FindingKind | None = None,
    job: Annotated[str, Query(description="Only findings of this job.")] = "",
) -> MemoryAnswer:
    """The findings of all jobs that fit best, by meaning where that is possible, else by words."""
    where = FindingFilter(since=since, host=host, kind=kind, job=job)
    return await search_memory(runtime, memory_query(q, where=where, limit=limit))
