"""Shows the progress of a job on stderr: a line per step, and on a terminal a live line below them."""

import time
from types import TracebackType
from typing import Self

from rich.console import RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from research_crawler.cli.session import echo
from research_crawler.cli.show import printable
from research_crawler.cli.steps import Line, Steps
from research_crawler.cli.terminal import SafeConsole
from research_crawler.core.models.jobs import Job

BAR_COLUMNS = 16
ROOM_FOR_BAR = 100
"""A terminal with at least this many columns shows the progress bar."""
ROOM_FOR_COUNTS = 70
"""A terminal with at least this many columns shows the counts."""
PLAIN_COLUMNS = 160
"""Lines are cut here if stderr is not a terminal, because they end up in logs."""


class ProgressDisplay:
    """Shows a job after each of its steps. Use as a context manager."""

    def __init__(self, job: Job, *, shown: bool = True) -> None:
        """The steps that `job` has behind it are not shown again."""
        self._shown, self._job, self._steps = shown, job, Steps(job)
        self._started_s = time.monotonic()
        self._console = SafeConsole(stderr=True, highlight=False)
        self._spinner = Spinner("dots")
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._shown and self._console.is_terminal and not self._console.is_dumb_terminal:
            self._live = Live(
                get_renderable=self._head,
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
        if self._live:
            self._live.stop()

    def show(self, job: Job) -> None:
        """Show the steps that are new in this state of the job."""
        self._job = job
        for line in self._steps.new_lines(job) if self._shown else ():
            if self._live:
                self._console.print(self._styled(line), no_wrap=True, overflow="ellipsis", crop=True)
            else:
                echo(shortened(f"[{self._clock():>7}] {line.text}", PLAIN_COLUMNS), err=True)

    def _styled(self, line: Line) -> Text:
        text = Text.assemble((f"{self._clock():>7} ", "dim"), (f"{line.mark} ", "bold cyan"), line.title)
        if line.reason:
            text.append(f" – {line.reason}", "dim")
        return text

    def _clock(self) -> str:
        return f"{time.monotonic() - self._started_s:.1f} s"

    def _head(self) -> RenderableType:
        """The live line: what the job does, its progress and its counts, as far as the terminal has room."""
        job, columns = self._job, self._console.width
        grid = Table.grid(padding=(0, 1), expand=True)
        grid.add_column(width=1)
        grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        doing = Text(printable(job.progress.current_action) or "Starting", style="bold")
        cells: list[RenderableType] = [self._spinner, doing]
        if columns >= ROOM_FOR_BAR:
            grid.add_column(width=BAR_COLUMNS)
            cells.append(ProgressBar(total=1.0, completed=job.progress.fraction, width=BAR_COLUMNS))
        if columns >= ROOM_FOR_COUNTS:
            grid.add_column(no_wrap=True)
            cells.append(Text(counts(job, short=columns < ROOM_FOR_BAR), style="dim"))
        grid.add_column(no_wrap=True, justify="right")
        cells.append(Text(self._clock(), style="dim"))
        grid.add_row(*cells)
        return grid


def counts(job: Job, *, short: bool = False) -> str:
    """Round, searches, pages, findings and cost so far, each with its limit."""
    plan, usage, limits = job.plan, job.usage, job.limits
    texts = [] if short else [f"round {plan.iteration}/{limits.max_iterations}"]
    texts += [
        f"searches {plan.searches_used}/{limits.max_searches}",
        f"pages {plan.visits_used}/{limits.max_visits}",
        f"findings {plan.findings}",
    ]
    if job.phase2:
        answered = sum(vendor.stage == "answered" for vendor in job.phase2.vendors)
        offers = sum(product.price_numeric is not None for product in job.phase2.products)
        texts = [*texts[:-3], f"vendors {answered}/{job.inputs.vendors}", f"offers {offers}"]
    if usage.model_calls:
        texts.append(f"tokens {usage.prompt_tokens + usage.completion_tokens}")
    return " · ".join(texts)


def shortened(text: str, columns: int) -> str:
    """The text, cut with an ellipsis if it is longer than `columns`."""
    return text if len(text) <= columns else text[: columns - 1] + "…"
