"""Batches as typed requests and documents, which every interface has alike."""

import json
from typing import Any

from pydantic import ConfigDict, Field

from planner.columns.column_input import given_columns
from research_crawler.core.batch_template import default_template
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import CallerInput, Frozen
from research_crawler.core.models.jobs.batches import BatchEntry, BatchState, RowState
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job_limits import Ceilings, Tokens, Usd
from research_crawler.services.batches.batch_requests import BatchRequest, CheckedBatch, checked_batch
from research_crawler.services.batches.input_table import InputFormat, input_table
from research_crawler.services.submission.job_question import request_from


class BatchSubmission(CallerInput):
    """What a caller asks of a new batch: the body of `POST /batches`."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    rows: list[dict[str, str | int | float]] = Field(default_factory=list)
    """The rows, each with the same fields; or give `table`."""
    table: str = ""
    """The rows as a text: CSV with a header, JSON lines, or a topic in each line."""
    format: InputFormat = "csv"
    """What `table` is."""
    template: str = ""
    """The question of a row, with fields in braces; empty: the field goal, question, topic or query, or the only
    one."""
    question: JobQuestion = JobQuestion()
    """Inputs and limits of every row; its goal is the template."""
    name: str = ""
    """Name of the batch; empty: the template."""
    max_tokens: Tokens | None = None
    """Most model tokens of the whole batch."""
    max_usd: Usd | None = None
    """Most money for models of the whole batch, in US dollars."""


class BatchDocument(Frozen):
    """A batch, and how far it is."""

    batch: str
    """Its id."""
    name: str
    state: BatchState
    reason: str | None
    """Why it was stopped."""
    template: str
    columns: list[dict[str, Any]]
    rows_total: int
    rows_ended: int
    counts: dict[RowState, int]
    pages: int
    pages_fetched: int
    tokens: int
    usd: float
    max_tokens: int | None
    max_usd: float | None
    folder: str
    created_ms: int
    ended_ms: int | None


def batch_from(config: Config, asked: BatchSubmission) -> CheckedBatch:
    """The batch that a caller asks for, checked whole.

    Raises:
        RowError, UsageError: the message names the row and column, or the input.
    """
    if bool(asked.rows) == bool(asked.table.strip()):
        raise UsageError("give `rows` or `table`, and only one of them")
    rows = json.dumps(asked.rows).encode()
    table = input_table(rows, "jsonl") if asked.rows else input_table(asked.table.encode(), asked.format)
    goal = asked.template.strip() or default_template(table.fields)
    job = request_from(config, asked.question.changed(goal=goal))
    ceilings = Ceilings(max_tokens=asked.max_tokens, max_usd=asked.max_usd)
    return checked_batch(config, BatchRequest(table=table, job=job, name=asked.name, ceilings=ceilings))


def columns_of_lines(text: str) -> list[ColumnSpec]:
    """The columns that a person describes, a line for each: `name: type, question`; or as JSON Schema.

    Raises:
        SchemaError: a line is none.
    """
    return given_columns(text)


def batch_document(entry: BatchEntry) -> BatchDocument:
    """A batch as a document."""
    batch = entry.batch
    return BatchDocument(
        batch=batch.id,
        name=batch.name,
        state=entry.state,
        reason=entry.reason or None,
        template=batch.template,
        columns=[column.model_dump(mode="json") for column in batch.inputs.columns],
        rows_total=batch.rows,
        rows_ended=entry.ended_rows,
        counts=entry.counts,
        pages=entry.pages,
        pages_fetched=entry.pages_fetched,
        tokens=entry.tokens,
        usd=round(entry.usd, 6),
        max_tokens=batch.limits.batch_max_tokens,
        max_usd=batch.limits.batch_max_usd,
        folder=batch.folder,
        created_ms=batch.created_ms,
        ended_ms=entry.ended_ms or None,
    )
