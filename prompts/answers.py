"""The classes that parse models' answers. The JSON schemas that models are asked to follow are in `schemas`."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from prompts.complete import complete_entries as _complete
from prompts.judgement_answers import AnalysisAnswer, EvaluationAnswer, whole, with_one_confidence
from prompts.repair import Repair, repaired_json
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.evidence.entailment import ReadVerdict
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.job import ResearchType
from research_crawler.core.models.jobs.outline import LeafState
from research_crawler.core.models.messages.events import Priority, ResultType
from research_crawler.core.models.offers.products import Availability
from research_crawler.core.models.reports.cited_parts import Form
from research_crawler.core.text.plain_text import cleaned

Share = Annotated[float, Field(ge=0, le=1)]
"""A score. If it is outside of [0, 1], the answer has failed."""


class Answer(BaseModel):
    """A model's answer; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ScoredEntry(Answer):
    """The labels of one result."""

    id: str
    score: Share
    type: ResultType = "other"
    priority: Priority | None = None
    """None: as the score says."""
    reason: str = ""


class OutlineEntry(Answer):
    """A sub-question of the outline that is new or has changed."""

    id: str = ""
    section: str = ""
    question: str = ""
    query: str = ""
    evidence: list[str] = Field(default_factory=list)
    state: LeafState = "open"
    reason: str = ""

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: Any) -> Any:
        texts = ("id", "section", "question", "query", "reason")
        data = _tidy(data, lists=("evidence",), texts=texts)
        if not isinstance(data, dict):
            return data
        if data.get("state") not in get_args(LeafState):
            kept = {name: value for name, value in data.items() if name != "state"}
            data = {**kept, "state": "filled"} if data.get("evidence") else kept
        return data | {name: str(data[name]) for name in texts if isinstance(data.get(name), int | float)}


