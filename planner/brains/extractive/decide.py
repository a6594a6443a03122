"""The next action without a model: what was given, then search, then the best pages, until little is new."""

import re
from collections.abc import Sequence

from planner.brains.extractive.coverage import (
    agreement,
    commerce_gaps,
    hosts_of,
    novelty,
    open_parts,
)
from planner.brains.extractive.queries import feedback_words, first_query, next_query, question_of
from planner.job.completeness import WHAT_IT_COSTS, WHAT_USERS_NAME
from planner.text.words import terms
from research_crawler.core.model_ports import Embedder
from research_crawler.core.models.decisions import Candidate, Decision, PlannerView
from research_crawler.core.urls import canonical_url, slot_of

VISITS_AT_ONCE = 4
"""Half of the standard allowance: the second half is chosen knowing what the first gave."""
LONG_WAIT_S = 10.0
"""Two visits' worth of the default delay: another host is the better choice."""
WAIT_COST = 0.02
"""What a second of waiting takes off a candidate's score."""
SAME_HOST_COST = 0.1
"""What a page loses for each page of its host read or chosen before it: another voice is worth more."""
SAME_TITLE_COST = 0.25
"""What it loses for each page of its title before it: shops and mirrors tell the same in the same words."""
WORTH, WORTH_LATER = 0.25, 0.4
"""Candidates below are not visited; the second edge holds once two hosts gave findings."""
LITTLE_NEW = 0.2
"""Under this share of new findings in the last round, more pages bring little."""
ENOUGH_HOSTS = 3
_SITE = re.compile(r"\s+[|–—·:-]+\s+")
_PRICES = re.compile(
    r"\b(?:price[sd]?|costs?|how much|buy|sells?|stock|kosten|preis\w*|prix|combien)\b", re.I
)
COMMERCE_QUERIES = {WHAT_IT_COSTS: "price how much", WHAT_USERS_NAME: "recommended model forum owners"}


async def choose(view: PlannerView, embedder: Embedder) -> Decision:
    """One decision with its reason; only actions in `view.allowed`, no query or URL a second time."""
    allowed: set[str] = set(view.allowed)
    if "visit" in allowed and (given := _given(view)):
        return _visit(given, f"The goal names {_count(len(given), 'page')} to read before anything else.")
    if "search" in allowed and not view.searches:
        return _search(
            first_query(view), "Nothing has been searched yet; these are the words of the question."
        )
    if view.stuck and "search" in allowed and (query := await _other_query(view, embedder)):
        return _search(
            query, f"The last steps brought nothing new ({view.stuck}); other words may find other pages."
        )
    gaps = commerce_gaps(view) if view.intent == "commerce" else await open_parts(view, embedder)
    return await _go_on(view, allowed, gaps, embedder)


async def _go_on(view: PlannerView, allowed: set[str], gaps: list[str], embedder: Embedder) -> Decision:
    if "done" in allowed and not gaps and (agreed := agreement(view)):
        return _done(view, gaps, agreed)
    new = await novelty(view, embedder)
    enough = not gaps and len(hosts_of(view.findings)) >= ENOUGH_HOSTS
    if "done" in allowed and enough and new < LITTLE_NEW:
        return _done(view, gaps, f"the last pages repeated what was known ({new:.0%} new)")
    worth = _worth(view) if "visit" in allowed else []
    if (
        "search" in allowed
        and _wants_search(view, gaps, worth)
        and (query := await _query(view, gaps, embedder))
    ):
        return _search(query, _why_search(view, gaps, worth))
    if worth:
        chosen = _batch(view, worth)
        return _visit([one.result.url for one in chosen], _why_visit(view, chosen, worth))
    if "done" in allowed:
        return _done(view, gaps, "nothing left to read promises more")
    return Decision(action="done", missing=gaps, reason="No other action is left.")


def _given(view: PlannerView) -> list[str]:
    """URLs named by the caller that were not visited, at most a batch."""
    seen = _visited(view)
    return [url for url in view.given_urls if canonical_url(url) not in seen][
        : min(VISITS_AT_ONCE, view.remaining_visits)
    ]


