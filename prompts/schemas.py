"""Make the JSON schemas for endpoints and prompts: closed, with limits, and only with values that are allowed now."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from prompts.answer_shapes import Bounds, SchemaLimits, schema_of
from prompts.answers import (
    MIN_QUERY_CHARS,
    MOST_PAGES,
    ColumnsAnswer,
    ExtractorAnswer,
    PlannerAnswer,
    ProductAnswer,
    RecommenderAnswer,
    ScorerAnswer,
    SecondReaderAnswer,
    VerifierAnswer,
)

NO_OFFER = "none"
BOTH = "search_and_visit"
"""The planner's answer for a search and visits in one round; small models are not offered it."""
MORE_ENTRIES, MORE_OF_A_PAGE = 6, 3
"""A page may have so many more facts (a chapter of a manual answers several sub-questions), and so many more for each
page that is read together with it."""
ALWAYS = ("relevance", "confidence", "summary")
"""Fields of the extractor's answer for every intent."""
MOST_SHOWN_RESULTS, MOST_LABELS = 24, 8
"""Most results that the planner is shown, and most that it labels: a round reads at most eight pages."""
READ_TOGETHER = 4
"""Most pages of one reading: the answer to more of them would be cut. More pages are read by calls of about as many
each, at the same time."""
_ARGUMENTS: Final = {
    "search": ("query", "queries", "providers", "expected_domains"),
    "visit": ("urls",),
    "read_section": ("sections",),
    "done": ("missing",),
    "ask_human": ("question",),
}
"""The fields of the planner's answer that an action uses."""
_OF_SOME_STEPS: Final = ("intent", "type", "labels", "analysis", "evaluation", "outline")
"""The fields that only some steps want, as their prompts say; a small model is never asked for them."""
_NEVER_ASKED: Final = ("url", "labels.priority", "labels.reason", "analysis.confidence_score")
"""Fields that are read where a model writes them, and that code fills or another field has."""


def planner_schema(
    bounds: Bounds,
    allowed: Sequence[str],
    ids: Sequence[str],
    *,
    sections: Sequence[str] = (),
    has_labels: bool = True,
) -> dict[str, Any]:
    """Schema of PlannerAnswer, with the arguments of all allowed actions.

    Args:
        allowed: the actions that the planner may choose.
        ids: of the pages that may be visited.
        sections: ids of sections that may be read.
        has_labels: whether it labels new results too.
    """
    allowed = [action for action in allowed if action != "read_section" or sections]
    unused = {name for action, names in _ARGUMENTS.items() if action not in allowed for name in names}
    if not ids:
        unused.add("urls")
    if not bounds.reasons:
        return _planner_schema_of_small(bounds, allowed, ids, sections, unused)
    return _planner_schema_of_any_step(bounds, allowed, ids, unused, has_labels=has_labels)


def _planner_schema_of_any_step(
    bounds: Bounds, allowed: Sequence[str], ids: Sequence[str], unused: Collection[str], *, has_labels: bool
) -> dict[str, Any]:
    """The same schema in all steps that allow the same actions.

    A provider that puts the schema before the messages (OpenAI does) can keep nothing of a prompt whose schema is
    another one. So it has the ids that any step may have; its reader drops those that were not shown, and the prompt
    says which fields are wanted now. What comes first is written first: labels and judgement before the decision.
    """
    has_both = bool(ids) and {"search", "visit"} <= set(allowed)
    asked = SchemaLimits(
        bounds=bounds,
        ids={
            "action": [*allowed, BOTH] if has_both else allowed,
            "page": _of_any_step(ids) if ids else (),
            "result": _of_any_step(()),
        },
        unlisted=("analysis",),
        drop={*_NEVER_ASKED, *unused, *(() if has_labels else ("labels",))},
        counts={"labels": (0, MOST_LABELS), "urls": (0, min(MOST_PAGES, bounds.items))},
    )
    arguments = (name for names in _ARGUMENTS.values() for name in names)
    schema = schema_of(PlannerAnswer, asked, optional={*_OF_SOME_STEPS, *arguments})
    schema["properties"]["outline"]["items"]["required"] = ["id", "state"]
    return schema


def _planner_schema_of_small(
    bounds: Bounds,
    allowed: Sequence[str],
    ids: Sequence[str],
    sections: Sequence[str],
    unused: Collection[str],
) -> dict[str, Any]:
    """The schema for a small model: it is told exactly what it may name, and gives all fields, for it leaves out what
    it may. Those of other actions than its own are ignored."""
    asked = SchemaLimits(
        bounds=bounds,
        ids={"action": allowed, "page": ids, "section": sections},
        drop={*_NEVER_ASKED, *unused, *_OF_SOME_STEPS, "providers", "expected_domains"},
        counts={"urls": (1, min(MOST_PAGES, bounds.items))},
    )
    schema = schema_of(PlannerAnswer, asked)
    if "query" in schema["properties"]:
        schema["properties"]["query"]["minLength"] = MIN_QUERY_CHARS
    return schema


