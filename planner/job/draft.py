"""A job's record while one step changes it."""

from collections.abc import Callable, Sequence
from typing import TypeVar, Unpack

from pydantic import BaseModel

from planner.job.progress import advance
from planner.job.results import best_first, trimmed_results
from research_crawler.core.models.changes import JobChanges, PlanChanges
from research_crawler.core.models.jobs import (
    Job,
    ScoredResult,
    SearchRecord,
    State,
    TimelineEntry,
    VisitRecord,
)

ROOM = 25_000
"""Bytes of searches, visits, timeline and results together: one commit may change 32 kB of a job."""
SEARCHES_ROOM, VISITS_ROOM, TIMELINE_ROOM = 5_000, 9_000, 5_000
"""What the first three may take of it; the results get what is left."""
MAX_LINE = 300
MAX_REASON = 200
"""Characters of a reason that the record of a job or of a reading keeps."""
MAX_WARNINGS, MAX_WARNING = 12, 300

Entry = TypeVar("Entry", bound=BaseModel)


MAX_SUMMARY = 300


class Draft:
    """A working copy: methods change `job`, which is immutable itself. Its clock is the step's."""

    def __init__(self, job: Job, now_ms: int) -> None:
        self.job, self.now_ms = job, now_ms

    def set(self, **changes: Unpack[JobChanges]) -> None:
        """Replace fields of the job."""
        self.job = self.job.changed(**changes)

    def plan(self, **changes: Unpack[PlanChanges]) -> None:
        """Replace fields of the plan."""
        self.set(plan=self.job.plan.changed(**changes))

    def note(self, action: str, text: str, by: str = "") -> None:
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
        """Add a warning that the report opens with, once."""
        text = " ".join(text.split())[:MAX_WARNING]
        if text not in self.job.warnings and len(self.job.warnings) < MAX_WARNINGS:
            self.set(warnings=[*self.job.warnings, text])
            self.note("warning", text)

    def replace_search(self, record: SearchRecord) -> None:
        """Put a changed search record in the place of the old one."""
        self.set(searches=[record if s.command == record.command else s for s in self.job.searches])

    def replace_visit(self, record: VisitRecord) -> None:
        """Put a changed visit record in the place of the old one."""
        self.set(visits=[record if v.command == record.command else v for v in self.job.visits])

    def set_results(self, results: Sequence[ScoredResult]) -> None:
        """The results, best first."""
        self.set(results=best_first(results))

    def enter(self, state: State) -> None:
        """Change the state."""
        self.set(state=state)

    def closed(self, action: str = "") -> Job:
        """The new job: progress moved on to `action`, every field within its size."""
        self.plan(touched_ms=self.now_ms)
        self.set(progress=advance(self.job, action))
        timeline = _newest(self.job.timeline)
        searches = _within(self.job.searches, SEARCHES_ROOM, _slim_search)
        visits = _within(self.job.visits, VISITS_ROOM, _slim_visit)
        room = ROOM - size_of(timeline) - size_of(searches) - size_of(visits)
        results = trimmed_results(self.job.results, room)
        self.set(timeline=timeline, searches=searches, visits=visits, results=results)
        return self.job


def size_of(entries: Sequence[BaseModel]) -> int:
    """Upper bound of the bytes that these take as a JSON array."""
    return sum(len(entry.model_dump_json().encode()) + 1 for entry in entries) + 2


def _newest(timeline: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    kept, room = [], TIMELINE_ROOM
    for entry in reversed(timeline):
        room -= len(entry.model_dump_json().encode()) + 1
        if room < 0:
            break
        kept.append(entry)
    return kept[::-1]


def _within(entries: Sequence[Entry], room: int, slim: Callable[[Entry], Entry]) -> list[Entry]:
    """Entries that fit their room: the oldest lose their details first, then go; open ones stay."""
    kept, over = list(entries), size_of(entries) - room
    for place, entry in enumerate(entries):
        if over <= 0:
            return kept
        kept[place] = slim(entry)
        over -= len(entry.model_dump_json().encode()) - len(kept[place].model_dump_json().encode())
    while kept and over > 0 and bool(getattr(kept[0], "what", True)):
        over -= len(kept.pop(0).model_dump_json().encode()) + 1
    return kept


def _slim_search(record: SearchRecord) -> SearchRecord:
    return record.changed(providers=[], query=record.query[:120])


def _slim_visit(record: VisitRecord) -> VisitRecord:
    return record.changed(summary="", title=record.title[:60], reason=record.reason.cut(40), final_url="")


def fallback_warning(note: str) -> str:
    """The line by which a report says that another brain took over."""
    return f"The extractive brain took over: {' '.join(note.split())[:MAX_REASON]}"
