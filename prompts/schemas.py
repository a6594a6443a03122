"""Make the JSON schemas for endpoints and prompts: closed, with limits, and only with values that are allowed now."""

from collections.abc import Collection, Sequence
from typing import Any, Final, get_args

from prompts.answer_shapes import Asked, Bounds, schema_of
from prompts.answers import (
    MIN_QUERY_CHARS,
    MOST_PAGES,
    ExtractorAnswer,
    PlannerAnswer,
    ProductAnswer,
    RecommenderAnswer,
    ScorerAnswer,
    SecondReaderAnswer,
    VerifierAnswer,
)
from research_crawler.core.models.jobs.outline import LeafState

NO_OFFER = "none"
BOTH = "search_and_visit"
"""The planner's answer for a search and visits in one round; small models are not offered it."""
LONG_PAGE_TOKENS, MORE_ENTRIES = 4_000, 6
"""From so many tokens on, a page may have so many more facts: a chapter of a manual answers several sub-questions."""
MORE_OF_A_PAGE = 3
"""So many more facts for each page that is read together with another."""
ALWAYS = ("relevance", "confidence", "summary")
"""Fields of the extractor's answer for every intent."""
_ARGUMENTS: Final = {
    "search": ("query", "queries", "providers", "expected_domains"),
    "visit": ("urls",),
    "read_section": ("sections",),
    "done": ("missing",),
    "ask_human": ("question",),
}
"""The fields of the planner's answer that an action uses."""
_NOT_OF_SMALL: Final = (
    *("intent", "type", "analysis", "evaluation", "providers", "expected_domains", "outline"),
)  # fmt: skip
"""What a small model is not asked for."""
_IF_USED: Final = frozenset({"outline", *(name for names in _ARGUMENTS.values() for name in names)})


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
    is_small = not bounds.reasons
    has_both = not is_small and bool(ids) and {"search", "visit"} <= set(allowed)
    least = 1 if is_small else 0
    asked = Asked(
        bounds=bounds,
        ids={
            "action": [*allowed, BOTH] if has_both else allowed,
            "page": ids,
            "section": sections,
            "result": new,
            "evidence": evidence,
            "state": [state for state in get_args(LeafState) if evidence or state != "filled"],
        },
        drop={
            *("url", "labels.priority", "labels.reason", "analysis.confidence_score"),
            *(name for action, names in _ARGUMENTS.items() if action not in allowed for name in names),
            *(() if new else ("labels",)),
            *(() if ids else ("urls", "analysis.new_potential_urls")),
            *(() if is_judged else ("analysis", "evaluation")),
            *(() if reads_goal else ("intent", "type")),
            *(() if evidence else ("outline.evidence", "analysis.leads")),
            *(() if len(evidence) > 1 else ("analysis.inconsistencies_found",)),
            *(_NOT_OF_SMALL if is_small else ()),
        },
        counts={
            "labels": (1, len(new)),
            "urls": (least, min(MOST_PAGES, bounds.items)),
        },
    )
    schema = schema_of(PlannerAnswer, asked, optional=() if is_small else _IF_USED)
    if is_small and "query" in schema["properties"]:
        schema["properties"]["query"]["minLength"] = MIN_QUERY_CHARS
    if "outline" in schema["properties"]:
        schema["properties"]["outline"]["items"]["required"] = ["id", "state"]
    return schema


def scorer_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of ScorerAnswer as an object, because endpoints accept no array; one entry per result."""
    asked = Asked(
        bounds=bounds,
        ids={"result": ids},
        drop=() if bounds.reasons else ("results.reason",),
        counts={"results": (len(ids), len(ids))},
    )
    return schema_of(ScorerAnswer, asked)


def extractor_schema(
    bounds: Bounds, fields: Collection[str], page_tokens: int = 0, *, pages: Sequence[str] = ()
) -> dict[str, Any]:
    """Schema of ExtractorAnswer with the entry fields of one intent; a long page may have more entries.

    Of several `pages`, by their ids, each entry names its own, and each page is rated by itself.
    """
    is_long = (page_tokens >= LONG_PAGE_TOKENS or len(pages) > 1) and bounds.reasons
    most = bounds.items + (MORE_ENTRIES if is_long else 0) + MORE_OF_A_PAGE * max(0, len(pages) - 1)
    kept = {*fields, *ALWAYS, *(("pages",) if pages else ())}
    first, *others = (name for name in ExtractorAnswer.model_fields if name in fields)
    asked = Asked(
        bounds=bounds,
        ids={"page": pages},
        drop={
            *(name for name in ExtractorAnswer.model_fields if name not in kept),
            *(() if pages else (f"{name}.page" for name in fields)),
        },
        counts={
            "pages": (len(pages), len(pages)),
            first: (0, most),
            **{name: (0, max(1, bounds.items // 2)) for name in others},
        },
    )
    return schema_of(ExtractorAnswer, asked)


def verifier_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of VerifierAnswer; one entry per statement."""
    return schema_of(VerifierAnswer, _of_statements(bounds, ids))


def second_reader_schema(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """Schema of SecondReaderAnswer; one entry per statement."""
    return schema_of(SecondReaderAnswer, _of_statements(bounds, ids))


def product_schema(bounds: Bounds, fields: Collection[str]) -> dict[str, Any]:
    """Schema of ProductAnswer with the fields that are missing: name, price, availability."""
    wanted = {*fields, *(("availability_quote",) if "availability" in fields else ())}
    return schema_of(ProductAnswer, Asked(bounds=bounds, drop=ProductAnswer.model_fields.keys() - wanted))


def recommender_schema(bounds: Bounds, offers: Sequence[str], evidence: Sequence[str]) -> dict[str, Any]:
    """Schema of RecommenderAnswer, which can name only existing offers and evidence."""
    cited = ("reasons", "cautions")
    asked = Asked(
        bounds=bounds,
        ids={"product": [*offers, NO_OFFER], "offer": offers, "evidence": evidence},
        drop={
            *(() if evidence else cited),
            *(f"{name}.{part}" for name in cited for part in ("part", "form", "code")),
        },
    )
    return schema_of(RecommenderAnswer, asked)


def _of_statements(bounds: Bounds, ids: Sequence[str]) -> Asked:
    return Asked(bounds=bounds, ids={"statement": ids}, counts={"statements": (len(ids), len(ids))})
