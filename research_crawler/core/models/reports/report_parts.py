"""The lists that a brain writes below the answer of a report.

A list is declared here once. The prompt asks for it, the schema and the parser of the model's answer know it,
report.md shows it under its title unless it is empty, and `--json` has it as `lists.<key>`. The extractive brain
fills it in `planner.brains.extractive.answering.write`. A new list changes the recorded prompt of the report; the
test of the recorded prompts (`tests/planner/brains/model/test_brain.py`) says how to record it again.
"""

from typing import Final, NamedTuple


class ListedPart(NamedTuple):
    """A list of sentences in a report, for the brains that write it and for the code that renders it."""

    key: str
    """Its name in a model's answer and in `--json`."""
    title: str
    """Its heading in report.md in English; `text/writing/messages.toml` has it by its key in each language."""
    request: str
    """What the report writer is asked to put into it."""
    cites: bool = True
    """Whether each entry rests on evidence: one that names none is left out. If False, a model is not asked for
    evidence, and entries are shown without citations."""


LISTED_PARTS: Final = (
    ListedPart(
        "key_findings",
        "Key Findings",
        "what a reader should take away and the answer does not say; mostly nothing",
    ),
)
