"""Says what a job waits for, for every interface: a planner, a crawler, a host, a search provider, a model."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from research_crawler.adapters.redis.connection import memory_fault
from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.ports.models import OPENAI_URL
from research_crawler.core.tasks.shared_run import SharedRun
from research_crawler.core.text.translatable import TranslatableText, translatable
from research_crawler.core.web.urls import host_of, origin_of
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.frontier.frontier_reader import Counts
from research_crawler.runtime.runtime import Runtime

_SHOWN_DELAY_MS: Final = 500
"""Shorter delays are told to nobody."""
_FRESH_S: Final = 1.0
"""How long what all jobs share counts as known, in a process that tells of hundreds of jobs at once."""


@dataclass(frozen=True)
class Surroundings:
    """What is the same for all jobs, looked up once for those that are shown together."""

    has_planner: bool
    counts: Counts
    model_calls: Mapping[str, int]
    """Job → its calls that wait for a slot of the model endpoint."""
    full: str = ""
    """Why nothing new begins, if Redis has reached its memory limit."""


async def look_up_obstacles(runtime: Runtime) -> Surroundings:
    """Look up what jobs may wait for."""
    parts = runtime.container
    planners, counts, calls, full = await asyncio.gather(
        parts.presence.others(PLANNER),
        parts.frontier.counts(audit=False),
        parts.budget.waiting_calls(_endpoint(runtime)),
        memory_fault(parts.folder.redis),
    )
    return Surroundings(runtime.plan or planners > 0, counts, calls, full)


def shared_look(runtime: Runtime) -> SharedRun[Surroundings]:
    """What jobs may wait for, looked up at most once a second for all who ask."""
    return SharedRun(lambda: look_up_obstacles(runtime), fresh_s=_FRESH_S)


async def waits_of_all(runtime: Runtime, jobs: Sequence[Job]) -> list[list[str]]:
    """What each of these jobs waits for."""
    if all(job.state in FINAL_STATES for job in jobs):
        return [[] for _ in jobs]
    around = await look_up_obstacles(runtime)
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
        return [
            translatable(
                "waits for an answer of a person: %(question)s (answer with: research review %(job)s)",
                question=question,
                job=job.id,
            )
        ]
    around = around or await look_up_obstacles(runtime)
    if not around.has_planner:
        return [translatable("waits for a planner: none is running")]
    if around.full:
        return [translatable("waits for memory: %(why)s", why=around.full)]
    if job.state == "pending":
        return [
            translatable(
                "waits for its turn: %(number)s other jobs are active", number=around.counts.active_jobs
            )
        ]
    locations = await runtime.container.frontier.locations(job.id)
    calls, host = around.model_calls.get(job.id, 0), host_of(_endpoint(runtime))
    lines = waiting_lines(locations, nodes=around.counts.nodes)
    if calls:
        asks = translatable(
            "waits for a slot of the model endpoint %(host)s (calls: %(number)s)", host=host, number=calls
        )
        lines.append(asks)
    return lines


def _endpoint(runtime: Runtime) -> str:
    """The origin of the model endpoint."""
    return origin_of(runtime.config.openai_base_url or OPENAI_URL)


def waiting_lines(locations: Sequence[CommandLocation], *, nodes: int) -> list[str]:
    """What commands in these places wait for: one line for each host or provider, the longest waits first."""
    queued = sorted(
        (location for location in locations if not location.leased), key=lambda location: -location.for_ms
    )
    if queued and not nodes:
        return [translatable("waits for a crawler: none is running")]
    first: dict[tuple[str, str], CommandLocation] = {}
    for location in queued:
        first.setdefault((location.queue, location.slot), location)
    return [_line(location) for location in first.values()]


def _line(location: CommandLocation) -> str:
    if location.queue == "person":
        return translatable(
            "waits for a person to open %(host)s (research interventions list)", host=location.slot
        )
    what = _what(location)
    if location.is_full:
        details = [
            translatable("a call is under way")
            if location.provider
            else translatable("a download from it is under way")
        ]
    elif location.free_in_ms >= _SHOWN_DELAY_MS:
        details = [translatable("delay %(seconds)s s", seconds=f"{location.free_in_ms / 1000:.0f}")]
    else:
        details = []
    if location.before:
        details.append(translatable("%(number)s before it", number=location.before))
    if location.slot == "_" and not details:
        details = [
            translatable("none that takes searches is free")
            if location.queue == "search"
            else translatable("none is free")
        ]
    if not details:
        return translatable("waits for %(what)s", what=what)
    told = reduce(lambda first, then: translatable("%(first)s, %(then)s", first=first, then=then), details)
    return translatable("waits for %(what)s: %(details)s", what=what, details=told)


def _what(location: CommandLocation) -> TranslatableText:
    """The host, provider or crawler that a command waits for."""
    if location.slot == "_" and location.free_in_ms == 0:
        what = translatable("a crawler")
    elif location.provider:
        what = translatable("provider %(name)s", name=location.provider)
    else:
        what = translatable("host %(host)s", host=location.slot)
    return (
        translatable("a crawler with a browser, for %(what)s", what=what)
        if location.queue == "render"
        else what
    )
