"""Choose the next action without a model: the caller's URLs, a search, then the best pages, until little is new."""

from collections.abc import Sequence

from planner.brains.extractive.asking.leads import lead_queries, leads_of, pages_of
from planner.brains.extractive.asking.leaf_queries import queries_for
from planner.brains.extractive.asking.queries import (
    asked_query,
    english_query,
    feedback_words,
    first_query,
    next_query,
    other_queries,
    question_of,
)
from planner.brains.extractive.deciding.coverage import agreement, hosts_of, novelty
from planner.brains.extractive.deciding.visits import (
    VISITS_AT_ONCE,
    batch_pages,
    caller_urls,
    open_pages,
    promising_pages,
)
from planner.job.completeness import as_said
from planner.outline.states import searches_enough
from planner.quality.ladder import should_finish
from research_crawler.core.models.decisions import Candidate, Decision, PlannerView
from research_crawler.core.models.outline import Outline
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import slot_of
from research_crawler.text.messages import Messages
from research_crawler.text.words import terms

LITTLE_NEW = 0.2
"""With a smaller share of new findings in the last round, more pages add little."""
ENOUGH_HOSTS = 3
LEAST_SEARCHES = 3
"""So many searches are made before what is still missing decides. A third one costs less than a page, and the words of
the first findings bring pages that the words of the question do not."""
FEW_PAGES = 4
"""With fewer pages read, a question whose parts are all answered is searched once more where few results are left."""
ENOUGH_PAGES = 6
"""After so many pages that were read, a question to each part of which something is near is not searched further. On
manuals, no fact that an answer needs was found on the pages after these alone."""
ENOUGH_SHARE = 0.4
"""The same as a share of the pages that the job may read: who allows forty wants more than six."""
MOST_FIRST, LEAST_THOROUGH, MOST_THOROUGH = 3, 3, 5
"""Most searches of the first round, and the fewest and most of thorough research: a question of several parts is asked
as a whole and for each of its first parts."""


async def choose(view: PlannerView, gaps: Sequence[str], embedder: Embedder) -> Decision:
    """One decision with its reason: an action in `view.allowed`, and never the same query or URL twice.

    Args:
        view: what is known; its outline says what is open.
        gaps: what an offer still needs, for commerce.
    """
    allowed: set[str] = set(view.allowed)
    if "visit" in allowed and (urls := caller_urls(view)):
        return _visit(urls, f"The goal names {_count(len(urls), 'page')} to read before anything else.")
    if "search" in allowed and not view.searches:
        return _first_search(view)
    if view.stuck and "search" in allowed and (query := await _other_query(view, embedder)):
        return _search(
            query, f"The last steps brought nothing new ({view.stuck}); other words may find other pages."
        )
    asked = [leaf.question for leaf in view.outline.leaves if leaf.state == "open"]
    return await _by_coverage(view, list(dict.fromkeys([*gaps, *asked])), embedder)


