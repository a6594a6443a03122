"""Judge the evidence of a job without a model, after each round: its scores, and the analysis of all findings."""

from collections.abc import Sequence
from typing import Final

from planner.analysis.advice import NEXT_HOP, plain_analysis
from planner.analysis.scoring import Nearness, evaluated
from planner.analysis.unsaid import described_in, next_hop, unsaid_words
from planner.brains.extractive.asking.hops import hops_of, nearness_by_hops
from planner.brains.extractive.asking.queries import question_of
from planner.brains.extractive.deciding.visits import open_pages
from planner.brains.extractive.filling import distinct_findings, needed_nearness, stems_in
from planner.brains.extractive.reading.passages import finding_text
from planner.evidence.contradictions import Difference, contradictions
from planner.evidence.evidence_statements import evidence_statements
from planner.outline.making import leaf_texts
from research_crawler.core.models.decisions import Candidate, Decision, PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Outline
from research_crawler.core.models.quality import Analysis, Evaluation
from research_crawler.core.ports.models import Embedder
from research_crawler.text.hops import hop_name, hops_in, is_hop_made
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.ranking import cosine
from research_crawler.text.words import terms

MOST_COMPARED_FINDINGS = 24
"""Most findings whose statements are compared with each other, the best ones: 0.3 s of one core once."""


HOP_REASON: Final = "The pages name it; what is asked of it they do not say."
MOST_LEADING_ON: Final = 8
"""Most findings that may lead on where none answers: what a question describes is near to it, what it asks is not."""
PAGES_BESIDE: Final = 2
"""Most pages of a name that are read while it is searched for."""
HOP_SCORE: Final = 0.7
"""Score of a page whose title is the name that was searched for."""


async def judgement_of(
    view: PlannerView, outline: Outline, embedder: Embedder, by: str
) -> tuple[Evaluation, Analysis] | None:
    """The evaluation and the analysis of all findings so far; None before anything was read or searched for.

    Args:
        view: what is known.
        outline: it names the findings that answer each sub-question.
        embedder: one that remembers, because findings are compared in every round.
        by: the brain that judges.
    """
    if not any(visit.what == "ok" for visit in view.visited) and not view.findings:
        return None
    question = question_of(view.goal, view.task)
    leaves = outline.leaves
    asked = [with_manual_words(question), *(leaf_texts(leaves) if len(leaves) > 1 else [])]
    texts = [finding_text(finding) for finding in view.findings]
    vectors = await embedder.embed([*asked, *texts])
    wanted, said = vectors[: len(asked)], vectors[len(asked) :]
    known = stems_in(texts)
    nearness = []
    for one, text in zip(wanted, asked, strict=True):
        hops = await hops_of(text, view.searches, embedder)
        near = (
            nearness_by_hops(cosine(one, other), found, other, hops)
            for found, other in zip(texts, said, strict=True)
        )
        nearness.append(Nearness(max(near, default=0.0), needed_nearness(text, known)))
    found = await _differences(question, view.findings, embedder)
    unsaid, hop = _unsaid(view, outline, question)
    evaluation = evaluated(
        outline,
        {finding.id: finding for finding in view.findings},
        nearness,
        unsaid=unsaid,
        conflicts=sum(one.kind == "contradiction" for one in found),
        thresholds=view.quality,
    )
    nearest = [max((cosine(one, other) for one in wanted), default=0.0) for other in said]
    analysis = plain_analysis(view, outline, evaluation, found=found, nearness=nearest, hop=hop, by=by)
    return evaluation, analysis


def hop_search(view: PlannerView, analysis: Analysis | None) -> Decision | None:
    """The search by a name that the first pages give for what is asked about; None if there is none to make.

    Beside it, the pages of that name that are known already are read: a page that names it mostly links them.

    The question itself is searched before: what earlier jobs have found may be about something else.
    """
    advised = analysis.suggestions_for_next_step if analysis else []
    query = next((one.removeprefix(NEXT_HOP) for one in advised if one.startswith(NEXT_HOP)), "")
    if not query or not view.searches or "search" not in view.allowed or view.stuck:
        return None
    name = [set(terms(hop_name(query)))]
    linked = [one.result.url for one in open_pages(view) if _is_of_hop(one.result.title, name)]
    most = min(PAGES_BESIDE, view.remaining_visits)
    return Decision(action="search", queries=[query], urls=linked[:most], reason=HOP_REASON)


