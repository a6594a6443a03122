"""Turns the steps of a job into lines for the user: what the planner asked for, and the outcome."""

from dataclasses import dataclass
from typing import Final

from research_crawler.cli.views.printed_reports import printable
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import SearchRecord, TimelineAction, TimelineEntry, VisitRecord
from research_crawler.core.models.offers.phase2 import VendorTry
from research_crawler.core.text.counting import count
from research_crawler.core.web.urls import host_of

_MARKS: Final[dict[TimelineAction, str]] = {
    "search": "⌕", "visit": "→", "beside": "→", "section": "→", "wait": "·",
    "done": "✓", "forced": "!", "stuck": "↻", "warning": "!", "brain": "·",
    "resumed": "↻", "failed": "✗", "review": "?", "lookup": "⌕", "vendor": "→", "vendors_done": "✔",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A line for the user: its mark, what was done, and the reason in smaller print."""

    mark: str
    title: str
    reason: str = ""

    @property
    def text(self) -> str:
        """The whole line as text."""
        return f"{self.mark} {self.title}" + (f" – {self.reason}" if self.reason else "")


class Steps:
    """Returns, for each new state of a job, the lines that are new in it."""

    def __init__(self, job: Job | None = None) -> None:
        """The lines of `job` are not returned again."""
        self._known: set[object] = set()
        if job:
            self.new_lines(job)

    def new_lines(self, job: Job) -> list[Line]:
        """The lines since the last call: each step, followed by its outcomes."""
        visit_warnings = {f"{visit.url}: {visit.outcome} {visit.reason}" for visit in job.visits}
        outcomes = [(s.round, s.command, found_by(s)) for s in job.searches if s.outcome]
        outcomes += [(v.round, v.command, read_from(v)) for v in job.visits if v.outcome]
        lines, round_ = [], 0
        for entry, opened in zip(job.timeline, rounds_opened(job), strict=True):
            lines += self._new_outcomes(outcomes, before=opened or round_ + 1)
            round_ = opened or round_
            if entry.action != "brain" and entry.text not in visit_warnings and self._is_new(entry):
                lines.append(timeline_line(entry))
        lines += self._new_outcomes(outcomes, before=job.plan.round + 1)
        return self._with_vendors(lines, job)

    def _with_vendors(self, lines: list[Line], job: Job) -> list[Line]:
        """Insert the outcomes of vendors before the line that ends phase 2."""
        asked = job.phase2.vendors if job.phase2 else []
        ended = [vendor for vendor in asked if vendor.stage in ("answered", "failed")]
        offers = [vendor_outcome(vendor) for vendor in ended if self._is_new(f"vendor {vendor.host}")]
        place = next((n for n, line in enumerate(lines) if line.mark == _MARKS["vendors_done"]), len(lines))
        return [*lines[:place], *offers, *lines[place:]]

    def _new_outcomes(self, outcomes: list[tuple[int, str, Line]], *, before: int) -> list[Line]:
        return [line for round_, command, line in outcomes if round_ < before and self._is_new(command)]

    def _is_new(self, thing: object) -> bool:
        if thing in self._known:
            return False
        self._known.add(thing)
        return True


def rounds_opened(job: Job) -> list[int]:
    """For each line of the timeline, the number of the round that it opened, or 0.

    Rounds are counted from the end, because the timeline may have lost its oldest lines.
    """
    opened, round_ = [], job.plan.round
    for entry in reversed(job.timeline):
        opens = entry.action in ("search", "visit", "section", "wait")
        opened.append(round_ if opens else 0)
        round_ -= opens
    return opened[::-1]


def timeline_line(entry: TimelineEntry) -> Line:
    """A line of the timeline. Several pages are counted: each has a line of its own when its outcome is there."""
    title, _, reason = printable(entry.text).partition(" – ")
    mark = _MARKS.get(entry.action, "·")
    match entry.action:
        case "search":
            title = f"searching: {title}"
        case "lookup":
            title = f"looking for vendors: {title}"
        case "vendor":
            title = f"asking {title}"
        case "visit" | "beside":
            urls = title.split()
            what = count(len(urls), "page") if len(urls) > 1 else host_of(urls[0]) if urls else "a page"
            title = f"reading {what}"
    return Line(mark, title, reason)


def found_by(search: SearchRecord) -> Line:
    """The outcome of a search."""
    if search.outcome != "ok":
        return Line("  ✗", "no search results", printable(search.reason.text))
    failed = [provider.provider for provider in search.providers if not provider.ok]
    return Line("  ✓", count(search.results, "result"), f"without {', '.join(failed)}" if failed else "")


def read_from(visit: VisitRecord) -> Line:
    """The outcome of a visit."""
    url = visit.final_url or visit.url
    if visit.outcome != "ok":
        return Line(
            "  ✗",
            host_of(url),
            printable(f"{visit.outcome}: {visit.reason}" if visit.reason else visit.outcome),
        )
    stored = ", from the store" if visit.from_store else ""
    return Line("  ✓", f"{host_of(url)}: {count(visit.findings, 'finding')}{stored}", printable(visit.title))


def vendor_outcome(vendor: VendorTry) -> Line:
    """The outcome at a vendor."""
    if vendor.stage == "failed":
        return Line("  ✗", vendor.host, printable(vendor.reason.text))
    return Line("  ✓", f"{vendor.host}: {count(vendor.found, 'offer')}")
