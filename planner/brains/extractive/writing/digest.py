"""Choose the excerpts that answer a question, and say when the pages do not answer it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from planner.brains.extractive.asking.hops import HopQuery, hops_of, nearness_by_hops
from planner.brains.extractive.asking.queries import question_of
from planner.brains.extractive.reading.passages import PART_WEIGHT, finding_text, relevance
from planner.brains.extractive.stating.entries import entry_factor, is_of_entry
from planner.brains.extractive.stating.statements import LISTING
from planner.brains.extractive.stating.things import things_of
from planner.brains.extractive.writing.excerpt_order import Digest, Item, PartOfDigest, section_of
from planner.brains.extractive.writing.on_point import asked_parts, is_hardly_stated, on_point
from planner.brains.extractive.writing.other_language import other_language
from planner.brains.extractive.writing.repeated import repeats
from planner.brains.extractive.writing.unanswered import is_unanswered
from planner.outline.kinds import asks_how, asks_what_it_is
from planner.outline.making import leaf_texts
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Depth
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.markdown import is_own_file
from research_crawler.text.pieces.excerpts import without_number
from research_crawler.text.query_words import settings_in
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import plain
from research_crawler.text.statements import is_personal
from research_crawler.text.words import terms

DIGEST_WORDS: dict[Depth, int] = {"quick": 130, "standard": 540, "deep": 1_000}
"""About how many words the excerpts have, below the leading sentences. With 280, 460 and 540 words, the best excerpts
hold 0.53, 0.64 and 0.69 of the facts that answers to questions about manuals need."""
PERSONAL = 0.9
"""Factor for somebody's own account: what a page states about the matter itself goes before it."""
OLD_COST, MAX_OLD_YEARS = 0.03, 3
"""How much a finding loses for each year that its page is older than the newest one, for at most so many years."""
WORTH_SHOWING = 0.55
"""Least value of an excerpt, as a share of the best one."""
PAGE_PART, BEST_OF_PAGE = 0.5, 3
"""How much the page of an excerpt adds to its value, and how many of its best excerpts a page is judged by: what a
question asks stands on one or two pages, and an excerpt of another one that is as near by its words is mostly beside
the point."""
CODE_MORE = 0.15
"""How much more an excerpt with a listing is worth where it is asked how something is done: a command answers that. The
first 200 words of digests for 30 questions about manuals then hold 0.39 instead of 0.36 of the facts."""
HEADING_MORE = 0.6
"""How much more an excerpt is worth whose last heading asks the same as its part of the question: what stands under
"Undo a commit" answers, even if it has none of the words. Of the facts that answers to 30 questions about manuals need,
0.49 instead of 0.42 then stand within the first 200 words, more on each half, and as many within 600; with 0.3 fewer,
and with 1.0 no more."""
OPENING_MORE, FIRST_CHARS = 0.4, 3_000
"""How much more an excerpt of the first lines of a page is worth where it is asked what the thing in its title is: a
manual says that first."""
SAME_POINT = 0.6
"""Cosine of the nearest excerpt below which the digest is of low certainty."""
_NEAREST = 3


