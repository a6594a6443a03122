"""What a job may still do: allowances, time, iterations."""

from research_crawler.core.models.decisions import Action
from research_crawler.core.models.jobs import Job, ScoredResult
from research_crawler.core.urls import host_of

ROUND_S = {"search": 30.0, "visit": 45.0}
"""Most time a round may take. A search waits up to 20 s for a provider's permit and then fetches; a visit
waits for its host (5 s a page), downloads for up to 30 s and is read by a model."""
LEAST_LEFT_S = 1.0
"""With less time left nothing is dispatched any more."""


FIRST_VENDOR_ROUND = 1_000
"""Rounds of phase 2 count from here, so that no timer of phase 1 is taken for one of theirs."""
FORCED_LINES = {
    "timeout": "the time limit is reached",
    "iterations": "the number of decisions is used up",
    "nothing left": "no search and no page is left",
    "stuck": "no way out of the loop is left",
    "targets": "what was missing is found",
    "brain failed": "no brain could decide",
}


def is_in_phase2(job: Job) -> bool:
    """Whether vendors are being asked."""
    return job.phase2 is not None and not job.phase2.finished_ms and job.state == "executing"


def searches_left(job: Job) -> int:
    """Searches the job may still make."""
    return max(0, job.limits.max_searches - job.plan.searches_used)


def visits_left(job: Job) -> int:
    """Pages the job may still visit."""
    return max(0, job.limits.max_visits - job.plan.visits_used)


def seconds_left(job: Job, now_ms: int) -> float:
    """Active time left in phase 1."""
    return max(0.0, (job.plan.deadline_ms - now_ms) / 1000)


def elapsed_s(job: Job, now_ms: int) -> float:
    """Active time of phase 1 so far, pauses left out; the whole of it once it has ended."""
    end = job.plan.finished_ms or now_ms
    return max(0.0, (end - job.plan.started_ms) / 1000) if job.plan.started_ms else 0.0


def is_host_wanted(job: Job, url: str) -> bool:
    """Whether the caller's host lists let this URL be visited; a name covers its subdomains."""
    host = host_of(url)

    def listed(names: list[str]) -> bool:
        return any(
            host == name or host.endswith("." + name) for name in (n.lower().strip(".") for n in names)
        )

    inputs = job.inputs
    return not listed(inputs.exclude_hosts) and (not inputs.include_hosts or listed(inputs.include_hosts))


def is_open_for_visit(job: Job, url: str) -> bool:
    """Not asked for yet, or only turned away because its host was busy."""
    return all(visit.what == "busy" for visit in job.visits if url in (visit.url, visit.final_url))


def candidates(job: Job) -> list[ScoredResult]:
    """Pages that may be visited next, best first."""
    return [r for r in job.results if is_open_for_visit(job, r.url) and is_host_wanted(job, r.url)]


def given_urls(job: Job) -> list[str]:
    """URLs the caller named that were not visited yet."""
    return [url for url in job.inputs.urls if is_open_for_visit(job, url)]


def allowed_actions(job: Job) -> list[Action]:
    """What the planner may decide now. A spent allowance takes only its own action away (row 1.2)."""
    actions: list[Action] = []
    if searches_left(job):
        actions.append("search")
    if visits_left(job) and (given_urls(job) or candidates(job)):
        actions.append("visit")
    return [*actions, "done"]


def forced_end(job: Job, now_ms: int) -> str:
    """Why no further decision is asked for, or an empty string."""
    if job.plan.forced:
        return job.plan.forced
    if seconds_left(job, now_ms) < LEAST_LEFT_S:
        return "timeout"
    if job.plan.iteration >= job.limits.max_iterations:
        return "iterations"
    return "nothing left" if allowed_actions(job) == ["done"] else ""


def is_round_open(job: Job) -> bool:
    """Whether the next decision waits for commands of the last one."""
    return job.plan.round_until_ms > 0
