"""The classes that parse models' answers. `schemas` makes the JSON schemas of them that models are asked to follow."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar, get_args

from pydantic import (
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from prompts.answer_shapes import chars, list_bounds, one_of
from prompts.answer_shapes import complete_entries as _complete
from prompts.judgement_answers import AnalysisAnswer, EvaluationAnswer, EvidenceId, whole, with_one_confidence
from prompts.repair import MOST_PARSED_CHARS, Repair, repaired_json
from prompts.shaping import shaped
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.base import Changeable
from research_crawler.core.models.evidence.entailment import ReadVerdict
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import ResearchType
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, LeafState
from research_crawler.core.models.messages.events import Priority, ResultType
from research_crawler.core.models.offers.products import Availability
from research_crawler.core.models.reports.cited_parts import SentenceForm
from research_crawler.core.text.plain_text import cleaned

MOST_ENTRIES, MAX_ENTRY_ID = 8, 8
"""Most sub-questions that the planner may add or change at once, and most characters of the id of one."""
MOST_SECTIONS_READ = 4
"""Most sections of long pages that the planner may name at once."""
MOST_PAGES = 8
"""Most pages that the planner may name at once."""
MIN_QUERY_CHARS = 3
"""A shorter query of a model is no query."""
MOST_IDS = 12
"""Most evidence ids of a sentence: a table's row or a sum of what many pages say rests on more than a few."""
MOST_CODE = 1_200
"""Most characters of the commands or settings that are shown below a sentence."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A score. If it is outside of [0, 1], the answer has failed."""
Short = Annotated[str, chars("short_chars")]
Long = Annotated[str, chars("text_chars")]
Query = Annotated[str, chars("short_chars", least=MIN_QUERY_CHARS)]


