"""Builds the application: its routes, its errors, and who may call."""

import warnings
from importlib.metadata import version

from fastapi import FastAPI
from pydantic.warnings import UnsupportedFieldAttributeWarning

from research_crawler.interfaces.dashboard.dashboard_app import dashboard_app
from research_crawler.interfaces.dashboard.sessions import SignInCode
from research_crawler.interfaces.http.access import DASHBOARD, Access
from research_crawler.interfaces.http.faults import ErrorAnswer, install_faults
from research_crawler.interfaces.http.metrics import ServerMetrics, Timing
from research_crawler.interfaces.http.openapi import ResearchApi, method_name
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
        generate_unique_id_function=method_name,
        openapi_url=None,  # `routes/system_routes.py` has it, made once
        docs_url=None,  # both pages of FastAPI load their scripts from elsewhere
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        responses={
            401: {"model": ErrorAnswer, "description": "The token is wrong or missing."},
            422: {"model": ErrorAnswer, "description": "The request cannot be carried out; it says why."},
        },
    )
    measured = ServerMetrics()
    app.state.server = ServerState(runtime, measured)
    install_faults(app)
    for router in ROUTERS:
        app.include_router(router)
    app.state.mcp = McpEndpoint(ResearchGateway.over(runtime), hosts=None)  # `Access` checks names and token
    app.router.routes.extend(app.state.mcp.routes)
    app.mount(DASHBOARD, dashboard_app(app.state.server, token=token, code=code))
    app.add_middleware(Access, token=token, hosts=config.serve_hosts, max_bytes=config.serve_max_bytes)
    app.add_middleware(Timing, metrics=measured)
    _build_models(app)
    return app


def _build_models(app: FastAPI) -> None:
    """Build the models of all requests and answers, which our models put off until they are used.

    Without this the first request of each route would build them, on the event loop. FastAPI gives bodies names as
    aliases; it silences pydantic's warning about that only while it registers a route, which is before this.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
        app.openapi()
