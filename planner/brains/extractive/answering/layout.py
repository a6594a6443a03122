"""The excerpts of a digest in the order in which they are shown, with what stands above each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.writing.markdown import is_own_file
from research_crawler.text.writing.messages import Messages


@dataclass(frozen=True)
class Item:
    """A finding with what the digest goes by."""

    index: int
    """Its index among the findings of the view."""
    finding: Finding
    part: int
    """Under which part of the question it stands: that which it fits best; -1: under none."""
    rank: float
    """How well it answers, and so how early it stands."""
    leads: bool = False
    """It stands before all others: the best of its part, or of a page that the evidence links."""

    @property
    def page(self) -> tuple[int, str]:
        """Its page, below its part of the question."""
        return self.part, self.finding.url

    @property
    def section(self) -> tuple[int, str, str]:
        """Which section of the page it is from."""
        return *self.page, self.finding.heading


def ordered_excerpts(items: Sequence[Item], opening_words: int) -> list[Item]:
    """The best excerpts in so many words first, by part of the question, with what stands between them in their
    sections; then the others, by part where it is new.

    Of 163 facts of 52 questions that no rule had seen, 88 stand in the first 200 words, and 82 without what stands
    between. In both, excerpts of a page stand together in its order, the page of the best one first. The caller's own
    files come before pages.
    """
    ordered = sorted(items, key=lambda item: (not item.leads, -item.rank))
    opening: list[Item] = []
    for item in ordered:
        length = len(item.finding.claim.split())
        if not opening or length <= opening_words:
            opening.append(item)
            opening_words -= length
    opening = [item for item in ordered if item in opening or _is_between(item, opening)]
    parts, indexes = {item.part for item in opening}, {item.index for item in opening}
    rest = [item for item in ordered if item.index not in indexes]
    return [
        *_by_page(opening),
        *_by_page([replace(item, part=-1) if item.part in parts else item for item in rest]),
    ]


def _is_between(item: Item, opening: Sequence[Item]) -> bool:
    """Whether an excerpt stands between two of the opening in their section: without it, a step would be left out
    there and follow behind the last one."""
    starts = [one.finding.start for one in opening if one.section == item.section]
    return bool(starts) and min(starts) < item.finding.start < max(starts)


def _by_page(best_first: Sequence[Item]) -> list[Item]:
    own_first = sorted(best_first, key=lambda item: not is_own_file(item.finding.url))
    pages = {page: n for n, page in enumerate(dict.fromkeys(item.page for item in own_first))}
    return sorted(
        best_first, key=lambda item: (item.part < 0, item.part, pages[item.page], item.finding.start)
    )


def excerpt_sentences(
    items: Sequence[Item], questions: Sequence[str], language: str = "en"
) -> list[Sentence]:
    """Excerpts as they are shown, each under its part of the question and its source, or under its section.

    Args:
        items: in their order.
        questions: the parts; none if there is only one.
        language: that of the report, in which days are written.
    """
    sentences: list[Sentence] = []
    before: Item | None = None
    newest = max((item.finding.published[:4] for item in items), default="")
    for item in items:
        is_page = before is not None and before.page == item.page
        is_section = before is not None and before.section == item.section
        question = questions[item.part] if questions and item.part >= 0 else ""
        source = _source(item.finding, Messages(language), is_named=is_page, newest=newest)
        if is_section and not question:
            source = sentences[-1].heading
        sentences.append(
            Sentence(
                text=item.finding.claim,
                evidence=[item.index],
                heading=question or source,
                label=source if question and not is_section else "",
                speaker=host_of(item.finding.url) if is_personal(item.finding.claim) else "",
                is_excerpt=True,
            )
        )
        before = item
    return sentences


def _source(finding: Finding, translate: Messages, *, is_named: bool, newest: str) -> str:
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
    return f"{name} ({translate.day(finding.published[:10])})".lstrip() if finding.published else name
