"""`POST /internet.research`: a question with the inputs of a conversation's turn, answered at once or later."""

import asyncio
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Header, Response, status
from pydantic import Field, model_validator

from research_crawler.core.models.base import CallerInput
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import JobQuestion, TurnQuestion
from research_crawler.interfaces.http.routes.job_routes import StartedJob, started_job
from research_crawler.interfaces.http.state import StateOf
from research_crawler.services.jobs.job_results import INTERNAL_FIELDS, JobResult, result_of_job
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job
from research_crawler.services.submission.turn_folders import context_in, turn_folder

router = APIRouter(tags=["jobs"])


class InternetResearch(TurnQuestion, CallerInput):
    """A question with the inputs of a conversation's turn."""

    query: str = ""
    """Another name of `goal`."""
    intent: Intent | None = None
    """Learn about the topic, or find an offer. Default: from the words of the goal."""
    turn_dir_path: str = ""
    """Folder of the turn, below RESEARCH_TURN_DIR_ROOT: its context.md is read, the documents are written to it."""
    strategy: str | None = None
    """phase1_only, phase1_and_phase2 or phase2_only. Default: from the goal."""
    vendors: int | None = Field(None, strict=True, ge=1, le=10)
    """How many vendors should answer with offers."""
    wait: bool = False
    """Hold the answer until the job is over, and answer with its result."""

    @model_validator(mode="after")
    def _one_goal(self) -> "InternetResearch":
        if self.goal and self.query and self.goal != self.query:
            raise ValueError("give `goal` or `query`, not two different ones")
        return self

    def question(self, context: str) -> JobQuestion:
        """The question; `context` is what the folder of the turn says, and comes before the caller's."""
        fields = self.model_dump(exclude={"query", "turn_dir_path", "wait"}, exclude_unset=True)
        known = "\n\n".join(part for part in (context, self.context) if part.strip())
        return JobQuestion(**{**fields, "goal": self.goal or self.query, "context": known})


@router.post(
    "/internet.research",
    response_model_exclude=set(INTERNAL_FIELDS),
    responses={202: {"model": StartedJob, "description": "The job goes on."}},
)
async def internet_research(
    body: InternetResearch,
    state: StateOf,
    response: Response,
    *,
    wait: bool = False,
    idempotency_key: Annotated[str, Header()] = "",
) -> JobResult | StartedJob:
    """Start a job; with `wait`, answer with its result when it is over, else with its id."""
    runtime = state.runtime
    folder: Path | None = None
    context = ""
    if body.turn_dir_path:
        folder = await asyncio.to_thread(turn_folder, runtime.config, body.turn_dir_path)
        context = await asyncio.to_thread(context_in, folder)
    question = body.question(context)
    request = await asyncio.to_thread(request_from, runtime.config, question, folder=folder)
    job = await submit_job(runtime, request, key=idempotency_key)
    if wait or body.wait:
        async for event in state.feeds.events(job.id):
            if event.name == "end":
                return await result_of_job(runtime, job.id)
    response.status_code = status.HTTP_202_ACCEPTED
    return started_job(job, response)
