"""Shows the progress of a job on stderr: a line per step, and on a terminal what it is doing now below them."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from research_crawler.cli.session import echo, write
from research_crawler.cli.views.terminal import SafeConsole
from research_crawler.core.text.counting import count

if TYPE_CHECKING:
    from research_crawler.cli.views.steps import Line, Steps
    from research_crawler.core.models.jobs.job import Job
    from research_crawler.frontier.command_locations import CommandLocation

BAR_COLUMNS = 16
"""Columns of the bar of progress."""
LEAST_ACTION = 24
"""Columns that the live line keeps for what the job does; counts and bar have what is left of the terminal."""
PLAIN_COLUMNS = 160
"""Lines are cut here if stderr is not a terminal, because they end up in logs."""


class ProgressDisplay:
    """Shows what is being started, and then a job after each of its steps. Use as a context manager.

    What the job's models need is imported with the first job, so that the display can start before all else.
    """

    def __init__(self, *, shown: bool = True, plain: bool = False) -> None:
        """Show a job.

        Args:
            shown: whether anything is shown at all.
            plain: only lines, as in a log, on a terminal too.
        """
        self.shown, self.plain = shown, plain
        self._locations: Sequence[CommandLocation] = ()
        self._steps: Steps | None = None
        self._job: Job | None = None
        self._starting = "starting"
        self._started_s = time.monotonic()
        self._console = SafeConsole(stderr=True, highlight=False)
        self._spinner = Spinner("dots")
        self._live: Live | None = None

    def __enter__(self) -> Self:
        """Show what is done below the lines, unless it is shown already."""
        can_move = self._console.is_terminal and not self._console.is_dumb_terminal
        if self.shown and not self.plain and can_move and not self._live:
            self._live = Live(
                get_renderable=self._now,
                console=self._console,
                refresh_per_second=8,
                transient=True,
                redirect_stdout=False,
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take away what is below the lines, before a report is printed or the process ends."""
        if self._live:
            self._live.stop()
            self._live = None

    def say(self, starting: str) -> None:
        """Show what is being started: in the live line, or in a line of its own where there is none."""
        self._starting = starting
        if self.shown and not self._live:
            write(f"[{self._clock():>7}] {starting}\n", err=True)

    def follow(self, job: "Job") -> None:
        """Show this job from now on; the steps that it has behind it are not shown again."""
        from research_crawler.cli.views.steps import Steps

        self._job, self._steps = job, Steps(job)

    @property
    def is_live(self) -> bool:
        """Whether the terminal shows what is done now; only then is it of use to look where open pages are."""
        return self._live is not None

    def show(self, job: "Job", locations: "Sequence[CommandLocation]" = ()) -> None:
        """Show the steps that are new in this state of the job, and where its open commands are."""
        self._locations = locations
        if self._steps is None:
            self.follow(job)
        self._job = job
        for line in self._steps.new_lines(job) if self.shown and self._steps else ():
            if self._live:
                self._console.print(self._styled(line), no_wrap=True, overflow="ellipsis", crop=True)
            else:
                echo(cut_to_columns(f"[{self._clock():>7}] {line.text}", PLAIN_COLUMNS), err=True)

    def _styled(self, line: "Line") -> Text:
        text = Text.assemble((f"{self._clock():>7} ", "dim"), (f"{line.mark} ", "bold cyan"), line.title)
        if line.reason:
            text.append(f" – {line.reason}", "dim")
        return text

    def _clock(self) -> str:
        return f"{time.monotonic() - self._started_s:.1f} s"

    def _now(self) -> RenderableType:
        """The board of the job, and below it the line with its progress."""
        if self._job is None:
            return self._head()
        from research_crawler.cli.views.board import board

        above = board(self._job, self._locations, rows=self._console.height)
        return Group(above, self._head()) if above else self._head()

    def _head(self) -> RenderableType:
        """What the job does, its progress and its counts in one line, as far as the terminal has room."""
        job, clock = self._job, self._clock()
        doing = self._starting
        if job:
            from research_crawler.cli.views.printed_reports import printable

            doing = printable(doing_of(job))
        room = (
            self._console.width - LEAST_ACTION - len(clock) - 3
        )  # the spinner, and a space beside each cell
        counted = fitting_counts(counts(job), room - 1) if job else ""
        grid = Table.grid(padding=(0, 1), expand=True)
        grid.add_column(width=1)
        grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        cells: list[RenderableType] = [self._spinner, Text(doing, style="bold")]
        if job and counted and room - len(counted) - 1 >= BAR_COLUMNS + 1:
            grid.add_column(width=BAR_COLUMNS)
            cells.append(ProgressBar(total=1.0, completed=job.progress.fraction, width=BAR_COLUMNS))
        if counted:
            grid.add_column(no_wrap=True, width=len(counted))
            cells.append(Text(counted, style="dim"))
        grid.add_column(no_wrap=True, justify="right", width=len(clock))
        cells.append(Text(clock, style="dim"))
        grid.add_row(*cells)
        return grid


def doing_of(job: "Job") -> str:
    """What the job does; pages are counted, because the board names them."""
    pages = sum(not visit.outcome for visit in job.visits)
    return f"Reading {count(pages, 'page')}" if pages else job.progress.current_action


def counts(job: "Job") -> list[str]:
    """Findings or offers, pages or vendors, searches, cost and round so far; what matters most comes first."""
    plan, usage, limits = job.plan, job.usage, job.limits
    texts = [
        f"findings {plan.findings}",
        f"pages {plan.visits_used}/{limits.max_visits}",
        f"searches {plan.searches_used}/{limits.max_searches}",
    ]
    if job.phase2:
        answered = sum(vendor.stage == "answered" for vendor in job.phase2.vendors)
        offers = sum(product.price_numeric is not None for product in job.phase2.products)
        texts = [f"offers {offers}", f"vendors {answered}/{job.inputs.vendors}"]
    if usage.model_calls:
        texts.append(f"tokens {usage.prompt_tokens + usage.completion_tokens:,}")
    if usage.usd:
        texts.append(f"${usage.usd:.2f}" + (f" of ${limits.max_usd:.2f}" if limits.max_usd else ""))
    return [*texts, f"round {plan.iteration}/{limits.max_iterations}"]


def fitting_counts(texts: list[str], columns: int) -> str:
    """As many of the counts as fit, whole, in one line."""
    line = ""
    for text in texts:
        longer = f"{line} · {text}" if line else text
        if len(longer) > columns:
            break
        line = longer
    return line


def cut_to_columns(text: str, columns: int) -> str:
    """The text, cut with an ellipsis if it is longer than `columns`."""
    return text if len(text) <= columns else text[: columns - 1] + "…"
