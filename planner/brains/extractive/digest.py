"""Choose the excerpts that answer a question, and say when the pages do not answer it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from planner.brains.extractive.passages import PART_WEIGHT, finding_text, relevance
from planner.brains.extractive.queries import question_of
from planner.brains.extractive.rare_marks import lacking_marks
from planner.outline.making import leaf_texts
from planner.text.ranking import Bm25, cosine, normalised
from planner.text.statements import is_personal
from planner.text.subject import subject_of
from planner.text.words import WORD, stem, terms
from research_crawler.core.models.decisions import ReportView, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Depth
from research_crawler.core.models.outline import Leaf
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of

DIGEST_WORDS: dict[Depth, int] = {"quick": 130, "standard": 540, "deep": 1_000}
"""About how many words the excerpts have, below the leading sentences. With 280, 460 and 540 words, the best excerpts
hold 0.53, 0.64 and 0.69 of the facts that answers to questions about manuals need."""
UNSURE_SHARE = 0.5
"""The share of that length for excerpts that are far from the question: more of them are no better."""
LEXICAL_SHARE = 0.25
"""How much BM25 among all findings adds to an excerpt's value."""
PERSONAL = 0.9
"""Factor for somebody's own account: what a page states about the matter itself goes before it."""
OLD_COST, MAX_OLD_YEARS = 0.03, 3
"""How much a finding loses for each year that its page is older than the newest one, for at most so many years."""
WORTH_SHOWING = 0.55
"""Least value of an excerpt, as a share of the best one."""
REPEATS = 0.93
"""Cosine from which an excerpt says what one before it says."""
ANSWERS, UNNAMED_COST = 0.45, 0.25
"""Cosine that the nearest excerpt must have with the question, and how much more if it lacks the question's names.

Of 30 questions about manuals, the five that these do not answer have at most 0.41, or 0.61 with no name of the question
in any excerpt; the others have 0.48 or more.
"""
ANSWERS_OTHER = 0.25
"""The same for a question in another language than English, the only one in which the packaged model is good: there
its names cannot be told from other nouns (German), and the pages may be in English."""
SAME_POINT = 0.6
"""Cosine of the nearest excerpt below which the digest is short, and of low certainty."""
_NEAREST = 3


@dataclass(frozen=True)
class PartOfDigest:
    """A sub-question of the outline."""

    leaf: Leaf
    vector: Sequence[float]
    places: frozenset[int]
    """The findings that the outline names for it."""


@dataclass(frozen=True)
class Item:
    """A finding with what the digest goes by."""

    place: int
    finding: Finding
    vector: Sequence[float]
    similarity: float
    """Cosine with the question."""
    value: float
    part: int = 0
    """Which sub-question it is nearest to."""


@dataclass(frozen=True)
class Digest:
    """Excerpts in the order in which they are shown, and those that were left out, best first."""

    answer: list[Item]
    rest: list[Item]
    parts: tuple[PartOfDigest, ...] = ()
    not_found: str = ""
    """If the findings do not answer the question: the titles of the nearest pages."""

    @property
    def by_value(self) -> list[Item]:
        """All findings, best first; none if they do not answer the question."""
        return [] if self.not_found else sorted([*self.answer, *self.rest], key=lambda item: -item.value)

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


async def digest(view: ReportView, embedder: Embedder, *, outdated: Collection[int] = ()) -> Digest:
    """The excerpts that answer the question, by sub-question or section; none if they do not answer it.

    Args:
        outdated: findings with a value that a newer page has replaced; they are not shown among the excerpts.
    """
    if not view.findings:
        return Digest([], [])
    question = question_of(view.goal, view.task)
    parts = await _parts(view, embedder)
    items = await _items(view, question, parts, embedder)
    if reason := _not_found(view, question, items):
        return Digest([], items, parts, reason)
    current = [item for item in items if item.place not in outdated] or items
    chosen = _chosen(view, parts, current)
    rest = [item for item in items if item not in chosen]
    return Digest(_in_order(chosen), rest, parts)


async def _parts(view: ReportView, embedder: Embedder) -> tuple[PartOfDigest, ...]:
    """The sub-questions, if there are several."""
    leaves = view.outline.leaves
    if len(leaves) < 2:
        return ()
    places = {finding.id: place for place, finding in enumerate(view.findings)}
    return tuple(
        PartOfDigest(leaf, vector, frozenset(places[id_] for id_ in leaf.evidence if id_ in places))
        for leaf, vector in zip(leaves, await embedder.embed(leaf_texts(leaves)), strict=True)
    )


