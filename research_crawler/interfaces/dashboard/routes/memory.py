"""A search of the findings of all jobs."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.pages import page
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.findings_search import memory_query, search_memory

router = APIRouter(prefix="/memory")
HITS = 25


@router.get("")
async def memory_page(request: Request, runtime: RuntimeOf, q: str = "") -> Response:
    """The form, and what was found."""
    answer = await search_memory(runtime, memory_query(q, limit=HITS)) if q.strip() else None
    return page(request, "memory.html", query=q, answer=answer)
