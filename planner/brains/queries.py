"""Write search queries without a model: the question's own words, the question itself, and what is still open."""

from collections.abc import Sequence
from typing import Final

from planner.brains.question_and_outline import planned_outline, question_to_answer
from planner.goal.goal_subject import BRACKETED
from planner.goal.stack import unnamed_stack, with_stack
from planner.outline.making import query_names
from research_crawler.core.models.jobs.decisions import Decision, PlannerView
from research_crawler.core.models.jobs.outline import Leaf
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import content_words, stem, terms
from research_crawler.text.questions.query_words import distinct_words, most_words, normal_query, query_words
from research_crawler.text.writing.messages import Messages

_MOST_KEYWORDS: Final = 12
"""Most keywords of a query without a model. Engines weigh every word; more than a dozen mostly add noise."""
MOST_CONTEXT_WORDS: Final = 5
"""Most words from the earlier conversation: fewer than the question's own, so that those still dominate."""
MOST_QUESTION_WORDS: Final = 24
"""A longer question is no query that an engine reads as a sentence."""
MOST_OPENING_WORDS: Final = 40
"""A longer question is told rather than asked. The keywords of shorter ones are as good a first search: of 33 questions
on tables in Wikipedia, the table was among the first ten results for 4 of the 5 that have more than 24 words."""
MOST_FIRST, LEAST_THOROUGH, MOST_THOROUGH = 3, 3, 5
"""Most searches of the first round, and the fewest and most of thorough research."""
MOST_LATER: Final = 2
"""Most searches for sub-questions in one later round: their pages are chosen from together."""
THOROUGH_SEARCHES: Final = 2
"""Thorough research searches so often for each part of the question, also where it seems answered."""
FIRST_REASON: Final = "Nothing has been searched yet; these are the words of the question."
OTHER_WAYS: Final = ("search_explained", "search_guide", "search_experiences", "search_facts")
"""The messages with words that thorough research, and a job that is stuck with nothing, add to the subject when all
other queries were used: each finds other kinds of pages. Others gain nothing by them: of 100 jobs that ended, nine made
16 such searches, five of these for questions that no page answers, and of 188 facts one was on a page that was read
after them."""


def opening_search(view: PlannerView) -> Decision | None:
    """The first search of a question that an engine reads as it is; None: a model has to word it.

    A model that has found nothing yet can only put the words of such a question in another order, and one that wants
    other words says so when it has seen the results. It words what is long, what rests on something told before,
    what is not asked in English (most pages are), and the plan of deep research.
    """
    given = view.prior_turn_context or view.topic or view.context or view.given_urls or view.stuck
    is_begun = view.searches or view.visited or view.findings or view.candidates
    is_plain = view.language == "en" and view.depth != "deep"
    question = question_to_answer(view.goal, view.task).split()
    if given or is_begun or not is_plain or "search" not in view.allowed:
        return None
    if not 1 < len(question) <= MOST_OPENING_WORDS:
        return None
    outline = view.outline if view.outline.sections else planned_outline(view)
    queries = first_queries(view.changed(outline=outline))
    if unnamed := unnamed_stack(view.stack, view.goal):
        queries = [with_stack(query, unnamed) for query in queries]
    return Decision(action="search", queries=queries, reason=FIRST_REASON)


def first_query(view: PlannerView) -> str:
    """The keywords of goal and task, and the subject of the earlier conversation."""
    question = question_to_answer(view.goal, view.task)
    words = most_words(query_words(question), _MOST_KEYWORDS) or question.split()[:_MOST_KEYWORDS]
    return " ".join(distinct_words([*words, *_context_words(view)]))


def first_queries(view: PlannerView) -> list[str]:
    """The words of the question, or of each of its two parts, and beside them the question itself.

    Engines that read sentences find other pages by the question; a query for all parts at once finds pages of none.
    """
    if view.remaining_searches < MOST_FIRST:
        return [first_query(view)]
    leaves = view.outline.leaves
    parts = [leaf.query for leaf in leaves] if len(leaves) > 1 else []
    is_thorough = view.quality.is_thorough
    own = parts if 1 < len(parts) < MOST_FIRST else [first_query(view), *(parts if is_thorough else [])]
    queries = _distinct([*own, asked_query(view)])
    if not is_thorough:
        return queries[:MOST_FIRST]
    most = min(MOST_THOROUGH, view.remaining_searches)
    return _distinct([*queries[:most], *_other_ways(view)])[: max(min(len(queries), most), LEAST_THOROUGH)]


