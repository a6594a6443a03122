"""Make the JSON schemas of what a model says about the evidence and writes from it: answer, audit and sections."""

from collections.abc import Sequence
from typing import Any, Final

from prompts.schema_parts import MOST_IDS, array, choice, cited_sentence, closed_object, text
from prompts.schemas import Bounds
from research_crawler.core.models.reports.report_parts import LISTED_PARTS

MOST_WRITTEN_SENTENCES: Final = 60
WORDS_OF_A_SENTENCE: Final = 12
"""A short sentence: with so many words each, a text of the asked length has the most sentences."""
MOST_SECTION_IDS: Final = 18
"""As many as the writer of a section is shown."""
MOST_TABLE_ROWS: Final = 10
MOST_TABLE_COLUMNS: Final = 5
MOST_CLAIMS: Final = 30
MOST_CONTRADICTIONS: Final = 5
MOST_QUESTIONS: Final = 3
MOST_FURTHER: Final = 2
MOST_CALCULATION: Final = 80
"""Characters of a calculation."""


def report_schema(
    bounds: Bounds, ids: Sequence[str], *, words: int = 0, is_alone: bool = True
) -> dict[str, Any]:
    """Schema of ReportAnswer, which can cite only existing evidence.

    Args:
        bounds: how long entries may be.
        ids: the evidence that is shown.
        words: how long the answer may be; 0: eight sentences.
        is_alone: there are no sections and there was no audit, so the answer has their parts too.
    """
    sentence = cited_sentence(() if bounds.reasons else ids, bounds.text_chars)
    remark = closed_object({"text": text(bounds.text_chars, least=1)})
    answer = cited_sentence(ids, bounds.text_chars, has_form=is_alone and bounds.reasons)
    longest = (
        min(_sentences(words), MOST_WRITTEN_SENTENCES) if words and bounds.reasons else min(8, bounds.items)
    )
    return closed_object(
        {
            "answer": array(answer, longest, least=1),
            "certainty": text(bounds.short_chars),
            **{part.key: array(sentence if part.cites else remark, bounds.items) for part in LISTED_PARTS},
            **(_alone(bounds) if is_alone and bounds.reasons else {}),
        }
    )


def audit_schema(
    bounds: Bounds, ids: Sequence[str], sections: Sequence[str], *, most_sections: int
) -> dict[str, Any]:
    """Schema of AuditAnswer.

    Args:
        bounds: how long entries may be.
        ids: the evidence that is shown.
        sections: ids of the sections that the outline has; empty: the model names them.
        most_sections: how many it may name.
    """
    named = [f"S{n}" for n in range(1, most_sections + 1)]
    section = {
        "id": choice(sections or named),
        **({} if sections else {"title": text(80, least=1)}),
        "evidence": array(choice(ids), MOST_SECTION_IDS, least=1),
        "needs": array(choice(sections or named), 3),
    }
    claim = {
        "text": text(bounds.short_chars, least=1),
        "evidence": array(choice(ids), MOST_IDS, least=1),
        "is_inference": {"type": "boolean"},
    }
    return closed_object(
        {
            "sections": array(closed_object(section), len(sections) or most_sections, least=1),
            "claims": array(closed_object(claim), MOST_CLAIMS),
            **_whole(bounds),
        }
    )


def section_schema(
    bounds: Bounds, ids: Sequence[str], words: int, parts: Sequence[str] = ()
) -> dict[str, Any]:
    """Schema of SectionAnswer, for about so many words; `parts` are the ids of the questions that it answers."""
    most = min(_sentences(words), MOST_WRITTEN_SENTENCES)
    sentence = cited_sentence(ids, bounds.text_chars, has_form=True)
    if parts:
        sentence = closed_object({"part": choice(parts), **sentence["properties"]})
    return closed_object(
        {
            "sentences": array(sentence, most, least=1),
            "table": _table(bounds),
        }
    )


def _sentences(words: int) -> int:
    return max(3, words // WORDS_OF_A_SENTENCE + 1)


def _alone(bounds: Bounds) -> dict[str, Any]:
    """What an answer has besides where no section follows."""
    worked_out = {
        "text": text(bounds.short_chars),
        "calculation": text(MOST_CALCULATION),
        "evidence": array(choice(()), MOST_IDS),
    }
    return {
        "table": _table(bounds),
        "worked_out": closed_object(worked_out),
        **_whole(bounds),
        "further": array(choice(()), MOST_FURTHER),
    }


def _whole(bounds: Bounds) -> dict[str, Any]:
    """What is said of the evidence as a whole."""
    sentence = cited_sentence((), bounds.text_chars)
    pair = closed_object({"about": text(80), "one": sentence, "other": sentence})
    return {
        "contradictions": array(pair, MOST_CONTRADICTIONS),
        "missing": array(text(bounds.short_chars), 5),
        "follow_ups": array(text(bounds.short_chars), MOST_QUESTIONS),
    }


def _table(bounds: Bounds) -> dict[str, Any]:
    cell = closed_object({"text": text(bounds.short_chars), "evidence": array(choice(()), MOST_IDS)})
    row = closed_object({"label": text(80, least=1), "cells": array(cell, MOST_TABLE_COLUMNS - 1)})
    return closed_object(
        {"columns": array(text(60), MOST_TABLE_COLUMNS), "rows": array(row, MOST_TABLE_ROWS)}
    )
