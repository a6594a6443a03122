"""The classes that parse a model's judgement of the evidence: its evaluation, and its analysis of all findings."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from prompts.answer_shapes import chars, complete_entries, list_bounds, one_of

EvidenceId = Annotated[str, one_of("evidence")]


class EvaluationAnswer(BaseModel):
    """The scores of the evidence. One outside of [0, 1] makes the answer a failed one."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    relevance: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)
    coverage: float = Field(ge=0, le=1)
    should_retry: bool = False
    reasons: Annotated[str, chars("short_chars")] = ""

    @model_validator(mode="before")
    @classmethod
    def _one_text(cls, data: Any) -> Any:
        return _with_texts(data, "reasons")


class InconsistencyAnswer(BaseModel):
    """Two findings that cannot both be true, by their ids."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    about: Annotated[str, chars(120)] = ""
    one: EvidenceId
    other: EvidenceId


class AnalysisAnswer(BaseModel):
    """What all findings say together; entries that do not fit are left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    assessment: Annotated[str, chars(400)] = ""
    confidence_score: float = Field(ge=0, le=1)
    is_answered: bool = False
    suggestions_for_next_step: Annotated[list[Annotated[str, chars(160)]], list_bounds(4)] = Field(
        default_factory=list
    )
    new_potential_urls: Annotated[list[Annotated[str, one_of("page")]], list_bounds(4)] = Field(
        default_factory=list
    )
    inconsistencies_found: Annotated[list[InconsistencyAnswer], list_bounds(3)] = Field(default_factory=list)
    leads: Annotated[list[EvidenceId], list_bounds(5)] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _tidy_lists(cls, data: Any) -> Any:
        data = _with_texts(data, "assessment")
        if not isinstance(data, dict):
            return data
        for name in ("suggestions_for_next_step", "new_potential_urls", "leads"):
            value = data.get(name)
            if isinstance(value, str):
                data[name] = [value] if value else []
            elif isinstance(value, list):
                data[name] = [one for one in value if isinstance(one, str)]
        return data

    @field_validator("inconsistencies_found", mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        entries = complete_entries(value if isinstance(value, list) else None, "one", "other")
        return [one for one in entries if isinstance(one["one"], str) and isinstance(one["other"], str)]


def with_one_confidence(data: Any) -> Any:
    """An answer whose evaluation and analysis both have the confidence that the model was asked for once."""
    if not isinstance(data, dict):
        return data
    evaluation, analysis = (data.get(name) for name in ("evaluation", "analysis"))
    if not isinstance(evaluation, dict) or not isinstance(analysis, dict):
        return data
    said = [evaluation.get("confidence"), analysis.get("confidence_score")]
    known = next((one for one in said if one is not None), None)
    in_evaluation, in_analysis = (known if score is None else score for score in said)
    return data | {
        "evaluation": evaluation | {"confidence": in_evaluation},
        "analysis": analysis | {"confidence_score": in_analysis},
    }


def whole(value: Any, *scores: str) -> Any:
    """A part of an answer that has these scores, else None: a decision is not lost with a part that is missing."""
    has_scores = isinstance(value, dict) and all(isinstance(value.get(name), int | float) for name in scores)
    return value if has_scores else None


def _with_texts(data: Any, name: str) -> Any:
    """The data without nulls, with one text where a model gives a list of them."""
    if not isinstance(data, dict):
        return data
    data = {key: value for key, value in data.items() if value is not None}
    if isinstance(data.get(name), list):
        data[name] = " ".join(one for one in data[name] if isinstance(one, str))
    return data
