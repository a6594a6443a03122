"""What a job may still do: its searches, visits, time and decisions."""

from enum import StrEnum

from planner.goal.stack import is_off_stack
from planner.job.rejected import is_rejected_source
from planner.job.visited import is_visited, unvisited
from planner.quality.quality_policy import may_attempt
from research_crawler.core.models.jobs.decisions import Action, SectionChoice
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.planning_state import StoredSource
from research_crawler.core.models.jobs.records import ScoredResult
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.web.urls import host_of
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages

LEAST_LEFT_S = 1.0
"""With less time left, the planner sends no more commands."""
ATTEMPTS_FOR_EACH = 3
"""Most attempts for each search and each page that a job may have. A page that is missing or refused costs nothing but
an attempt; without an end to them, a web in which every page fails would keep a job busy until its time is over."""
FIRST_VENDOR_ROUND = 1_000
"""Rounds of phase 2 are numbered from here, so that a timer of phase 1 never matches one of them."""
MAX_HELP = 3
"""Most questions to a person in one job: a model that only asks would never end."""


class ForcedEnd(StrEnum):
    """Why phase 1 is ended without the planner's decision; the value is what a job's record has."""

    TIMEOUT = "timeout"
    WAITING = "waiting"
    """Waiting for hosts, nodes and models took too long."""
    ITERATIONS = "iterations"
    NOTHING_LEFT = "nothing left"
    """Nothing may be searched for or read any more."""
    STUCK = "stuck"
    """The job only repeats itself, and every way out was taken."""
    TARGETS = "targets"
    """What was missing is found."""
    BRAIN_FAILED = "brain failed"
    ACCEPTED = "accepted"
    """A person has accepted what there is."""
    CEILING = "ceiling"
    """What may be spent on models is spent."""


def forced_line(forced: str, translate: Messages = ENGLISH_MESSAGES) -> str:
    """A forced end as reports show it; "" if the planner decided."""
    return translate(f"forced_{forced.replace(' ', '_')}") if forced in list(ForcedEnd) else forced


def spent_share(job: Job) -> float:
    """How much of the job's ceiling of tokens or money is used, 0 to 1; 0 without a ceiling."""
    usage, limits = job.usage, job.limits
    tokens = usage.prompt_tokens + usage.completion_tokens
    shares = [tokens / limits.max_tokens] if limits.max_tokens else []
    shares += [usage.usd / limits.max_usd] if limits.max_usd else []
    return min(1.0, max(shares, default=0.0))


def searches_left(job: Job) -> int:
    """Searches the job may still make; none once its attempts are used or were good enough."""
    if not may_attempt(job):
        return 0
    attempts, begun = job.searches[-1].n if job.searches else 0, job.plan.review_round_start
    used = job.plan.searches_used - begun.searches_used
    return _left(job.limits.max_searches, used, attempts - begun.searches)


def visits_left(job: Job) -> int:
    """Pages the job may still visit."""
    attempts, begun = job.visits[-1].n if job.visits else 0, job.plan.review_round_start
    used = job.plan.visits_used - begun.visits_used
    return _left(job.limits.max_visits, used, attempts - begun.visits)


def _left(most: int, used: int, attempts: int) -> int:
    return max(0, min(most - used, ATTEMPTS_FOR_EACH * most - attempts))


def decisions_made(job: Job) -> int:
    """The planner's decisions in the present round of the review, or in all if nobody has reviewed the job."""
    return job.plan.iteration - job.plan.review_round_start.iterations


def is_host_wanted(job: Job, url: str) -> bool:
    """Whether the caller's host lists allow a visit of this URL, and no person has rejected it.

    A host name includes its subdomains.
    """
    if is_rejected_source(job.review, url):
        return False
    host = host_of(url)

    def listed(names: list[str]) -> bool:
        return any(
            host == name or host.endswith("." + name) for name in (n.lower().strip(".") for n in names)
        )

    inputs = job.inputs
    return not listed(inputs.exclude_hosts) and (not inputs.include_hosts or listed(inputs.include_hosts))


def is_date_wanted(job: Job, published: str) -> bool:
    """Whether the caller's dates allow a page that was published then; a page without a date is allowed."""
    day = published[:10]
    since, until = job.inputs.since, job.inputs.until
    return not day or ((not since or day >= since[: len(day)]) and (not until or day <= until))


def is_result_wanted(job: Job, result: SearchResult) -> bool:
    """Whether a result may be shown to brains: host and date are wanted, and it is not about another technology."""
    inputs = job.inputs
    if not (is_host_wanted(job, result.url) and is_date_wanted(job, result.published)):
        return False
    return not is_off_stack(
        inputs.stack,
        inputs.goal,
        url=result.url,
        title=result.title,
        snippet=result.snippet,
        host=host_of(result.url),
    )


def is_open_for_visit(job: Job, url: str) -> bool:
    """Whether a URL may be visited: it was not visited before, or only refused because its host was busy.

    The addresses of one page by http and https, with and without `www.`, are one.
    """
    return not is_visited(job, url)


def candidates(job: Job) -> list[ScoredResult]:
    """Pages that may be visited next, best first."""
    open_urls = set(unvisited(job, [result.url for result in job.results]))
    return [r for r in job.results if r.url in open_urls and is_host_wanted(job, r.url)]


def stored_pages_left(job: Job) -> list[StoredSource]:
    """The caller's files, as many as may be visited, and the pages of an earlier job, which count for nothing.

    They are read from the archive before anything else.
    """
    files = [source for source in job.plan.stored if source.origin != "memory"]
    return [*files[: visits_left(job)], *(source for source in job.plan.stored if source.origin == "memory")]


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
    if may_ask_reviewer(job):
        actions.append("ask_human")
    return actions if "search" in actions and _owes_search(job) else [*actions, "done"]


def _owes_search(job: Job) -> bool:
    """Whether the job has not searched, and has read nothing itself or knows of earlier jobs: what is known is no
    reason not to look. So all first steps offer the same, with the same schema."""
    has_looked = job.searches or (job.visits and not job.plan.remembered)
    return not has_looked and not job.inputs.about_job


def may_ask_reviewer(job: Job) -> bool:
    """Whether the planner may ask a person for help: a review is wanted, and it has not asked too often."""
    return job.inputs.review != "never" and not job.review.accepted and job.review.helped < MAX_HELP


def unread_sections(job: Job) -> list[SectionChoice]:
    """The sections of pages that brains were not shown yet, of the newest page first."""
    read = {(visit.sha, visit.section) for visit in job.visits if visit.section}
    return [
        SectionChoice(sha=visit.sha, heading=heading)
        for visit in reversed(job.visits)
        if visit.outcome == "ok" and visit.sha and not is_rejected_source(job.review, visit.url)
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
    searches = [search.command for search in job.searches if not search.outcome]
    return searches + [visit.command for visit in job.visits if not visit.outcome]
