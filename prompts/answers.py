"""What models answer: the classes that parse it, and the JSON schema that endpoints and prompts are given."""

import copy
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

import json_repair
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from research_crawler.core.errors import BadAnswer
from research_crawler.core.models.events import Priority, ResultType
from research_crawler.core.models.products import Availability

Share = Annotated[float, Field(ge=0, le=1)]
"""A score; outside of [0, 1] the whole answer has failed."""
TENTHS = [n / 10 for n in range(11)]
MIN_QUERY_CHARS = 3


class Answer(BaseModel):
    """A model's answer; keys that nobody asked for are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PlannerAnswer(Answer):
    """One step of the planner, in either spelling: `query` or `queries`, `url` or `urls`."""

    action: Literal["search", "visit", "done"]
    reason: str = ""
    query: str = ""
    queries: list[str] = Field(default_factory=list)
    url: str = ""
    urls: list[str] = Field(default_factory=list)
    providers: list[str] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: Any) -> Any:
        return _tidy(
            data, lists=("queries", "urls", "providers", "missing"), texts=("query", "url", "reason")
        )


class ScoredEntry(Answer):
    """The labels of one result."""

    id: str
    score: Share
    type: ResultType = "other"
    priority: Priority = "maybe"
    reason: str = ""


class ScorerAnswer(Answer):
    """Labels, best first: a bare array, or an object that holds it."""

    results: list[ScoredEntry]

    @model_validator(mode="before")
    @classmethod
    def _bare_array(cls, data: Any) -> Any:
        if isinstance(data, list):
            return {"results": data}
        if isinstance(data, dict) and "results" not in data:
            arrays = [value for value in data.values() if isinstance(value, list)]
            return {"results": arrays[0]} if len(arrays) == 1 else data
        return data

    @field_validator("results", mode="before")
    @classmethod
    def _whole_entries(cls, value: Any) -> Any:
        whole = _whole(value, "id", "score")
        return [{**entry, "id": str(entry["id"])} for entry in whole] if isinstance(whole, list) else whole


class Entry(Answer):
    """A claim with the words of the page that prove it."""

    claim: str
    quote: str


class ExtractorAnswer(Answer):
    """What a page gives: the fields of its intent are filled, the others stay empty.

    Scores come first, so that an answer cut off at the token limit still has them.
    """

    relevance: Share
    confidence: Share
    summary: str = ""
    key_facts: list[Entry] = Field(default_factory=list)
    recommendations: list[Entry] = Field(default_factory=list)
    sources_cited: list[Entry] = Field(default_factory=list)
    recommended_products: list[Entry] = Field(default_factory=list)
    price_expectations: list[Entry] = Field(default_factory=list)
    specs_to_look_for: list[Entry] = Field(default_factory=list)
    warnings: list[Entry] = Field(default_factory=list)
    vendors_mentioned: list[Entry] = Field(default_factory=list)

    @field_validator(
        "key_facts", "recommendations", "sources_cited", "recommended_products", "price_expectations",
        "specs_to_look_for", "warnings", "vendors_mentioned", mode="before",
    )  # fmt: skip
    @classmethod
    def _whole_entries(cls, value: Any) -> Any:
        return _whole(value, "claim", "quote")


class CitedSentence(Answer):
    """A sentence with the ids of its evidence."""

    text: str
    evidence: list[str] = Field(default_factory=list)


class ReportAnswer(Answer):
    """The report's parts; code renders citations and sources."""

    answer: list[CitedSentence]
    certainty: str = ""
    key_findings: list[CitedSentence] = Field(default_factory=list)
    journey: str = ""

    @field_validator("answer", "key_findings", mode="before")
    @classmethod
    def _whole_entries(cls, value: Any) -> Any:
        return _whole(value, "text")


class AlternativeEntry(Answer):
    """Another offer and what for."""

    product: str
    why: str = ""


class RecommenderAnswer(Answer):
    """The offer chosen, by its id, and why; code renders everything else."""

    product: str
    reasons: list[CitedSentence] = Field(default_factory=list)
    cautions: list[CitedSentence] = Field(default_factory=list)
    alternatives: list[AlternativeEntry] = Field(default_factory=list)

    @field_validator("reasons", "cautions", mode="before")
    @classmethod
    def _whole_sentences(cls, value: Any) -> Any:
        return _whole(value, "text")

    @field_validator("alternatives", mode="before")
    @classmethod
    def _whole_alternatives(cls, value: Any) -> Any:
        return _whole(value, "product")


class ProductAnswer(Answer):
    """What a product's page says of what its markup leaves open; each value in the page's words, or empty."""

    name: str = ""
    price: str = ""
    availability: Availability = "unknown"
    availability_quote: str = ""

    @model_validator(mode="before")
    @classmethod
    def _nothing(cls, data: Any) -> Any:
        return _tidy(data, lists=(), texts=("name", "price", "availability_quote"))


AnswerType = TypeVar("AnswerType", bound=Answer)


