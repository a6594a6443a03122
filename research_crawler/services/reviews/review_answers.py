"""Answer a job's question: the answer goes into its mailbox, and is applied at once where nobody else does."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from typing import Final, Literal, NoReturn

from pydantic import Field

from planner.job.allowances import LEAST_LEFT_S
from planner.job.clock import seconds_left
from planner.job.rejected import rejected_among
from planner.rounds.job_step import JobStep
from planner.rounds.ports import Ports
from research_crawler.adapters.job_folder import DiskJobFolder
from research_crawler.core.brain_errors import BrainFailed
from research_crawler.core.errors import JobIsOver, LeaseLost, UsageError
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.evidence.entailment import Pair, Readings
from research_crawler.core.models.evidence.findings import Extraction, Finding
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.jobs.decisions import Answered, LabelRequest, PageView, PlannerView
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, State, Status, status_of
from research_crawler.core.models.messages.events import PersonAnswered
from research_crawler.core.models.people.reviews import OpenQuestion, ReviewAnswer
from research_crawler.core.models.reports.drafts import (
    RecommendationDraft,
    RecommendationView,
    ReportDraft,
    ReportView,
)
from research_crawler.core.models.reports.report import Report
from research_crawler.core.ports.models import Brain, Call
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lifecycle import missing_process
from research_crawler.services.jobs.job_lookup import find_job
from research_crawler.services.reviews.review_requests import ReviewRequest, checked_answer
from research_crawler.services.reviews.views import reviewed_record

LONGEST_APPLYING_S: Final = 5.0
"""How long an interface waits until an answer is applied. It is not lost: whoever takes the job next applies it."""
_EVERY_S: Final = 0.05
"""How often it is looked whether an answer was applied."""


class ReviewOutcome(Frozen):
    """What became of an answer."""

    job: str
    state: State
    status: Status
    is_applied: bool
    """False: the answer is kept, and the next planner that takes the job applies it."""
    retracted_claims: list[str] = Field(default_factory=list)
    """Statements of the report that rested on nothing but what was rejected."""
    missing: Literal["planner", "crawler", ""] = ""
    """The process without which the job does not go on; empty if it needs none."""
    has_time: bool = True
    """False: the job's own time is used up, so that its new round reads nothing and only writes the report again."""


async def answer_review(runtime: Runtime, job_id: str, request: ReviewRequest) -> ReviewOutcome:
    """Answer the open question of a job, or bring a completed job back with a rejection or an addition.

    Raises:
        UnknownJob: no job has this id.
        JobIsOver: the job failed or was cancelled.
        UsageError: the job asks nothing, or the request names what the job does not have.
    """
    job, findings, report = await reviewed_record(runtime, job_id)
    if job.state == "completed" and request.kind == "accept":
        return _outcome(job, is_applied=True)
    if job.state != "completed" and job.state in FINAL_STATES:
        raise JobIsOver(job_id, job.state)
    question = job.review.question if job.state == "waiting_for_human" else None
    if question is None and job.state != "completed":
        raise UsageError(f"job {job_id} is {job.state} and asks nothing; `research status {job_id}` shows it")
    if request.kind == "outline" and (question is None or question.kind != "plan"):
        raise UsageError(
            f"job {job_id} does not wait with a plan; an outline is given before the first fetch"
        )
    answer = checked_answer(request, job, findings, report)
    number = question.no if question else job.review.asked + 1
    if not await _deliver(runtime, job, findings, number, answer):
        changed = await find_job(runtime, job_id)
        raise UsageError(f"job {job_id} was answered or ended meanwhile: it is {changed.state} now")
    after = await _applied(runtime, job_id, number)
    is_applied = not _asks(after, number)
    goes_on = is_applied and after.state not in FINAL_STATES
    return _outcome(
        after,
        is_applied=is_applied,
        retracted=_retracted(report, findings, after),
        missing=await missing_process(runtime) if goes_on else "",
    )


async def _deliver(
    runtime: Runtime, job: Job, findings: list[Finding], number: int, answer: ReviewAnswer
) -> bool:
    uid = f"{job.id}:answer:{number}:{secrets.token_hex(4)}"
    event = PersonAnswered(uid=uid, job=job.id, no=number, answer=answer)
    jobs = runtime.container.jobs
    if job.state == "waiting_for_human":
        return await jobs.deliver(job.id, event)
    asked = OpenQuestion(no=number, kind="review", text="A completed report is reviewed again.")
    waiting = job.changed(
        state="waiting_for_human",
        review=job.review.changed(question=asked, asked=number),
    )
    return await jobs.reopen(waiting, findings, event)


async def _applied(runtime: Runtime, job_id: str, number: int) -> Job:
    """The job once the answer is applied, by this process if no planner has taken the job first."""
    ends = time.monotonic() + LONGEST_APPLYING_S
    while True:
        job = await runtime.container.jobs.get(job_id)
        if job is None or not _asks(job, number):
            return await find_job(runtime, job_id)
        if time.monotonic() > ends:
            return job
        await _step_here(runtime, job_id)
        await asyncio.sleep(_EVERY_S)


async def _step_here(runtime: Runtime, job_id: str) -> None:
    """Apply what is in the mailbox of a waiting job. It needs no brain and fetches nothing."""
    parts = runtime.container
    taken = await parts.jobs.take(max_active=0, only=job_id)
    if taken is None:
        return
    if taken.job.state != "waiting_for_human":  # a planner has applied the answer, and decides next
        await parts.jobs.release({job_id: taken.token})
        return
    brain = NoBrain()

    async def nobody(_: Job) -> Brain:
        return brain

    folder = DiskJobFolder(runtime.config.home)
    ports = Ports(parts.jobs, nobody, parts.frontier, parts.archive, extractive_brain=brain, folder=folder)
    try:
        await JobStep(ports, taken).run()
    except LeaseLost:
        return
    except BaseException:
        await parts.jobs.release({job_id: taken.token})
        raise


def _asks(job: Job, number: int) -> bool:
    question = job.review.question
    return job.state == "waiting_for_human" and question is not None and question.no == number


def _retracted(report: Report | None, findings: list[Finding], after: Job) -> list[str]:
    """The statements of the report whose evidence was rejected whole."""
    if report is None:
        return []
    gone = {(finding.quote, finding.url) for finding in rejected_among(after.review, findings)}
    rejected = {one.id for one in report.evidence if (one.quote, one.url) in gone}
    return [claim.text for claim in report.claims if claim.evidence and set(claim.evidence) <= rejected]


def _outcome(
    job: Job,
    *,
    is_applied: bool,
    retracted: list[str] | None = None,
    missing: Literal["planner", "crawler", ""] = "",
) -> ReviewOutcome:
    return ReviewOutcome(
        job=job.id,
        state=job.state,
        status=status_of(job.state),
        is_applied=is_applied,
        retracted_claims=retracted or [],
        missing=missing,
        has_time=job.state in FINAL_STATES or seconds_left(job) >= LEAST_LEFT_S,
    )


class NoBrain:
    """Stands where a step needs a brain that it never asks: applying an answer decides nothing."""

    name = "none"

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """Refuse."""
        self._refuse()

    async def label(self, request: LabelRequest, call: Call) -> Answered:
        """Refuse."""
        self._refuse()

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """Refuse."""
        self._refuse()

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """Refuse."""
        self._refuse()

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        """Refuse."""
        self._refuse()

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        """Refuse."""
        self._refuse()

    async def pick_values(self, view: ColumnsView, call: Call) -> PickedValues:
        """Refuse."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise BrainFailed("a process that only applies an answer has no brain")