def _worth(view: PlannerView) -> list[Candidate]:
    """Candidates worth a visit: good enough, not visited, startable in the time left; best first.

    What is good is learned from people who do not sell it, where there are such pages. For commerce shops are asked
    for their offers afterwards; a question is answered by them where it asks for prices, or nothing else is left.
    """
    seen = _visited(view)
    left_s = view.max_time - view.elapsed_time if view.max_time else float("inf")
    least = WORTH_LATER if len(hosts_of(view.findings)) > 1 else WORTH
    others = any(one.result.type != "vendor" for one in view.candidates)
    asks_prices = view.intent != "commerce" and _PRICES.search(question_of(view.goal, view.task))
    skips_shops = not asks_prices and (others or bool(view.findings))
    fit = [
        one
        for one in view.candidates
        if one.result.score >= least
        and one.result.priority != "skip"
        and not (skips_shops and one.result.type == "vendor")
        and one.wait_s < left_s
        and canonical_url(one.result.url) not in seen
    ]
    return sorted(fit, key=lambda one: -(one.result.score - WAIT_COST * one.wait_s))


def _batch(view: PlannerView, worth: Sequence[Candidate]) -> list[Candidate]:
    """The best of them side by side, hosts mixed; slow hosts only where nothing else is left."""
    quick = [one for one in worth if one.wait_s <= LONG_WAIT_S] or list(worth)
    read = [slot_of(visit.url) for visit in view.visited]
    known = [_name_of(visit.title) for visit in view.visited]
    chosen: list[Candidate] = []
    while quick and len(chosen) < min(VISITS_AT_ONCE, view.remaining_visits):
        hosts = read + [slot_of(one.result.url) for one in chosen]
        titles = known + [_name_of(one.result.title) for one in chosen]
        best = max(quick, key=lambda one: _value(one, hosts, titles))
        chosen.append(best)
        quick.remove(best)
    return chosen


def _value(one: Candidate, hosts: list[str], titles: list[str]) -> float:
    name = _name_of(one.result.title)
    return (
        one.result.score
        - WAIT_COST * one.wait_s
        - SAME_HOST_COST * hosts.count(slot_of(one.result.url))
        - SAME_TITLE_COST * (titles.count(name) if name else 0)
    )


def _name_of(title: str) -> str:
    """A title without the name of its site."""
    return _SITE.split(title, maxsplit=1)[0].strip().casefold()


def _wants_search(view: PlannerView, gaps: list[str], worth: Sequence[Candidate]) -> bool:
    """Whether another query is worth more than the next page: something is missing, or too little is left."""
    if not view.visited:
        return not worth
    return bool(gaps) or len(worth) < VISITS_AT_ONCE or len(view.searches) < 2


async def _other_query(view: PlannerView, embedder: Embedder) -> str:
    words = await feedback_words(question_of(view.goal, view.task), view.findings, embedder)
    return next_query(view, feedback=words, different=True)


async def _query(view: PlannerView, gaps: list[str], embedder: Embedder) -> str:
    asked = {frozenset(terms(search.query)) for search in view.searches}
    for gap in gaps:
        if extra := COMMERCE_QUERIES.get(gap):
            query = f"{first_query(view)} {extra}"
            if frozenset(terms(query)) not in asked:
                return query
    words = await feedback_words(question_of(view.goal, view.task), view.findings, embedder)
    return next_query(view, gaps, words)


def _visited(view: PlannerView) -> set[str]:
    return {canonical_url(url) for visit in view.visited for url in (visit.url, visit.final_url) if url}


def _search(query: str, reason: str) -> Decision:
    return Decision(action="search", queries=[query], reason=reason)


def _visit(urls: list[str], reason: str) -> Decision:
    return Decision(action="visit", urls=urls, reason=reason)


def _done(view: PlannerView, gaps: list[str], why: str) -> Decision:
    found = f"{_count(len(view.findings), 'finding')} from {_count(len(hosts_of(view.findings)), 'host')}"
    lack = f"; still missing: {', '.join(gaps)}" if gaps else ""
    return Decision(action="done", missing=gaps, reason=f"There are {found}, and {why}{lack}.")


def _why_search(view: PlannerView, gaps: list[str], worth: Sequence[Candidate]) -> str:
    if gaps:
        return f"Not answered yet: {', '.join(gaps)}."
    found = f"{_count(len(view.findings), 'finding')} from {_count(len(hosts_of(view.findings)), 'host')}"
    return f"After {found}, {_count(len(worth), 'page')} worth reading are left; other words may find more."


def _why_visit(view: PlannerView, chosen: Sequence[Candidate], worth: Sequence[Candidate]) -> str:
    best = chosen[0].result
    hosts = len({slot_of(one.result.url) for one in chosen})
    return (
        f"The {_count(len(chosen), 'page')} most promising of {len(worth)}, on {_count(hosts, 'host')}, best "
        f"{best.score:.2f} ({best.type}, {best.priority}); so far {_count(len(view.findings), 'finding')}."
    )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
