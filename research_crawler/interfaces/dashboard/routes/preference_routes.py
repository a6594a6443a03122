"""Takes what a person chooses for the pages: the language, and light or dark."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.page_templates import see
from research_crawler.interfaces.dashboard.preferences import keep_preferences

router = APIRouter()


@router.post("/preferences")
async def keep_preference(request: Request, form: FormOf) -> Response:
    """Keep the choice, and show the page again on which it was made."""
    back = form.one("back")
    answer = see(back if back.startswith("/") else "/")
    keep_preferences(request, answer, language=form.one("language"), theme=form.one("theme"))
    return answer