class PlannerAnswer(Answer):
    """A decision of the planner, with labels and the outline; `query` or `queries`, `url` or `urls`."""

    action: Literal["search", "visit", "search_and_visit", "read_section", "ask_human", "done"]
    reason: str = ""
    query: str = ""
    queries: list[str] = Field(default_factory=list)
    url: str = ""
    urls: list[str] = Field(default_factory=list)
    sections: list[str] = Field(default_factory=list)
    providers: list[str] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    question: str = ""
    labels: list[ScoredEntry] = Field(default_factory=list)
    """Of the results that are new in this step, as far as they fit."""
    outline: list[OutlineEntry] | None = None
    """Sub-questions that are new or have changed; None: the model says nothing about the outline."""
    expected_domains: list[str] = Field(default_factory=list)
    """With a search: the sites on which its answers are expected."""
    evaluation: EvaluationAnswer | None = None
    analysis: AnalysisAnswer | None = None
    """How good the evidence is; None: the model was not asked, or says nothing."""
    intent: Intent | None = None
    type: ResearchType | None = None
    """In the first answer: what the goal asks; None: the model does not say."""

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: Any) -> Any:
        return _tidy(
            with_one_confidence(data),
            lists=("queries", "urls", "sections", "providers", "missing", "expected_domains"),
            texts=("query", "url", "reason", "question"),
        )

    @field_validator("intent", "type", mode="before")
    @classmethod
    def _drop_unknown_word(cls, value: Any, field: ValidationInfo) -> Any:
        known = get_args(Intent if field.field_name == "intent" else ResearchType)
        return value if value in known else None

    @field_validator("outline", mode="before")
    @classmethod
    def _drop_unusable_entries(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return None
        return [entry for entry in value if isinstance(entry, dict) and _fits(OutlineEntry, entry)]

    @field_validator("evaluation", mode="before")
    @classmethod
    def _whole_evaluation(cls, value: Any) -> Any:
        return whole(value, "relevance", "confidence", "coverage")

    @field_validator("analysis", mode="before")
    @classmethod
    def _whole_analysis(cls, value: Any) -> Any:
        return whole(value, "confidence_score")

    @field_validator("labels", mode="before")
    @classmethod
    def _drop_unusable(cls, value: Any) -> Any:
        entries = value if isinstance(value, list) else []
        return [one for one in _complete(entries, "id", "score") if _fits(ScoredEntry, one)]


class ScorerAnswer(Answer):
    """Labels, best first: an array, or an object that contains it."""

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
    def _drop_incomplete(cls, value: Any) -> Any:
        entries = _complete(value, "id", "score")
        if not isinstance(entries, list):
            return entries
        return [{**entry, "id": str(entry["id"])} for entry in entries]


class Entry(Answer):
    """A claim with the quote from the page that proves it."""

    claim: str
    quote: str
    page: str = ""
    """Which of several pages has it."""

    @field_validator("page", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return "" if value is None else str(value)


class ReadPage(Answer):
    """What one of several pages was good for."""

    page: str
    relevance: Share
    summary: str = ""


class ExtractorAnswer(Answer):
    """What a page says about the goal; only the fields of the job's intent are filled.

    Scores come first, so that an answer that is cut off at the token limit has them.
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
    pages: list[ReadPage] = Field(default_factory=list)
    """Of several pages, each by itself."""

    @field_validator("pages", mode="before")
    @classmethod
    def _drop_unusable_pages(cls, value: Any) -> Any:
        entries = value if isinstance(value, list) else []
        return [one for one in _complete(entries, "page", "relevance") if _fits(ReadPage, one)]

    @field_validator(
        "key_facts", "recommendations", "sources_cited", "recommended_products", "price_expectations",
        "specs_to_look_for", "warnings", "vendors_mentioned", mode="before",
    )  # fmt: skip
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        return _complete(value, "claim", "quote")


class CitedSentence(Answer):
    """A sentence with the ids of its evidence, and the commands or settings that it shows."""

    text: str
    evidence: list[str] = Field(default_factory=list)
    code: str = ""
    form: Form = "line"

    @field_validator("code", mode="before")
    @classmethod
    def _without_null(cls, value: Any) -> Any:
        return value if isinstance(value, str) else ""

    @field_validator("form", mode="before")
    @classmethod
    def _known_form(cls, value: Any) -> Any:
        return value if value in get_args(Form) else "line"


class AlternativeEntry(Answer):
    """Another offer, and when it is the better one."""

    product: str
    why: str = ""


class RecommenderAnswer(Answer):
    """The id of the chosen offer, with reasons; code renders everything else."""

    product: str
    reasons: list[CitedSentence] = Field(default_factory=list)
    cautions: list[CitedSentence] = Field(default_factory=list)
    alternatives: list[AlternativeEntry] = Field(default_factory=list)

    @field_validator("reasons", "cautions", mode="before")
    @classmethod
    def _drop_incomplete_sentences(cls, value: Any) -> Any:
        return _complete(value, "text")

    @field_validator("alternatives", mode="before")
    @classmethod
    def _drop_incomplete_alternatives(cls, value: Any) -> Any:
        return _complete(value, "product")


class CheckedEntry(Answer):
    """The verdict on one statement."""

    id: str
    verdict: ReadVerdict
    reason: str = ""
    reworded: str = ""

    @field_validator("reason", "reworded", mode="before")
    @classmethod
    def _without_null(cls, value: Any) -> Any:
        return "" if value is None else value


class VerifierAnswer(Answer):
    """Verdicts on statements; those that do not fit are left out."""

    statements: list[CheckedEntry]

    @field_validator("statements", mode="before")
    @classmethod
    def _drop_unknown(cls, value: Any) -> Any:
        entries = _complete(value, "id", "verdict")
        if not isinstance(entries, list):
            return entries
        return [entry for entry in entries if entry["verdict"] in get_args(ReadVerdict)]


class ShownEntry(Answer):
    """Where the quotes say one statement, and what of it they do not say."""

    id: str
    words: str = ""
    lacks: str = ""

    @field_validator("words", "lacks", mode="before")
    @classmethod
    def _without_null(cls, value: Any) -> Any:
        return "" if value is None else value


class SecondReaderAnswer(Answer):
    """Where the quotes say what statements say; entries that do not fit are left out."""

    statements: list[ShownEntry]

    @field_validator("statements", mode="before")
    @classmethod
    def _drop_unknown(cls, value: Any) -> Any:
        return _complete(value, "id")


class ProductAnswer(Answer):
    """The facts of a product that its page's markup lacks; each value in the page's own words, or empty."""

    name: str = ""
    price: str = ""
    availability: Availability = "unknown"
    availability_quote: str = ""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return _tidy(data, lists=(), texts=("name", "price", "availability_quote"))


AnswerType = TypeVar("AnswerType", bound=Answer)


def parse_answer(model: type[AnswerType], text: str) -> AnswerType:
    """Parse a model's text as an answer with clean texts; JSON that is fenced or broken is repaired once.

    Raises:
        BadAnswer: the text does not fit the answer's model, even after the repair.
    """
    return _whole(model, text) or _fitted(model, json.loads(repaired_json(text)))


async def parse_answer_by(repair: Repair, model: type[AnswerType], text: str) -> AnswerType:
    """The same, where JSON is repaired elsewhere."""
    return _whole(model, text) or _fitted(model, json.loads(await repair(text)))


def _whole(model: type[AnswerType], text: str) -> AnswerType | None:
    try:
        return cleaned(model.model_validate(json.loads(text)))
    except (ValueError, RecursionError):
        return None


def _fitted(model: type[AnswerType], data: Any) -> AnswerType:
    try:
        return cleaned(model.model_validate(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "answer"
        raise BadAnswer(f"the model's answer does not fit: {place}: {first['msg']}") from error


def _fits(model: type[Answer], entry: Mapping[str, Any]) -> bool:
    try:
        model.model_validate(entry)
    except ValidationError:
        return False
    return True


def _tidy(data: Any, *, lists: Sequence[str], texts: Sequence[str]) -> Any:
    """The data without nulls, with a list for a single value and a single value for a list, where needed."""
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
