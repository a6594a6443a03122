"""The progress of a job, as status shows it."""

from research_crawler.core.models.jobs.job import FINAL_STATES, Job, Progress

SEARCHED, _READ, ANALYSED, WRITING, DONE = 0.2, 0.5, 0.7, 0.9, 1.0
"""Fraction after the first searches, the first pages, phase 1, all vendors, and at the end."""
MAX_ACTION = 160
"""Longest text of what a job does now."""
DECIDING = "Generating search queries"
SYNTHESIZING = "Synthesizing report"


def first_progress() -> Progress:
    """The progress of a job that no worker has taken yet."""
    return Progress(current_action=DECIDING)


def advance(job: Job, action: str = "") -> Progress:
    """The progress after a step: the number of steps and the fraction never fall.

    Args:
        action: what the job does now; the text stays the same if it is empty.
    """
    before = job.progress
    asked, answering = _vendors_steps(job)
    decided = decided_searches(job) + decided_visits(job) + asked
    running = sum(not s.outcome for s in job.searches) + sum(not v.outcome for v in job.visits) + answering
    total = max(before.total_steps, decided + 1)
    done = total if job.state == "completed" else min(decided - running, total - 1)
    return Progress(
        current_step=max(before.current_step, done),
        total_steps=total,
        current_action=_shortened(action) or before.current_action,
        fraction=max(before.fraction, _fraction(job)),
    )


def written_progress(progress: Progress) -> Progress:
    """The progress of a job whose report is written, and which is not over."""
    return Progress(
        current_step=min(progress.current_step, progress.total_steps - 1),
        total_steps=progress.total_steps,
        current_action=progress.current_action,
        fraction=min(progress.fraction, WRITING),
    )


def decided_searches(job: Job) -> int:
    """Number of searches decided so far; the job's record may no longer have the oldest of them."""
    return job.searches[-1].n if job.searches else 0


def decided_visits(job: Job) -> int:
    """Number of visits decided so far, including those that do not count."""
    return job.visits[-1].n if job.visits else 0


def searching(queries: list[str]) -> str:
    """The action that status shows while searches run."""
    return "Searching: " + "; ".join(queries)


def reading(names: list[str]) -> str:
    """The action that status shows while pages are fetched."""
    return "Reading: " + ", ".join(names)


def _vendors_steps(job: Job) -> tuple[int, int]:
    """Steps of phase 2 decided so far, and those under way: each search for vendors, and each vendor that is asked."""
    if job.phase2 is None:
        return 0, 0
    lookups, vendors = job.phase2.lookups, job.phase2.vendors
    asked = sum(vendor.stage not in ("waiting", "not_asked") for vendor in vendors)
    under_way = sum(not lookup.outcome for lookup in lookups) + sum(bool(vendor.open) for vendor in vendors)
    return len(lookups) + asked, under_way


def _fraction(job: Job) -> float:
    if job.state == "completed":
        return DONE
    if job.state == "synthesizing":
        return WRITING
    if job.phase2 is not None:
        answered = sum(vendor.stage == "answered" for vendor in job.phase2.vendors)
        share = min(1.0, answered / max(1, job.inputs.vendors))
        return round(ANALYSED + (WRITING - ANALYSED) * share, 3)
    if job.state in FINAL_STATES:
        return job.progress.fraction
    first = [s for s in job.searches if s.round == min((x.round for x in job.searches), default=0)]
    searched = SEARCHED if first and all(s.outcome for s in first) else 0.0
    if not job.visits:
        return searched
    opening = [v for v in job.visits if v.round == job.visits[0].round]
    read = sum(bool(v.outcome) for v in opening) / len(opening)
    if read < 1:
        return round(SEARCHED + (_READ - SEARCHED) * read, 3)
    share = sum(bool(v.outcome) for v in job.visits) / max(1, job.limits.max_visits, len(job.visits))
    return round(_READ + (ANALYSED - _READ) * share, 3)


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_ACTION else text[: MAX_ACTION - 1] + "…"
