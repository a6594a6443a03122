"""What a job may still do: its searches, visits, time and decisions."""

from planner.job.visited import is_visited, unvisited
from planner.text.messages import ENGLISH_MESSAGES, Messages
from research_crawler.core.models.decisions import Action, SectionChoice
from research_crawler.core.models.jobs import Job, ScoredResult
from research_crawler.core.web.urls import host_of

LEAST_LEFT_S = 1.0
"""With less time left, the planner sends no more commands."""
ATTEMPTS_FOR_EACH = 3
"""Most attempts for each search and each page that a job may have. A page that is missing or refused costs nothing but
an attempt; without an end to them, a web in which every page fails would keep a job busy until its time is over."""
FIRST_VENDOR_ROUND = 1_000
"""Rounds of phase 2 are numbered from here, so that a timer of phase 1 never matches one of them."""
FORCED = ("timeout", "waiting", "iterations", "nothing left", "stuck", "targets", "brain failed", "ceiling")
"""Why phase 1 is ended without the planner's decision."""


def forced_line(forced: str, say: Messages = ENGLISH_MESSAGES) -> str:
    """One of FORCED as reports show it; "" if the planner decided."""
    return say(f"forced_{forced.replace(' ', '_')}") if forced in FORCED else forced


def spent_share(job: Job) -> float:
    """How much of the job's ceiling of tokens or money is used, 0 to 1; 0 without a ceiling."""
    usage, limits = job.usage, job.limits
    tokens = usage.prompt_tokens + usage.completion_tokens
    shares = [tokens / limits.max_tokens] if limits.max_tokens else []
    shares += [usage.usd / limits.max_usd] if limits.max_usd else []
    return min(1.0, max(shares, default=0.0))


def searches_left(job: Job) -> int:
    """Searches the job may still make."""
    attempts = job.searches[-1].n if job.searches else 0
    return _left(job.limits.max_searches, job.plan.searches_used, attempts)


def visits_left(job: Job) -> int:
    """Pages the job may still visit."""
    attempts = job.visits[-1].n if job.visits else 0
    return _left(job.limits.max_visits, job.plan.visits_used, attempts)


def _left(most: int, used: int, attempts: int) -> int:
    return max(0, min(most - used, ATTEMPTS_FOR_EACH * most - attempts))


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
    """Whether a URL may be visited: it was not visited before, or only refused because its host was busy.

    The addresses of one page by http and https, with and without `www.`, are one.
    """
    return not is_visited(job, url)


def candidates(job: Job) -> list[ScoredResult]:
    """Pages that may be visited next, best first."""
    open_urls = set(unvisited(job, [result.url for result in job.results]))
    return [r for r in job.results if r.url in open_urls and is_host_wanted(job, r.url)]


def given_urls(job: Job) -> list[str]:
    """URLs that the caller named and that may be visited."""
    return unvisited(job, job.inputs.urls)


def allowed_actions(job: Job) -> list[Action]:
    """The actions that the planner may decide on now. A used-up allowance removes only its own action."""
    actions: list[Action] = []
    if searches_left(job):
        actions.append("search")
    if visits_left(job) and (given_urls(job) or candidates(job)):
        actions.append("visit")
    if visits_left(job) and unread_sections(job):
        actions.append("read_section")
    return [*actions, "done"]


def unread_sections(job: Job) -> list[SectionChoice]:
    """The sections of pages that brains were not shown yet, of the newest page first."""
    read = {(visit.sha, visit.section) for visit in job.visits if visit.section}
    return [
        SectionChoice(sha=visit.sha, heading=heading)
        for visit in reversed(job.visits)
        if visit.what == "ok" and visit.sha
        for heading in visit.left_out
        if (visit.sha, heading) not in read
    ]


def is_round_open(job: Job) -> bool:
    """Whether the next decision waits for commands of the last one."""
    return job.plan.round_until_ms > 0


def is_in_phase2(job: Job) -> bool:
    """Whether the job asks vendors now."""
    return job.phase2 is not None and not job.phase2.finished_ms and job.state == "executing"


def in_flight(job: Job) -> list[str]:
    """Commands of phase 1 without an outcome, those of earlier rounds included."""
    searches = [search.command for search in job.searches if not search.what]
    return searches + [visit.command for visit in job.visits if not visit.what]