def asked_query(view: PlannerView) -> str:
    """The question as it was asked, in one line: its small words ("two at once", "not") find what keywords miss.

    Empty if that is hardly more than its keywords, or too long for an engine.
    """
    question = " ".join(question_to_answer(view.goal, view.task).split())
    words = question.split()
    is_more = len(words) > len(content_words(question)) + 1
    return question.rstrip("?!. ") if is_more and len(words) <= MOST_QUESTION_WORDS else ""


def later_queries(view: PlannerView, gaps: Sequence[str] = ()) -> list[str]:
    """The question as it was asked, as long as nothing is near to it; else the queries of the open sub-questions that
    were searched for least, or one for other kinds of pages: in thorough research, and if a job is stuck with nothing.

    Args:
        gaps: for an offer, queries for what it still needs.
    """
    if not gaps and not view.stuck and (asked := _unasked(view)):
        return [asked]
    is_thorough = view.quality.is_thorough
    lacking = (
        leaf
        for leaf in view.outline.leaves
        if leaf.state == "open" or (is_thorough and leaf.searches < THOROUGH_SEARCHES)
    )
    open_ = sorted(lacking, key=lambda leaf: leaf.searches)
    wanted = list(gaps) or [query for leaf in open_ for query in new_queries(view, _of_leaf(leaf, view))[:1]]
    own = new_queries(view, wanted)[: min(MOST_LATER, max(1, view.remaining_searches))]
    has_nothing = bool(view.stuck) and not view.findings
    ways = _other_ways(view) if is_thorough or has_nothing else []
    return own or new_queries(view, [first_query(view), *ways])[:1]


def _unasked(view: PlannerView) -> str:
    """The question itself, if nothing found so far is near to any part of it and it was not searched for as it is.

    The first search of its words passes for the same query where it lacks the small words alone; an engine that reads
    sentences tells them apart.
    """
    is_near = any(leaf.evidence for leaf in view.outline.leaves)
    asked = asked_query(view)
    searched = {normal_query(search.query) for search in view.searches}
    return "" if is_near or normal_query(asked) in searched else asked


def _of_leaf(leaf: Leaf, view: PlannerView) -> list[str]:
    """The searches for one part: its query, its own words with the names of the question, and other kinds of pages."""
    names = query_names(question_to_answer(view.goal, view.task))
    own = " ".join(most_words(distinct_words([*names, *query_words(leaf.question)]), _MOST_KEYWORDS))
    translate = query_messages(view)
    ways = [f"{leaf.query or own} {translate(way)}" for way in OTHER_WAYS[:1] if view.quality.is_thorough]
    return [query for query in (leaf.query, own, *ways) if query]


def query_messages(view: PlannerView) -> Messages:
    """The words that code adds to queries, in the language of the goal: reports may be asked for in another one."""
    return Messages(detect(view.goal, view.language))


def new_queries(view: PlannerView, queries: Sequence[str]) -> list[str]:
    """Those of some queries whose words are no earlier search's, nor a part of one's if the job is stuck."""
    used = [frozenset(terms(search.query)) for search in view.searches]

    def is_known(own: frozenset[str]) -> bool:
        return any(own <= other if view.stuck else own == other for other in used)

    return [query for query in _distinct(queries) if not is_known(frozenset(terms(query)))]


def _other_ways(view: PlannerView) -> list[str]:
    question = question_to_answer(view.goal, view.task)
    core = query_names(question)[: _MOST_KEYWORDS // 2] or query_words(question)[: _MOST_KEYWORDS // 3]
    translate = query_messages(view)
    return [" ".join(distinct_words([*core, *translate(way).split()])) for way in OTHER_WAYS]


def _distinct(queries: Sequence[str]) -> list[str]:
    chosen: dict[frozenset[str], str] = {}
    for query in queries:
        if query:
            chosen.setdefault(frozenset(terms(query)), query)
    return list(chosen.values())


def _context_words(view: PlannerView) -> list[str]:
    """The subject of the earlier conversation: from the topic (the part in brackets, if any) and the prior turn."""
    in_brackets = BRACKETED.findall(view.topic)
    words = content_words(f"{' '.join(in_brackets) or view.topic} {view.prior_turn_context}")
    known = {stem(word.lower()) for word in content_words(question_to_answer(view.goal, view.task))}
    fresh = [word for word in words if stem(word.lower()) not in known]
    return fresh[:MOST_CONTEXT_WORDS]
