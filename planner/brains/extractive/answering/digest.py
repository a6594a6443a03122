"""Choose the excerpts that answer a question, the one that states it first, and say when the pages do not answer it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from planner.brains.extractive.answering.layout import Item, ordered_excerpts
from planner.brains.extractive.nearness import Similarity, SimilarityIndex, similarity_index
from planner.brains.extractive.policy.second_hop import leaves_words_open, linked_from
from planner.brains.extractive.policy.visits import title_name
from planner.brains.question_and_outline import question_to_answer
from planner.outline.making import leaf_texts, query_names
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.caller_question import Depth
from research_crawler.core.models.jobs.outline import Leaf, Outline
from research_crawler.core.models.reports.drafts import ReportView
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.questions.query_words import options_in, settings_in
from research_crawler.text.questions.subject import Subject, subject_of, years_in

DIGEST_WORDS: dict[Depth, int] = {"quick": 130, "standard": 540, "deep": 1_000}
"""About how many words the excerpts have."""
BEST_FIRST_WORDS: dict[Depth, int] = {"quick": 60, "standard": 190, "deep": 250}
"""About how many words of the best excerpts stand before the others."""
SECTION_MIN_SHARE_OF_BEST: Final = 0.5
"""Least rank of the best excerpt of a section, as a share of the best one of all, unless something in the evidence
leads on or it is of the best page, whose steps were left out behind their introduction. A section is shown or left out
as a whole, so that steps stay beside what points to them. Of 65 questions on manuals, reports have the 112 facts within
600 words that they had while each excerpt needed 0.6, in 501 instead of 477 words; of 14 questions on the small web
that nobody looked at 59 instead of 58 of 77, in 496 instead of 486. With nothing left out, as many in 516 and 515
words."""
SIBLING_FACTOR: Final = 0.5
"""What is left of the value of an excerpt of a page about a sibling of what is asked about, such as another model or
year: as of a figure that is replaced, so that it stands behind and most often is left out."""
REPLACED_FACTOR: Final = 0.5
"""What is left of the value of an excerpt whose figure a newer page has replaced: code is often wrong about it."""
MOST_LINKED: Final = 3
"""Most pages that the evidence links whose best excerpt is shown in any case."""
UNANSWERED_BELOW_FIT, UNNAMED_EXTRA_FIT = 0.4, 0.25
"""Least fit of the nearest finding with the question or a part of it, below which nothing that was read answers it, and
how much more is needed if none of its names stands anywhere in the evidence. Of 30 questions on manuals, the five
without an answer have 0.22 to 0.46, the last two without a name of theirs; the others 0.55 or more."""
RANK_COSINE_WEIGHT: Final = 0.75
"""Weight of the cosine in the order of excerpts, beside the share of the question's words. Of 130 facts of 52 questions
on manuals, 60 stand in the first 200 words and 79 in all; with 0.7 54 and 81, with 0.8 58 and 78."""
FOLLOW_UP_MIN_COSINE: Final = 0.7
"""Least cosine of a finding that answers a follow-up question with none of the words that it adds."""
_NEAREST: Final = 3
"""Most pages that are named as nearest where nothing answers the question."""


@dataclass(frozen=True)
class Digest:
    """Excerpts in the order in which they are shown."""

    items: list[Item]
    parts: tuple[Leaf, ...] = ()
    """The parts of the question, if there are several."""
    best: float = 0.0
    """Fit of the nearest finding."""
    nearest: float = 0.0
    """Cosine of the nearest finding."""
    known: float = 0.0
    """The share of the question's words that stand in any finding; a rare word counts more."""
    not_found: str = ""
    """If the findings do not answer the question: the titles of the nearest pages, whose best excerpts `items` are."""


@dataclass(frozen=True)
class _Fits:
    """How near each finding is to what is asked; a row has all findings in their order."""

    index: SimilarityIndex
    rows: Sequence[Sequence[Similarity]]
    """To the whole question, then to each of its parts."""
    named: Sequence[Sequence[Similarity]]
    """To the parts of the question that name something, where not all of them do."""
    follow_up: Sequence[Similarity]
    """To a follow-up question by itself, without the one before it; empty where there is none."""

    @property
    def best(self) -> float:
        """Fit of the nearest finding."""
        return max(one.fit for row in self.rows for one in row)

    @property
    def nearest(self) -> float:
        """Cosine of the nearest finding."""
        return max(one.cosine for row in self.rows for one in row)


