"""The excerpts of a digest in the order in which they are shown, with what stands above each."""

from collections.abc import Sequence
from dataclasses import dataclass

from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.web.urls import host_of
from research_crawler.text.markdown import is_own_file
from research_crawler.text.statements import is_personal


@dataclass(frozen=True)
class Item:
    """A finding with what the digest goes by."""

    place: int
    """Its index among the findings of the view."""
    finding: Finding
    vector: Sequence[float]
    part: int
    """Under which part of the question it stands: that which it fits best."""
    value: float
    """How well it answers that part."""

    @property
    def section(self) -> tuple[int, str, str]:
        """Which section of a page it is from, below its part of the question."""
        return self.part, self.finding.url, self.finding.heading


def in_order(chosen: Sequence[Item]) -> list[Item]:
    """Excerpts by part of the question, in it by section in the order of the best of each, there by place in the page.

    The caller's own files come before pages.
    """
    best_first = sorted(chosen, key=lambda item: (not is_own_file(item.finding.url), -item.value))
    order = {section: n for n, section in enumerate(dict.fromkeys(item.section for item in best_first))}
    return sorted(chosen, key=lambda item: (item.part, order[item.section], item.finding.start))


def excerpt_sentences(items: Sequence[Item], questions: Sequence[str]) -> list[Sentence]:
    """Excerpts as they are shown, each under its part of the question and its source, or under its section.

    Args:
        items: in their order.
        questions: the parts; none if there is only one.
    """
    told: list[Sentence] = []
    before: Item | None = None
    newest = max((item.finding.published[:4] for item in items), default="")
    for item in items:
        is_page = before is not None and before.section[:2] == item.section[:2]
        is_section = before is not None and before.section == item.section
        question = questions[item.part] if questions else ""
        source = _source(item.finding, is_named=is_page, newest=newest)
        if is_section and not question:
            source = told[-1].heading
        told.append(
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
    return told


def _source(finding: Finding, *, is_named: bool, newest: str) -> str:
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
