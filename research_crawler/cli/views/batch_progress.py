"""Shows on stderr how far a batch is while it runs."""

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from research_crawler.cli.session import echo, write
from research_crawler.cli.views.batch_view import counts_of, spent_of
from research_crawler.cli.views.terminal import SafeConsole

if TYPE_CHECKING:
    from research_crawler.core.models.jobs.batches import BatchEntry

LINE_EVERY_S = 10.0
"""Where stderr is no terminal, a line of progress is printed so often."""


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
