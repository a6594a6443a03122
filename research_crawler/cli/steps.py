"""A job's steps as lines: what was asked for, and what came of it."""

from dataclasses import dataclass

from research_crawler.cli.show import printable
from research_crawler.core.models.jobs import Job, SearchRecord, TimelineEntry, VisitRecord
from research_crawler.core.models.phase2 import VendorTry
from research_crawler.core.urls import host_of

_MARKS = {
    "search": "⌕", "visit": "→", "done": "✓", "forced": "!", "stuck": "↻", "warning": "!", "brain": "·",
    "resumed": "↻", "failed": "✗", "lookup": "⌕", "vendor": "→", "vendors_done": "✔",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A step: its mark, what it is, and in smaller print why."""

    mark: str
    what: str
    why: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.mark} {self.what}" + (f" – {self.why}" if self.why else "")


class Steps:
    """Answers, for each new state of a job, the lines that were not there before."""

    def __init__(self, job: Job | None = None) -> None:
        """`job`: what has happened up to here is known already."""
        self._known: set[object] = set()
        if job:
            self.new_lines(job)

    def new_lines(self, job: Job) -> list[Line]:
        """What has happened since the last call: each step, then what came of it."""
        told = {f"{visit.url}: {visit.what} {visit.reason}" for visit in job.visits}
        outcomes = [(s.round, s.command, found_by(s)) for s in job.searches if s.what]
        outcomes += [(v.round, v.command, read_from(v)) for v in job.visits if v.what]
        lines, round_ = [], 0
        for entry, opened in zip(job.timeline, rounds_opened(job), strict=True):
            lines += self._new_outcomes(outcomes, before=opened or round_ + 1)
            round_ = opened or round_
            if entry.action != "brain" and entry.text not in told and self._is_new(entry):
                lines.append(line_of(entry))
        lines += self._new_outcomes(outcomes, before=job.plan.round + 1)
        return self._with_vendors(lines, job)

    def _with_vendors(self, lines: list[Line], job: Job) -> list[Line]:
        """The lines with what vendors gave, which stands before the line that ends phase 2."""
        asked = job.phase2.vendors if job.phase2 else []
        ended = [vendor for vendor in asked if vendor.stage in ("answered", "failed")]
        offers = [offers_of(vendor) for vendor in ended if self._is_new(f"vendor {vendor.host}")]
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
    """For each line of the timeline the round it opened, or 0; counted from the end, for the oldest may be gone."""
    opened, round_ = [], job.plan.round
    for entry in reversed(job.timeline):
        opens = entry.action in ("search", "visit")
        opened.append(round_ if opens else 0)
        round_ -= opens
    return opened[::-1]


def line_of(entry: TimelineEntry) -> Line:
    """A line of the timeline; pages by their hosts, for addresses are long."""
    what, _, why = printable(entry.text).partition(" – ")
    mark = _MARKS.get(entry.action, "·")
    if entry.action == "search":
        return Line(mark, f"searching: {what}", why)
    if entry.action == "lookup":
        return Line(mark, f"looking for vendors: {what}", why)
    if entry.action == "vendor":
        return Line(mark, f"asking {what}", why)
    if entry.action == "visit":
        urls = what.split()
        return Line(mark, f"reading {_count(len(urls), 'page')}: {_hosts(urls)}", why)
    return Line(mark, what, why)


def found_by(search: SearchRecord) -> Line:
    """What came of a search."""
    if search.what != "ok":
        return Line("  ✗", "the search gave nothing", printable(search.reason.text))
    failed = [provider.provider for provider in search.providers if not provider.ok]
    return Line("  ✓", _count(search.results, "result"), f"without {', '.join(failed)}" if failed else "")


def read_from(visit: VisitRecord) -> Line:
    """What came of a visit."""
    url = visit.final_url or visit.url
    if visit.what != "ok":
        return Line(
            "  ✗", host_of(url), printable(f"{visit.what}: {visit.reason}" if visit.reason else visit.what)
        )
    stored = ", from the store" if visit.from_store else ""
    return Line("  ✓", f"{host_of(url)}: {_count(visit.findings, 'finding')}{stored}", printable(visit.title))


def offers_of(vendor: VendorTry) -> Line:
    """What came of asking a vendor."""
    if vendor.stage == "failed":
        return Line("  ✗", vendor.host, printable(vendor.reason.text))
    return Line("  ✓", f"{vendor.host}: {_count(vendor.found, 'offer')}")


def _hosts(urls: list[str]) -> str:
    """Each host once, with how many pages where there are several."""
    hosts = [host_of(url) for url in urls]
    return ", ".join(
        host if hosts.count(host) == 1 else f"{host} ({hosts.count(host)})" for host in dict.fromkeys(hosts)
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
