"""Make the JSON schemas of what a model says about the evidence and writes from it: answer, audit and sections."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from prompts.answer_shapes import Bounds, SchemaLimits, array, closed_object, schema_of
from prompts.answers import CitedSentence
from prompts.report_answers import AuditAnswer, ReportAnswer, SectionAnswer
from research_crawler.core.models.reports.report_parts import LISTED_PARTS

MOST_WRITTEN_SENTENCES, MOST_SENTENCES = 60, 40
"""Most sentences of a long text that a model is asked for, and of any other."""
WORDS_OF_A_SENTENCE: Final = 12
"""A short sentence: with so many words each, a text of the asked length has the most sentences."""
LISTED_SECTIONS: Final = 8
"""The ids of so many sections are listed whatever a report has, so that schemas are mostly the same."""
_PLAIN: Final = ("part", "form", "code")
"""Parts of a sentence that are asked for only where they are of use."""
_SIDES: Final = tuple(f"contradictions.{side}.{name}" for side in ("one", "other") for name in _PLAIN)
_WORKED_OUT: Final = tuple(f"worked_out.{name}" for name in _PLAIN)
_CERTAINTY: Final = tuple(f"certainty.{name}" for name in _PLAIN)
_ALONE: Final = ("table", "worked_out", "contradictions", "missing", "follow_ups", "further")
"""What an answer has besides where no section follows."""


def report_schema(
    bounds: Bounds, ids: Sequence[str], *, words: int = 0, is_alone: bool = True
) -> dict[str, Any]:
    """Schema of ReportAnswer, which can cite only existing evidence.

    Args:
        bounds: how long entries may be.
        ids: the evidence that is shown; only a small model's schema names it, so that others' is the same in all jobs.
        words: how long the answer may be; 0: eight sentences.
        is_alone: there are no sections and there was no audit, so the answer has their parts too.
    """
    ids = () if bounds.reasons else ids
    is_whole = is_alone and bounds.reasons
    plain = ("answer.part",) if is_whole else (f"answer.{name}" for name in _PLAIN)
    asked = SchemaLimits(
        bounds=bounds,
        ids={"evidence": ids},
        unlisted=("contradictions",),
        drop={"lists", *plain, *_SIDES, *_WORKED_OUT, *_CERTAINTY, *(() if is_whole else _ALONE)},
        counts={"answer": (1, _most_sentences(words))} if words and bounds.reasons else {},
    )
    fields = schema_of(ReportAnswer, asked)["properties"]
    if is_whole:
        fields["worked_out"] = _ordered(fields["worked_out"]["properties"], "text", "calculation", "evidence")
    listed = _listed(bounds, ids)
    return _ordered(listed | fields, "answer", "certainty", *listed, *(_ALONE if is_whole else ()))


def audit_schema(
    bounds: Bounds, ids: Sequence[str], sections: Sequence[str], *, most_sections: int
) -> dict[str, Any]:
    """Schema of AuditAnswer, which is the same in nearly all jobs.

    Args:
        bounds: how long entries may be.
        ids: the evidence that is shown; only a small model's schema names it.
        sections: ids of the sections that the outline has; empty: the model names them.
        most_sections: how many it may name.
    """
    most = len(sections) or most_sections
    if bounds.reasons:
        ids, sections, most = (), sections and _sections_of_any_job(sections), max(most, LISTED_SECTIONS)
    asked = SchemaLimits(
        bounds=bounds,
        ids={"evidence": ids, "section": sections or [f"S{n}" for n in range(1, most + 1)]},
        unlisted=("contradictions",),
        drop={*_SIDES, *(("sections.title",) if sections else ())},
        counts={"sections": (1, most)},
    )
    return _ordered(schema_of(AuditAnswer, asked)["properties"], "sections", "claims")


def section_schema(bounds: Bounds, words: int, parts: Sequence[str] = ()) -> dict[str, Any]:
    """Schema of SectionAnswer, for about so many words; `parts` are the ids of the questions that it answers."""
    asked = SchemaLimits(
        bounds=bounds,
        ids={"part": parts},
        drop=() if parts else ("sentences.part",),
        counts={"sentences": (1, _most_sentences(words))},
    )
    return _ordered(schema_of(SectionAnswer, asked)["properties"], "sentences")


def _most_sentences(words: int) -> int:
    """One of two numbers that has room for so many words, so that schemas are mostly the same."""
    return MOST_SENTENCES if words < MOST_SENTENCES * WORDS_OF_A_SENTENCE else MOST_WRITTEN_SENTENCES


def _sections_of_any_job(sections: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*(f"S{n}" for n in range(1, LISTED_SECTIONS + 1)), *sections]))


def _listed(bounds: Bounds, ids: Sequence[str]) -> dict[str, Any]:
    """The lists of a report as fields at the top level, with evidence where a list cites it."""
    sentence = schema_of(CitedSentence, SchemaLimits(bounds=bounds, ids={"evidence": ids}, drop=_PLAIN))
    remark = closed_object({"text": sentence["properties"]["text"]})
    return {part.key: array(sentence if part.cites else remark, 0, bounds.items) for part in LISTED_PARTS}


def _ordered(fields: Mapping[str, Any], *first: str) -> dict[str, Any]:
    """An object with these fields first, in this order: a model writes them one after another."""
    return closed_object({name: fields[name] for name in dict.fromkeys([*first, *fields])})
