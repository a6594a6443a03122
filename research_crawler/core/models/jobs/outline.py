"""The living outline of a job: the sub-questions of its report, and what answers each."""

from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire

MOST_EVIDENCE: Final = 8
"""Most findings of a leaf. A section's writer looks for more by itself."""

LeafState = Literal["open", "filled", "unavailable"]


class Leaf(Frozen):
    """A sub-question: answered by findings, or open with the query that would answer it."""

    id: str
    """Its place in the outline: `2.1` is the first leaf of section 2."""
    question: str
    query: str = ""
    """The search that would fill it."""
    evidence: list[str] = Field(default_factory=list)
    """Ids of findings that answer it, best first."""
    state: LeafState = "open"
    reason: str = ""
    """Unavailable: why it is not to be had."""
    searches: int = 0
    """How many searches were made for it."""


class Section(Frozen):
    """A section of the report with its sub-questions."""

    id: str
    title: str
    leaves: list[Leaf] = Field(default_factory=list)
    needs: list[str] = Field(default_factory=list)
    """Ids of the sections that must be written before it."""


class Outline(Wire):
    """The sub-questions of a job, section by section. It is rewritten as evidence comes."""

    by: str = ""
    """The brain that wrote it; `user` if the caller gave it; empty: there is none yet."""
    is_given: bool = False
    """The caller gave it: its sections and questions are kept."""
    sections: list[Section] = Field(default_factory=list)

    @property
    def leaves(self) -> list[Leaf]:
        """All sub-questions, in the order of the report."""
        return [leaf for section in self.sections for leaf in section.leaves]

    @property
    def unanswered(self) -> list[Leaf]:
        """The sub-questions without an answer, whether it is still looked for or not to be had."""
        return [leaf for leaf in self.leaves if leaf.state != "filled"]

    def has_unjudged_evidence(self, leaf: Leaf) -> bool:
        """Whether evidence is near a sub-question that is not held to be answered, and no model has read if it is."""
        return self.by != "model" and leaf.state != "filled" and bool(leaf.evidence)

    def with_leaves(self, leaves: dict[str, Leaf]) -> "Outline":
        """A copy with other versions of the leaves with these ids."""
        sections = [
            section.changed(leaves=[leaves.get(leaf.id, leaf) for leaf in section.leaves])
            for section in self.sections
        ]
        return self.changed(sections=sections)
