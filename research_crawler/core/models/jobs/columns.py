"""Columns: typed values that a job is asked for, and the values that it found, each with its quote."""

from collections.abc import Iterable
from typing import Final, Literal, get_args

from pydantic import Field

from research_crawler.core.models.base import Frozen, with_values_of

ColumnType = Literal["text", "number", "money", "date", "yes_no", "choice", "url", "email"]
COLUMN_TYPES: Final[tuple[str, ...]] = get_args(ColumnType)
BY_HAND: Final = "hand"
LEAST_CONFIDENCE: Final = 0.5
"""From this confidence on a cell has its value, and is no longer one of low confidence; a less certain value is null,
and named as a candidate. Even chances: what is more likely wrong than right is no value."""
ValueReason = Literal[
    "", "not_found", "not_about", "unsure", "contradicted", "no_pages", "no_quote", "not_asked", "no_value"
]
"""Why a value is null, or "contradicted" where pages disagree and the best supported value was taken."""


class _NamedColumn(Frozen):
    name: str
    type: ColumnType = "text"


class ColumnSpec(_NamedColumn):
    """One value that a job is asked for: its name, its type, and the question that it answers."""

    question: str = ""
    """Empty: the name says it."""
    choices: list[str] = Field(default_factory=list)
    """Of type `choice`: the values that it may have."""
    unit: str = ""
    """Of type `number`: the unit that is wanted, as texts write it ("GB", "hours"); of type `money`: ISO 4217."""

    @property
    def question_text(self) -> str:
        """The question, or the name as words where there is none."""
        return self.question or " ".join(self.name.replace("_", " ").replace("-", " ").split())


class StatedValue(Frozen):
    """A value with the quote that states it, and the page of that."""

    value: str | float | bool | None = None
    """number, money: a number; yes_no: true or false; date: ISO (2024, 2024-05 or 2024-05-17); else text."""
    unit: str = ""
    """number: its unit; money: ISO 4217; "" where the page names none."""
    shown: str = ""
    """The value as the quote writes it."""
    quote: str = ""
    start: int = 0
    end: int = 0
    """Where the quote stands in the stored page."""
    url: str = ""
    title: str = ""
    page_sha256: str = ""
    fetched_at: str = ""


class ColumnAlternative(StatedValue):
    """Another value that a page states for a column, from which a person may choose."""

    value: str | float | bool
    other_shop: str = ""
    """The shop that says it, where the row names another one."""

    @property
    def key(self) -> str:
        """What tells it from the others of its cell."""
        return f"{self.page_sha256[:12]}.{self.start}"


class ColumnValue(StatedValue, _NamedColumn):
    """The value of a column. A null one has a reason and no quote."""

    confidence: float = 0.0
    """0 to 1."""
    reason: ValueReason = ""
    note: str = ""
    """The reason in words: what was looked at, or which other value a page gives."""
    by: str = ""
    """The brain that chose it; `hand`: a person wrote it into the table."""
    alternatives: list[ColumnAlternative] = Field(default_factory=list)
    """What the note names: a candidate that is not sure enough, and what another page says."""

    @property
    def is_by_hand(self) -> bool:
        """Whether a person wrote it."""
        return self.by == BY_HAND


def column_value(column: ColumnSpec, stated: StatedValue) -> ColumnValue:
    """What a page states, as the value of a column."""
    return with_values_of(ColumnValue(name=column.name, type=column.type), stated, StatedValue.model_fields)


VALUE_REASONS: Final[dict[ValueReason, str]] = {
    "": "not looked for yet",
    "not_found": "not found",
    "not_about": "found for other things only",
    "unsure": "unsure",
    "contradicted": "pages disagree",
    "no_pages": "no page was read",
    "no_quote": "no quote has it",
    "not_asked": "not looked for",
    "no_value": "there is none",
}
"""Why a value is null, in words."""


def value_text(value: ColumnValue) -> str:
    """A value as people read it, or in a few words why there is none."""
    if value.value is None:
        return f"– ({VALUE_REASONS[value.reason]})"
    if isinstance(value.value, bool):
        return "yes" if value.value else "no"
    text = f"{value.value:,.10g}" if isinstance(value.value, float) else str(value.value)
    return f"{text} {value.unit}".strip()


def value_texts(values: Iterable[ColumnValue]) -> str:
    """The values that there are as sentences, each with its name: the beginning of a row's answer."""
    told = ((value.name, value_text(value)) for value in values if value.value is not None)
    return " ".join(
        f"{name}: {text}{'' if text.endswith(('.', '!', '?', '…')) else '.'}" for name, text in told
    )
