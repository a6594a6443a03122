"""Make a job ask for its columns: their questions are its outline, unless the caller gave one."""

from typing import Final

from planner.goal.goal_subject import asked_of
from planner.outline.given_outline import MOST_GIVEN, given_outline
from planner.outline.making import MAX_LEAF_QUESTION
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Job

_MOST_CHARS: Final = 150
"""Longest question that a column adds to the outline."""


def with_columns(job: Job) -> Job:
    """The job with a question in its outline for each of its columns, which names what the row is about.

    Raises:
        OutlineError: the caller's outline cannot be read.
    """
    if job.inputs.outline:
        return job.changed(outline=given_outline(job.inputs.outline, asked_of(job.inputs)))
    if not job.inputs.columns:
        return job
    name = job.inputs.subject.split(";")[0].strip()
    lines = [f"- {_asked_in_full(column, name)}" for column in job.inputs.columns[:MOST_GIVEN]]
    return job.changed(outline=given_outline("\n".join(lines), asked_of(job.inputs)))


def _asked_in_full(column: ColumnSpec, name: str) -> str:
    """A column's question on one line: with its choices, then the thing that it is about."""
    text = f"{column.question_text} ({', '.join(column.choices)})" if column.choices else column.question_text
    asked = " ".join(text.split())[:_MOST_CHARS]
    named = f"{asked} ({name})" if name and name.casefold() not in asked.casefold() else asked
    return named if len(named) <= MAX_LEAF_QUESTION else asked
