"""The excerpts of a digest in the order in which they are shown, with what stands above each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from research_crawler.text.writing.markdown import is_own_file


@dataclass(frozen=True)
class Item:
    """A finding with what the digest goes by."""

    place: int
    """Its index among the findings of the view."""
    finding: Finding
    part: int
    """Under which part of the question it stands: that which it fits best; -1: under none."""
    rank: float
    """How well it answers, and so how early it stands."""
    leads: bool = False
    """It stands before all others: the best of its part, or of a page that the evidence links."""
    excerpt: Finding | None = None
    """The finding at this place, if `finding` is a piece of it."""
    paragraph: int = 0
    """Where the paragraph begins that a piece goes on."""

    @property
    def page(self) -> tuple[int, str]:
        """Its page, below its part of the question."""
        return self.part, self.finding.url

    @property
    def key(self) -> tuple[int, int]:
        """Which piece of which finding it is."""
        return self.place, self.finding.start

    def goes_on(self, other: "Item") -> bool:
        """Whether it needs another one before it: an earlier piece of its paragraph."""
        return self.place == other.place and self.paragraph <= other.finding.start < self.finding.start

    @property
    def section(self) -> tuple[int, str, str]:
        """Which section of the page it is from."""
        return *self.page, self.finding.heading


def in_order(items: Sequence[Item], lead_words: int) -> list[Item]:
    """The best pieces in so many words first, by part of the question; then the others, by part where it is new.

    A piece from within a paragraph comes with what stands before it there, which may name what it is about. In both,
    pieces of a page stand together in its order, the page of the best one first. The caller's own files come before
    pages.
    """
    ordered = sorted(items, key=lambda item: (not item.leads, -item.rank))
    lead: dict[tuple[int, int], Item] = {}
    for item in ordered:
        told = [one for one in (*filter(item.goes_on, items), item) if one.key not in lead]
        length = sum(len(one.finding.claim.split()) for one in told)
        if not lead or length <= lead_words:
            lead |= {one.key: one for one in told}
            lead_words -= length
    parts = {item.part for item in lead.values()}
    rest = [item for item in ordered if item.key not in lead]
    return [
        *_joined(_by_page(list(lead.values()))),
        *_joined(_by_page([replace(item, part=-1) if item.part in parts else item for item in rest])),
    ]


def _joined(items: Sequence[Item]) -> list[Item]:
    """Pieces that follow each other in one excerpt as one."""
    joined: list[Item] = []
    for item in items:
        before = joined[-1] if joined else item
        between = _between(before, item)
        if between is None or between.strip():
            joined.append(item)
        else:
            joined[-1] = _with(before, item)
    return joined


def _between(first: Item, second: Item) -> str | None:
    """What stands between two pieces of an excerpt; None: they are of two."""
    whole = second.excerpt
    if whole is None or first.place != second.place or first.key == second.key:
        return None
    return whole.quote[first.finding.end - whole.start : second.finding.start - whole.start]


def _with(first: Item, second: Item) -> Item:
    """A piece and the one that follows it."""
    whole = second.excerpt or second.finding
    quote = whole.quote[first.finding.start - whole.start : second.finding.end - whole.start]
    return replace(
        first, finding=first.finding.changed(quote=quote, claim=excerpt_text(quote), end=second.finding.end)
    )


def _by_page(best_first: Sequence[Item]) -> list[Item]:
    own_first = sorted(best_first, key=lambda item: not is_own_file(item.finding.url))
    pages = {page: n for n, page in enumerate(dict.fromkeys(item.page for item in own_first))}
    return sorted(
        best_first, key=lambda item: (item.part < 0, item.part, pages[item.page], item.finding.start)
    )


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
        is_page = before is not None and before.page == item.page
        is_section = before is not None and before.section == item.section
        question = questions[item.part] if questions and item.part >= 0 else ""
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
                shown=item.finding.quote if item.excerpt else "",
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
