"""Make a job ask for its columns: their questions are its outline, unless the caller gave one."""

from typing import Final

from planner.goal.about import asked_of
from planner.outline.given import MOST_GIVEN, given_outline
from research_crawler.core.models.columns import ColumnSpec
from research_crawler.core.models.jobs import Job

_MOST_CHARS: Final = 150


def with_columns(job: Job) -> Job:
    """The job with a question in its outline for each of its columns.

    Raises:
        OutlineError: the caller's outline cannot be read.
    """
    if job.inputs.outline:
        return job.changed(outline=given_outline(job.inputs.outline, asked_of(job.inputs)))
    if not job.inputs.columns:
        return job
    lines = [f"- {asked_in_full(column)}" for column in job.inputs.columns[:MOST_GIVEN]]
    return job.changed(outline=given_outline("\n".join(lines), asked_of(job.inputs)))


def asked_in_full(column: ColumnSpec) -> str:
    """The question of a column with its unit and choices, in one short line."""
    text = column.asks
    if column.choices:
        text = f"{text} ({', '.join(column.choices)})"
    return " ".join(text.split())[:_MOST_CHARS]
