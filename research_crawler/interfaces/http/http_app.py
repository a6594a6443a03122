"""Builds the application: its routes, its errors, and who may call."""

import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, ClassVar, Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from pydantic.warnings import UnsupportedFieldAttributeWarning

from research_crawler.interfaces.dashboard.dashboard_app import dashboard_app
from research_crawler.interfaces.dashboard.sessions import SignInCode
from research_crawler.interfaces.http.access import DASHBOARD, Access
from research_crawler.interfaces.http.faults import ErrorAnswer, install_faults
from research_crawler.interfaces.http.metrics import ServerMetrics, Timing
from research_crawler.interfaces.http.routes import (
    batch_routes,
    intervention_routes,
    job_event_routes,
    job_routes,
    memory_routes,
    price_routes,
    research_routes,
    review_routes,
    spend_routes,
    system_routes,
    watch_routes,
)
from research_crawler.interfaces.http.state import ServerState
from research_crawler.interfaces.mcp.mcp_over_http import McpEndpoint
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.runtime.runtime import Runtime

ROUTERS = (
    job_routes.router,
    job_event_routes.router,
    research_routes.router,
    review_routes.router,
    batch_routes.router,
    intervention_routes.router,
    watch_routes.router,
    price_routes.router,
    memory_routes.router,
    spend_routes.router,
    system_routes.router,
)
"""The routes; a further noun is a file in `routes/` and an entry here."""


def http_app(runtime: Runtime, *, token: str, code: SignInCode | None = None) -> FastAPI:
    """The application of `research serve`.

    Args:
        runtime: a running process; its loops may crawl and plan, or others do.
        token: what callers must give as `Authorization: Bearer …`.
        code: what signs one person in to the dashboard, once.
    """
    config = runtime.config
    app = ResearchApi(
        title="research-crawler",
        version=version("research-crawler"),
        description="Ask a question and get a report in which every claim cites a page.",
        openapi_url=None,  # `routes/system_routes.py` has it, made once
        docs_url=None,  # both pages of FastAPI load their scripts from elsewhere
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    measured = ServerMetrics()
    app.state.server = ServerState(runtime, measured)
    install_faults(app)
    app.router.routes.extend(_routes().routes)
    app.state.mcp = McpEndpoint(ResearchGateway.over(runtime), hosts=None)  # `Access` checks names and token
    app.router.routes.extend(app.state.mcp.routes)
    app.mount(DASHBOARD, dashboard_app(app.state.server, token=token, code=code))
    app.add_middleware(Access, token=token, hosts=config.serve_hosts, max_bytes=config.serve_max_bytes)
    app.add_middleware(Timing, metrics=measured)
    _build_models(app)
    return app


@cache
def _routes() -> APIRouter:
    """All routes, built once a process."""
    together = APIRouter(
        generate_unique_id_function=method_name,
        responses={
            401: {"model": ErrorAnswer, "description": "The token is wrong or missing."},
            422: {"model": ErrorAnswer, "description": "The request cannot be carried out; it says why."},
        },
    )
    for router in ROUTERS:
        together.include_router(router)
    return together


def _build_models(app: FastAPI) -> None:
    """Build the models of all requests and answers, which our models put off until they are used.

    Without this the first request of each route would build them, on the event loop. FastAPI gives bodies names as
    aliases; it silences pydantic's warning about that only while it registers a route, which is before this.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
        app.openapi()


# Describes the HTTP interface for programs that make clients of it: OpenAPI 3.1, with names that one can read.

_BEARER: Final = "token"
_EVENTS: Final = "text/event-stream"
_JSON: Final = "application/json"
_METHODS: Final = ("get", "post", "put", "patch", "delete")


class ResearchApi(FastAPI):
    """FastAPI, whose document says who may call and has no part of a later OpenAPI than the one that it names."""

    _made: ClassVar[dict[str, Any] | None] = None

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, made once a process, for each application of it has the same routes."""
        if ResearchApi._made is None:
            ResearchApi._made = openapi_document(super().openapi())
        return ResearchApi._made


def method_name(route: APIRoute) -> str:
    """The name of a route's method in clients: that of its function (`start_job`)."""
    return route.name


def openapi_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """FastAPI's document with the token, the server, and answers as OpenAPI 3.1 has them."""
    described = dict(document)
    for path, operation in _operations(described):
        if path == "/health":
            operation["security"] = []
        for status, answer in operation["responses"].items():
            answer["content"] = _content(answer.get("content", {}), is_error=status >= "400")
    components = described.setdefault("components", {})
    components["securitySchemes"] = {_BEARER: {"type": "http", "scheme": "bearer"}}
    return described | {"servers": [{"url": "/"}], "security": [{_BEARER: []}]}


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        yield from ((path, methods[method]) for method in _METHODS if method in methods)


def _content(content: Mapping[str, Any], *, is_error: bool) -> dict[str, Any]:
    """What an answer holds: errors are JSON whatever a route streams; a stream is text, for `itemSchema` is of 3.2."""
    if is_error and _EVENTS in content:
        return {_JSON: content[_EVENTS]}
    return {
        kind: {"schema": {"type": "string"}} if "itemSchema" in part else part
        for kind, part in content.items()
    }
