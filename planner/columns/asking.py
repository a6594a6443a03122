"""Make a job ask for its columns: their questions are its outline, unless the caller gave one."""

import re
from typing import Final

from planner.goal.about import asked_of
from planner.outline.given import MOST_GIVEN, given_outline
from planner.outline.making import MAX_LEAF_QUESTION
from research_crawler.core.models.columns import ColumnSpec
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.outline import Outline

_MOST_CHARS: Final = 150
_IT: Final = re.compile(r"\b(it|its)\b(?! (?:takes?|true|possible|worth|necessary)\b)", re.I)
"""A word that stands for the subject in a question such as "What does it cost?"; not the one of "Is it possible to"."""


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
    outline = given_outline("\n".join(lines), asked_of(job.inputs))
    return job.changed(outline=_named(outline, job.inputs.subject.split(";")[0].strip()))


def asked_in_full(column: ColumnSpec) -> str:
    """The question of a column with its unit and choices, in one short line."""
    text = column.asks
    if column.choices:
        text = f"{text} ({', '.join(column.choices)})"
    return " ".join(text.split())[:_MOST_CHARS]


def _named(outline: Outline, name: str) -> Outline:
    """The outline with the subject's name for the pronoun of each question: sentences that answer it have the name.

    The queries stay: they have the words of the goal, and so the name.
    """
    if not name:
        return outline
    sections = [
        section.changed(
            leaves=[leaf.changed(question=_with_name(leaf.question, name)) for leaf in section.leaves]
        )
        for section in outline.sections
    ]
    return outline.changed(sections=sections)


def _with_name(question: str, name: str) -> str:
    found = list(_IT.finditer(question))
    if len(found) != 1:
        return question
    (it,) = found
    shown = name if it[1].lower() == "it" else f"{name}'s"
    named = f"{question[: it.start()]}{shown}{question[it.end() :]}"
    return named if len(named) <= MAX_LEAF_QUESTION else question
