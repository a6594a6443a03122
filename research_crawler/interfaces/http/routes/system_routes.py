"""`/health`, `/metrics` and `/docs`: whether the server works, what it has to do, and how it is used."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

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


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> Response:
    """What the server can be asked, as an OpenAPI document."""
    return Response(_made_once(request, "openapi_json", _document), media_type="application/json")


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """What the server can be asked, as a page that loads nothing from elsewhere."""
    return HTMLResponse(_made_once(request, "docs_page", api_page), headers=_PAGE_HEADERS)


def _made_once(request: Request, name: str, make: Callable[[Mapping[str, Any]], str]) -> str:
    """A text about the application that is made for the first caller: strangers may ask for it often."""
    kept: str | None = getattr(request.app.state, name, None)
    if kept is None:
        kept = make(request.app.openapi())
        setattr(request.app.state, name, kept)
    return kept


def _document(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)