async def _by_coverage(  # noqa: PLR0911  # one rule after another
    view: PlannerView, gaps: list[str], embedder: Embedder
) -> Decision:
    allowed: set[str] = set(view.allowed)
    say = Messages(view.language)
    read = sum(visit.what == "ok" and visit.round > view.rounds_before for visit in view.visited)
    if view.rounds_before and not read and (promising := promising_pages(view) if "visit" in allowed else []):
        chosen = batch_pages(view, promising)  # what a person called not enough is no reason to end
        return _visit([one.result.url for one in chosen], _why_visit(view, chosen, promising))
    if "done" in allowed and not gaps and (agreed := agreement(view, say)):
        return _done(view, agreed)
    most = _pages_enough(view, gaps)
    if "done" in allowed and read >= most:
        is_sure = not gaps and should_finish(view.assessed, view.quality)
        return _done(view, say("done_sure") if is_sure else say("done_pages", n=read))
    new = await novelty(view, embedder)
    enough = not gaps and len(hosts_of(view.findings)) >= ENOUGH_HOSTS
    if "done" in allowed and enough and new < LITTLE_NEW:
        return _done(view, say("done_repeats", share=say.share(new)))
    promising = promising_pages(view) if "visit" in allowed else []
    if read and (hop := await _second_hop(view, promising, max(1, most - read), embedder)):
        return hop
    if (
        "search" in allowed
        and _wants_search(view, gaps, promising, most)
        and (queries := await queries_for(view, gaps, embedder))
    ):
        beside = _beside(view, promising, most - read) if gaps else []
        why = _why_search(view, gaps, promising)
        return Decision(action="search", queries=queries, urls=beside, reason=why)
    if promising:
        chosen = batch_pages(view, promising, max(1, most - read))
        return _visit([one.result.url for one in chosen], _why_visit(view, chosen, promising))
    if "done" in allowed:
        return _done(view, say("done_no_page"))
    return Decision(action="done", missing=_missing(view.outline, gaps), reason=say("done_no_action"))


def _pages_enough(view: PlannerView, gaps: Sequence[str]) -> int:
    """After how many pages the research may end; as many as are left where nothing is known of something asked.

    A part of the question to which something is near and that nothing states is searched for again, within these pages.
    """
    near = {leaf.question for leaf in view.outline.leaves if leaf.evidence}
    if not near.issuperset(gaps) or view.intent != "informational":
        return len(view.visited) + view.remaining_visits + 1
    return max(ENOUGH_PAGES, round(ENOUGH_SHARE * (len(view.visited) + view.remaining_visits)))


async def _second_hop(
    view: PlannerView, promising: Sequence[Candidate], room: int, embedder: Embedder
) -> Decision | None:
    """Once, after the first pages: searches for what they name, and its pages if these were found already.

    Where the evidence is good enough for no further search, these pages take the first of the places that are left.

    Args:
        room: how many pages may be read in this round.
    """
    first = min((visit.round for visit in view.visited), default=0)
    if view.intent != "informational" or any(search.round > first for search in view.searches):
        return None
    may_search = "search" in view.allowed
    if not may_search and any(visit.round > first for visit in view.visited):
        return None
    names = await leads_of(view, embedder)
    queries = lead_queries(view, names) if may_search else []
    most = min(VISITS_AT_ONCE // 2, room, view.remaining_visits)
    # The text of a link is a name alone, which no scorer calls promising.
    named = pages_of(names, open_pages(view))[:most] if "visit" in view.allowed else []
    urls = [one.result.url for one in named]
    why = f"The pages read so far name {', '.join(names)}; a page about it may say more."
    if queries:
        return Decision(action="search", queries=queries, urls=urls, reason=why)
    if may_search or not named:
        return None
    others = [one for one in promising if one not in named]
    beside = batch_pages(view, others, room - len(named))
    return _visit([*urls, *(one.result.url for one in beside)][:VISITS_AT_ONCE], why)


def _beside(view: PlannerView, promising: Sequence[Candidate], room: int) -> list[str]:
    """Pages to read while a search for a gap runs; as many visits again are kept for what it finds.

    Args:
        room: how many pages may be read before the research may end.
    """
    most = min(VISITS_AT_ONCE, view.remaining_visits - VISITS_AT_ONCE, room)
    has_read = any(visit.what == "ok" for visit in view.visited)
    return [one.result.url for one in batch_pages(view, promising)[:most]] if has_read and most > 0 else []


def _missing(outline: Outline, gaps: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*gaps, *(leaf.question for leaf in outline.unanswered)]))


