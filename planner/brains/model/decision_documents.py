"""The documents that the planner is shown: what was found and read, what it may choose, how far the job is."""

from collections.abc import Mapping
from itertools import islice

from planner.brains.model.document_parts import UNKNOWN as _UNKNOWN
from planner.brains.model.document_parts import aging as _aging
from planner.brains.model.document_parts import evidence_line, shortened
from planner.brains.model.document_parts import goal_text as _goal
from planner.brains.model.outlines import (
    answering_ids,
    current_outline,
    named_evidence,
    new_evidence,
    outline_lines,
    shown_evidence,
)
from prompts.fences import fenced, fenced_lines, marks
from prompts.loader import Document, Entries
from research_crawler.core.models.decisions import Candidate, PlannerView, SectionChoice
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.records import VisitRecord
from research_crawler.core.web.urls import dedupe_key, slot_of

_SNIPPET_CHARS = 240
_QUOTE_CHARS = 240
"""Longest quote for the planner, who chooses what to look for next and writes nothing from it."""
_LEAST_OFFERED = 3
_NEARLY_SPENT = 0.8
"""From this share of a ceiling on, the planner is told."""
_SEARCH = "- `query`: words for a search engine; several go into `queries`."
_INTENT = (
    "- `intent`: `commerce` only where the goal wants offers of something to buy, else `informational`; `type`:\n"
    "  `technical` for software and engineering, `news` for what happens in these days, else `general`."
)
_PROVIDERS = "- `providers`: names of search engines to prefer."
_VISIT = "- `urls`: ids of pages to read side by side."
_READ_SECTION = (
    "- `sections`: ids of sections that are listed as not shown yet (S1 …). They stand in pages that were too long to\n"
    "  be shown whole, and are read without fetching the page again."
)
_DONE = "- `missing`: with `done`, what the goal asks and could not be found, each in a few words."
_DONE_WHEN = (
    "- You are done when each part of the goal is answered, or cannot be had: name that in `missing`."
)
_DONE_WITH_OFFERS = (
    "- You are done when you know what makes a good product, what it should cost, and which models real users name in\n"
    "  forums or reviews. Stop without one of these only when it cannot be had, and name it in `missing`."
)
_RANKING, _OFFER_RANKING = (
    "- Sources that know first-hand rank above those that retell.",
    "- Reviews and forums rank above vendors.",
)
_FILLING = (
    "- A sub-question is `filled` by evidence (E1, E2 …) that answers it, not by evidence that is merely about the\n"
    "  same thing. Name all evidence that answers it, the best first."
)
_NOTHING_FILLED = "- There is no evidence yet: a sub-question says what to search for."
_CHANGES = (
    "`query`; `evidence`, the ids that answer it, or what it has so far where it is open; `state`; `reason` in a few\n"
    "  words. What stays as it was may be left out, but not `id` and `state`; new `evidence` replaces the old."
)
_CHANGES_UNFILLED = (
    "`query`; `state`; `reason` in a few words. What stays as it was may be left out,\n"
    "  but not `id` and `state`."
)
_ALL_FILLED = "You are done when every sub-question is filled or unavailable."
_ALL_UNAVAILABLE = "You are done when every sub-question is unavailable."
_WHOSE = {"job": "this job", "batch": "the batch of this job", "day": "all jobs together today"}
_ASKING = (
    "- a person reviews this research: with `ask_human`, the `question` is put to them, with what was found so far; "
    "only for what the web cannot say, as which of two things they mean, or when the other ways were tried"
)


def shown_urls(view: PlannerView) -> dict[str, str]:
    """URLs that the planner may choose, by the ids that it is shown: G1 … from the caller, R1 … from searches."""
    visited = {dedupe_key(url) for visit in view.visited for url in (visit.url, visit.final_url)}
    unvisited = [url for url in view.given_urls if dedupe_key(url) not in visited]
    shown = {f"G{n}": url for n, url in enumerate(unvisited, start=1)}
    return shown | {f"R{n}": one.result.url for n, one in enumerate(offered(view), start=1)}


def offered(view: PlannerView) -> list[Candidate]:
    """The results that the planner chooses from: those that were labelled as not worth a visit only where hardly any
    others are left, and then the first of them."""
    worth = [one for one in view.candidates if not one.result.scored or one.result.priority != "skip"]
    skipped = (one for one in view.candidates if one not in worth)
    return [*worth, *islice(skipped, max(0, _LEAST_OFFERED - len(worth)))]


def shown_sections(view: PlannerView) -> dict[str, SectionChoice]:
    """The sections that the planner may choose to read, by the ids that it is shown: S1 …"""
    return {f"S{n}": section for n, section in enumerate(view.unread_sections, start=1)}


def new_ids(view: PlannerView) -> list[str]:
    """The ids of the results that the planner is to label."""
    if view.labelling is None:
        return []
    new = {result.url for result in view.labelling.results}
    return [id_ for id_, url in shown_urls(view).items() if id_[0] == "R" and url in new]


def label_documents(view: PlannerView) -> dict[str, Document]:
    """Inputs of the prompt by which the planner labels new results."""
    return {"ranking": _OFFER_RANKING if view.intent == "commerce" else _RANKING}


