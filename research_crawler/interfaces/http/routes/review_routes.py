"""`/jobs/{id}/review`: what a person is shown of a job, and the person's answer."""

from fastapi import APIRouter

from research_crawler.interfaces.http.routes.job_routes import UNKNOWN_JOB
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.reviews.review_answers import ReviewOutcome, answer_review
from research_crawler.services.reviews.review_requests import ReviewRequest
from research_crawler.services.reviews.views import ReviewView, review_of

router = APIRouter(prefix="/jobs", tags=["reviews"], responses=UNKNOWN_JOB)


@router.get("/{job_id}/review")
async def show_review(job_id: str, runtime: RuntimeOf) -> ReviewView:
    """A job as a person reviews it, with the question that it waits for."""
    return await review_of(runtime, job_id)


@router.post("/{job_id}/review")
async def review_job(job_id: str, body: ReviewRequest, runtime: RuntimeOf) -> ReviewOutcome:
    """Accept, reject, or add something; on a completed job too."""
    return await answer_review(runtime, job_id, body)
