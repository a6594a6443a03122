"""Shows batches: their progress on stderr, and lines and JSON for people and scripts."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from research_crawler.cli.session import echo, write
from research_crawler.cli.views.terminal import SafeConsole
from research_crawler.core.text.plain_text import clean_line

if TYPE_CHECKING:
    from research_crawler.core.models.batches import BatchEntry, BatchRow

LINE_EVERY_S = 10.0
"""Where stderr is no terminal, a line of progress is printed so often."""
_STATES = ("running", "waiting", "done", "insufficient", "failed", "cancelled")


class BatchDisplay:
    """Shows how far a batch is: a bar with rate and time left, or a line now and then. A context manager."""

    def __init__(self, *, shown: bool = True) -> None:
        self.shown = shown
        console = SafeConsole(stderr=True, highlight=False)
        self._is_live = shown and console.is_terminal and not console.is_dumb_terminal
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("[bold]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}", style="dim"),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=None, pace="")
        self._began_s, self._began_rows, self._last_line_s = time.monotonic(), -1, 0.0

    def __enter__(self) -> Self:
        """Show the bar."""
        if self._is_live:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_live:
            self._bar.stop()

    def say(self, starting: str) -> None:
        """Tell what is being started."""
        if self.shown and not self._is_live:
            write(f"{starting}\n", err=True)
        self._bar.update(self._task, description=starting)

    def show(self, entry: "BatchEntry") -> None:
        """Show the batch as it is now."""
        ended, now_s = entry.ended_rows, time.monotonic()
        if self._began_rows < 0:
            self._began_s, self._began_rows = now_s, ended
        pace = pace_of(ended - self._began_rows, now_s - self._began_s, entry.batch.rows - ended)
        if self._is_live:
            self._bar.update(
                self._task,
                description=f"{entry.counts.get('running', 0)} running",
                total=entry.batch.rows,
                completed=ended,
                pace=" · ".join(part for part in (pace, *spent_of(entry)) if part),
            )
        elif self.shown and (now_s - self._last_line_s >= LINE_EVERY_S or entry.state != "running"):
            self._last_line_s = now_s
            parts = [f"{ended}/{entry.batch.rows} rows", counts_of(entry), pace, *spent_of(entry)]
            echo(" · ".join(part for part in parts if part), err=True)


def pace_of(rows: int, seconds: float, left: int) -> str:
    """Rows an hour and the time left; "" until a row has ended."""
    if rows <= 0 or seconds <= 0:
        return ""
    rate = rows / seconds
    return f"{rate * 3600:,.0f} rows/h" + (f" · {_span(left / rate)} left" if left > 0 else "")


def _span(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def counts_of(entry: "BatchEntry") -> str:
    """How many rows are in which state, in one line."""
    counts: dict[Any, int] = dict(entry.counts)
    return ", ".join(f"{counts[state]} {state}" for state in _STATES if counts.get(state))


def spent_of(entry: "BatchEntry") -> list[str]:
    """What the batch has used so far."""
    used = [f"{entry.pages} pages"] if entry.pages else []
    used += [f"{entry.tokens:,} tokens"] if entry.tokens else []
    return used + ([f"${entry.usd:.2f}"] if entry.usd else [])


def entry_line(entry: "BatchEntry", *, stands_still: bool = False) -> str:
    """A batch in one line. `stands_still`: no process works on batches now."""
    name = clean_line(entry.batch.name)[:60]
    state = "paused" if stands_still and entry.state == "running" else entry.state
    return f"{entry.batch.id}  {state:9}  {entry.ended_rows:>6}/{entry.batch.rows:<6}  {name}"


def print_batch(entry: "BatchEntry", rows: Sequence["BatchRow"], *, stands_still: bool = False) -> None:
    """Print a batch, and the rows if there are any."""
    echo(entry_line(entry, stands_still=stands_still))
    parts = [counts_of(entry), *spent_of(entry)]
    echo(f"  {' · '.join(part for part in parts if part)}")
    if entry.reason:
        echo(f"  stopped: {clean_line(entry.reason)}")
    for row in rows:
        fields = clean_line(", ".join(value for value in row.fields.values() if value))[:60]
        why = clean_line(row.result.error or row.result.cause)
        echo(f"  {row.n:>6}  {row.state:12}  {fields}" + (f"  {why}" if why else ""))


def entry_json(entry: "BatchEntry") -> dict[str, Any]:
    """A batch as `batch status --json` prints it."""
    from research_crawler.services.batches.documents import batch_document

    return batch_document(entry).model_dump(mode="json")