async def digest(view: ReportView, embedder: Embedder, *, outdated: Collection[int] = ()) -> Digest:
    """The excerpts that answer the question, by sub-question or section; none if they do not answer it.

    Args:
        outdated: findings with a value that a newer page has replaced; they are not shown among the excerpts.
    """
    if not view.findings:
        return Digest([], [])
    question = question_of(view.goal, view.task)
    parts = await _parts(view, embedder)
    hops = await hops_of(question, view.searches, embedder)
    items = await _items(view, question, parts, hops, embedder)
    if other := _not_compared(view, question):
        return Digest([], items, parts, _nearest_titles(items), other)
    asked = await asked_parts(view, question, parts, leaf_texts([part.leaf for part in parts]), embedder)
    if is_unanswered(view, question, items) or await is_hardly_stated(view, asked, items, embedder):
        return Digest([], items, parts, _nearest_titles(items))
    current = [item for item in items if item.place not in outdated] or items
    chosen = _chosen(view, parts, hops, current, on_point(current, parts, asked))
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
    view: ReportView,
    question: str,
    parts: Sequence[PartOfDigest],
    hops: Sequence[HopQuery],
    embedder: Embedder,
) -> list[Item]:
    """The findings with their values, best first."""
    texts = [finding_text(f) for f in view.findings]
    question_vector, *vectors = await embedder.embed([compared := with_manual_words(question), *texts])
    wanted = terms(compared)
    newest = max((finding.published for finding in view.findings), default="")
    things = things_of([part.leaf.question for part in parts])
    items = []
    for place, (finding, vector) in enumerate(zip(view.findings, vectors, strict=True)):
        whole = nearness_by_hops(cosine(question_vector, vector), texts[place], vector, hops)
        by_part = [cosine(part.vector, vector) for part in parts]
        naming = [n for n, one in enumerate(parts) if place in one.places] or range(len(parts))
        told = [n for n, thing in enumerate(things) if thing and thing.is_told_of(plain(finding.claim))]
        part = told[0] if len(told) == 1 else max(naming, key=by_part.__getitem__, default=0)
        best = max([whole, *(PART_WEIGHT * one for one in by_part)])
        value = relevance(best, wanted, texts[place])
        value -= age_cost(finding.published, newest)
        value *= PERSONAL if is_personal(finding.claim) else 1.0
        # A sibling of the subject was marked down where the page was read.
        value *= min(1.0, 0.5 + finding.score)
        is_way = asks_how(parts[part].leaf.question if parts else question) and LISTING in finding.quote
        value += CODE_MORE * is_way
        asked = parts[part].leaf.question if parts else question
        settings = settings_in(asked) or settings_in(question)
        is_entry = is_of_entry(finding, settings)
        value *= 1.0 if is_entry else entry_factor(finding, settings)
        value += HEADING_MORE * max(float(is_entry), _asked_by_heading(finding, asked))
        value += OPENING_MORE * _opens_page_of(finding, asked)
        items.append(Item(place, finding, vector, whole, value, part))
    return sorted(_with_pages(items), key=lambda item: -item.value)


def _opens_page_of(finding: Finding, question: str) -> bool:
    """Whether an excerpt is from the beginning of the page about the very thing of which it is asked what it is."""
    named = {word for word in terms(finding.title) if word.isalpha()}
    is_opening = finding.start < FIRST_CHARS and LISTING not in finding.quote
    return is_opening and asks_what_it_is(question) and bool(named) and named <= set(terms(question))


def _asked_by_heading(finding: Finding, question: str) -> float:
    """How far the last heading above a finding asks the same as a question, 0 to 1: the share of its words that the
    question has, times the share of the question's words that it has; 0 for the title of a page, below which all of it
    stands."""
    said = set(terms(without_number(finding.heading.rsplit(" > ", 1)[-1])))
    if said <= set(terms(finding.title)):
        return 0.0
    asked = set(terms(with_manual_words(question)))
    both = len(said & asked)
    return both / len(said) * both / len(asked) if both else 0.0


def _with_pages(items: Sequence[Item]) -> list[Item]:
    """The items with a share of the value of their page, which is the mean of its best ones."""
    by_page: defaultdict[str, list[float]] = defaultdict(list)
    for item in sorted(items, key=lambda item: -item.value):
        by_page[item.finding.url].append(item.value)
    worth = {url: sum(values[:BEST_OF_PAGE]) / BEST_OF_PAGE for url, values in by_page.items()}
    best = max(worth.values(), default=0.0) or 1.0
    return [replace(item, value=item.value + PAGE_PART * worth[item.finding.url] / best) for item in items]


def _not_compared(view: ReportView, question: str) -> str:
    """The language of the findings, if the question is in another one and their words state no part of it."""
    is_stated = any(leaf.state == "filled" for leaf in view.outline.leaves)
    return "" if is_stated else other_language(question, view.findings)


