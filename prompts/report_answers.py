"""The classes that parse what a model says about the evidence and writes from it: answer, audit and sections."""

from typing import Annotated, Any, Final

from pydantic import Field, field_validator, model_validator

from prompts.answer_shapes import MOST_ID, chars, complete_entries, list_bounds, one_of
from prompts.answers import MOST_IDS, Answer, CitedSentence, Short
from prompts.judgement_answers import EvidenceId
from research_crawler.core.models.reports.report_parts import LISTED_PARTS

MOST_SECTION_IDS: Final = 24
"""As many as the writer of a section is shown."""
MOST_TABLE_ROWS: Final = 10
"""Most rows of a table that a model writes."""
MOST_TABLE_COLUMNS: Final = 5
"""Most columns of a table that a model writes, that of the names included."""
MOST_CONTRADICTIONS: Final = 5
"""Most contradictions that an audit names."""
MOST_QUESTIONS: Final = 3
"""Most follow-up questions that a model proposes."""
MOST_FURTHER: Final = 2
"""Most further pieces of evidence that a model names for a sentence."""
AnyId = Annotated[str, chars(MOST_ID)]
AnyIds = Annotated[list[AnyId], list_bounds(MOST_IDS)]


class CellEntry(Answer):
    """A cell of a table with the ids of its evidence."""

    text: Short = ""
    evidence: AnyIds = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _bare_text(cls, data: Any) -> Any:
        return data if isinstance(data, dict) else {"text": "" if data is None else str(data)}


class RowEntry(Answer):
    """A row of a table."""

    label: Annotated[str, chars(80, least=1)]
    cells: Annotated[list[CellEntry], list_bounds(MOST_TABLE_COLUMNS - 1)] = Field(default_factory=list)


class TableEntry(Answer):
    """A table of things that are compared; without rows there is none."""

    columns: Annotated[list[Annotated[str, chars(60)]], list_bounds(MOST_TABLE_COLUMNS)] = Field(
        default_factory=list
    )
    rows: Annotated[list[RowEntry], list_bounds(MOST_TABLE_ROWS)] = Field(default_factory=list)

    @field_validator("rows", mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        return complete_entries(value, "label", "cells")


class WithTable(Answer):
    """An answer that may have a table; one that does not fit is left out, and the text stays."""

    table: TableEntry = TableEntry()

    @field_validator("table", mode="wrap")
    @classmethod
    def _no_table(cls, value: Any, handler: Any) -> Any:
        try:
            return handler(value)
        except ValueError:
            return TableEntry()


class ContradictionEntry(Answer):
    """Two statements that cannot both be true."""

    about: Annotated[str, chars(80)] = ""
    one: CitedSentence
    other: CitedSentence


class WithFindings(Answer):
    """What an answer says about the evidence as a whole; entries that do not fit are left out."""

    contradictions: Annotated[list[ContradictionEntry], list_bounds(MOST_CONTRADICTIONS)] = Field(
        default_factory=list
    )
    missing: Annotated[list[Short], list_bounds(5)] = Field(default_factory=list)
    follow_ups: Annotated[list[Short], list_bounds(MOST_QUESTIONS)] = Field(default_factory=list)

    @field_validator("contradictions", mode="before")
    @classmethod
    def _drop_incomplete_contradictions(cls, value: Any) -> Any:
        entries = complete_entries(value, "one", "other")
        if not isinstance(entries, list):
            return []
        return [e for e in entries if all(_is_sentence(e[side]) for side in ("one", "other"))]

    @field_validator("missing", "follow_ups", mode="before")
    @classmethod
    def _texts(cls, value: Any) -> Any:
        return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


class WorkedOut(CitedSentence):
    """A sentence with a figure that follows from others; without text there is none."""

    text: Short = ""
    calculation: Annotated[str, chars(80)] = ""
    evidence: AnyIds = Field(default_factory=list)


class Caveat(CitedSentence):
    """What is uncertain of an answer, with the evidence that it speaks of; without text there is none."""

    text: Short = ""
    evidence: AnyIds = Field(default_factory=list)


class ReportAnswer(WithFindings, WithTable):
    """The answer of a report with its lists; code renders citations and sources."""

    answer: Annotated[list[CitedSentence], list_bounds(8, "items", least=1)]
    certainty: Caveat = Caveat()
    lists: dict[str, list[CitedSentence]] = Field(default_factory=dict)
    """The lists by their key in LISTED_PARTS. In the model's JSON, each list has its own key at the top level."""
    worked_out: WorkedOut = WorkedOut()
    further: Annotated[list[AnyId], list_bounds(MOST_FURTHER)] = Field(default_factory=list)
    """Evidence whose pages tell more."""

    @field_validator("worked_out", mode="wrap")
    @classmethod
    def _nothing_worked_out(cls, value: Any, handler: Any) -> Any:
        try:
            return handler(value)
        except ValueError:
            return WorkedOut()

    @field_validator("certainty", mode="wrap")
    @classmethod
    def _certain(cls, value: Any, handler: Any) -> Any:
        try:
            return handler(value)
        except ValueError:
            return Caveat()

    @field_validator("further", mode="before")
    @classmethod
    def _ids(cls, value: Any) -> Any:
        return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []

    @model_validator(mode="before")
    @classmethod
    def _gather_lists(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        keys = [part.key for part in LISTED_PARTS if part.key in data]
        return data | {"lists": {key: complete_entries(data[key], "text") for key in keys}}

    @field_validator("answer", mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        return complete_entries(value, "text")


class ClaimEntry(Answer):
    """Something that the evidence says."""

    text: Annotated[str, chars("short_chars", least=1)]
    evidence: Annotated[list[EvidenceId], list_bounds(MOST_IDS, least=1)] = Field(default_factory=list)
    is_inference: bool = False


class SectionEntry(Answer):
    """A section with the ids of its evidence."""

    id: Annotated[str, one_of("section")] = ""
    title: Annotated[str, chars(80, least=1)] = ""
    evidence: Annotated[list[EvidenceId], list_bounds(MOST_SECTION_IDS, least=1)] = Field(
        default_factory=list
    )
    needs: Annotated[list[Annotated[str, one_of("section")]], list_bounds(3)] = Field(default_factory=list)


class AuditAnswer(WithFindings):
    """The evidence, put in order."""

    sections: Annotated[list[SectionEntry], list_bounds("items", least=1)] = Field(default_factory=list)
    claims: Annotated[list[ClaimEntry], list_bounds(30)] = Field(default_factory=list)

    @field_validator("sections", mode="before")
    @classmethod
    def _drop_sections_without_evidence(cls, value: Any) -> Any:
        return complete_entries(value, "evidence")

    @field_validator("claims", mode="before")
    @classmethod
    def _drop_incomplete_claims(cls, value: Any) -> Any:
        return complete_entries(value, "text", "evidence")


class SectionAnswer(WithTable):
    """The text of a section."""

    sentences: Annotated[list[CitedSentence], list_bounds("items", least=1)] = Field(default_factory=list)

    @field_validator("sentences", mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        return complete_entries(value, "text")


def _is_sentence(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.get("text")) and isinstance(value.get("evidence"), list)