def parse_answer(model: type[AnswerType], text: str) -> AnswerType:
    """A model's text as an answer; fenced or broken JSON is repaired once.

    Raises:
        BadAnswer: it is no such answer even then.
    """
    try:
        return model.model_validate(json.loads(text))
    except (ValueError, RecursionError):
        pass
    try:
        return model.model_validate(json_repair.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "answer"
        raise BadAnswer(f"the model's answer does not fit: {place}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"the model's answer is not JSON: {error}") from error


class Bounds(BaseModel):
    """How long answers may get: without bounds a small model runs on to its token limit."""

    model_config = ConfigDict(frozen=True)

    items: int = 10
    """Entries of an array."""
    text_chars: int = 600
    """Longest quote, sentence or paragraph."""
    short_chars: int = 300
    """Longest reason, claim or query."""
    reasons: bool = True
    """Whether the scorer explains each score, and the planner may name providers."""


def planner_schema(bounds: Bounds, allowed: Sequence[str], ids: Sequence[str]) -> dict[str, Any]:
    """Schema of PlannerAnswer; every action has its argument, those of the other actions are ignored."""
    fields: dict[str, Any] = {"action": _choice(allowed), "reason": _text(bounds.short_chars)}
    if "search" in allowed:
        fields["query"] = _text(bounds.short_chars, least=MIN_QUERY_CHARS)
        fields["queries"] = _array(_text(bounds.short_chars, least=MIN_QUERY_CHARS), min(5, bounds.items))
    if "visit" in allowed and ids:
        fields["urls"] = _array(_choice(ids), min(4, bounds.items), least=1)
    if "done" in allowed:
        fields["missing"] = _array(_text(bounds.short_chars), min(5, bounds.items))
    schema = _object(fields)
    if bounds.reasons and "search" in allowed:
        schema["properties"]["providers"] = _array(_text(40), 3)
    return schema


def scorer_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of ScorerAnswer as an object, which is what endpoints take; one entry per result."""
    entry = _from_model(ScoredEntry, drop=() if bounds.reasons else ("reason",))
    entry["properties"]["id"] = _choice(ids)
    if bounds.reasons:
        entry["properties"]["reason"] = _text(80)
    return _object({"results": _array(entry, len(ids), least=len(ids))})


def extractor_schema(bounds: Bounds, fields: Collection[str]) -> dict[str, Any]:
    """Schema of ExtractorAnswer with the entry fields of one intent."""
    drop = [name for name in ExtractorAnswer.model_fields if name not in {*fields, *ALWAYS}]
    schema = _from_model(ExtractorAnswer, drop=drop)
    entry = _object({"claim": _text(bounds.short_chars, least=1), "quote": _text(bounds.text_chars, least=1)})
    for place, name in enumerate(name for name in schema["properties"] if name in fields):
        schema["properties"][name] = _array(entry, bounds.items if place == 0 else max(1, bounds.items // 2))
    schema["properties"]["summary"] = _text(bounds.short_chars)
    return schema


def report_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of ReportAnswer that can cite only evidence that exists."""
    sentence = _object(
        {"text": _text(bounds.text_chars, least=1), "evidence": _array(_choice(ids), 4, least=1)}
    )
    return _object(
        {
            "answer": _array(sentence, min(8, bounds.items), least=1),
            "certainty": _text(bounds.short_chars),
            "key_findings": _array(sentence, bounds.items),
            "journey": _text(bounds.text_chars),
        }
    )


def product_schema(bounds: Bounds, fields: Collection[str]) -> dict[str, Any]:
    """Schema of ProductAnswer with the fields that are open: name, price, availability."""
    asked: dict[str, Any] = {name: _text(bounds.short_chars) for name in ("name", "price") if name in fields}
    if "availability" in fields:
        asked["availability"] = _choice(get_args(Availability))
        asked["availability_quote"] = _text(bounds.short_chars)
    return _object(asked)


NO_OFFER = "none"


def recommender_schema(bounds: Bounds, offers: Sequence[str], evidence: Sequence[str]) -> dict[str, Any]:
    """Schema of RecommenderAnswer that can name only offers and evidence that exist."""
    fields: dict[str, Any] = {"product": _choice([*offers, NO_OFFER])}
    if evidence:
        sentence = _object(
            {"text": _text(bounds.text_chars, least=1), "evidence": _array(_choice(evidence), 4, least=1)}
        )
        fields["reasons"] = _array(sentence, min(5, bounds.items), least=1)
        fields["cautions"] = _array(sentence, min(3, bounds.items))
    other = _object({"product": _choice(offers), "why": _text(bounds.short_chars)})
    fields["alternatives"] = _array(other, min(3, bounds.items))
    return _object(fields)


ALWAYS = ("relevance", "confidence", "summary")


def _from_model(model: type[BaseModel], *, drop: Collection[str]) -> dict[str, Any]:
    """The model's own schema: references resolved, all fields required, scores in tenths."""
    schema = model.model_json_schema()
    defs = schema.get("$defs", {})
    fields = {
        name: _resolved(value, defs) for name, value in schema["properties"].items() if name not in drop
    }
    return _object(fields)


def _resolved(value: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in value:
        return _resolved(defs[value["$ref"].rsplit("/", 1)[-1]], defs)
    plain = {key: copy.deepcopy(part) for key, part in value.items() if key not in ("title", "default")}
    if plain.get("type") == "number" and plain.get("maximum") == 1:
        return {"type": "number", "enum": TENTHS}
    return plain


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _array(items: Mapping[str, Any], most: int, *, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": dict(items), "minItems": least, "maxItems": most}


def _choice(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _text(most: int, *, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "maxLength": most} | ({"minLength": least} if least else {})


def _whole(value: Any, *needed: str) -> Any:
    """Entries that have what they need; an answer cut off in mid-entry loses that one only."""
    if not isinstance(value, list):
        return [] if value is None else value
    return [
        one
        for one in value
        if isinstance(one, dict) and all(one.get(key) not in (None, "") for key in needed)
    ]


def _tidy(data: Any, *, lists: Sequence[str], texts: Sequence[str]) -> Any:
    """null becomes nothing, a single value where a list is wanted becomes a list of one."""
    if not isinstance(data, dict):
        return data
    data = {key: value for key, value in data.items() if value is not None}
    for name in lists:
        if isinstance(data.get(name), str):
            data[name] = [data[name]] if data[name] else []
    for name in texts:
        if isinstance(data.get(name), list):
            data[name] = data[name][0] if data[name] else ""
    return data
