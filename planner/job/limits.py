"""What a job may still do: its searches, visits, time and decisions."""

from research_crawler.core.models.decisions import Action
from research_crawler.core.models.jobs import Job, ScoredResult
from research_crawler.core.web.urls import host_of

ROUND_S = {"search": 30.0, "visit": 45.0}
"""Longest time of a round. A search waits up to 20 s for a provider's permit and then fetches; a visit waits for its
host (5 s a page), downloads for up to 30 s, and a model reads the page."""
LEAST_LEFT_S = 1.0
"""With less time left, the planner sends no more commands."""
FIRST_VENDOR_ROUND = 1_000
"""Rounds of phase 2 are numbered from here, so that a timer of phase 1 never matches one of them."""
FORCED_LINES = {
    "timeout": "the time limit is reached",
    "iterations": "the number of decisions is used up",
    "nothing left": "no search and no page is left",
    "stuck": "no way out of the loop is left",
    "targets": "all missing information is found",
    "brain failed": "no brain could decide",
}
"""Why phase 1 was ended without the planner's decision, as reports show it."""


def searches_left(job: Job) -> int:
    """Searches the job may still make."""
    return max(0, job.limits.max_searches - job.plan.searches_used)


def visits_left(job: Job) -> int:
    """Pages the job may still visit."""
    return max(0, job.limits.max_visits - job.plan.visits_used)


def seconds_left(job: Job, now_ms: int) -> float:
    """Seconds of active time left in phase 1."""
    return max(0.0, (job.plan.deadline_ms - now_ms) / 1000)


def elapsed_s(job: Job, now_ms: int) -> float:
    """Active seconds of phase 1 without pauses: up to now, or in all if it has ended."""
    end = job.plan.finished_ms or now_ms
    return max(0.0, (end - job.plan.started_ms) / 1000) if job.plan.started_ms else 0.0


def is_host_wanted(job: Job, url: str) -> bool:
    """Whether the caller's host lists allow a visit of this URL; a host name includes its subdomains."""
    host = host_of(url)

    def listed(names: list[str]) -> bool:
        return any(
            host == name or host.endswith("." + name) for name in (n.lower().strip(".") for n in names)
        )

    inputs = job.inputs
    return not listed(inputs.exclude_hosts) and (not inputs.include_hosts or listed(inputs.include_hosts))


def is_open_for_visit(job: Job, url: str) -> bool:
    """Whether a URL may be visited: it was not visited before, or only refused because its host was busy."""
    return all(visit.what == "busy" for visit in job.visits if url in (visit.url, visit.final_url))


def candidates(job: Job) -> list[ScoredResult]:
    """Pages that may be visited next, best first."""
    return [r for r in job.results if is_open_for_visit(job, r.url) and is_host_wanted(job, r.url)]


def given_urls(job: Job) -> list[str]:
    """URLs that the caller named and that may be visited."""
    return [url for url in job.inputs.urls if is_open_for_visit(job, url)]


def allowed_actions(job: Job) -> list[Action]:
    """The actions that the planner may decide on now. A used-up allowance removes only its own action."""
    actions: list[Action] = []
    if searches_left(job):
        actions.append("search")
    if visits_left(job) and (given_urls(job) or candidates(job)):
        actions.append("visit")
    return [*actions, "done"]


def forced_end(job: Job, now_ms: int) -> str:
    """Why phase 1 ends without another decision (a key of FORCED_LINES); "" if it goes on."""
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


def is_in_phase2(job: Job) -> bool:
    """Whether the job asks vendors now."""
    return job.phase2 is not None and not job.phase2.finished_ms and job.state == "executing"