async def _items(
    view: ReportView, question: str, parts: Sequence[PartOfDigest], embedder: Embedder
) -> list[Item]:
    """The findings with their values, best first."""
    texts = [finding_text(f) for f in view.findings]
    question_vector, *vectors = await embedder.embed([question, *texts])
    lexical, wanted = normalised(Bm25(texts).scores(question)), terms(question)
    newest = max((finding.published for finding in view.findings), default="")
    items = []
    for place, (finding, vector) in enumerate(zip(view.findings, vectors, strict=True)):
        whole = cosine(question_vector, vector)
        by_part = [cosine(part.vector, vector) for part in parts]
        part = max(range(len(parts)), key=by_part.__getitem__, default=0)
        best = max([whole, *(PART_WEIGHT * one for one in by_part)])
        value = relevance(best, wanted, texts[place]) + LEXICAL_SHARE * lexical[place]
        value -= age_cost(finding.published, newest)
        value *= PERSONAL if is_personal(finding.claim) else 1.0
        # A sibling of the subject was marked down where the page was read.
        items.append(Item(place, finding, vector, whole, value * min(1.0, 0.5 + finding.score), part))
    return sorted(items, key=lambda item: -item.value)


def _not_found(view: ReportView, question: str, items: Sequence[Item]) -> str:
    """The titles of the nearest pages, if their excerpts do not answer the question; else empty."""
    nearest = max(item.similarity for item in items)
    is_english = view.language.startswith("en")
    needed = ANSWERS + UNNAMED_COST * _share_unnamed(question, items) if is_english else ANSWERS_OTHER
    if nearest >= needed and not lacking_marks(question, view.findings):
        return ""
    near = sorted(items, key=lambda item: -item.similarity)
    titles = list(dict.fromkeys(item.finding.title or host_of(item.finding.url) for item in near))
    return "; ".join(titles[:_NEAREST])


def _share_unnamed(question: str, items: Sequence[Item]) -> float:
    """The share of the question's names and years that no excerpt and no title of its page has, 0 to 1."""
    subject = subject_of(question)
    names = subject.words | subject.years
    if not names:
        return 0.0
    text = " ".join(finding_text(i.finding) for i in items)
    known = {stem(word.lower().replace("’", "'").removesuffix("'s")) for word in WORD.findall(text)}
    return len(names - known) / len(names)


def _chosen(view: ReportView, parts: Sequence[PartOfDigest], items: Sequence[Item]) -> list[Item]:
    """The best excerpt for each part of the question, then the best of all until the digest is long enough."""
    first = [one for part in parts if (one := _best_for(part, items))]
    least = WORTH_SHOWING * items[0].value
    chosen: list[Item] = []
    is_near = max(item.similarity for item in items) >= SAME_POINT or not view.language.startswith("en")
    room = int((view.max_words or DIGEST_WORDS[view.depth]) * (1.0 if is_near else UNSURE_SHARE))
    by_place = {item.place: item for item in items}
    for place in dict.fromkeys(item.place for item in (items[0], *first, *items)):
        one = by_place[place]
        length = len(one.finding.claim.split())
        if chosen and (length > room or one.value < least or _repeats(one, chosen)):
            continue
        chosen.append(one)
        room -= length
    return chosen


def _best_for(part: PartOfDigest, items: Sequence[Item]) -> Item | None:
    """The excerpt for one part of the question, among those that the outline names for it."""
    return max(
        (item for item in items if item.place in part.places),
        key=lambda item: item.value + cosine(part.vector, item.vector),
        default=None,
    )


def _repeats(item: Item, chosen: Sequence[Item]) -> bool:
    return any(
        cosine(item.vector, other.vector) >= REPEATS
        or item.finding.claim in other.finding.claim
        or other.finding.claim in item.finding.claim
        for other in chosen
    )


def _in_order(chosen: Sequence[Item]) -> list[Item]:
    """The excerpts by sub-question, in it by page and section in the order of the best of each, there by place."""
    sections: dict[tuple[int, str, str], list[Item]] = {}
    for item in chosen:
        sections.setdefault((item.part, item.finding.url, item.finding.heading), []).append(item)
    ordered = sorted(sections.items(), key=lambda section: section[0][0])
    return [item for _, items in ordered for item in sorted(items, key=lambda i: i.finding.start)]


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


def age_cost(published: str, newest: str) -> float:
    """How much a finding loses because its page is older than the newest one; nothing if a date is unknown."""
    if not (published[:4].isdecimal() and newest[:4].isdecimal()):
        return 0.0
    return OLD_COST * min(MAX_OLD_YEARS, int(newest[:4]) - int(published[:4]))
