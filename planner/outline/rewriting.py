"""Rewrite an outline: what a brain proposes, laid over what stands, so that ids stay and nothing given is lost."""

from collections.abc import Collection, Iterable
from typing import Final

from planner.outline.making import MAX_LEAF_QUESTION, MAX_SECTION_TITLE
from planner.outline.parts import MOST_SUB_QUESTIONS
from planner.outline.states import without_unknown
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, Leaf, Outline, Section

MAX_LEAF_QUERY: Final = 160
"""Most characters of a leaf's query, and of its reason."""
OUTLINE_ROOM = 7_000
"""Most bytes of an outline in the record of a job, whose fields share one commit."""


def rewritten(current: Outline, proposed: Outline, known: Collection[str]) -> Outline:
    """The current outline with the changes of a proposed one.

    A leaf of the proposal replaces the one with its id, keeping its words if the caller gave them; other leaves are
    added to the section with the same title, or in a new one, as long as there is room. A section takes the title that
    the proposal has for all its leaves. What the proposal leaves out stays. In an outline that the caller gave, nothing
    is added or renamed.

    Args:
        known: ids of the job's findings; other evidence ids are dropped.
    """
    if not current.sections:
        return fitted_outline(without_unknown(_with_own_ids(proposed), known))
    old = {leaf.id: leaf for leaf in current.leaves}
    new = {leaf.id: leaf for leaf in proposed.leaves if leaf.id in old}
    outline = current.with_leaves(
        {id_: _replacement(old[id_], leaf, is_given=current.is_given) for id_, leaf in new.items()}
    )
    if not current.is_given:
        outline = _extended(_renamed(outline, proposed), proposed, old)
    by = current.by if current.is_given else proposed.by or current.by
    return fitted_outline(without_unknown(outline.changed(by=by), known))


def fitted_outline(outline: Outline, room: int = OUTLINE_ROOM) -> Outline:
    """The outline within `room` bytes: long lists of evidence lose their last ids, then words are cut; no leaf is."""
    outline = outline.with_leaves({leaf.id: _cut(leaf) for leaf in outline.leaves})
    steps = [*((most, MAX_LEAF_QUERY) for most in range(MOST_EVIDENCE - 1, 0, -1)), (1, 80), (1, 40)]
    for most, words in steps:
        if len(outline.model_dump_json().encode()) <= room:
            break
        outline = outline.with_leaves({leaf.id: _cut(leaf, most, words) for leaf in outline.leaves})
    return outline


def _replacement(old: Leaf, new: Leaf, *, is_given: bool) -> Leaf:
    """The new version of a leaf, without what it may not lose: words that were given, evidence, a reason to give up."""
    if new.state == "filled" and not new.evidence:
        new = new.changed(evidence=old.evidence)
    return new.changed(
        question=old.question if is_given or not new.question else new.question,
        query=new.query or old.query,
        searches=max(old.searches, new.searches),
    )


def _renamed(outline: Outline, proposed: Outline) -> Outline:
    """The outline with the titles that the proposal has for whole sections, if no other section has them."""
    named = {
        leaf.id: section.title[:MAX_SECTION_TITLE] for section in proposed.sections for leaf in section.leaves
    }
    sections = list(outline.sections)
    for index, section in enumerate(sections):
        titles = {named.get(leaf.id, "") for leaf in section.leaves}
        title = titles.pop() if len(titles) == 1 else ""
        if _same(title) and all(
            _same(title) != _same(other.title) for other in sections if other is not section
        ):
            sections[index] = section.changed(title=title)
    return outline.changed(sections=sections)


def _extended(outline: Outline, proposed: Outline, old: Collection[str]) -> Outline:
    """The outline with the leaves of the proposal that it does not have, at the ends of their sections."""
    sections = list(outline.sections)
    asked = {_same(leaf.question) for leaf in outline.leaves} | {""}
    room = MOST_SUB_QUESTIONS - len(outline.leaves)
    for section in proposed.sections:
        fresh = [leaf for leaf in section.leaves if leaf.id not in old and _same(leaf.question) not in asked]
        fresh = fresh[: max(0, room)]
        if not fresh:
            continue
        room -= len(fresh)
        asked |= {_same(leaf.question) for leaf in fresh}
        index = next((n for n, s in enumerate(sections) if _same(s.title) == _same(section.title)), None)
        if index is None:
            index, title = len(sections), (section.title or fresh[0].question)[:MAX_SECTION_TITLE]
            sections.append(Section(id=str(_next_number(s.id for s in sections)), title=title))
        sections[index] = _with_added(sections[index], fresh)
    return outline.changed(sections=sections)


def _with_added(section: Section, leaves: Iterable[Leaf]) -> Section:
    kept = list(section.leaves)
    for leaf in leaves:
        number = _next_number(one.id.rpartition(".")[2] for one in kept)
        kept.append(leaf.changed(id=f"{section.id}.{number}"))
    return section.changed(leaves=kept)


def _with_own_ids(proposed: Outline) -> Outline:
    """A proposed outline with ids of its own, for a job that has none yet."""
    sections, room = list[Section](), MOST_SUB_QUESTIONS
    for section in proposed.sections:
        if leaves := section.leaves[:room]:
            room -= len(leaves)
            own = Section(id=str(len(sections) + 1), title=section.title[:MAX_SECTION_TITLE])
            sections.append(_with_added(own, leaves))
    return proposed.changed(sections=sections)


def _next_number(ids: Iterable[str]) -> int:
    return max((int(id_) for id_ in ids if id_.isdecimal()), default=0) + 1


def _same(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?.! ")


def _cut(leaf: Leaf, most: int = MOST_EVIDENCE, words: int = MAX_LEAF_QUERY) -> Leaf:
    """A leaf with at most so many ids of evidence, and characters of its query and of its reason."""
    return leaf.changed(
        question=leaf.question[:MAX_LEAF_QUESTION],
        query=" ".join(leaf.query.split())[:words],
        reason=" ".join(leaf.reason.split())[:words],
        evidence=list(dict.fromkeys(leaf.evidence))[:most],
    )
