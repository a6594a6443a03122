"""The walls of hosts that a person is asked to open, and the person's answers."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.core.models.web.saved_sessions import read_session
from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.page_templates import page, see
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.interventions.intervention_answers import (
    all_interventions,
    end_intervention,
    picture_of,
    view_of_intervention,
)

router = APIRouter(prefix="/interventions")
MOST_PICTURES = 30
"""Most walls that are shown with a picture."""


@router.get("")
async def intervention_list(request: Request, runtime: RuntimeOf) -> Response:
    """What persons are asked, newest first."""
    found = await all_interventions(runtime)
    pictured = [(one, bool(await picture_of(runtime, one.id))) for one in found[:MOST_PICTURES]]
    shown = [*pictured, *((one, False) for one in found[MOST_PICTURES:])]
    return page(request, "interventions.html", {"interventions": shown})


@router.get("/{intervention}")
async def intervention_page(request: Request, intervention: str, runtime: RuntimeOf) -> Response:
    """One wall, with its picture, and how to open it."""
    view = await view_of_intervention(runtime, intervention)
    return page(
        request,
        "intervention.html",
        {
            "one": view,
            "has_picture": bool(await picture_of(runtime, view.id)),
            "desk": runtime.config.desk_url,
        },
    )


@router.get("/{intervention}/picture")
async def wall_picture(intervention: str, runtime: RuntimeOf) -> Response:
    """The wall as the crawler's browser showed it."""
    picture = await picture_of(runtime, intervention)
    return Response(picture, media_type="image/jpeg", status_code=200 if picture else 404)


@router.post("/{intervention}/done")
async def opened(intervention: str, runtime: RuntimeOf, form: FormOf) -> Response:
    """The wall is open; with a session if one is given."""
    state = read_session(form.one("state")) if form.one("state").strip() else None
    answer = await end_intervention(runtime, intervention, state=state)
    return see(f"/interventions/{answer.id}")


@router.post("/{intervention}/cancel")
async def left_out(intervention: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Nobody will open it."""
    answer = await end_intervention(runtime, intervention, cancel=True)
    return see(f"/interventions/{answer.id}")