async def digest_of(view: ReportView, embedder: Embedder, *, outdated: Collection[int] = ()) -> Digest:
    """The excerpts that answer the question, by sub-question and section; the nearest if they do not answer it.

    Args:
        outdated: findings with a value that a newer page has replaced; they stand behind others.
    """
    if not view.findings:
        return Digest([])
    question, parts = question_to_answer(view.goal, view.task), tuple(leaves_apart(view.outline))
    named = [] if parts else [leaf for leaf in view.outline.leaves if query_names(leaf.question)]
    fits = await _fits_of(view, [question, *leaf_texts(parts)], leaf_texts(named), embedder)
    is_added_lacking = bool(fits.follow_up) and _lacks_added(view, fits.follow_up, fits.index)
    if is_added_lacking or is_unanswered([*fits.rows, *fits.named], fits.index, question, view.findings):
        nearest = _nearest(view, fits.rows[0])
        titles = dict.fromkeys(item.finding.title or host_of(item.finding.url) for item in nearest)
        return Digest(nearest, parts=parts, best=fits.best, not_found="; ".join(titles))
    excerpts = ordered_excerpts(_answering(view, fits, outdated), BEST_FIRST_WORDS[view.depth])
    known = fits.index.coverage(question)
    return Digest(excerpts, parts=parts, best=fits.best, nearest=fits.nearest, known=known)


async def _fits_of(view: ReportView, asked: Sequence[str], named: Sequence[str], embedder: Embedder) -> _Fits:
    """How near the findings are to each text that is asked, to what names something, and to a follow-up question."""
    index = await similarity_index(view.findings, asked[0], embedder)
    texts = [*asked, *named, *([view.follow_up] if view.added else [])]
    vectors = await embedder.embed(texts)
    rows = [index.similarities_to(text, vector) for text, vector in zip(texts, vectors, strict=True)]
    until = len(asked) + len(named)
    return _Fits(index, rows[: len(asked)], rows[len(asked) : until], rows[-1] if view.added else ())


def _answering(view: ReportView, fits: _Fits, outdated: Collection[int]) -> list[Item]:
    """The chosen excerpts, those of weak sections only where the evidence leaves words of the question open."""
    items = _items(view, fits.rows, fits.index, outdated, fits.follow_up)
    has_open_words = leaves_words_open(fits.rows[0])
    # What is replaced or answers an earlier question has a rank for its place, which says nothing of how near it is.
    is_cut = not (has_open_words or outdated or fits.follow_up)
    least = SECTION_MIN_SHARE_OF_BEST * items[0].rank if is_cut else 0.0
    near_sections = {one.section for one in items if one.rank >= least}
    chosen = _chosen(view, items, has_open_words=has_open_words)
    best = items[0].finding.url
    return [one for one in chosen if one.leads or one.section in near_sections or one.finding.url == best]


def leaves_apart(outline: Outline) -> list[Leaf]:
    """The parts of a question that are answered apart: those of a caller, or if each of them names something.

    Too much is near to a part that only points to another one ("turn it on again").
    """
    leaves = outline.leaves
    are_apart = outline.is_given or all(query_names(leaf.question) for leaf in leaves)
    return leaves if len(leaves) > 1 and are_apart else []


def is_unanswered(
    rows: Sequence[Sequence[Similarity]], near: SimilarityIndex, question: str, findings: Sequence[Finding]
) -> bool:
    """Whether no finding comes near enough to the question or a part of it.

    What is asked about settings or options, none of which stands in any of them, has no answer there: the words of
    `temp_quota_mb` are the words of others too. Of 57 questions on manuals it changes two, both without an answer.
    """
    code = [*settings_in(question), *options_in(question)]
    if code and not _is_any_written(code, findings):
        return True
    names = " ".join(query_names(question))
    unnamed = 1 - near.coverage(names) if names else 0.0
    return (
        max(max(one.fit for one in row) for row in rows) < UNANSWERED_BELOW_FIT + UNNAMED_EXTRA_FIT * unnamed
    )


def _is_any_written(names: Sequence[str], findings: Sequence[Finding]) -> bool:
    """Whether one of these names stands in the findings, their titles or headings."""
    texts = [f"{one.title}\n{one.heading}\n{one.claim}\n{one.quote}".casefold() for one in findings]
    return any(name.casefold() in text for text in texts for name in names)


