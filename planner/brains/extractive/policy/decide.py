"""Choose the next action without a model: the caller's URLs, a search, the best pages, what they link, until enough."""

from collections.abc import Sequence
from typing import Final

from planner.brains.extractive.policy.commerce import agreement, gap_queries
from planner.brains.extractive.policy.second_hop import EVIDENCE_SEARCH_REASON, NextHop
from planner.brains.extractive.policy.visits import (
    VISITS_AT_ONCE,
    batch_pages,
    caller_urls,
    hosts_of,
    promising_pages,
)
from planner.brains.queries import (
    FIRST_REASON,
    first_queries,
    first_query,
    later_queries,
    new_queries,
    query_messages,
)
from planner.job.completeness import as_said
from planner.outline.states import searches_enough
from planner.quality.quality_policy import should_finish
from research_crawler.core.models.jobs.decisions import Candidate, Decision, PlannerView
from research_crawler.core.models.jobs.job import state_words
from research_crawler.core.web.urls import slot_of
from research_crawler.text.writing.messages import Messages

ENOUGH_PAGES: Final = 6
"""After so many pages that were read, a question to each part of which something is near is not searched further. On
manuals, no fact that an answer needs was found on the pages after these alone."""
ENOUGH_SHARE: Final = 0.4
"""The same as a share of the pages that the job may read: who allows forty wants more than six."""
MOST_HOP_ROUNDS: Final = 2
"""After so many rounds of visits, what the evidence names is no longer followed."""


def chosen_decision(view: PlannerView, gaps: Sequence[str], hops: Sequence[NextHop]) -> Decision:
    """One decision with its reason: an action in `view.allowed`, and never the same query or URL twice.

    Args:
        view: what is known; its outline says what is open.
        gaps: what an offer still needs, for commerce.
        hops: what the evidence leads on to.
    """
    allowed: set[str] = set(view.allowed)
    if "visit" in allowed and (urls := caller_urls(view)):
        return _visit(urls, f"The goal names {_count(len(urls), 'page')} to read before anything else.")
    if "search" in allowed and not view.searches:
        return Decision(action="search", queries=first_queries(view), reason=FIRST_REASON)
    queries = _queries(view, gaps) if "search" in allowed else []
    if view.stuck and queries:
        why = f"The last steps brought nothing new ({view.stuck}); other words may find other pages."
        return Decision(action="search", queries=queries[:1], reason=why)
    return _by_coverage(view, gaps, hops, queries)


def _by_coverage(
    view: PlannerView, gaps: Sequence[str], hops: Sequence[NextHop], queries: Sequence[str]
) -> Decision:
    """The end, what leads on, a search for what is missing, or the best pages, whichever is the first to apply."""
    allowed: set[str] = set(view.allowed)
    promising = promising_pages(view) if "visit" in allowed else []
    read = sum(visit.outcome == "ok" and visit.round > view.rounds_before for visit in view.visited)
    if view.rounds_before and not read and promising:
        return _read_best(view, promising)  # what a person called not enough is no reason to end
    asked = [leaf.question for leaf in view.outline.leaves if leaf.state == "open"]
    missing = list(dict.fromkeys([*gaps, *asked]))
    most = _pages_enough(view, missing)
    if "done" in allowed and (why := _why_done(view, missing, read, most)):
        return _done(view, why)
    if read and (hop := _hop(view, hops, promising, max(1, most - read))):
        return hop
    if queries and _wants_search(view, missing, promising, most):
        beside = _beside(view, promising, most - read) if missing else []
        why = _why_search(view, missing, promising)
        return Decision(action="search", queries=list(queries), urls=beside, reason=why)
    return _read_best(view, promising, max(1, most - read)) if promising else _end(view, missing)


def _end(view: PlannerView, missing: Sequence[str]) -> Decision:
    """What is left where nothing can be searched or read."""
    translate = Messages(view.language)
    if "done" in view.allowed:
        return _done(view, translate("done_no_page"))
    return Decision(action="done", missing=_missing(view, missing), reason=translate("done_no_action"))


def _queries(view: PlannerView, gaps: Sequence[str]) -> list[str]:
    own = gap_queries(first_query(view), gaps, query_messages(view))
    return later_queries(view, own if new_queries(view, own) else ())


def _why_done(view: PlannerView, missing: Sequence[str], read: int, most: int) -> str:
    """Why the research may end here; empty if it should not."""
    translate = Messages(view.language)
    if not missing and (agreed := agreement(view, translate)):
        return agreed
    if read < most:
        return ""
    is_sure = not missing and should_finish(view.assessed, view.quality)
    return translate("done_sure") if is_sure else translate("done_pages", n=read)


def _pages_enough(view: PlannerView, missing: Sequence[str]) -> int:
    """After how many pages the research may end; as many as are left where nothing is known of something asked."""
    near = {leaf.question for leaf in view.outline.leaves if leaf.evidence}
    if not near.issuperset(missing) or view.intent != "informational":
        return len(view.visited) + view.remaining_visits + 1
    return max(ENOUGH_PAGES, round(ENOUGH_SHARE * (len(view.visited) + view.remaining_visits)))


