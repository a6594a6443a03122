"""`/interventions`: what persons are asked about walls of hosts, and their answers."""

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from research_crawler.core.models.web.saved_sessions import StorageState
from research_crawler.interfaces.http.faults import ErrorAnswer
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.interventions.intervention_answers import (
    InterventionAnswer,
    InterventionView,
    all_interventions,
    end_intervention,
    picture_of,
    view_of_intervention,
)

router = APIRouter(
    prefix="/interventions",
    tags=["interventions"],
    responses={
        404: {"model": ErrorAnswer, "description": "There is no such intervention."},
        409: {"model": ErrorAnswer, "description": "It is answered already, or over."},
    },
)


@router.get("")
async def list_interventions(runtime: RuntimeOf, *, is_open: bool = False) -> list[InterventionView]:
    """What persons are asked, newest first, with what ended within a day; with `is_open`, only what waits."""
    return await all_interventions(runtime, is_open=is_open)


@router.get("/{intervention}")
async def show_intervention(intervention: str, runtime: RuntimeOf) -> InterventionView:
    """One intervention."""
    return await view_of_intervention(runtime, intervention)


@router.get(
    "/{intervention}/picture",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}, 204: {"description": "There is no picture."}},
)
async def show_picture(intervention: str, runtime: RuntimeOf) -> Response:
    """The wall as the crawler's browser shows it."""
    picture = await picture_of(runtime, intervention)
    return Response(picture, media_type="image/jpeg") if picture else Response(status_code=204)


@router.post("/{intervention}/done")
async def done(
    intervention: str, runtime: RuntimeOf, state: Annotated[StorageState | None, Body()] = None
) -> InterventionAnswer:
    """The wall is open: its pages are read again, with this session (Playwright's storage state) if one is given."""
    return await end_intervention(runtime, intervention, state=state)


@router.post("/{intervention}/cancel")
async def cancel(intervention: str, runtime: RuntimeOf) -> InterventionAnswer:
    """Nobody will open the wall: its pages end as blocked."""
    return await end_intervention(runtime, intervention, cancel=True)