def _nearest_titles(items: Sequence[Item]) -> str:
    """The titles of the pages whose excerpts are nearest to the question."""
    near = sorted(items, key=lambda item: -item.similarity)
    titles = list(dict.fromkeys(item.finding.title or host_of(item.finding.url) for item in near))
    return "; ".join(titles[:_NEAREST])


def _chosen(
    view: ReportView,
    parts: Sequence[PartOfDigest],
    hops: Sequence[HopQuery],
    items: Sequence[Item],
    on_point: Collection[int],
) -> list[Item]:
    """The best excerpt for each part of the question and for each name that led on, then the best of those on the
    point until the digest is long enough."""
    states = {one.place for part in parts if (one := _stating(part, items))}
    first = [
        one
        for number, part in enumerate(parts)
        for one in (_stating(part, items), _best_for(part, number, items))
        if one
    ]
    led_to = [one for hop in hops if (one := _best_of_page(hop, items))]
    least = WORTH_SHOWING * items[0].value
    chosen: list[Item] = []
    room = view.max_words or DIGEST_WORDS[view.depth]
    by_place = {item.place: item for item in items}
    further = (item for item in items if item.place in on_point)
    stating = [item for item in items if item.finding.id in _stated_alone(view)]
    for place in dict.fromkeys(item.place for item in (*stating, items[0], *first, *led_to, *further)):
        one = by_place[place]
        # A sentence that was chosen by itself gives way to the excerpt that has it and says more.
        parts_of_it = [other for other in chosen if _is_part_of(other, one)]
        others = [other for other in chosen if other not in parts_of_it]
        length = _words(one) - sum(map(_words, parts_of_it))
        is_worth = one.value >= least or one in led_to or one.place in states
        if chosen and (length > room or not is_worth or repeats(one, others)):
            continue
        chosen = [*others, one]
        room -= length
    return chosen


def _stated_alone(view: ReportView) -> list[str]:
    """The finding that states a question of one part, if one does: the first that a short digest has room for."""
    leaves = view.outline.leaves
    return leaves[0].evidence[:1] if len(leaves) == 1 and leaves[0].state == "filled" else []


def _is_part_of(item: Item, whole: Item) -> bool:
    return item.finding.url == whole.finding.url and item.finding.claim in whole.finding.claim


def _words(item: Item) -> int:
    return len(item.finding.claim.split())


def _best_for(part: PartOfDigest, number: int, items: Sequence[Item]) -> Item | None:
    """The excerpt for one part of the question: one that stands under it, else one that the outline names for it."""
    return max(
        (item for item in items if item.place in part.places),
        key=lambda item: (item.part == number, item.value + cosine(part.vector, item.vector)),
        default=None,
    )


def _stating(part: PartOfDigest, items: Sequence[Item]) -> Item | None:
    """The excerpt that states a part of the question: a row of a table is hardly as near to it as a page of prose."""
    return next((item for item in items if part.is_stated_by(item.finding)), None)


def _best_of_page(hop: HopQuery, items: Sequence[Item]) -> Item | None:
    """The excerpt of the page about a name that led on: beside the whole question it looks like something else."""
    return next((item for item in items if hop.name <= set(terms(item.finding.title))), None)


def _in_order(chosen: Sequence[Item]) -> list[Item]:
    """The excerpts by sub-question, in it by page and section in the order of the best of each, there by place.

    The caller's own files come before pages.
    """
    by_place = sorted(chosen, key=lambda item: item.finding.start)
    sections = dict.fromkeys(map(section_of, chosen))
    own_first = sorted(sections, key=lambda section: not is_own_file(section[1]))
    order = {section: n for n, section in enumerate(own_first)}
    return sorted(by_place, key=lambda item: (item.part, order[section_of(item)]))


def age_cost(published: str, newest: str) -> float:
    """How much a finding loses because its page is older than the newest one; nothing if a date is unknown."""
    if not (published[:4].isdecimal() and newest[:4].isdecimal()):
        return 0.0
    return OLD_COST * min(MAX_OLD_YEARS, int(newest[:4]) - int(published[:4]))
