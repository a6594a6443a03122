"""Builds the dashboard, which `research serve` mounts under /ui."""

from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from research_crawler.core.errors import ResearchError
from research_crawler.core.text.translatable import translatable
from research_crawler.interfaces.dashboard.guard import Guard
from research_crawler.interfaces.dashboard.page_templates import load_templates, page, shown_error
from research_crawler.interfaces.dashboard.routes import (
    batch_pages,
    intervention_pages,
    job_pages,
    live_stream,
    memory_pages,
    model_pages,
    new_batch_pages,
    preference_routes,
    question_pages,
    report_pages,
    review_pages,
    sign_in_pages,
    spend_pages,
    system_pages,
    watch_pages,
)
from research_crawler.interfaces.dashboard.sessions import Sessions, SignInCode
from research_crawler.interfaces.http.faults import STATUSES
from research_crawler.interfaces.http.state import ServerState
from research_crawler.services.error_codes import code_of

PAGE_ROUTERS = (
    sign_in_pages.router,
    preference_routes.router,
    question_pages.router,
    model_pages.router,
    job_pages.router,
    report_pages.router,
    review_pages.router,
    new_batch_pages.router,
    batch_pages.router,
    watch_pages.router,
    memory_pages.router,
    spend_pages.router,
    system_pages.router,
    intervention_pages.router,
    live_stream.router,
)
"""The pages, and the events that an open page of a job follows."""


def dashboard_app(state: ServerState, *, token: str, code: SignInCode | None = None) -> FastAPI:
    """The dashboard of a server.

    Args:
        state: what it shares with the server's other interfaces.
        token: what a person types in to sign in.
        code: what signs one person in instead, once.
    """
    load_templates()
    app = FastAPI(
        openapi_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.server, app.state.sessions = state, Sessions(token, code)
    for kind in (ResearchError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _error_page)
    for router in PAGE_ROUTERS:
        app.router.routes.extend(router.routes)  # FastAPI would build included ones anew at the first request
    app.mount("/static", StaticFiles(directory=str(files(__package__ or "").joinpath("static"))))
    app.add_middleware(Guard, sessions=app.state.sessions)
    return app


async def _error_page(request: Request, error: Exception) -> Response:
    """What went wrong, as a page."""
    status: int = 500
    shown: Exception = ResearchError(translatable("something failed in the server; its log says what"))
    if isinstance(error, HTTPException):
        status = error.status_code
        shown = (
            ResearchError(translatable("there is no such page"))
            if status == 404
            else ResearchError(error.detail)
        )
    elif isinstance(error, RequestValidationError):
        status = 422
        shown = ResearchError(translatable("the address is not one of this dashboard; go on from the list"))
    elif isinstance(error, ResearchError):
        known = code_of(error)
        status, shown = STATUSES[known.kind] if known else 500, error
    if status < 400:
        return Response(status_code=status)
    return page(request, "error.html", {"message": shown_error(request, shown)}, code=status)