def _of_any_step(ids: Sequence[str]) -> list[str]:
    """The ids of pages that any step may show: those that the caller named, and the results by their places."""
    return [*(id_ for id_ in ids if id_[0] != "R"), *(f"R{n}" for n in range(1, MOST_SHOWN_RESULTS + 1))]


def scorer_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of ScorerAnswer as an object, because endpoints accept no array; one entry per result."""
    asked = SchemaLimits(
        bounds=bounds,
        ids={"result": ids},
        drop=() if bounds.reasons else ("results.reason",),
        counts={"results": (len(ids), len(ids))},
    )
    return schema_of(ScorerAnswer, asked)


def extractor_schema(bounds: Bounds, fields: Collection[str]) -> dict[str, Any]:
    """Schema of ExtractorAnswer with the entry fields of one intent.

    It is the same for one page and for several, of any length: a provider that puts the schema before the messages can
    keep nothing of a prompt whose schema is another one. A small model reads one page, of which it says less.
    """
    is_small = not bounds.reasons
    more = 0 if is_small else MORE_ENTRIES + MORE_OF_A_PAGE * (READ_TOGETHER - 1)
    kept = {*fields, *ALWAYS, *(() if is_small else ("leads_to", "answers_all", "pages"))}
    first, *others = (name for name in ExtractorAnswer.model_fields if name in fields)
    asked = SchemaLimits(
        bounds=bounds,
        ids={"page": [f"P{n}" for n in range(1, READ_TOGETHER + 1)]},
        drop={
            *(name for name in ExtractorAnswer.model_fields if name not in kept),
            *((f"{name}.page" for name in fields) if is_small else ()),
        },
        counts={
            "pages": (0, READ_TOGETHER),
            first: (0, bounds.items + more),
            **{name: (0, max(1, bounds.items // 2)) for name in others},
        },
    )
    return schema_of(ExtractorAnswer, asked)


def verifier_schema(bounds: Bounds, ids: Sequence[str], *, has_words: bool = False) -> dict[str, Any]:
    """Schema of VerifierAnswer; one entry per statement, with the words that say it if `has_words`."""
    return schema_of(
        VerifierAnswer, _of_statements(bounds, ids, drop=() if has_words else ("statements.words",))
    )


def second_reader_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of SecondReaderAnswer; one entry per statement."""
    return schema_of(SecondReaderAnswer, _of_statements(bounds, ids))


def product_schema(bounds: Bounds, fields: Collection[str]) -> dict[str, Any]:
    """Schema of ProductAnswer with the fields that are missing: name, price, availability."""
    wanted = {*fields, *(("availability_quote",) if "availability" in fields else ())}
    return schema_of(
        ProductAnswer, SchemaLimits(bounds=bounds, drop=ProductAnswer.model_fields.keys() - wanted)
    )


def columns_schema(
    bounds: Bounds, columns: Sequence[str], wanted: Sequence[str], passages: Sequence[str]
) -> dict[str, Any]:
    """Schema of ColumnsAnswer. It is the same in all rows of a batch, so that a provider can keep what stands behind
    it; a small model is told exactly which columns and passages there are, and gives an entry for each column.

    Args:
        columns: the names of all columns.
        wanted: those without a value.
        passages: ids of the passages that are shown to a small model, or that any row may have.
    """
    named, least = (columns, 0) if bounds.reasons else (wanted, len(wanted))
    asked = SchemaLimits(
        bounds=bounds,
        ids={"column": named, "passage": passages},
        drop=() if bounds.reasons else ("values.quote",),
        counts={"values": (least, len(named))},
    )
    return schema_of(ColumnsAnswer, asked)


def recommender_schema(bounds: Bounds, offers: Sequence[str], evidence: Sequence[str]) -> dict[str, Any]:
    """Schema of RecommenderAnswer, which can name only existing offers and evidence."""
    cited = ("reasons", "cautions")
    asked = SchemaLimits(
        bounds=bounds,
        ids={"product": [*offers, NO_OFFER], "offer": offers, "evidence": evidence},
        drop={
            *(() if evidence else cited),
            *(f"{name}.{part}" for name in cited for part in ("part", "form", "code")),
        },
    )
    return schema_of(RecommenderAnswer, asked)


def _of_statements(bounds: Bounds, ids: Sequence[str], *, drop: Collection[str] = ()) -> SchemaLimits:
    count = len(ids)
    return SchemaLimits(
        bounds=bounds, ids={"statement": ids}, drop=drop, counts={"statements": (count, count)}
    )