class Answer(Changeable):
    """A model's answer; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ScoredEntry(Answer):
    """The labels of one result."""

    id: Annotated[str, one_of("result")]
    score: Share
    type: ResultType = "other"
    priority: Priority | None = None
    """None: as the score says."""
    reason: Annotated[str, chars(80)] = ""


class OutlineEntry(Answer):
    """A sub-question of the outline that is new or has changed."""

    id: Annotated[str, chars(MAX_ENTRY_ID)] = ""
    state: Annotated[LeafState, one_of("state")] = "open"
    section: Short = ""
    question: Short = ""
    query: Short = ""
    reason: Short = ""
    evidence: Annotated[list[EvidenceId], list_bounds(MOST_EVIDENCE)] = Field(default_factory=list)

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

    intent: Intent | None = None
    type: ResearchType | None = None
    """In the first answer: what the goal asks; None: the model does not say."""
    labels: Annotated[list[ScoredEntry], list_bounds("items", least=1)] = Field(default_factory=list)
    """Of the results that are new in this step, as far as they fit. They come first: the decision is made by them."""
    analysis: AnalysisAnswer | None = None
    """How good the evidence is; None: the model was not asked, or says nothing."""
    evaluation: EvaluationAnswer | None = None
    action: Annotated[
        Literal["search", "visit", "search_and_visit", "read_section", "ask_human", "done"], one_of("action")
    ]
    reason: Short = ""
    query: Short = ""
    queries: Annotated[list[Query], list_bounds(5, "items")] = Field(default_factory=list)
    url: str = ""
    urls: Annotated[list[Annotated[str, one_of("page")]], list_bounds(MOST_PAGES, "items")] = Field(
        default_factory=list
    )
    sections: Annotated[list[Annotated[str, one_of("section")]], list_bounds(MOST_SECTIONS_READ, "items")] = (
        Field(default_factory=list)
    )
    missing: Annotated[list[Short], list_bounds(5, "items")] = Field(default_factory=list)
    question: Short = ""
    providers: Annotated[list[Annotated[str, chars(40)]], list_bounds(3)] = Field(default_factory=list)
    expected_domains: Annotated[list[Annotated[str, chars(80)]], list_bounds(4)] = Field(default_factory=list)
    """With a search: the sites on which its answers are expected."""
    outline: Annotated[list[OutlineEntry] | None, list_bounds(MOST_ENTRIES)] = None
    """Sub-questions that are new or have changed; None: the model says nothing about the outline."""

    @model_validator(mode="before")
    @classmethod
    def _with_action(cls, data: Any) -> Any:
        """An answer that only has what an action needs means this action; with queries and pages, it means both."""
        if isinstance(data, dict) and not data.get("action"):
            needs = {"visit": ("urls", "url"), "search": ("queries", "query"), "read_section": ("sections",)}
            meant = [action for action, names in needs.items() if any(map(data.get, names))]
            if meant == ["visit", "search"]:
                meant = ["search_and_visit"]
            return data | {"action": meant[0]} if len(meant) == 1 else data
        return data

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
        if not isinstance(value, list) or (value and not any(isinstance(one, dict) for one in value)):
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

    results: Annotated[list[ScoredEntry], list_bounds("items")]

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

    page: Annotated[str, one_of("page")] = ""
    """Which of several pages has it."""
    claim: Annotated[str, chars("short_chars", least=1)]
    quote: Annotated[str, chars("text_chars", least=1)]


Entries = Annotated[list[Entry], list_bounds("items")]


class ReadPage(Answer):
    """What one of several pages was good for."""

    page: Annotated[str, one_of("page")]
    relevance: Share
    summary: Annotated[str, chars(120)] = ""


UNSAID_SCORE: Final = 0.5
"""The relevance of a page with quotes of which a model does not say it."""
_QUOTED: Final = (
    *("key_facts", "recommendations", "recommended_products", "price_expectations", "specs_to_look_for"),
    *("warnings", "vendors_mentioned"),
)  # fmt: skip


def _quoted(entry: Any) -> Any:
    """An entry whose quote is its claim, where it has no other."""
    entry = {"quote": entry} if isinstance(entry, str) else entry
    return {"claim": entry.get("quote"), **entry} if isinstance(entry, dict) else entry


class ExtractorAnswer(Answer):
    """What a page says about the goal; only the fields of the job's intent are filled.

    Scores come first, so that an answer that is cut off at the token limit has them.
    """

    relevance: Share
    confidence: Share
    summary: Short = ""
    key_facts: Entries = Field(default_factory=list)
    recommendations: Entries = Field(default_factory=list)
    recommended_products: Entries = Field(default_factory=list)
    price_expectations: Entries = Field(default_factory=list)
    specs_to_look_for: Entries = Field(default_factory=list)
    warnings: Entries = Field(default_factory=list)
    vendors_mentioned: Entries = Field(default_factory=list)
    pages: Annotated[list[ReadPage], list_bounds("items")] = Field(default_factory=list)
    """Of several pages, each by itself."""
    leads_to: Short = ""
    """The search for what the quotes name and the rest of the answer depends on."""
    answers_all: bool = False
    """Whether what was taken answers all that is asked. It is written last, when all was taken."""

    @field_validator("leads_to", mode="before")
    @classmethod
    def _text_or_nothing(cls, value: Any) -> Any:
        return value if isinstance(value, str) else ""

    @field_validator("answers_all", mode="before")
    @classmethod
    def _sure_or_no(cls, value: Any) -> Any:
        return value is True

    @field_validator("pages", mode="before")
    @classmethod
    def _drop_unusable_pages(cls, value: Any) -> Any:
        entries = value if isinstance(value, list) else []
        return [one for one in _complete(entries, "page", "relevance") if _fits(ReadPage, one)]

    @model_validator(mode="before")
    @classmethod
    def _with_both_scores(cls, data: Any) -> Any:
        """A score that is missing is the other one; a page with quotes says something, whatever its score is."""
        if not isinstance(data, dict):
            return data
        has_quotes = any(data.get(name) for name in _QUOTED)
        either = data.get("relevance", data.get("confidence", UNSAID_SCORE if has_quotes else None))
        return data if either is None else {"relevance": either, "confidence": either} | data

    @field_validator(*_QUOTED, mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        """A text alone is quote and claim: code looks it up in the page."""
        entries = [_quoted(one) for one in value] if isinstance(value, list) else value
        return _complete(entries, "claim", "quote")


class CitedSentence(Answer):
    """A sentence with the ids of its evidence, and the commands or settings that it shows."""

    part: Annotated[str, one_of("part")] = ""
    """In a section: the id of the question that it answers."""
    form: SentenceForm = "line"
    text: Annotated[str, chars("text_chars", least=1)]
    evidence: Annotated[list[EvidenceId], list_bounds(MOST_IDS, least=1)] = Field(default_factory=list)
    code: Annotated[str, chars(MOST_CODE)] = ""


class AlternativeEntry(Answer):
    """Another offer, and when it is the better one."""

    product: Annotated[str, one_of("offer")]
    why: Short = ""


class RecommenderAnswer(Answer):
    """The id of the chosen offer, with reasons; code renders everything else."""

    product: Annotated[str, one_of("product")]
    reasons: Annotated[list[CitedSentence], list_bounds(5, "items", least=1)] = Field(default_factory=list)
    cautions: Annotated[list[CitedSentence], list_bounds(3, "items")] = Field(default_factory=list)
    alternatives: Annotated[list[AlternativeEntry], list_bounds(3, "items")] = Field(default_factory=list)

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

    id: Annotated[str, one_of("statement")]
    words: Long = ""
    """The words of the quotes that say it, copied before it is judged."""
    verdict: ReadVerdict
    reason: Short = ""
    reworded: Long = ""


class VerifierAnswer(Answer):
    """Verdicts on statements; those that do not fit are left out."""

    statements: Annotated[list[CheckedEntry], list_bounds("items")]

    @field_validator("statements", mode="before")
    @classmethod
    def _drop_unknown(cls, value: Any) -> Any:
        entries = _complete(value, "id", "verdict")
        if not isinstance(entries, list):
            return entries
        return [entry for entry in entries if entry["verdict"] in get_args(ReadVerdict)]


class ShownEntry(Answer):
    """Where the quotes say one statement, and what of it they do not say."""

    id: Annotated[str, one_of("statement")]
    words: Long = ""
    lacks: Short = ""


class SecondReaderAnswer(Answer):
    """Where the quotes say what statements say; entries that do not fit are left out."""

    statements: Annotated[list[ShownEntry], list_bounds("items")]

    @field_validator("statements", mode="before")
    @classmethod
    def _drop_unknown(cls, value: Any) -> Any:
        return _complete(value, "id")


class ColumnEntry(Answer):
    """The value of one column, and the passage that says it."""

    column: Annotated[str, one_of("column")]
    passage: Annotated[str, one_of("passage")]
    quote: Long = ""
    value: Short = ""

    @model_validator(mode="before")
    @classmethod
    def _texts(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        value = data.get("value")
        told = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        texts = {name: data.get(name) for name in ("column", "passage", "quote")} | {"value": told}
        return {name: "" if text is None else str(text) for name, text in texts.items()}


class ColumnsAnswer(Answer):
    """The values of a row's open columns; entries that do not fit are left out."""

    values: Annotated[list[ColumnEntry], list_bounds("items")]

    @model_validator(mode="before")
    @classmethod
    def _bare_array(cls, data: Any) -> Any:
        return {"values": data} if isinstance(data, list) else data

    @field_validator("values", mode="before")
    @classmethod
    def _drop_incomplete(cls, value: Any) -> Any:
        return _complete(value, "column", "passage")


