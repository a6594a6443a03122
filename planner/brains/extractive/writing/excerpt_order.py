"""The parts of a digest: excerpts in the order in which they are shown, with what stands above each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Leaf
from research_crawler.core.web.urls import host_of
from research_crawler.text.statements import is_personal


@dataclass(frozen=True)
class PartOfDigest:
    """A sub-question of the outline."""

    leaf: Leaf
    vector: Sequence[float]
    places: frozenset[int]
    """The findings that the outline names for it."""

    def is_stated_by(self, finding: Finding) -> bool:
        """Whether a finding is the one that states it."""
        return self.leaf.state == "filled" and self.leaf.evidence[:1] == [finding.id]


@dataclass(frozen=True)
class Item:
    """A finding with what the digest goes by."""

    place: int
    finding: Finding
    vector: Sequence[float]
    similarity: float
    """Cosine with the question, or nearly that with a hop of it."""
    value: float
    part: int = 0
    """Under which sub-question it stands: of those that the outline names it for, else of all, the nearest."""


@dataclass(frozen=True)
class Digest:
    """Excerpts in the order in which they are shown, and those that were left out, best first."""

    answer: list[Item]
    rest: list[Item]
    parts: tuple[PartOfDigest, ...] = ()
    not_found: str = ""
    """If the findings do not answer the question: the titles of the nearest pages."""
    other_language: str = ""
    """Their language, if that is why nothing can be said about an answer in them."""

    @property
    def by_value(self) -> list[Item]:
        """All findings, best first; none if they do not answer the question."""
        return [] if self.not_found else sorted([*self.answer, *self.rest], key=lambda item: -item.value)

    def opened_by(self, places: Collection[int], near: Collection[int] = ()) -> "Digest":
        """The digest with the sections of these findings first, in them the excerpts of `places`.

        Args:
            near: findings whose sections come first too, without a change in them.
        """
        sections = {section_of(item) for item in self.answer if item.place in {*places, *near}}
        answer = sorted(
            self.answer,
            key=lambda item: (item.part, section_of(item) not in sections, item.place not in places),
        )
        return replace(self, answer=_kept_together(answer)) if sections else self

    def sentences(self) -> list[Sentence]:
        """The excerpts, each under its sub-question and with its source, or under the headings of its section."""
        shown: list[Sentence] = []
        before: Item | None = None
        newest = max((item.finding.published[:4] for item in self.answer), default="")
        for item in self.answer:
            is_page, is_section = _is_of_same(item, before)
            question = self.parts[item.part].leaf.question if len(self.parts) > 1 else ""
            source = _heading(item.finding, is_named=is_page, newest=newest)
            if is_section and not question:
                source = shown[-1].heading
            shown.append(
                Sentence(
                    text=item.finding.claim,
                    evidence=[item.place],
                    heading=question or source,
                    label=source if question and not is_section else "",
                    speaker=host_of(item.finding.url) if is_personal(item.finding.claim) else "",
                    is_excerpt=True,
                )
            )
            before = item
        return shown


def _kept_together(items: Sequence[Item]) -> list[Item]:
    """The items with those of one section beside each other, in the order of the first of each."""
    sections: dict[tuple[int, str, str], list[Item]] = {}
    for item in items:
        sections.setdefault(section_of(item), []).append(item)
    return [item for of_section in sections.values() for item in of_section]


def section_of(item: Item) -> tuple[int, str, str]:
    """Which section of a page an excerpt is from, below its sub-question."""
    return item.part, item.finding.url, item.finding.heading


def _is_of_same(item: Item, before: Item | None) -> tuple[bool, bool]:
    """Whether an excerpt is of the same page, and of the same section, as the one before it in its sub-question."""
    if before is None or before.part != item.part or before.finding.url != item.finding.url:
        return False, False
    return True, before.finding.heading == item.finding.heading


def _heading(finding: Finding, *, is_named: bool, newest: str) -> str:
    """Title and section of an excerpt, with the day of a dated page: `Guide: Setup (2024-05-01)`.

    Args:
        is_named: the excerpt before it is of the same page, so that its section is enough.
        newest: the year of the newest page shown; an older one is dated above each of its sections.
    """
    section, title = finding.heading.rsplit(" > ", 1)[-1].strip(" ¶#"), finding.title.strip()
    is_new = section.lower() not in title.lower()
    if is_named and section and is_new and finding.published[:4] in ("", newest):
        return section
    title = "" if is_named and section and is_new else title
    name = ": ".join(part for part in (title, section if is_new else "") if part)
    return f"{name} ({finding.published[:10]})".lstrip() if finding.published else name
