"""Make the JSON schemas of a model's judgement of the evidence."""

from collections.abc import Sequence
from typing import Any, Final

from prompts.schema_parts import array, choice, closed_object, text

MOST_SUGGESTIONS, MOST_NAMED_PAGES, MOST_CONFLICTS, MOST_LED, MOST_EXPECTED = 4, 4, 3, 5, 4
ASSESSMENT_CHARS, SUGGESTION_CHARS, ABOUT_CHARS, DOMAIN_CHARS = 400, 160, 120, 80
_SHARE: Final = {"type": "number", "enum": [n / 10 for n in range(11)]}


def evaluation_schema(reason_chars: int) -> dict[str, Any]:
    """Schema of EvaluationAnswer."""
    return closed_object(
        {
            "relevance": dict(_SHARE),
            "confidence": dict(_SHARE),
            "coverage": dict(_SHARE),
            "should_retry": {"type": "boolean"},
            "reasons": text(reason_chars),
        }
    )


def analysis_schema(pages: Sequence[str], evidence: Sequence[str]) -> dict[str, Any]:
    """Schema of AnalysisAnswer, without its score: how sure the model is stands in the evaluation.

    Args:
        pages: ids of the pages that may be named.
        evidence: ids of the findings that are shown.
    """
    fields: dict[str, Any] = {
        "assessment": text(ASSESSMENT_CHARS),
        "is_answered": {"type": "boolean"},
        "suggestions_for_next_step": array(text(SUGGESTION_CHARS), MOST_SUGGESTIONS),
    }
    if pages:
        fields["new_potential_urls"] = array(choice(pages), MOST_NAMED_PAGES)
    if len(evidence) > 1:
        sides = {"about": text(ABOUT_CHARS), "one": choice(evidence), "other": choice(evidence)}
        fields["inconsistencies_found"] = array(closed_object(sides), MOST_CONFLICTS)
    if evidence:
        fields["leads"] = array(choice(evidence), MOST_LED)
    return closed_object(fields)


def expected_domains_schema() -> dict[str, Any]:
    """Schema of the sites on which an answer is expected."""
    return array(text(DOMAIN_CHARS), MOST_EXPECTED)
