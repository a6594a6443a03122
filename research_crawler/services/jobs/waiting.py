"""Says what a job waits for, for every interface: a planner, a crawler, a host, a search provider, a model."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research_crawler.adapters.redis.connection import memory_fault
from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.ports.models import OPENAI_URL
from research_crawler.core.text.counting import count
from research_crawler.core.web.urls import host_of, origin_of
from research_crawler.frontier.command_places import Place
from research_crawler.frontier.frontier_reader import Counts
from research_crawler.runtime.runtime import Runtime


@dataclass(frozen=True)
class Surroundings:
    """What is the same for all jobs, looked up once for those that are shown together."""

    has_planner: bool
    counts: Counts
    model_calls: Mapping[str, int]
    """Job → its calls that wait for a slot of the model endpoint."""
    full: str = ""
    """Why nothing new begins, if Redis has reached its memory limit."""


async def look_around(runtime: Runtime) -> Surroundings:
    """Look up what jobs may wait for."""
    parts = runtime.container
    planners, counts, calls, full = await asyncio.gather(
        parts.presence.others(PLANNER),
        parts.frontier.counts(audit=False),
        parts.budget.waiting_calls(_endpoint(runtime)),
        memory_fault(parts.folder.redis),
    )
    return Surroundings(runtime.plan or planners > 0, counts, calls, full)


async def waits_of_all(runtime: Runtime, jobs: Sequence[Job]) -> list[list[str]]:
    """What each of these jobs waits for."""
    if all(job.state in FINAL_STATES for job in jobs):
        return [[] for _ in jobs]
    around = await look_around(runtime)
    return await asyncio.gather(*(waits_of(runtime, job, around) for job in jobs))


async def waits_of(runtime: Runtime, job: Job, around: Surroundings | None = None) -> list[str]:
    """What a job waits for, one line each; empty if it is over or being worked on.

    Args:
        runtime: a connected process.
        job: its record.
        around: what was looked up for several jobs; None: it is looked up now.
    """
    if job.state in FINAL_STATES:
        return []
    if job.state == "waiting_for_human":
        question = job.review.question.text if job.review.question else ""
        return [f"waits for an answer of a person: {question} (answer with: research review {job.id})"]
    around = around or await look_around(runtime)
    if not around.has_planner:
        return ["waits for a planner: none is running"]
    if around.full:
        return [f"waits for memory: {around.full}"]
    if job.state == "pending":
        return [f"waits for its turn: {around.counts.active_jobs} other jobs are active"]
    places = await runtime.container.frontier.places(job.id)
    calls, host = around.model_calls.get(job.id, 0), host_of(_endpoint(runtime))
    asks = [f"waits for a slot of the model endpoint {host} ({count(calls, 'call')})"] if calls else []
    return [*lines_of(places, nodes=around.counts.nodes), *asks]


def _endpoint(runtime: Runtime) -> str:
    """The origin of the model endpoint."""
    return origin_of(runtime.config.openai_base_url or OPENAI_URL)


def lines_of(places: Sequence[Place], *, nodes: int) -> list[str]:
    """What commands in these places wait for: one line for each host or provider, the longest waits first."""
    queued = sorted((place for place in places if not place.leased), key=lambda place: -place.for_ms)
    if queued and not nodes:
        return ["waits for a crawler: none is running"]
    first: dict[tuple[str, str], Place] = {}
    for place in queued:
        first.setdefault((place.queue, place.slot), place)
    return [_line(place) for place in first.values()]


def _line(place: Place) -> str:
    if place.queue == "person":
        return f"waits for a person to open {place.slot} (research interventions list)"
    what = f"provider {place.provider}" if place.provider else f"host {place.slot}"
    if place.slot == "_":
        what = "a crawler" if place.free_in_ms == 0 else what
    if place.queue == "render":
        what = f"a crawler with a browser, for {what}"
    if place.is_full:
        details = ["a call is under way" if place.provider else "a download from it is under way"]
    else:
        details = [f"delay {place.free_in_ms / 1000:.0f} s"] if place.free_in_ms >= 500 else []
    details += [f"{place.before} before it"] if place.before else []
    if place.slot == "_" and not details:
        details = ["none that takes searches is free" if place.queue == "search" else "none is free"]
    return f"waits for {what}" + (f": {', '.join(details)}" if details else "")