def decision_documents(view: PlannerView, fence: str, *, has_outline: bool = False) -> dict[str, Document]:
    """Inputs of the planner's prompts; `has_outline` adds that of the outline, which small models do not have."""
    pages = [_page_line(visit, view) for visit in view.visited]
    best = shown_evidence(view)
    return {
        **(_outline(view, best, fence) if has_outline else {}),
        "fence": marks(fence),
        "goal": _goal(view.goal, view.task),
        "today": view.today or _UNKNOWN,
        "intent": view.intent,
        "context": _context(view),
        "iteration": str(view.iteration),
        "max_iterations": str(view.max_iterations),
        "past_actions": fenced(fence, _aging([f"- {one}" for one in dict.fromkeys(view.past_actions)])),
        "search_results": fenced(fence, _candidates(view)),
        "pages_visited": fenced(fence, _aging(pages)),
        "evidence": fenced(fence, _evidence(best, view)),
        "arguments": _arguments(view, is_small=not has_outline),
        "done_when": _DONE_WITH_OFFERS if view.intent == "commerce" else _DONE_WHEN,
        "remaining_searches": str(view.remaining_searches),
        "remaining_visits": str(view.remaining_visits),
        "elapsed_time": f"{view.elapsed_time:.0f}",
        "max_time": f"{view.max_time:.0f}",
        "allowed": ", ".join(view.allowed),
        "stuck": _stuck(view),
    }


def _outline(view: PlannerView, shown: Mapping[str, Finding], fence: str) -> dict[str, Document]:
    """Inputs of the prompt of the outline. Without findings the answer has no field for evidence, and its prompt speaks
    of none."""
    named = named_evidence(view, shown)
    return {
        "outline": fenced_lines(fence, outline_lines(current_outline(view), named)),
        "filling": _FILLING if named else _NOTHING_FILLED,
        "changes": _CHANGES if named else _CHANGES_UNFILLED,
        "all_known": _ALL_FILLED if named else _ALL_UNAVAILABLE,
    }


def _arguments(view: PlannerView, *, is_small: bool) -> str:
    """What the answer has for the actions that are allowed now."""
    can_search = "search" in view.allowed
    can_visit = "visit" in view.allowed and bool(shown_urls(view))
    both = "; `search_and_visit` does both at once" if can_search and can_visit and not is_small else ""
    lines = {
        f"- `action`: the step to take, one of those allowed below{both}.": True,
        _SEARCH: can_search,
        _VISIT: can_visit,
        _READ_SECTION: "read_section" in view.allowed and bool(view.unread_sections),
        _DONE: "done" in view.allowed,
        _PROVIDERS: can_search and not is_small,
        _INTENT: view.reads_goal and not is_small,
    }
    return "\n".join(line for line, is_said in lines.items() if is_said)


def _page_line(visit: VisitRecord, view: PlannerView) -> str:
    """A visited page with what it gave, and the sections of it that can still be read."""
    name = f"section “{shortened(visit.section)}” of {visit.title}" if visit.section else visit.title
    line = f"- {name or visit.url} ({visit.url}): {visit.what or 'in flight'} {visit.reason} "
    line += f"{visit.findings} findings. {visit.summary}"
    unread = [
        f"\n  {id_}. not shown yet: {shortened(section.heading)}"
        for id_, section in shown_sections(view).items()
        if section.sha == visit.sha and not visit.section
    ]
    return line + "".join(unread)


def _context(view: PlannerView) -> str:
    if view.context_document:
        return view.context_document
    texts = {"Topic": view.topic, "Earlier conversation": view.prior_turn_context, "Context": view.context}
    return "\n".join(f"{name}: {text}" for name, text in texts.items() if text)


def _stuck(view: PlannerView) -> str:
    lines = [f"- rounds in a row without a new finding: {view.barren_rounds}"]
    if view.stuck:
        lines = ["- stuck: the last steps brought nothing new; take a markedly different query, or stop"]
    if view.spent.share >= _NEARLY_SPENT:
        lines.append(
            f"- {view.spent.share:.0%} of what {_WHOSE[view.spent.of]} may spend on models is used: only what is "
            "still missing most, then stop"
        )
    if "ask_human" in view.allowed:
        lines.append(_ASKING)
    return "\n".join(lines)


def _candidates(view: PlannerView) -> Entries:
    candidates = {candidate.result.url: candidate for candidate in offered(view)}
    # While a page of a host is on its way, the host's wait is the longest that such a download may take.
    busy = {slot_of(url) for url, candidate in candidates.items() if candidate.is_asked_for}
    items, worth = [], []
    for name, url in shown_urls(view).items():
        candidate = candidates.get(url)
        if candidate is None:
            items.append(f"{name}. given by the user | {url}")
            worth.append(1.0)
            continue
        r = candidate.result
        waits = candidate.wait_s >= 1 and slot_of(url) not in busy
        wait = f", wait {candidate.wait_s:.0f} s" if waits else ""
        labels = f"{r.score:.1f} {r.type} {r.priority}" if r.scored else "new"
        reading = ", being read" if candidate.is_asked_for else ""
        items.append(
            f"{name}. {labels}{reading}{wait} | {shortened(r.title)} | {r.url} | "
            f"{shortened(r.snippet, _SNIPPET_CHARS)}"
        )
        worth.append(r.score)
    return Entries(items=items, worth=worth)


def _evidence(shown: Mapping[str, Finding], view: PlannerView) -> Entries:
    """What was found; where room lacks, what the model has judged already is left out first."""
    new, answering = new_evidence(view), answering_ids(view)
    items = [
        f"{id_}. {evidence_line(finding, _QUOTE_CHARS)}{' | new' if finding.id in new else ''}"
        for id_, finding in shown.items()
    ]
    worth = [one.score / 2 if one.id in answering else one.score + (one.id in new) for one in shown.values()]
    return Entries(items=items, worth=worth)
