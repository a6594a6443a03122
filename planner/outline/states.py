"""The state of each leaf, from the record of the job: what it was searched with, and whether that is all. Pure."""

from collections.abc import Collection, Mapping, Sequence

from research_crawler.core.models.jobs.outline import Leaf, Outline
from research_crawler.core.models.jobs.records import SearchRecord, VisitRecord
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import word_coverage
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages

LEAF_SEARCH_MIN_WORD_SHARE = 0.5
"""Least share of the words of a leaf's query in a search that counts as made for the leaf."""
SEARCHES_FOR_A_LEAF = 3
"""After so many searches whose pages were read, a leaf without evidence is not to be had here: the words of the whole
question, its own words, and other ones."""
SEARCHES_FOR_ALL = 5
"""As long as nothing answers any part of the question, so many: the words may still have been the wrong ones."""
LEAST_READ = 2
"""With fewer pages read, nothing is known about what the web has."""


def with_evidence(
    outline: Outline,
    evidence: Mapping[str, Sequence[str]],
    searches: Sequence[SearchRecord],
    visits: Sequence[VisitRecord],
    *,
    near: Collection[str] = (),
    translate: Messages = ENGLISH_MESSAGES,
) -> Outline:
    """The outline with the evidence of each leaf, and the states that follow from it and from the searches made.

    Args:
        evidence: ids of findings by the id of their leaf, best first; a leaf that is not named keeps its own.
        searches: those of the job.
        visits: those of the job.
        near: leaves whose evidence is about what they ask and does not state it: they are not filled.
        translate: the messages in the language of the report.
    """
    leaves = {}
    own = {leaf.id: list(evidence.get(leaf.id, leaf.evidence)) for leaf in outline.leaves}
    answered = {id_ for id_, ids in own.items() if ids and id_ not in near}
    patience = searches_enough([leaf for leaf in outline.leaves if leaf.id in answered])
    for leaf in outline.leaves:
        made = searches_for(leaf, searches)
        found = leaf.changed(evidence=own[leaf.id], searches=len(made))
        leaves[leaf.id] = (
            found.changed(state="filled", reason="")
            if leaf.id in answered
            else _unanswered(found, made, visits, patience, translate)
        )
    return outline.with_leaves(leaves)


def searches_enough(filled: Sequence[Leaf]) -> int:
    """After how many searches an open leaf is given up, beside these filled ones."""
    return SEARCHES_FOR_A_LEAF if filled else SEARCHES_FOR_ALL


def searches_for(leaf: Leaf, searches: Sequence[SearchRecord]) -> list[SearchRecord]:
    """The searches with results that have at least half of the words of a leaf's query, one of each round.

    Several of one round are several wordings of the same attempt.
    """
    wanted = set(terms(leaf.query or leaf.question))
    if not wanted:
        return []
    concerned = (
        search
        for search in searches
        if search.outcome == "ok" and word_coverage(wanted, search.query) >= LEAF_SEARCH_MIN_WORD_SHARE
    )
    return list({search.round: search for search in concerned}.values())


def with_earlier_answers(outline: Outline, earlier: Outline, known: Collection[str]) -> Outline:
    """The outline with the evidence by which an earlier job has answered the same questions.

    Args:
        outline: that of a job before its first step.
        earlier: that of the job that it adds to.
        known: ids of the findings that are taken over.
    """
    answered = {
        leaf.question: evidence
        for leaf in earlier.leaves
        if leaf.state == "filled" and (evidence := [id_ for id_ in leaf.evidence if id_ in known])
    }
    return outline.with_leaves(
        {
            leaf.id: leaf.changed(evidence=answered[leaf.question], state="filled")
            for leaf in outline.leaves
            if leaf.question in answered
        }
    )


def without_unknown(outline: Outline, known: Collection[str]) -> Outline:
    """The outline without evidence ids that no finding has.

    A leaf that loses all of them is open again, and so is one that was given up without a reason.
    """
    leaves = {}
    for leaf in outline.leaves:
        evidence = [id_ for id_ in dict.fromkeys(leaf.evidence) if id_ in known]
        has_ground = {"filled": bool(evidence), "unavailable": bool(leaf.reason.strip()), "open": True}
        state = leaf.state if has_ground[leaf.state] else "open"
        if evidence != leaf.evidence or state != leaf.state:
            leaves[leaf.id] = leaf.changed(evidence=evidence, state=state)
    return outline.with_leaves(leaves) if leaves else outline


def with_hopeless(
    outline: Outline, visits: Sequence[VisitRecord], translate: Messages = ENGLISH_MESSAGES
) -> Outline:
    """The outline at the end of the research: what was searched for often enough is not to be had, and says so."""
    return outline.with_leaves(
        {
            leaf.id: leaf.changed(state="unavailable", reason=_nothing(leaf.searches, visits, translate))
            for leaf in outline.leaves
            if leaf.state == "open" and leaf.searches >= SEARCHES_FOR_A_LEAF
        }
    )


def _unanswered(
    leaf: Leaf,
    made: Sequence[SearchRecord],
    visits: Sequence[VisitRecord],
    patience: int,
    translate: Messages,
) -> Leaf:
    """The leaf as open or, after enough searches whose pages were read, as not to be had."""
    read = [visit for visit in visits if visit.outcome == "ok"]
    read_since = made and any(visit.round > made[-1].round for visit in read)
    if len(made) < patience or len(read) < LEAST_READ or not read_since:
        return leaf if leaf.state == "unavailable" else leaf.changed(state="open", reason="")
    return leaf.changed(state="unavailable", reason=_nothing(len(made), visits, translate))


def _nothing(searches: int, visits: Sequence[VisitRecord], translate: Messages) -> str:
    return translate("none_answers", searches=searches, read=sum(visit.outcome == "ok" for visit in visits))
