"""What a brain is shown of a row's open columns, and the values that it names."""

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.brain_answer import BrainAnswer
from research_crawler.core.models.jobs.columns import ColumnSpec


class ColumnPassage(Frozen):
    """A sentence, an item or a row of a page that may have a value."""

    text: str
    about: str = ""
    """The headings, the term or the label that it stands below."""
    title: str = ""
    """Of its page."""
    url: str = ""


class ColumnsView(Frozen):
    """The columns of a row that have no value yet, and the passages that may have one."""

    goal: str
    subject: str = ""
    columns: list[ColumnSpec] = Field(default_factory=list)
    """All columns of the row: they are the same in all rows of a batch."""
    wanted: list[str] = Field(default_factory=list)
    """The names of those without a value."""
    passages: list[ColumnPassage] = Field(default_factory=list)


class PickedValue(Frozen):
    """A value that a brain names, before it is checked."""

    column: str
    passage: int
    """Which of the passages has it, from 0."""
    value: str
    """As the passage writes it; of yes/no columns `yes` or `no`."""
    quote: str = ""
    """The words of the passage that say it; empty: the brain did not copy them."""


class PickedValues(BrainAnswer):
    """The values that a brain names for a row, at most one a column."""

    found: list[PickedValue] = Field(default_factory=list)
