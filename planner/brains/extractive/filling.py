"""Fill the outline of a job without a model: which findings answer which sub-question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from planner.brains.extractive.asking.hops import HopQuery, hops_of, nearness_by_hops
from planner.brains.extractive.asking.queries import question_of
from planner.brains.extractive.reading.passages import finding_text, relevance
from planner.brains.extractive.stating.asked import read_asked
from planner.brains.extractive.stating.statements import LeafStatement, statement_for
from planner.brains.extractive.stating.things import Thing, things_of
from planner.goal.language import report_language
from planner.job.completeness import WHAT_IS_GOOD, WHAT_IT_COSTS, WHAT_USERS_NAME, as_said
from planner.outline.kinds import is_answer_kind
from planner.outline.making import asked_alone, first_outline, is_topic, leaf_texts
from planner.outline.rewriting import fitted_outline
from planner.outline.states import with_evidence
from planner.outline.topics import with_topics
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding, FindingKind
from research_crawler.core.models.outline import MOST_EVIDENCE, Leaf, Outline, Section
from research_crawler.core.models.records import SearchRecord
from research_crawler.core.ports.models import Embedder
from research_crawler.text.agreement import stems_of
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.messages import Messages
from research_crawler.text.normal_quote import normal_quote
from research_crawler.text.ranking import Bm25, cosine, normalised
from research_crawler.text.subject import subject_of
from research_crawler.text.words import content_words, stem, terms

FILLS, UNNAMED_MORE, FILLS_OTHER = 0.48, 0.25, 0.25
"""Cosine that a finding must have with a sub-question to answer it, how much more if no finding has the names of the
question, and the same for a question in another language than English. See `digest`, which asks the same of the whole
question; of 46 sub-questions about manuals, those with an answer among the findings have 0.57 or more."""
UNSAID_MORE = 0.25
"""How much more is needed if no finding at all has a word of the sub-question: then even the nearest one is only about
the same thing. "Who painted its ceiling? (Skelder lighthouse)" has cosines of 0.6 to 0.7 with any sentence about it."""
LEXICAL_PART = 0.25
WORTH_NAMING = 0.6
"""Least value of a finding in the evidence of a sub-question, as a share of the best one."""
OWN_MARGIN = 0.12
"""A finding belongs to the sub-questions whose cosine is within so much of that of its nearest one."""
COMMERCE: Final[Mapping[str, frozenset[FindingKind]]] = {
    WHAT_IS_GOOD: frozenset({"spec_to_look_for", "recommendation", "warning"}),
    WHAT_IT_COSTS: frozenset({"price_expectation"}),
    WHAT_USERS_NAME: frozenset({"recommended_product"}),
}
"""What an offer needs, with the kinds of findings that supply it."""


@dataclass(frozen=True)
class _Fit:
    id: str
    similarity: float
    value: float


def planned_outline(view: PlannerView) -> Outline:
    """The outline of a job before any evidence: the parts of its question, or what an offer needs."""
    if view.intent == "commerce":
        return _commerce_outline(Messages(view.language))
    return _first(question_of(view.goal, view.task))


async def filled_outline(view: PlannerView, embedder: Embedder, *, gaps: Sequence[str] = ()) -> Outline:
    """The outline of a job with the findings that answer each sub-question, and what is still open.

    Evidence that a model has named stays; everything else is assigned anew each time, because later pages may have
    something better.

    Args:
        gaps: for an offer, what is still missing.
    """
    question = question_of(view.goal, view.task)
    findings = distinct_findings(view.findings)
    outline = view.outline if view.outline.sections else planned_outline(view)
    near: frozenset[str] = frozenset()
    if view.intent == "commerce" and not outline.is_given:
        evidence = _by_kind(outline, findings, gaps)
    else:
        if not outline.is_given and outline.by != "model" and is_topic(question):
            outline = with_topics(outline, question, findings)
        evidence, near = await _by_meaning(outline, question, findings, view.searches, embedder)
    # What a model has left open beside the evidence that it named stays open.
    near |= {leaf.id for leaf in outline.unanswered if leaf.evidence and leaf.id not in evidence}
    say = Messages(view.language)
    return fitted_outline(with_evidence(outline, evidence, view.searches, view.visited, near=near, say=say))


async def _by_meaning(
    outline: Outline,
    question: str,
    findings: Sequence[Finding],
    searches: Sequence[SearchRecord],
    embedder: Embedder,
) -> tuple[dict[str, list[str]], frozenset[str]]:
    """Ids of the findings that answer each leaf, best first, and the leaves to which they are near and no more."""
    leaves = [leaf for leaf in outline.leaves if outline.by != "model" or not (leaf.evidence or leaf.reason)]
    if not leaves or not findings:
        return {leaf.id: [] for leaf in leaves}, frozenset()
    asked = (
        [with_manual_words(question)]
        if len(outline.leaves) == 1 and not outline.is_given
        else leaf_texts(leaves)
    )
    texts = [finding_text(finding) for finding in findings]
    vectors = await embedder.embed([*asked, *texts])
    leaf_vectors, text_vectors = vectors[: len(leaves)], vectors[len(leaves) :]
    similarity, led = [], []
    for text, one in zip(asked, leaf_vectors, strict=True):
        led.append(hops := await hops_of(text, searches, embedder))
        near = ((cosine(one, other), said, other) for said, other in zip(texts, text_vectors, strict=True))
        similarity.append([nearness_by_hops(*each, hops) for each in near])
    nearest = [max(row[place] for row in similarity) for place in range(len(texts))]
    bm25 = Bm25(texts)
    known = stems_in(texts)
    is_broad = not outline.is_given and is_topic(question)  # whatever is told of a topic is an answer
    found: dict[str, list[str]] = {}
    near_only: set[str] = set()
    things = things_of([leaf.question for leaf in leaves])
    for leaf, text, row, hops, thing in zip(leaves, asked, similarity, led, things, strict=True):
        lexical, wanted = normalised(bm25.scores(text)), terms(leaf.question)
        needed = needed_nearness(leaf.question, known)
        fits = [
            _Fit(
                findings[i].id,
                row[i],
                relevance(row[i], wanted, texts[i]) + LEXICAL_PART * lexical[i],
            )
            for i in range(len(texts))
            if row[i] >= nearest[i] - OWN_MARGIN
        ]
        chosen = _chosen(leaf, fits, needed, dict(zip((f.id for f in findings), texts, strict=True)))
        own = leaf.question if len(outline.leaves) > 1 or outline.is_given else asked_alone(outline, question)
        statement = await _statement((own, text, thing), hops, findings, row, embedder)
        if statement:
            chosen = list(dict.fromkeys([statement.finding, *chosen]))[:MOST_EVIDENCE]
        elif chosen and not is_broad:
            near_only.add(leaf.id)
        found[leaf.id] = chosen
    return found, frozenset(near_only)


async def _statement(
    leaf: tuple[str, str, Thing | None],
    hops: Sequence[HopQuery],
    findings: Sequence[Finding],
    nearness: Sequence[float],
    embedder: Embedder,
) -> LeafStatement | None:
    """What states a sub-question, or what is asked of the name that led on from it; None if nothing does.

    The page of a name says nothing of what led to it: not that Agnes Holt is the engineer who built the lighthouse.
    """
    question, text, thing = leaf
    own = await read_asked(question, text, findings, embedder, thing)
    direct = await statement_for(own, findings, nearness, embedder)
    found = [direct]
    for hop in hops:
        named = [finding for finding in findings if hop.name <= frozenset(terms(finding_text(finding)))]
        vectors = await embedder.embed([finding_text(finding) for finding in named]) if named else []
        asked = replace(await read_asked(hop.query, hop.query, findings, embedder), text=question)
        near = [cosine(hop.vector, vector) for vector in vectors]
        found.append(await statement_for(asked, named, near, embedder))
    stated = [one for one in found if one and one.is_stated]
    return max(stated, key=lambda one: one.worth, default=None)


def _chosen(leaf: Leaf, fits: Sequence[_Fit], needed: float, texts: Mapping[str, str]) -> list[str]:
    """The findings that answer a leaf, best first; none if not even the nearest does."""
    near = (fit for fit in fits if fit.similarity >= needed)
    answers = [fit for fit in near if is_answer_kind(leaf.question, texts[fit.id])]
    best = max((fit.value for fit in answers), default=0.0)
    worth = [fit for fit in answers if fit.value >= WORTH_NAMING * best]
    return [fit.id for fit in sorted(worth, key=lambda fit: -fit.value)[:MOST_EVIDENCE]]


def needed_nearness(question: str, known: frozenset[str]) -> float:
    """The cosine that a finding must have with a question: more if no finding has its names, or any of its words."""
    if report_language(question) != "en":
        return FILLS_OTHER
    subject = subject_of(question)
    names = subject.words | subject.years
    own = {stem(word.lower()) for word in content_words(question)} - names
    unnamed = len(names - known) / len(names) if names else 0.0
    return FILLS + max(UNNAMED_MORE * unnamed, UNSAID_MORE * bool(own and not own & known))


def stems_in(texts: Sequence[str]) -> frozenset[str]:
    """The stems of all words of some texts."""
    return frozenset(stems_of(" ".join(texts)))


def distinct_findings(findings: Sequence[Finding]) -> list[Finding]:
    """The first finding of each quote: a report's evidence has each quote once."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        kept.setdefault(normal_quote(finding.quote), finding)
    return list(kept.values())


def _by_kind(outline: Outline, findings: Sequence[Finding], gaps: Sequence[str]) -> dict[str, list[str]]:
    """The findings for each thing that an offer needs, none for those that are still missing."""
    best = sorted(findings, key=lambda finding: -finding.score)
    return {
        leaf.id: []
        if needed in gaps
        else [finding.id for finding in best if finding.kind in kinds][:MOST_EVIDENCE]
        for leaf, (needed, kinds) in zip(outline.leaves, COMMERCE.items(), strict=False)
    }


def _commerce_outline(say: Messages) -> Outline:
    """The outline of a search for an offer: one leaf, without a query of its own, for each thing that it needs."""
    sections = [
        Section(id=str(n), title=text, leaves=[Leaf(id=f"{n}.1", question=text)])
        for n, text in enumerate(as_said(COMMERCE, say), 1)
    ]
    return Outline(by="extractive", sections=sections)


@lru_cache(maxsize=256)
def _first(question: str) -> Outline:
    return first_outline(question, by="extractive")
