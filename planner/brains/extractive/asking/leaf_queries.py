"""Choose the next queries without a model: those of the sub-questions that need one most."""

from collections.abc import Sequence

from planner.brains.extractive.asking.leads import lead_query, leads_of
from planner.brains.extractive.asking.queries import feedback_words, first_query, next_query, question_of
from planner.job.completeness import WHAT_IT_COSTS, WHAT_USERS_NAME
from planner.outline.making import query_of
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.outline import Leaf, Outline
from research_crawler.core.ports.models import Embedder
from research_crawler.text.words import content_words, terms

QUERIES_AT_ONCE = 2
"""Most searches for sub-questions in one round: their pages are chosen from together."""
OF_TOPIC, TOPIC_WORDS = 0.5, 2
"""Share of the findings that have a word of the question's topic, and most such words added to a query."""
FEWEST_WORDS = 2
"""A single word finds anything."""
SAME_QUERY = 0.7
"""Share of common words from which two queries find mostly the same pages."""
COMMERCE_QUERIES = {WHAT_IT_COSTS: "price how much", WHAT_USERS_NAME: "recommended model forum owners"}


async def queries_for(view: PlannerView, gaps: Sequence[str], embedder: Embedder) -> list[str]:
    """The queries of the leaves that need one most, else one for what is missing or for other kinds of pages."""
    used = [frozenset(terms(search.query)) for search in view.searches]
    chosen: list[str] = []
    question = question_of(view.goal, view.task)
    # What an offer needs ("what it should cost") is said without the product's name: its queries are below.
    has_questions = view.intent == "informational" or view.outline.is_given
    for leaf in _neediest(view.outline) if has_questions else ():
        # With fewer words it finds other pages, where with more it is hardly another query than the first one.
        for own_words in (leaf.query, query_of(leaf.question, question)):
            query = _with_topic(own_words, view)
            own = frozenset(terms(query))
            if len(own) >= FEWEST_WORDS and not _is_like_one_of(used, own):
                chosen.append(query)
                used.append(own)
                break
    if chosen:
        return chosen[: min(QUERIES_AT_ONCE, max(1, view.remaining_searches))]
    for gap in gaps:
        if extra := COMMERCE_QUERIES.get(gap):
            query = f"{first_query(view)} {extra}"
            if frozenset(terms(query)) not in used:
                return [query]
    if query := lead_query(view, await leads_of(view, embedder)):
        return [query]
    words = await feedback_words(question, view.findings, embedder)
    query = next_query(view, gaps, words)
    return [query] if query else []


def _is_like_one_of(used: Sequence[frozenset[str]], own: frozenset[str]) -> bool:
    return any(len(own & other) >= SAME_QUERY * len(own | other) for other in used)


def _with_topic(query: str, view: PlannerView) -> str:
    """The query of a leaf with the words of the whole question that nearly all findings share: what it is all about."""
    texts = [frozenset(terms(f"{finding.title} {finding.claim}")) for finding in view.findings]
    known = set(terms(query))
    if not known or not texts:
        return query
    shared = (
        word
        for word in content_words(question_of(view.goal, view.task))
        if (stems := set(terms(word)) - known)
        and sum(stems <= text for text in texts) >= OF_TOPIC * len(texts)
    )
    return " ".join([*list(shared)[:TOPIC_WORDS], query])


def _neediest(outline: Outline) -> list[Leaf]:
    """The leaves whose queries come next: open ones, least searched first.

    If none is open, those of several parts of a question: the first one last, because the words of the whole question
    find its pages best. A single question is searched with its own words, and then with other ones.
    """
    leaves = outline.leaves
    lacking = [leaf for leaf in leaves if leaf.state == "open"]
    if not lacking and len(leaves) > 1:
        lacking = [*(leaf for leaf in leaves[1:] if leaf.state == "filled"), leaves[0]]
        return sorted(lacking, key=lambda leaf: (leaf.searches, leaf is leaves[0], len(leaf.evidence)))
    return sorted(lacking, key=lambda leaf: leaf.searches)