def _wants_search(
    view: PlannerView, gaps: list[str], promising: Sequence[Candidate], most_pages: int
) -> bool:
    """Whether another query is worth more than the next page: something is missing, or few pages are left.

    After a round that brought nothing new it is not: what other words do not find is not to be had here. Thorough
    research searches on as long as it may read and few results are left.
    """
    read = sum(visit.what == "ok" for visit in view.visited)
    if not read:
        return not promising  # pages that could not be read say nothing about the query
    if len(view.searches) < (2 if view.barren_rounds else LEAST_SEARCHES):
        return True
    if view.barren_rounds:
        return False
    is_few = len(promising) < VISITS_AT_ONCE
    if view.intent == "commerce":
        return bool(gaps) or is_few
    sought = [leaf for leaf in view.outline.leaves if leaf.state == "open"]
    patience = searches_enough([leaf for leaf in view.outline.leaves if leaf.state == "filled"])
    if any(leaf.searches < patience for leaf in sought):
        return True
    if view.quality.is_thorough:
        return is_few and read < most_pages
    return is_few and read < FEW_PAGES and len(view.searches) <= LEAST_SEARCHES


async def _other_query(view: PlannerView, embedder: Embedder) -> str:
    words = await feedback_words(question_of(view.goal, view.task), view.findings, embedder)
    return next_query(view, feedback=words, different=True)


def _first_search(view: PlannerView) -> Decision:
    """The words of the question, or of each of its parts, and beside them the question itself.

    Engines that read sentences find other pages by the question; a query for all parts at once finds pages of none.
    """
    queries = [first_query(view)]
    if view.intent == "informational" and view.remaining_searches > 2:
        leaves = view.outline.leaves
        own = [leaf.query for leaf in leaves] if len(leaves) > 1 else []
        is_thorough = view.quality.is_thorough
        parts = own if 1 < len(own) < MOST_FIRST else [*queries, *own] if is_thorough else queries
        queries = [query for query in (*parts, asked_query(view), english_query(view)) if query]
        queries = _several(view, queries) if is_thorough else queries
    return Decision(
        action="search",
        queries=list(dict.fromkeys(queries)),
        reason="Nothing has been searched yet; these are the words of the question.",
    )


def _several(view: PlannerView, queries: Sequence[str]) -> list[str]:
    """The first of these queries that differ, and others in other words if these are few."""
    chosen: dict[frozenset[str], str] = {}
    for query in queries:
        chosen.setdefault(frozenset(terms(query)), query)
    most = min(MOST_THOROUGH, view.remaining_searches)
    least = min(LEAST_THOROUGH, most)
    found = list(chosen.values())[:most]
    return [*found, *other_queries(view, found)[: max(0, least - len(found))]]


def _search(query: str, reason: str) -> Decision:
    return Decision(action="search", queries=[query], reason=reason)


def _visit(urls: list[str], reason: str) -> Decision:
    return Decision(action="visit", urls=urls, reason=reason)


def _done(view: PlannerView, why: str) -> Decision:
    say = Messages(view.language)
    gaps = _missing(view.outline, ())
    lack = say("done_lack", items=", ".join(as_said(gaps, say))) if gaps else ""
    counts = {"findings": len(view.findings), "hosts": len(hosts_of(view.findings))}
    return Decision(action="done", missing=gaps, reason=say("done_with", why=why, lack=lack, **counts))


def _why_search(view: PlannerView, gaps: list[str], promising: Sequence[Candidate]) -> str:
    if gaps:
        return f"Not answered yet: {', '.join(gaps)}."
    found = f"{_count(len(view.findings), 'finding')} from {_count(len(hosts_of(view.findings)), 'host')}"
    pages = _count(len(promising), "page")
    return f"After {found}, {pages} worth reading are left; other words may find more."


def _why_visit(view: PlannerView, chosen: Sequence[Candidate], promising: Sequence[Candidate]) -> str:
    best = chosen[0].result
    hosts = len({slot_of(one.result.url) for one in chosen})
    return (
        f"The {len(chosen)} most promising of {_count(len(promising), 'page')}, on {_count(hosts, 'host')}, best "
        f"{best.score:.2f} ({best.type}, {best.priority}); so far {_count(len(view.findings), 'finding')}."
    )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
