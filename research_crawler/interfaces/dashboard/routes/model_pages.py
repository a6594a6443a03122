"""The page that sets the model: it is tried at once, and its key is shown nowhere again."""

import asyncio

from fastapi import APIRouter, Request
from pydantic import SecretStr
from starlette.responses import Response

from research_crawler.core.errors import ResearchError
from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.page_templates import page
from research_crawler.interfaces.http.state import ServerState, StateOf
from research_crawler.services.submission.model_setup import keep_model, models_here, set_elsewhere, try_model

router = APIRouter(prefix="/model")


@router.get("")
async def model_page(request: Request, state: StateOf) -> Response:
    """The form, with what is set now."""
    config = state.runtime.config
    return _page(request, state, address=config.openai_base_url, model=config.mind_model)


@router.get("/found")
async def found_models(request: Request) -> Response:
    """The model servers that answer on this machine, as a piece of the page."""
    return page(request, "found_models.html", found=await models_here())


@router.post("")
async def set_model(request: Request, state: StateOf, form: FormOf) -> Response:
    """Try a model, and keep it if it answers."""
    address, model = form.one("address"), form.one("model")
    try:
        tried = await try_model(
            state.runtime.config, base_url=address, key=SecretStr(form.one("key").strip()), model=model
        )
        kept = await asyncio.to_thread(keep_model, tried)
    except ResearchError as error:
        return _page(request, state, address=address, model=model, fault=str(error))
    state.runtime.use_models(tried)
    return _page(request, state, address=address, model=model, kept=str(kept))


def _page(
    request: Request, state: ServerState, *, address: str, model: str, fault: str = "", kept: str = ""
) -> Response:
    return page(
        request,
        "model.html",
        code=422 if fault else 200,
        address=address,
        model=model,
        fault=fault,
        kept=kept,
        used=state.runtime.config.mind_model if state.runtime.config.has_endpoint else "",
        until_restart=set_elsewhere(state.runtime.config) if kept else "",
        has_key=bool(state.runtime.config.openai_api_key.get_secret_value()),
    )