def with_hop_pages(view: PlannerView) -> PlannerView:
    """The view with the pages of a hop rated by its name: beside the goal, they look like something else."""
    names = _hop_names(view)

    def rated(one: Candidate) -> Candidate:
        result = one.result
        if result.score >= HOP_SCORE or not _is_of_hop(result.title, names):
            return one
        return one.changed(result=result.changed(score=HOP_SCORE, priority="should_visit"))

    return view.changed(candidates=[rated(one) for one in view.candidates]) if names else view


def _hop_names(view: PlannerView) -> list[set[str]]:
    """The stems of the names that were searched for as a next hop."""
    attempts = view.assessed.attempts
    hops = [hop_name(one.queries[0]) for one in attempts if one.why == HOP_REASON and one.queries]
    return [name for hop in hops if (name := set(terms(hop)))]


def _is_of_hop(title: str, names: Sequence[set[str]]) -> bool:
    """Whether a page is about one of these names, by its title."""
    own = set(terms(title))
    return any(name <= own for name in names)


def _unsaid(view: PlannerView, outline: Outline, question: str) -> tuple[dict[str, list[str]], str]:
    """The words that the evidence of each answered sub-question lacks, and a query by a name that it gives.

    An offer is not asked for in the words of its pages.
    """
    if view.intent == "commerce":
        return {}, ""
    known = {finding.id: finding for finding in view.findings}
    queries = [search.query for search in view.searches]
    names = _hop_names(view)
    beyond = [finding for finding in view.findings if names and _is_of_hop(finding.title, names)]
    titles = [one.result.title.partition(" (")[0] for one in view.candidates]
    best = sorted(view.findings, key=lambda finding: -finding.score)[:MOST_LEADING_ON]
    unsaid: dict[str, list[str]] = {}
    hop = ""
    for leaf in outline.leaves:
        evidence = [known[id_] for id_ in leaf.evidence if id_ in known]
        asked = leaf.question if len(outline.leaves) > 1 else question
        words = unsaid_words(asked, [*(evidence or best), *beyond])
        if evidence and words:
            unsaid[leaf.id] = words
        hop = hop or _hop(asked, [evidence or best, beyond], words, queries, titles)
    return unsaid, hop


def _hop(
    asked: str,
    evidence: Sequence[Sequence[Finding]],
    unsaid: Sequence[str],
    queries: Sequence[str],
    titles: Sequence[str],
) -> str:
    """The next hop: by what the evidence names; if that was searched for, by what is named of it in turn.

    That stands on its pages, or beside its name: "Anand's work is paid for by Osprey Freight". What else the evidence
    names is no way on: its first name is the likeliest by far.
    """
    first, beyond = evidence
    query = next_hop(asked, first, unsaid, titles=titles)
    if not query or not is_hop_made(query, queries):
        return query
    names = {word for made in hops_in(asked, queries) for word in terms(hop_name(made))}
    told_of = ((beyond, described_in(asked) | names), (first, names))
    further = (
        next_hop(asked, told, unsaid, without=queries, titles=titles, described=stems)
        for told, stems in told_of
        if names
    )
    return next(filter(None, further), "")


async def _differences(question: str, findings: Sequence[Finding], embedder: Embedder) -> list[Difference]:
    """What pages say differently; statements of a single page are not compared."""
    best = sorted(distinct_findings(findings), key=lambda finding: -finding.score)[:MOST_COMPARED_FINDINGS]
    if len({finding.page_sha256 or finding.url for finding in best}) < 2:
        return []
    return contradictions(question, best, await evidence_statements(question, best, embedder))