class ProductAnswer(Answer):
    """The facts of a product that its page's markup lacks; each value in the page's own words, or empty."""

    name: Short = ""
    price: Short = ""
    availability: Availability = "unknown"
    availability_quote: Short = ""


ParsedAnswer = TypeVar("ParsedAnswer", bound=Answer)


def parse_answer(model: type[ParsedAnswer], text: str) -> ParsedAnswer:
    """Parse a model's text as an answer with clean texts; JSON that is fenced or broken is repaired once.

    Raises:
        BadAnswer: the text does not fit the answer's model, even after the repair.
    """
    return _whole(model, text) or _fitted(model, json.loads(repaired_json(text)))


async def parse_answer_by(repair: Repair, model: type[ParsedAnswer], text: str) -> ParsedAnswer:
    """The same, where JSON is repaired elsewhere."""
    return _whole(model, text) or _fitted(model, json.loads(await repair(text)))


def _whole(model: type[ParsedAnswer], text: str) -> ParsedAnswer | None:
    if len(text) > MOST_PARSED_CHARS:
        raise BadAnswer("the model's answer is longer than any answer")
    try:
        return cleaned(model.model_validate(shaped(model, json.loads(text))))
    except (ValueError, RecursionError):
        return None


def _fitted(model: type[ParsedAnswer], data: Any) -> ParsedAnswer:
    try:
        return cleaned(model.model_validate(shaped(model, data)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        index = ".".join(str(part) for part in first["loc"]) or "answer"
        raise BadAnswer(f"the model's answer does not fit: {index}: {first['msg']}") from error


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
