"""What a job asks a person, and the person's answer."""

from typing import Annotated, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from research_crawler.core.errors import UsageError
from research_crawler.core.models.people.reviews import AnswerKind, AppendKind
from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.page_templates import page, see
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.reviews.review_answers import answer_review
from research_crawler.services.reviews.review_requests import ReviewRequest
from research_crawler.services.reviews.views import review_of

router = APIRouter(prefix="/jobs")
FINDINGS_SHOWN = 100
"""Findings on a page."""


@router.get("/{job_id}/review")
async def review_page(
    request: Request, job_id: str, runtime: RuntimeOf, after: Annotated[int, Query(ge=0)] = 0
) -> Response:
    """A job as a person reviews it, with a page of its findings and the form for the answer."""
    view = await review_of(runtime, job_id)
    further = view.further
    return page(
        request,
        "review.html",
        {
            "view": view,
            "append_kinds": get_args(AppendKind),
            "findings": further[after : after + FINDINGS_SHOWN],
            "after": after,
            "next": after + FINDINGS_SHOWN if len(further) > after + FINDINGS_SHOWN else 0,
        },
    )


@router.post("/{job_id}/review")
async def take_answer(job_id: str, runtime: RuntimeOf, form: FormOf) -> Response:
    """Give the answer to the job."""
    kind = next((one for one in get_args(AnswerKind) if one == form.one("kind")), None)
    if kind is None:
        raise UsageError("say what the answer is: accept, reject, or add something")
    append_as = next((one for one in get_args(AppendKind) if one == form.one("append_as")), None)
    answer = ReviewRequest(
        kind=kind,
        text=form.one("text"),
        append_as=append_as,
        findings=form.all("findings"),
        source=form.one("source"),
        outline=form.one("outline"),
    )
    outcome = await answer_review(runtime, job_id, answer)
    return see(f"/jobs/{outcome.job}")
