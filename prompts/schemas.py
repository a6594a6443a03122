"""Make the JSON schemas for endpoints and prompts: closed, with limits, and only with values that are allowed now."""

import copy
import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict

from prompts.answers import ExtractorAnswer, ScoredEntry
from prompts.judgement_schemas import analysis_schema, evaluation_schema, expected_domains_schema
from prompts.schema_parts import array as _array
from prompts.schema_parts import choice as _choice
from prompts.schema_parts import cited_sentence
from prompts.schema_parts import closed_object as _object
from prompts.schema_parts import text as _text
from research_crawler.core.models.evidence.entailment import ReadVerdict
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.job import ResearchType
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, LeafState
from research_crawler.core.models.messages.events import Priority
from research_crawler.core.models.offers.products import Availability

TENTHS = [n / 10 for n in range(11)]
MIN_QUERY_CHARS = 3
NO_OFFER = "none"
BOTH = "search_and_visit"
"""The planner's answer for a search and visits in one round; small models are not offered it."""
MOST_ENTRIES, MAX_ENTRY_ID = 8, 8
"""Most sub-questions that the planner may add or change at once, and most characters of the id of one."""
MOST_SECTIONS_READ = 4
"""Most sections of long pages that the planner may name at once."""
LONG_PAGE_TOKENS, MORE_ENTRIES = 4_000, 6
"""From so many tokens on, a page may have so many more facts: a chapter of a manual answers several sub-questions."""
MORE_OF_A_PAGE = 3
"""So many more facts for each page that is read together with another."""
_SUMMARY = 120
MOST_PAGES = 8
"""Most pages that the planner may name at once."""
ALWAYS = ("relevance", "confidence", "summary")
"""Fields of the extractor's answer for every intent."""


class Bounds(BaseModel):
    """How long answers may be: without these limits, a small model writes up to its token limit."""

    model_config = ConfigDict(frozen=True)

    items: int = 10
    """Most entries of an array."""
    text_chars: int = 600
    """Most characters of a quote, sentence or paragraph."""
    short_chars: int = 300
    """Most characters of a reason, claim or query."""
    reasons: bool = True
    """Whether the scorer explains each score, and the planner may name providers."""


def planner_schema(
    bounds: Bounds,
    allowed: Sequence[str],
    ids: Sequence[str],
    *,
    new: Sequence[str] = (),
    sections: Sequence[str] = (),
    evidence: Sequence[str] = (),
    is_judged: bool = False,
    reads_goal: bool = False,
) -> dict[str, Any]:
    """Schema of PlannerAnswer, with the arguments of all allowed actions.

    An action's arguments are left out with other actions, or empty where an endpoint wants all fields. A small model
    must give all of them, for it leaves out what it may; those of other actions are ignored.

    Args:
        ids: of the pages that may be visited.
        sections: ids of sections that may be read.
        new: ids of the results to label. Labels come first: the decision is made by them.
        evidence: ids of the findings that may fill the outline, which small models are not asked for.
        is_judged: whether the model is to judge the evidence, which it does before it decides.
        reads_goal: whether the model says what the goal asks, which it does first.
    """
    allowed = [action for action in allowed if action != "read_section" or sections]
    has_both = bounds.reasons and bool(ids) and {"search", "visit"} <= set(allowed)
    actions = [*allowed, BOTH] if has_both else allowed
    fields: dict[str, Any] = {}
    if reads_goal and bounds.reasons:
        fields |= {"intent": _choice(get_args(Intent)), "type": _choice(get_args(ResearchType))}
    if new:
        fields["labels"] = _array(_label(new), len(new), least=1)
    if is_judged and bounds.reasons:
        fields |= {
            "analysis": analysis_schema(ids, evidence),
            "evaluation": evaluation_schema(bounds.short_chars),
        }
    fields |= {"action": _choice(actions), "reason": _text(bounds.short_chars)}
    arguments = _arguments(bounds, allowed, ids, sections)
    if not bounds.reasons:
        return _object(fields | arguments)
    return _object(fields, arguments | {"outline": _array(_leaf(bounds, evidence), MOST_ENTRIES)})


def _arguments(
    bounds: Bounds, allowed: Sequence[str], ids: Sequence[str], sections: Sequence[str]
) -> dict[str, Any]:
    """The fields that the allowed actions use."""
    least = 0 if bounds.reasons else 1
    fields: dict[str, Any] = {}
    if "search" in allowed:
        query = _text(bounds.short_chars, least=MIN_QUERY_CHARS)
        fields["query"] = query if least else _text(bounds.short_chars)
        fields["queries"] = _array(query, min(5, bounds.items))
    if "visit" in allowed and ids:
        fields["urls"] = _array(_choice(ids), min(MOST_PAGES, bounds.items), least=least)
    if "read_section" in allowed:
        fields["sections"] = _array(_choice(sections), min(MOST_SECTIONS_READ, bounds.items))
    if "done" in allowed:
        fields["missing"] = _array(_text(bounds.short_chars), min(5, bounds.items))
    if "ask_human" in allowed:
        fields["question"] = _text(bounds.short_chars)
    if bounds.reasons and "search" in allowed:
        fields["providers"] = _array(_text(40), 3)
        fields["expected_domains"] = expected_domains_schema()
    return fields


