"""`/health`, `/metrics` and `/docs`: whether the server works, what it has to do, and how it is used."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from prometheus_client import CONTENT_TYPE_LATEST

from research_crawler.core.models.base import Frozen
from research_crawler.interfaces.http.api_page import api_page
from research_crawler.interfaces.http.state import StateOf

router = APIRouter(tags=["system"])
_PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


class HealthAnswer(Frozen):
    """Whether the server takes requests."""

    status: Literal["ok", "ending", "fault"]


@router.get("/health", responses={503: {"model": HealthAnswer}})
async def health(state: StateOf, response: Response) -> HealthAnswer:
    """Whether the server takes requests and Redis answers. It needs no token."""
    if state.is_ending:
        response.status_code = 503
        return HealthAnswer(status="ending")
    if not await state.runtime.container.presence.answers():
        response.status_code = 503
        return HealthAnswer(status="fault")
    return HealthAnswer(status="ok")


@router.get("/metrics", response_class=Response)
async def metrics(state: StateOf) -> Response:
    """Metrics for Prometheus."""
    return Response(await state.metrics.text(state.runtime), media_type=CONTENT_TYPE_LATEST)


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """What the server can be asked, as a page that loads nothing from elsewhere."""
    return HTMLResponse(api_page(request.app.openapi()), headers=_PAGE_HEADERS)
