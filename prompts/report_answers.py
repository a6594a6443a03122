"""The classes that parse what a model says about the evidence and writes from it: answer, audit and sections."""

from typing import Any

from pydantic import Field, field_validator, model_validator

from prompts.answers import Answer, CitedSentence
from prompts.complete import complete_entries
from research_crawler.core.models.reports.report_parts import LISTED_PARTS


class CellEntry(Answer):
    """A cell of a table with the ids of its evidence."""

    text: str = ""
    evidence: list[str] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _bare_text(cls, data: Any) -> Any:
        return data if isinstance(data, dict) else {"text": "" if data is None else str(data)}


class RowEntry(Answer):
    """A row of a table."""

    label: str
    cells: list[CellEntry] = Field(default_factory=list)


class TableEntry(Answer):
    """A table of things that are compared; without rows there is none."""

    columns: list[str] = Field(default_factory=list)
    rows: list[RowEntry] = Field(default_factory=list)

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

    about: str = ""
    one: CitedSentence
    other: CitedSentence


class WithFindings(Answer):
    """What an answer says about the evidence as a whole; entries that do not fit are left out."""

    contradictions: list[ContradictionEntry] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    follow_ups: list[str] = Field(default_factory=list)

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

    text: str = ""
    calculation: str = ""


class ReportAnswer(WithFindings, WithTable):
    """The answer of a report with its lists; code renders citations and sources."""

    answer: list[CitedSentence]
    certainty: str = ""
    lists: dict[str, list[CitedSentence]] = Field(default_factory=dict)
    """The lists by their key in LISTED_PARTS. In the model's JSON, each list has its own key at the top level."""
    worked_out: WorkedOut = WorkedOut()
    further: list[str] = Field(default_factory=list)
    """Evidence whose pages tell more."""

    @field_validator("worked_out", mode="wrap")
    @classmethod
    def _nothing_worked_out(cls, value: Any, handler: Any) -> Any:
        try:
            return handler(value)
        except ValueError:
            return WorkedOut()

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

    text: str
    evidence: list[str] = Field(default_factory=list)
    is_inference: bool = False


class SectionEntry(Answer):
    """A section with the ids of its evidence."""

    id: str = ""
    title: str = ""
    evidence: list[str] = Field(default_factory=list)
    needs: list[str] = Field(default_factory=list)


class AuditAnswer(WithFindings):
    """The evidence, put in order."""

    sections: list[SectionEntry] = Field(default_factory=list)
    claims: list[ClaimEntry] = Field(default_factory=list)

    @field_validator("sections", mode="before")
    @classmethod
    def _drop_sections_without_evidence(cls, value: Any) -> Any:
        return complete_entries(value, "evidence")

    @field_validator("claims", mode="before")
    @classmethod
    def _drop_incomplete_claims(cls, value: Any) -> Any:
        return complete_entries(value, "text", "evidence")


class SectionSentence(CitedSentence):
    """A sentence of a section, with the id of the question that it answers."""

    part: str = ""

    @field_validator("part", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return value if isinstance(value, str) else ""


class SectionAnswer(WithTable):
    """The text of a section."""

    sentences: list[SectionSentence] = Field(default_factory=list)

    @field_validator("sentences", mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        return complete_entries(value, "text")


def _is_sentence(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.get("text")) and isinstance(value.get("evidence"), list)