def _items(
    view: ReportView,
    rows: Sequence[Sequence[Similarity]],
    near: SimilarityIndex,
    outdated: Collection[int],
    followed: Sequence[Similarity],
) -> list[Item]:
    """The findings with their values, best first.

    Args:
        followed: of a follow-up question, its own words, which count beside those of the whole question, so twice. What
            has none of the words that it adds answers the question before it, and stands behind what has.
    """
    parts, wanted = rows[1:] or rows, frozenset(view.added)
    siblings = sibling_pages(
        subject_of(question_to_answer(view.goal, view.task), view.follow_up), view.findings
    )
    items = []
    for index, finding in enumerate(view.findings):
        values = [_value(row[index]) for row in parts]
        part = max(range(len(parts)), key=values.__getitem__)
        value = max(values[part], _value(rows[0][index])) * (REPLACED_FACTOR if index in outdated else 1)
        value *= SIBLING_FACTOR if finding.url in siblings else 1
        if followed:
            value = (value + _value(followed[index])) / 2
            value *= REPLACED_FACTOR if wanted.isdisjoint(near.words_of(index)) else 1
        items.append(Item(index, finding, part, value))
    return sorted(items, key=lambda item: -item.rank)


def sibling_pages(subject: Subject, findings: Sequence[Finding]) -> set[str]:
    """The URLs of the pages about a sibling of a question's subject.

    A title names another model or year; or the page is of an earlier year than is asked about and does not name that;
    or its whole title, or what stands before its colon, is the name's first word with another one, beside a page where
    that is the name.
    """
    numbered = subject.numbered
    neighbours = {finding.url for finding in findings if numbered.is_neighbour(finding.title)}
    names = {finding.url: title_name(finding.title).partition(": ")[0] for finding in findings}
    namesakes = {url for url, name in names.items() if subject.is_namesake(name, names.values())}
    return neighbours | namesakes | _pages_of_earlier_years(subject, findings)


def _pages_of_earlier_years(subject: Subject, findings: Sequence[Finding]) -> set[str]:
    if not subject.years:
        return set()
    years_named: defaultdict[str, set[str]] = defaultdict(set)
    years_dated: defaultdict[str, set[str]] = defaultdict(set)
    for finding in findings:
        years_named[finding.url] |= years_in(f"{finding.title} {finding.heading} {finding.quote}")
        years_dated[finding.url] |= years_in(f"{urlsplit(finding.url).path} {finding.published[:4]}")
    asked = min(subject.years)
    return {
        url
        for url, years in years_dated.items()
        if years and max(years) < asked and not years_named[url] & subject.years
    }


def _lacks_added(view: ReportView, own: Sequence[Similarity], near: SimilarityIndex) -> bool:
    """Whether nothing that was read has a word that a follow-up question adds, or comes near to it by meaning."""
    return near.known.isdisjoint(view.added) and max(one.cosine for one in own) < FOLLOW_UP_MIN_COSINE


def _value(near: Similarity) -> float:
    return RANK_COSINE_WEIGHT * near.cosine + (1 - RANK_COSINE_WEIGHT) * near.coverage


def _chosen(view: ReportView, items: Sequence[Item], *, has_open_words: bool) -> list[Item]:
    """The best excerpt for each part, those of pages that the evidence links, then the best until it is long enough."""
    best_of_part: dict[int, Item] = {}
    best_of_page: dict[str, Item] = {}
    for item in items:
        best_of_part.setdefault(item.part, item)
        best_of_page.setdefault(item.finding.url, item)
    pages = best_of_page.values() if has_open_words else ()
    linked = [one for one in pages if linked_from(one.finding, view.findings)][:MOST_LINKED]
    must = {item.index for item in (*best_of_part.values(), *linked)}
    room = view.max_words or DIGEST_WORDS[view.depth]
    chosen: list[Item] = []
    for item in sorted(items, key=lambda item: item.index not in must):
        length = len(item.finding.claim.split())
        if not chosen or length <= room:
            chosen.append(item)
            room -= length
    ordered = sorted(chosen, key=lambda item: (item.index not in must, -item.rank))
    return [replace(item, leads=item.index in must) for item in ordered]


def _nearest(view: ReportView, fits: Sequence[Similarity]) -> list[Item]:
    """The best excerpts of the pages that come nearest to the question, one of each page."""
    order = sorted(range(len(fits)), key=lambda index: -fits[index].fit)
    best_of_page: dict[str, Item] = {}
    for index in order:
        finding = view.findings[index]
        best_of_page.setdefault(
            finding.title or host_of(finding.url), Item(index, finding, 0, fits[index].fit)
        )
    return list(best_of_page.values())[:_NEAREST]
