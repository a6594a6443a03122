"""The page that sets the model: it is tried at once, and its key is shown nowhere again."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from pydantic import SecretStr
from starlette.responses import Response

from research_crawler.core.errors import EndpointUnusable, ResearchError
from research_crawler.interfaces.dashboard.forms import NO_FAULTS, FormOf
from research_crawler.interfaces.dashboard.page_templates import page, shown_error
from research_crawler.interfaces.dashboard.page_words import page_text
from research_crawler.interfaces.dashboard.preferences import preferences_of
from research_crawler.interfaces.http.state import ServerState, StateOf
from research_crawler.services.submission.model_setup import (
    keep_model,
    models_here,
    set_elsewhere,
    try_model,
    without_model,
)

router = APIRouter(prefix="/model")
MODELS_OFFERED = 12
"""Models of a server that are shown to choose from."""


@router.get("")
async def model_page(request: Request, state: StateOf) -> Response:
    """The form, with what is set now."""
    config = state.runtime.config
    return _page(request, state, _Entered(config.openai_base_url, config.mind_model))


@router.get("/found")
async def found_models(request: Request) -> Response:
    """The model servers that answer on this machine, as a piece of the page."""
    return page(request, "found_models.html", {"found": await models_here()})


@router.post("")
async def set_model(request: Request, state: StateOf, form: FormOf) -> Response:
    """Try a model, and keep it if it answers."""
    entered = _Entered(form.one("address"), form.one("offered") or form.one("model"))
    try:
        tried = await try_model(
            state.runtime.config,
            base_url=entered.address,
            key=SecretStr(form.one("key").strip()),
            model=entered.model,
        )
        kept = await asyncio.to_thread(keep_model, tried)
    except EndpointUnusable as error:
        fault = page_text(preferences_of(request).language, error.form_text)
        return _page(request, state, entered, faults={error.about: fault}, offered=error.offered)
    except ResearchError as error:
        return _page(request, state, entered, faults={"address": shown_error(request, error)})
    nearer = set_elsewhere(state.runtime.config)
    state.runtime.use_models(tried)
    return _page(request, state, entered, kept=str(kept), until_restart=nearer)


@router.post("/none")
async def set_no_model(request: Request, state: StateOf, form: FormOf) -> Response:
    """Use no model from now on, and forget the key."""
    config = without_model(state.runtime.config)
    try:
        kept = await asyncio.to_thread(keep_model, config)
    except ResearchError as error:
        return _page(request, state, _Entered("", ""), faults={"address": shown_error(request, error)})
    nearer = set_elsewhere(state.runtime.config)
    state.runtime.use_models(config)
    return _page(request, state, _Entered("", ""), kept=str(kept), until_restart=nearer)


@dataclass(frozen=True)
class _Entered:
    """What the form shows. A key is sent to no page, so a form that a script sends keeps its field as it is."""

    address: str
    model: str


def _page(
    request: Request,
    state: ServerState,
    entered: _Entered,
    *,
    faults: Mapping[str, str] = NO_FAULTS,
    offered: Sequence[str] = (),
    kept: str = "",
    until_restart: str = "",
) -> Response:
    is_part = "HX-Request" in request.headers
    return page(
        request,
        "model.html",
        {
            "is_part": is_part,
            "address": entered.address,
            "model": entered.model,
            "faults": faults,
            "offered": offered[:MODELS_OFFERED],
            "kept": kept,
            "used": state.runtime.config.mind_model if state.runtime.config.has_endpoint else "",
            "until_restart": until_restart,
            "has_key": bool(state.runtime.config.openai_api_key.get_secret_value()),
        },
        code=422 if faults and not is_part else 200,
    )
