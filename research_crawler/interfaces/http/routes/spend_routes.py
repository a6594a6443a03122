"""`/spend`: what research has cost."""

from typing import Annotated

from fastapi import APIRouter, Query

from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.jobs.listed_jobs import MOST_JOBS
from research_crawler.services.jobs.research_spend import SpendPage, spend_page

router = APIRouter(tags=["spend"])
JOBS_TOLD = 20
"""Jobs that the answer about spending lists by default."""


@router.get("/spend")
async def spend(
    runtime: RuntimeOf,
    limit: Annotated[int, Query(ge=1, le=MOST_JOBS)] = JOBS_TOLD,
    after: Annotated[str, Query(description="`next` of the page before.")] = "",
) -> SpendPage:
    """Tokens and money by day and model, by batch, and by job, beside their ceilings."""
    return await spend_page(runtime, limit=limit, after=after)
