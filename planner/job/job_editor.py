"""Edits a job: one step of the planner changes it and cuts every field to its size at the end."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from planner.goal.report_language import messages_of
from planner.job.progress import advance
from planner.job.results import best_first, trimmed_results
from planner.job.visited import dropped_digests
from planner.quality.attempts import within_room
from research_crawler.core.brain_errors import FallbackReason
from research_crawler.core.models.base import replaced
from research_crawler.core.models.jobs.job import Job, State
from research_crawler.core.models.jobs.records import (
    ScoredResult,
    SearchRecord,
    TimelineAction,
    TimelineEntry,
    VisitRecord,
)
from research_crawler.core.models.why import STORED
from research_crawler.core.web.urls import dedupe_key
from research_crawler.text.writing.messages import Messages

ROOM = 25_000
"""Most bytes of outline, attempts, searches, visits, timeline and results: one commit may change 32 kB of a job."""
_DIGEST_BYTES = 11
"""Bytes of the digest of a dropped visit in the plan."""
SEARCHES_ROOM, VISITS_ROOM, TIMELINE_ROOM = 4_500, 8_000, 4_500
"""Most bytes of ROOM that each of these three may use. The outline has its own limit; the results get the rest."""
RESULTS_ROOM = 6_000
"""The results have so many bytes at least, about 25 pages that can be read next: for these the others give way."""
MAX_LINE = 300
"""Longest line of a job's history, in characters."""
MAX_REASON = 200
"""Most characters of a reason in the record of a job or of a reading."""
MAX_SUMMARY = 300
"""Longest summary of a page, in a job's record and from the brain without a model."""
MAX_WARNINGS, MAX_WARNING = 12, 300
"""Most warnings of a job, and the longest one in characters."""

Entry = TypeVar("Entry", bound=BaseModel)


class JobEditor:
    """Edits a job: its methods replace `job`, which is immutable. `now_ms` is the time of the step."""

    def __init__(self, job: Job, now_ms: int) -> None:
        self.job, self.now_ms = job, now_ms

    @property
    def translate(self) -> Messages:
        """What code writes into the record, in the language of the goal."""
        return messages_of(self.job.inputs)

    def set(self, **changes: object) -> None:
        """Replace fields of the job."""
        self.job = replaced(self.job, **changes)

    def plan(self, **changes: object) -> None:
        """Replace fields of the plan."""
        self.set(plan=replaced(self.job.plan, **changes))

    def note(self, action: TimelineAction, text: str, by: str = "") -> None:
        """Add a line to the timeline."""
        entry = TimelineEntry(
            at_ms=self.now_ms,
            iteration=self.job.plan.iteration,
            action=action,
            text=" ".join(text.split())[:MAX_LINE],
            by=by,
        )
        self.set(timeline=[*self.job.timeline, entry])

    def warn(self, text: str) -> None:
        """Add a warning for the top of the report, unless the job has it already."""
        text = " ".join(text.split())[:MAX_WARNING]
        if text not in self.job.warnings and len(self.job.warnings) < MAX_WARNINGS:
            self.set(warnings=[*self.job.warnings, text])
            self.note("warning", text)

    def take_over(self, why: FallbackReason) -> None:
        """Record why another brain than the job's own answered, and warn of it.

        The first reason stays, unless it may pass and now a ceiling is reached: no model is asked after that.
        """
        plan = self.job.plan
        if plan.fallback and (plan.ceiling or not why.ceiling):
            return
        self.plan(fallback=why.text[:MAX_REASON], ceiling=why.ceiling)
        self.warn(self.translate("took_over", reason=" ".join(why.text.split())[:MAX_REASON]))

    def replace_search(self, record: SearchRecord) -> None:
        """Replace the record of a search by a changed one."""
        self.set(searches=[record if s.command == record.command else s for s in self.job.searches])

    def replace_visit(self, record: VisitRecord) -> None:
        """Replace the record of a visit by a changed one."""
        self.set(visits=[record if v.command == record.command else v for v in self.job.visits])

    def set_results(self, results: Sequence[ScoredResult]) -> None:
        """Replace the results; they are put in order, best first."""
        self.set(results=best_first(results))

    def enter(self, state: State) -> None:
        """Change the state."""
        self.set(state=state)

    def finish_step(self, action: str = "") -> Job:
        """The job after the step, with its progress moved on to `action` and every field cut to its size."""
        self.plan(touched_ms=self.now_ms)
        self.set(progress=advance(self.job, action))
        assessed = within_room(self.job.assessed)
        given = (self.job.outline, self.job.review, assessed)
        share = _share_of_room(size_of(given))
        timeline = _newest(self.job.timeline, int(share * TIMELINE_ROOM))
        searches = _within(self.job.searches, int(share * SEARCHES_ROOM), _slim_search)
        visits = _within(self.job.visits, int(share * VISITS_ROOM), _slim_visit)
        parts = (timeline, searches, visits, given)
        room = ROOM - sum(size_of(part) for part in parts)
        dropped = [*self.job.plan.dropped_visits, *dropped_digests(self.job.visits, visits)]
        self.plan(dropped_visits=dropped)
        read = {dedupe_key(url) for visit in self.job.visits for url in (visit.url, visit.final_url)}
        results = trimmed_results(self.job.results, room - _DIGEST_BYTES * len(dropped), read)
        self.set(timeline=timeline, searches=searches, visits=visits, results=results, assessed=assessed)
        return self.job


def size_of(entries: Sequence[BaseModel]) -> int:
    """Upper bound of the bytes of these entries as a JSON array."""
    return sum(_bytes_of(entry) + 1 for entry in entries) + 2


def _bytes_of(entry: BaseModel) -> int:
    return len(entry.model_dump_json(context=STORED).encode())


def _share_of_room(given: int) -> float:
    """The share of their rooms that timeline, searches and visits get beside `given` bytes and the least of results."""
    return min(1.0, (ROOM - RESULTS_ROOM - given) / (SEARCHES_ROOM + VISITS_ROOM + TIMELINE_ROOM))


def _within(entries: Sequence[Entry], room: int, slim: Callable[[Entry], Entry]) -> list[Entry]:
    """The entries that fit into `room` bytes.

    The oldest lose their details first. Then they are dropped, up to the first one without an outcome.
    """
    fitting, over = list(entries), size_of(entries) - room
    for index, entry in enumerate(entries):
        if over <= 0:
            return fitting
        fitting[index] = slim(entry)
        over -= _bytes_of(entry) - _bytes_of(fitting[index])
    while fitting and over > 0 and bool(getattr(fitting[0], "what", True)):
        over -= _bytes_of(fitting.pop(0)) + 1
    return fitting


def _slim_search(record: SearchRecord) -> SearchRecord:
    return record.changed(providers=[], query=record.query[:120])


def _slim_visit(record: VisitRecord) -> VisitRecord:
    return record.changed(
        summary="", title=record.title[:60], reason=record.reason.cut(40), final_url="", left_out=[]
    )


def _newest(timeline: Sequence[TimelineEntry], room: int) -> list[TimelineEntry]:
    newest = []
    for entry in reversed(timeline):
        room -= _bytes_of(entry) + 1
        if room < 0:
            break
        newest.append(entry)
    return newest[::-1]
