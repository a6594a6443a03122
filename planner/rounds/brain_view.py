"""Show a brain what it needs to label results and to decide."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import dropwhile

from planner.columns.offer_columns import asks_offer
from planner.goal.goal_subject import asked_of
from planner.goal.intent import asks_cost_or_stock
from planner.goal.report_language import report_language
from planner.job.allowances import (
    allowed_actions,
    candidates,
    decisions_made,
    given_urls,
    is_host_wanted,
    is_open_for_visit,
    searches_left,
    spent_share,
    unread_sections,
    visits_left,
)
from planner.job.clock import date_of, spent_ms, waiting_left_s
from planner.job.goal_reading import may_change_intent
from planner.job.results import unlabelled_results
from planner.quality.attempts import attempts_allowed, attempts_used
from planner.reports.records.documents import context_document
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import BY_CODE, Candidate, LabelRequest, PlannerView
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.records import ScoredResult
from research_crawler.core.models.messages.events import Spent
from research_crawler.core.web.urls import slot_of

MAX_CANDIDATES = 12
"""Most labelled results that a brain is shown."""
MAX_NEW, MAX_NEW_DEEP, BESIDE_NEW = 20, 8, 4
"""Most new results that are shown, as many as the first pages of two searches have; most of them in deep research,
which searches again and by many queries; and most pages with labels beside them."""
MAX_PAST_ACTIONS, MAX_SECTIONS = 12, 24
"""Most past steps, and most unread sections, that a brain is shown."""
_DECISIONS = frozenset({"search", "visit", "section", "wait", "done"})
"""Lines of the timeline that tell what was decided."""


def shown_candidates(job: Job) -> list[ScoredResult]:
    """The pages that the planner chooses from: those with labels, best first, then new ones in the engines' order."""
    most = MAX_NEW_DEEP if job.inputs.depth == "deep" else MAX_NEW
    new = sorted((r for r in _new_results(job)), key=lambda r: (-r.fused, r.rank))[:most]
    labelled = [result for result in candidates(job) if result.scored]
    return [*labelled[: BESIDE_NEW if new else MAX_CANDIDATES], *new]


def _new_results(job: Job) -> list[ScoredResult]:
    """The results without labels; those that are being read already are labelled too."""
    return [r for r in job.results if not r.scored and is_host_wanted(job, r.url)]


def planner_view(
    job: Job, findings: Sequence[Finding], *, now_ms: int, waits: Mapping[str, float], stuck: str = ""
) -> PlannerView:
    """All that a brain sees of a job before it decides.

    Args:
        waits: seconds that a visit would wait, by slot.
        stuck: the step out of the loop; then only a search or done is allowed.
    """
    inputs, limits, allowed = job.inputs, job.limits, allowed_actions(job)
    context = context_document(job)
    return PlannerView(
        goal=asked_of(inputs),
        context=inputs.context,
        task=targeted_task(job),
        intent=inputs.intent,
        asks_offer=_asks_offer(inputs),
        prior_turn_context=inputs.prior_turn_context,
        topic=inputs.topic,
        language=report_language(inputs.goal, inputs.language),
        candidates=[
            Candidate(
                result=r,
                wait_s=waits.get(slot_of(r.url), 0.0),
                is_asked_for=not is_open_for_visit(job, r.url),
            )
            for r in shown_candidates(job)
        ],
        to_label=label_request(job, now_ms=now_ms, context=context),
        searches=job.searches,
        visited=job.visits,
        findings=list(findings),
        past_actions=past_actions(job),
        iteration=decisions_made(job) + 1,
        max_iterations=limits.max_iterations,
        remaining_searches=searches_left(job),
        remaining_visits=visits_left(job),
        elapsed_time=round(spent_ms(job) / 1000, 1),
        max_time=limits.timeout_seconds,
        longest_wait=round(waiting_left_s(job, now_ms), 1),
        allowed=[a for a in allowed if a in ("search", "ask_human", "done")] if stuck else allowed,
        barren_rounds=job.plan.barren_rounds,
        rounds_before=job.plan.review_round_start.round,
        stuck=stuck,
        given_urls=given_urls(job),
        unread_sections=unread_sections(job)[:MAX_SECTIONS],
        outline=job.outline,
        answered_before=_answered_before(job, findings),
        assessed=job.assessed,
        quality=limits.quality,
        remaining_attempts=max(0, attempts_allowed(job) - attempts_used(job)),
        type=inputs.type,
        depth=inputs.depth,
        stack=inputs.stack,
        context_document=context,
        year=datetime.fromtimestamp(now_ms / 1000, UTC).year,
        today=date_of(now_ms),
        spent=Spent(share=spent_share(job)),
        may_classify_goal=not _is_goal_read(job) and (may_change_intent(inputs) or not inputs.type_given),
    )


def _asks_offer(inputs: JobInputs) -> bool:
    """Whether a job that recommends no offer asks what one says, as its price: shops say that best."""
    if inputs.intent == "commerce":
        return False
    asked = f"{asked_of(inputs)} {inputs.task}"
    return asks_cost_or_stock(asked) or any(map(asks_offer, inputs.columns))


def _is_goal_read(job: Job) -> bool:
    """Whether a brain has decided on something, and read the goal with it."""
    return job.review.plan_approved or any(
        entry.by not in ("", BY_CODE) and entry.action in _DECISIONS for entry in job.timeline
    )


def _answered_before(job: Job, findings: Sequence[Finding]) -> frozenset[str]:
    """The leaves of a given outline that the job has taken over with their evidence."""
    if not (job.inputs.about_job and job.outline.is_given):
        return frozenset()
    before = {finding.id for finding in findings if not finding.command.startswith(f"{job.id}:")}
    return frozenset(
        leaf.id for leaf in job.outline.leaves if leaf.evidence and before.issuperset(leaf.evidence)
    )


def targeted_task(job: Job) -> str:
    """The caller's task; if a part is known from earlier jobs, with a request to find only the rest."""
    targets = job.plan.targets
    return f"{job.inputs.task} find only {', '.join(targets)}".strip() if targets else job.inputs.task


def label_request(job: Job, *, now_ms: int, context: str) -> LabelRequest | None:
    """The request to label the results that the scorer has not seen yet; None if there are none.

    Args:
        context: the job's document of what was known before, as the brain is shown it too.
    """
    inputs, waiting = job.inputs, unlabelled_results(job.results)
    if not waiting:
        return None
    numbers = {result.search for result in job.results if not result.scored}
    return LabelRequest(
        goal=asked_of(inputs),
        today=date_of(now_ms),
        task=inputs.task,
        topic=inputs.topic,
        intent=inputs.intent,
        asks_offer=_asks_offer(inputs),
        query="; ".join(search.query for search in job.searches if search.n in numbers),
        results=waiting,
        context_document=context,
    )


def past_actions(job: Job) -> list[str]:
    """The last steps of the job, one line each; pages that were asked for beside another step stand among the visited
    ones."""
    steps = [entry for entry in job.timeline if entry.action not in ("brain", "judged", "intent", "beside")]
    last = steps[-MAX_PAST_ACTIONS:]
    return [f"{entry.iteration}. {entry.action}: {_without_addresses(entry.text)}" for entry in last]


def _without_addresses(line: str) -> str:
    """The line without the addresses at its beginning: they stand among the pages that were visited."""
    left = list(dropwhile(lambda word: word.startswith(("http://", "https://")), line.split(" ")))
    return " ".join(["pages", *left]) if line.startswith("http") else line
