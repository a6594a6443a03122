"""Submits many jobs at once with one SearXNG: each must have its search, and findings.

Counts, not times: how long the jobs take depends on the machine, how many of them get a search must not.
"""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.jobs.stage import stage, submit, system_of, until_over
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.demo.demo_questions import load_questions
from research_crawler.services.submission.job_question import request_from

AT_ONCE = (20, 60, 100)
CALLS_AT_ONCE = 8
"""The default concurrency of SearXNG."""
PATIENCE_S = 900.0


@dataclass(frozen=True)
class Outcome:
    """What came of the jobs that were submitted at once."""

    searched: int
    """Jobs with a search that has results."""
    found: int
    """Jobs with findings."""
    searches: int
    """Searches of all jobs."""
    refused: int
    """Searches that failed."""
    unread: int
    """Searches that their jobs no longer waited for."""
    calls: int
    """Calls that the search engine has served."""
    most_at_once: int
    seconds: float


def measure(calibration: Calibration) -> Iterator[Figure]:
    """One run for each number of jobs, on an empty data folder, with one crawler and one planner."""
    for jobs in AT_ONCE:
        outcome, factor = calibration.with_factor(lambda jobs=jobs: _run(jobs))  # type: ignore[misc]
        note = (
            f"{outcome.searches} searches, {outcome.refused} refused, {outcome.unread} that their jobs did not wait "
            f"for; {outcome.calls} calls, at most {outcome.most_at_once} at once; {outcome.seconds:.0f} s"
        )
        yield counted(
            f"{jobs} jobs at once: jobs with a search",
            outcome.searched,
            "jobs",
            ok=outcome.searched == jobs and not outcome.refused and outcome.most_at_once <= CALLS_AT_ONCE,
            target=f"{jobs}, none refused, ≤ {CALLS_AT_ONCE} calls at once",
            note=note,
            factor=factor,
        )
        yield Figure(f"{jobs} jobs at once: jobs with findings", outcome.found, "jobs", factor=factor)


def _run(count: int) -> Outcome:
    with stage() as on:
        env, config = system_of(on.settings())
        for child in [on.start(role, env) for role in ("crawl", "plan")]:
            child.wait_until_up()
        goals = [question.goal for question in load_questions(on.web.hosts)]
        asked = [JobQuestion(goal=goals[n % len(goals)]) for n in range(count)]
        jobs = [request_from(config, question).to_job(config) for question in asked]
        ids = [job.id for job in jobs]
        begun = time.monotonic()
        submit(config, jobs)
        until_over(on.redis_url, ids, within_s=PATIENCE_S)
        seconds = time.monotonic() - begun
        served = [(one.start_ms, one.end_ms) for one in on.web.log() if one.path.startswith("/search")]
        return asyncio.run(_outcome(config, ids, served, seconds))


async def _outcome(
    config: Config, jobs: list[str], served: list[tuple[float, float]], seconds: float
) -> Outcome:
    archive = SqlArchive(config)
    await archive.open()
    archived = [stored for job in jobs if (stored := await archive.get_job(job))]
    await archive.close()
    records = [stored[0] for stored in archived]
    searches = [search for record in records for search in record.searches]
    moments = sorted((at, step) for start, end in served for at, step in ((start, 1), (end, -1)))
    return Outcome(
        searched=sum(any(search.results for search in record.searches) for record in records),
        found=sum(bool(stored[2].get("evidence")) for stored in archived),
        searches=len(searches),
        refused=sum(search.outcome not in ("", "ok") for search in searches),
        unread=sum(not search.outcome for search in searches),
        calls=len(served),
        most_at_once=max((sum(step for _, step in moments[: n + 1]) for n in range(len(moments))), default=0),
        seconds=seconds,
    )
