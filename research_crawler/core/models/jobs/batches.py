"""Batches: many questions of one form, a row each, which become jobs as places are free."""

from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.reasons import CeilingOwner
from research_crawler.core.models.watches.watch import short_id

BatchState = Literal["running", "stopped", "completed", "cancelled"]
"""stopped: rows failed for one and the same reason, or a ceiling is reached; it can be resumed."""
RowState = Literal["waiting", "running", "done", "partly", "insufficient", "failed", "cancelled"]
"""partly: some of its columns have no value; insufficient: it ended as it should, but found too little evidence."""
TERMINAL_ROWS: Final[frozenset[str]] = frozenset({"done", "partly", "insufficient", "failed", "cancelled"})


class Batch(Wire):
    """What a batch was asked for. It never changes."""

    id: str
    name: str = ""
    created_ms: int = 0
    template: str
    """The question of a row, with the names of fields in braces."""
    fields: list[str] = Field(default_factory=list)
    """The names of the input's columns, in order."""
    inputs: JobInputs
    """The inputs of every row; its goal is the template."""
    limits: Limits = Limits()
    """Those of every row, which also hold the ceilings of the whole batch."""
    brain: str = "extractive"
    model: str = ""
    """The models of every row (`Config.model_tag`)."""
    folder: str = ""
    """Where the documents of its rows go, a folder for each."""
    rows: int = 0


class RowResult(Frozen):
    """What came of a row."""

    answer: str = ""
    """The first sentences of its report."""
    confidence: float | None = None
    findings: int = 0
    sources: list[str] = Field(default_factory=list)
    """URLs of its key sources."""
    values: list[ColumnValue] = Field(default_factory=list)
    tokens: int = 0
    usd: float = 0.0
    searches: int = 0
    pages: int = 0
    pages_fetched: int = 0
    seconds: float = 0.0
    cause: str = ""
    """Why it failed or found nothing, in words that are the same for every row with this cause."""
    ceiling: CeilingOwner | None = None
    """Whose ceiling ended its questions to models; that of the batch or the day is shared by all its rows."""
    error: str = ""


class BatchRow(Frozen):
    """A row of a batch: its fields, its state and its result."""

    batch: str
    n: int
    """Its place among the rows of the input, from 1."""
    fields: dict[str, str] = Field(default_factory=dict)
    state: RowState = "waiting"
    attempt: int = 0
    """How often it was started again."""
    ended_ms: int = 0
    result: RowResult = RowResult()

    @property
    def job(self) -> str:
        """The id of its job, which is the same after a restart."""
        return row_job_id(self.batch, self.n, self.attempt)


class BatchEntry(Frozen):
    """A batch with its state, and how many rows are in which state."""

    batch: Batch
    state: BatchState = "running"
    reason: str = ""
    """Why it was stopped."""
    ended_ms: int = 0
    counts: dict[RowState, int] = Field(default_factory=dict)
    tokens: int = 0
    usd: float = 0.0
    pages: int = 0
    pages_fetched: int = 0

    @property
    def ended_rows(self) -> int:
        """How many rows have ended, in whatever way."""
        return sum(count for state, count in self.counts.items() if state in TERMINAL_ROWS)


def row_job_id(batch: str, n: int, attempt: int = 0) -> str:
    """The id of a row's job: the same for the same row and attempt, so that a restart repeats nothing."""
    return short_id(f"{batch}:{n}" if attempt == 0 else f"{batch}:{n}:{attempt}")