def _hop(
    view: PlannerView, hops: Sequence[NextHop], promising: Sequence[Candidate], room: int
) -> Decision | None:
    """Read what the best evidence links, with the best other pages; or search by its words, once."""
    rounds = {visit.round for visit in view.visited if visit.round > view.rounds_before}
    if view.intent != "informational" or view.stuck or len(rounds) > MOST_HOP_ROUNDS:
        return None
    linked = [hop.url for hop in hops if hop.url] if "visit" in view.allowed else []
    linked = linked[: min(room, view.remaining_visits)]
    queries = new_queries(view, [hop.query for hop in hops if hop.query])[: view.remaining_searches]
    if queries and len(rounds) == 1 and "search" in view.allowed:
        return Decision(action="search", queries=queries, urls=linked, reason=EVIDENCE_SEARCH_REASON)
    if linked:
        others = [one for one in promising if one.result.url not in linked]
        beside = batch_pages(view, others, min(room, VISITS_AT_ONCE) - len(linked))
        names = ", ".join(hop.name for hop in hops if hop.url in linked)
        why = f"The best evidence links {names}."
        return _visit([*linked, *(one.result.url for one in beside)], why)
    return None


def _beside(view: PlannerView, promising: Sequence[Candidate], room: int) -> list[str]:
    """Pages to read while a search for a gap runs; as many visits again are kept for what it finds.

    Args:
        room: how many pages may be read before the research may end.
    """
    most = min(VISITS_AT_ONCE, view.remaining_visits - VISITS_AT_ONCE, room)
    has_read = any(visit.outcome == "ok" for visit in view.visited)
    return [one.result.url for one in batch_pages(view, promising)[:most]] if has_read and most > 0 else []


def _wants_search(
    view: PlannerView, missing: Sequence[str], promising: Sequence[Candidate], most_pages: int
) -> bool:
    """Whether another query is worth more than the next page: something is missing, or few pages are left.

    After a round that brought nothing new it is not: what other words do not find is not to be had here. Thorough
    research searches on as long as it may read and few results are left.
    """
    read = sum(visit.outcome == "ok" for visit in view.visited)
    if not read:
        return not promising  # pages that could not be read say nothing about the query
    if view.barren_rounds:
        return False
    is_few = len(promising) < VISITS_AT_ONCE
    if view.intent == "commerce":
        return bool(missing) or is_few
    sought = [leaf for leaf in view.outline.leaves if leaf.state == "open"]
    patience = searches_enough([leaf for leaf in view.outline.leaves if leaf.state == "filled"])
    if any(leaf.searches < patience for leaf in sought):
        return True
    return is_few and view.quality.is_thorough and read < most_pages


def _read_best(view: PlannerView, promising: Sequence[Candidate], most: int = VISITS_AT_ONCE) -> Decision:
    chosen = batch_pages(view, promising, most)
    best = chosen[0].result
    hosts = len({slot_of(one.result.url) for one in chosen})
    which = f"{len(chosen)} most promising" if len(chosen) > 1 else "most promising"
    why = (
        f"The {which} of {_count(len(promising), 'page')}, on {_count(hosts, 'host')}, best "
        f"{best.score:.2f} ({best.type}, {state_words(best.priority)}); so far {_count(len(view.findings), 'finding')}."
    )
    return _visit([one.result.url for one in chosen], why)


def _visit(urls: list[str], reason: str) -> Decision:
    return Decision(action="visit", urls=urls, reason=reason)


def _missing(view: PlannerView, gaps: Sequence[str]) -> list[str]:
    outline = view.outline
    lacking = (leaf.question for leaf in outline.unanswered if not outline.has_unjudged_evidence(leaf))
    return list(dict.fromkeys([*gaps, *lacking]))


def _done(view: PlannerView, why: str) -> Decision:
    translate = Messages(view.language)
    gaps = _missing(view, ())
    counts = {"findings": len(view.findings), "hosts": len(hosts_of(view.findings))}
    items = ", ".join(as_said(gaps, translate))
    reason = (
        translate("done_lacking", why=why, items=items, **counts)
        if gaps
        else translate("done_with", why=why, **counts)
    )
    return Decision(action="done", missing=gaps, reason=reason)


def _why_search(view: PlannerView, gaps: Sequence[str], promising: Sequence[Candidate]) -> str:
    if gaps:
        named = dict.fromkeys(as_said(gaps, Messages(view.language)))
        return f"Not answered yet: {', '.join(named)}."
    found = f"{_count(len(view.findings), 'finding')} from {_count(len(hosts_of(view.findings)), 'host')}"
    pages = _count(len(promising), "page")
    return f"After {found}, {pages} worth reading are left; other words may find more."


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
