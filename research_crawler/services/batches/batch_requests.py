"""What a caller asks of a new batch, checked whole before anything is started."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from planner.job.factory import MAX_GOAL_BYTES, encoded, new_job_id
from research_crawler.core.batch_template import default_template, filled, template_fields
from research_crawler.core.config import Config
from research_crawler.core.errors import RowError, place_of_row
from research_crawler.core.models.jobs.batches import Batch
from research_crawler.core.models.jobs.job_limits import NO_CEILINGS, Ceilings
from research_crawler.core.text.translatable import translatable
from research_crawler.services.batches.input_table import InputRow, InputTable
from research_crawler.services.submission.new_jobs import JobRequest, check_prices

TITLE_PART = 60
"""Letters of a row in the title of its batch."""


@dataclass(frozen=True, kw_only=True)
class BatchRequest:
    """Rows and the question about each of them. The goal of `job` is the template; "" means the rows' own column."""

    table: InputTable
    job: JobRequest
    """The inputs and limits of every row."""
    name: str = ""
    folder: Path | None = None
    """Where the documents of its rows go; None: `batches/<id>` in the data folder."""
    ceilings: Ceilings = NO_CEILINGS
    """Of the whole batch."""


@dataclass(frozen=True)
class CheckedBatch:
    """A batch that can be stored, with the fields of its rows."""

    batch: Batch
    rows: Sequence[dict[str, str]]
    is_named: bool = False
    """Whether the caller chose its name; else several batches may have it."""


def checked_batch(config: Config, request: BatchRequest) -> CheckedBatch:
    """Check a request and make the batch of it, without storing it.

    Raises:
        RowError: the template, or a row of the input, cannot be used; it names row and column.
        UsageError: an input or a limit of the jobs is impossible.
    """
    if request.ceilings.max_usd is not None:
        check_prices(config)
    encoded("name", request.name)
    names = request.table.fields
    template = request.job.inputs.goal.strip() or default_template(names)
    used = template_fields(template, names)
    if not used:
        raise RowError(
            translatable(
                "the template uses no column, so all rows are the same question; write the name of a column in "
                "braces into it: %(names)s",
                names=", ".join(f"{{{name}}}" for name in names),
            )
        )
    _check_rows(request.table, template, used)
    batch_id = new_job_id()
    goal = max((filled(template, row.fields) for row in request.table.rows), key=len)
    sample = replace(request.job, inputs=request.job.inputs.changed(goal=goal)).to_job(config)
    ceilings = request.ceilings
    folder = request.folder or config.home / "batches" / batch_id
    batch = Batch(
        id=batch_id,
        name=request.name or _title(template, used, request.table),
        created_ms=int(time.time() * 1000),
        template=template,
        fields=list(names),
        inputs=request.job.inputs.changed(goal=template, batch=True, batch_id=batch_id),
        limits=sample.limits.changed(batch_max_tokens=ceilings.max_tokens, batch_max_usd=ceilings.max_usd),
        brain=sample.brain,
        model=sample.model,
        folder=str(folder.absolute()),
        rows=len(request.table.rows),
    )
    return CheckedBatch(batch, [dict(row.fields) for row in request.table.rows], is_named=bool(request.name))


def _title(template: str, used: Sequence[str], table: InputTable) -> str:
    """What a batch without a name is called: its question; where that is a field alone, its first and last row."""
    if template != f"{{{used[0]}}}":
        return template
    ends = (table.rows[0], table.rows[-1])
    return " … ".join(dict.fromkeys(" ".join(row.fields[used[0]].split())[:TITLE_PART] for row in ends))


def _check_rows(table: InputTable, template: str, used: Sequence[str]) -> None:
    """Refuse empty rows, empty cells that the template uses, and questions that are too long or asked twice."""
    first: dict[str, InputRow] = {}
    row_unit = table.row_unit
    for row in table.rows:
        if not any(row.fields.values()):
            raise RowError(translatable("the row is empty"), row.line, row_unit=row_unit)
        if empty := next((name for name in used if not row.fields[name]), ""):
            raise RowError(
                translatable("the cell is empty, and the template uses it"),
                row.line,
                empty,
                row_unit=row_unit,
            )
        asked = filled(template, row.fields)
        if len(asked.encode()) > MAX_GOAL_BYTES:
            why = translatable("the question of the row has more than %(most)s bytes", most=MAX_GOAL_BYTES)
            raise RowError(why, row.line, used[0], row_unit=row_unit)
        goal = asked.casefold()
        if goal in first:
            same = _asks_the_same(row, first[goal], row_unit)
            raise RowError(same, row.line, used[0], row_unit=row_unit)
        first[goal] = row


def _asks_the_same(row: InputRow, earlier: InputRow, row_unit: str) -> str:
    """That two rows ask the same, with the column that tells them apart, if there is one."""
    apart = next((name for name, value in row.fields.items() if value != earlier.fields.get(name)), "")
    if not apart:
        return translatable("the row asks the same as %(other)s", other=place_of_row(earlier.line, row_unit))
    return translatable(
        "the row asks the same as %(other)s; add a column in which they differ to the question: {%(name)s}",
        other=place_of_row(earlier.line, row_unit),
        name=apart,
    )