def _leaf(bounds: Bounds, evidence: Sequence[str]) -> dict[str, Any]:
    """A sub-question of the outline; without findings it has no field for evidence and cannot be filled."""
    states = [state for state in get_args(LeafState) if evidence or state != "filled"]
    fields = {name: _text(bounds.short_chars) for name in ("section", "question", "query", "reason")}
    fields |= {"evidence": _array(_choice(evidence), MOST_EVIDENCE)} if evidence else {}
    return _object({"id": _text(MAX_ENTRY_ID), "state": _choice(states)}, fields)


def scorer_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of ScorerAnswer as an object, because endpoints accept no array; one entry per result."""
    entry = _from_model(ScoredEntry, drop=() if bounds.reasons else ("reason",))
    entry["properties"] |= {"id": _choice(ids), "priority": _choice(get_args(Priority))}
    if bounds.reasons:
        entry["properties"]["reason"] = _text(80)
    return _object({"results": _array(entry, len(ids), least=len(ids))})


def _label(ids: Sequence[str]) -> dict[str, Any]:
    """A label of the planner's, whose score says how soon the result is read."""
    entry = _from_model(ScoredEntry, drop=("priority", "reason"))
    return entry | {"properties": entry["properties"] | {"id": _choice(ids)}}


def extractor_schema(
    bounds: Bounds, fields: Collection[str], page_tokens: int = 0, *, pages: Sequence[str] = ()
) -> dict[str, Any]:
    """Schema of ExtractorAnswer with the entry fields of one intent; a long page may have more entries.

    Of several `pages`, by their ids, each entry names its own, and each page is rated by itself.
    """
    is_long = (page_tokens >= LONG_PAGE_TOKENS or len(pages) > 1) and bounds.reasons
    most = bounds.items + (MORE_ENTRIES if is_long else 0) + MORE_OF_A_PAGE * max(0, len(pages) - 1)
    drop = [name for name in ExtractorAnswer.model_fields if name not in {*fields, *ALWAYS}]
    schema = _from_model(ExtractorAnswer, drop=drop)
    parts = {"claim": _text(bounds.short_chars, least=1), "quote": _text(bounds.text_chars, least=1)}
    entry = _object({"page": _choice(pages), **parts} if pages else parts)
    for place, name in enumerate(name for name in schema["properties"] if name in fields):
        schema["properties"][name] = _array(entry, most if place == 0 else max(1, bounds.items // 2))
    schema["properties"]["summary"] = _text(bounds.short_chars)
    if not pages:
        return schema
    rated = {
        "page": _choice(pages),
        "relevance": {"type": "number", "enum": TENTHS},
        "summary": _text(_SUMMARY),
    }
    return _object(schema["properties"] | {"pages": _array(_object(rated), len(pages), least=len(pages))})


def verifier_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of VerifierAnswer; one entry per statement."""
    entry = _object(
        {
            "id": _choice(ids),
            "verdict": _choice(get_args(ReadVerdict)),
            "reason": _text(bounds.short_chars),
            "reworded": _text(bounds.text_chars),
        }
    )
    return _object({"statements": _array(entry, len(ids), least=len(ids))})


def second_reader_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of SecondReaderAnswer; one entry per statement."""
    entry = _object(
        {"id": _choice(ids), "words": _text(bounds.text_chars), "lacks": _text(bounds.short_chars)}
    )
    return _object({"statements": _array(entry, len(ids), least=len(ids))})


def product_schema(bounds: Bounds, fields: Collection[str]) -> dict[str, Any]:
    """Schema of ProductAnswer with the fields that are missing: name, price, availability."""
    properties: dict[str, Any] = {
        name: _text(bounds.short_chars) for name in ("name", "price") if name in fields
    }
    if "availability" in fields:
        properties["availability"] = _choice(get_args(Availability))
        properties["availability_quote"] = _text(bounds.short_chars)
    return _object(properties)


def recommender_schema(bounds: Bounds, offers: Sequence[str], evidence: Sequence[str]) -> dict[str, Any]:
    """Schema of RecommenderAnswer, which can name only existing offers and evidence."""
    fields: dict[str, Any] = {"product": _choice([*offers, NO_OFFER])}
    if evidence:
        sentence = cited_sentence(evidence, bounds.text_chars)
        fields["reasons"] = _array(sentence, min(5, bounds.items), least=1)
        fields["cautions"] = _array(sentence, min(3, bounds.items))
    other = _object({"product": _choice(offers), "why": _text(bounds.short_chars)})
    fields["alternatives"] = _array(other, min(3, bounds.items))
    return _object(fields)


def _from_model(model: type[BaseModel], *, drop: Collection[str]) -> dict[str, Any]:
    """The schema of a pydantic model, with references resolved, all fields required, and scores in tenths."""
    schema = _schema_of(model)
    defs = schema.get("$defs", {})
    fields = {
        name: _resolved(value, defs) for name, value in schema["properties"].items() if name not in drop
    }
    return _object(fields)


@functools.cache
def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model as pydantic has it, which takes 3 ms to make; nobody changes it."""
    return model.model_json_schema()


def _resolved(value: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in value:
        return _resolved(defs[value["$ref"].rsplit("/", 1)[-1]], defs)
    plain = {key: copy.deepcopy(part) for key, part in value.items() if key not in ("title", "default")}
    if plain.get("type") == "number" and plain.get("maximum") == 1:
        return {"type": "number", "enum": TENTHS}
    return plain
