"""Which fields of an outline, an analysis and an attempt may change, with their types."""

from typing import Literal, TypedDict

from research_crawler.core.models.outline import Leaf, LeafState, Section
from research_crawler.core.models.quality import (
    Analysis,
    Attempt,
    Evaluation,
    Inconsistency,
    ResearchLead,
)
from research_crawler.core.models.reviews import QuestionKind


class OpenQuestionChanges(TypedDict, total=False):
    """The fields of an `OpenQuestion` that change when it becomes what a round begins with."""

    kind: QuestionKind
    action: Literal["", "search", "visit"]
    queries: list[str]
    urls: list[str]
    reason: str


class AttemptChanges(TypedDict, total=False):
    """The fields of an `Attempt` that may change."""

    queries: list[str]
    why: str
    expected_domains: list[str]
    refused: list[str]
    evaluation: Evaluation | None
    by: str


class AnalysisChanges(TypedDict, total=False):
    """The fields of an `Analysis` that may change."""

    round: int
    assessment: str
    is_answered: bool
    suggestions_for_next_step: list[str]
    new_potential_urls: list[str]
    inconsistencies_found: list[Inconsistency] | None
    leads: list[ResearchLead]


class AssessedChanges(TypedDict, total=False):
    """The fields of an `Assessed` that may change."""

    attempts: list[Attempt]
    analysis: Analysis | None


class LeafChanges(TypedDict, total=False):
    """The fields of a `Leaf` that may change."""

    id: str
    question: str
    query: str
    evidence: list[str]
    state: LeafState
    reason: str
    searches: int


class SectionChanges(TypedDict, total=False):
    """The fields of a `Section` that may change."""

    title: str
    leaves: list[Leaf]


class OutlineChanges(TypedDict, total=False):
    """The fields of an `Outline` that may change."""

    by: str
    sections: list[Section]
