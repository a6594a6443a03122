"""The documents that the planner is shown: what was found and read, what it may choose, how far the job is."""

from collections.abc import Container, Mapping, Sequence
from itertools import islice

from planner.brains.model.answers.parse import UNLABELLED_SCORE
from planner.brains.model.prompts.document_parts import (
    QUOTE_CHARS,
    TITLE_CHARS,
    by_page,
    shortened_text,
    snippet_remark,
)
from planner.brains.model.prompts.document_parts import UNKNOWN as _UNKNOWN
from planner.brains.model.prompts.document_parts import aging as _aging
from planner.brains.model.prompts.document_parts import goal_text as _goal
from planner.brains.model.prompts.judging import enough_document
from planner.brains.model.prompts.prompt_outline import (
    answering_ids,
    current_outline,
    named_evidence,
    new_evidence,
    outline_lines,
    shown_evidence,
)
from prompts.fences import fenced, fenced_lines, marks
from prompts.loader import Document, Entries
from prompts.schemas import BOTH
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Candidate, PlannerView, SectionChoice
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from research_crawler.core.web.urls import dedupe_key, host_of, slot_of
from research_crawler.text.writing.messages import Messages

_SNIPPET_CHARS, _BRIEF_CHARS = 200, 100
"""Longest snippet that the planner sees of a labelled result, and of one of many."""
_FIRST_NEW, _FIRST_NEW_DEEP = 8, 4
"""New results that are shown with their addresses; of the others, the host and less of the snippet do. Engines put
pages with nearly the same title first, and the one that has the answer behind them. Deep research searches by many
queries, and again."""
_UNLABELLED_CHARS = 60
"""Of a result that nobody has labelled although there was an occasion."""
_STEP_CHARS = 120
"""Of a step that was taken: the pages that it names stand among those that were visited."""
_LEAST_OFFERED = 3
"""At least so many results are offered to the planner, also where their labels are low."""
_NEARLY_SPENT = 0.8
"""From this share of a ceiling on, the planner is told."""
_WHOSE = {"job": "this job", "batch": "the batch of this job", "day": "all jobs together today"}
_ASKING = (
    "- a person reviews this research: ask them only what the web cannot say, as which of two things they mean, or "
    "when the other ways were tried"
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
    if view.to_label is None:
        return []
    new = {result.url for result in view.to_label.results}
    return [id_ for id_, url in shown_urls(view).items() if id_[0] == "R" and url in new]


def decision_documents(
    view: PlannerView, fence: str, *, has_outline: bool = False, is_judged: bool = False
) -> dict[str, Document]:
    """Inputs of the planner's prompts.

    Args:
        view: what is known.
        fence: the mark of the job.
        has_outline: adds the outline and the fields that are wanted, which small models are not told.
        is_judged: whether there is something to judge.
    """
    best = shown_evidence(view)
    told = {finding.url for finding in best.values()}
    pages = [_page_line(visit, view, told) for visit in view.visited]
    return {
        **({"outline": _outline(view, best, fence)} if has_outline else {}),
        "fence": marks(fence),
        "goal": _goal(view.goal, view.task),
        "today": view.today or _UNKNOWN,
        "intent": view.intent,
        "enough": enough_document(view) if has_outline else "",
        "context": _context(view),
        "iteration": str(view.iteration),
        "max_iterations": str(view.max_iterations),
        "past_actions": fenced(
            fence,
            _aging([f"- {shortened_text(one, _STEP_CHARS)}" for one in dict.fromkeys(view.past_actions)]),
        ),
        "search_results": fenced(fence, _candidates(view)),
        "pages_visited": fenced(fence, _aging(pages)),
        "evidence": fenced(fence, _evidence(best, view)),
        "remaining_searches": str(view.remaining_searches),
        "remaining_visits": str(view.remaining_visits),
        "elapsed_time": f"{view.elapsed_time:.0f}",
        "max_time": f"{view.max_time:.0f}",
        "allowed": _allowed(view, is_small=not has_outline),
        "fields": _fields(view, is_judged=is_judged) if has_outline else "",
        "stuck": _stuck(view),
    }


def _outline(view: PlannerView, shown: Mapping[str, Finding], fence: str) -> Entries:
    return fenced_lines(fence, outline_lines(current_outline(view), named_evidence(view, shown)))


def _allowed(view: PlannerView, *, is_small: bool) -> str:
    """The actions that are allowed now."""
    allowed = [one for one in view.allowed if one != "read_section" or view.unread_sections]
    has_both = {"search", "visit"} <= set(allowed) and shown_urls(view) and not is_small
    return ", ".join([*allowed, *([BOTH] if has_both else [])])


def _fields(view: PlannerView, *, is_judged: bool) -> str:
    """The fields that are wanted now, in the order in which they are written: the schema has those of all steps."""
    wanted = [
        *(["intent", "type"] if view.may_classify_goal else []),
        *(["labels"] if view.to_label else []),
        *(["analysis", "evaluation"] if is_judged else []),
    ]
    return ", ".join(f"`{name}`" for name in [*wanted, "action", "reason"])


def _page_line(visit: VisitRecord, view: PlannerView, with_findings: Container[str]) -> str:
    """A visited page with what it gave, and the sections of it that can still be read. Its address and its note are
    left out where its findings are shown below its title and host."""
    name = f"section “{shortened_text(visit.section)}” of {visit.title}" if visit.section else visit.title
    if visit.findings and name and (visit.url in with_findings or visit.final_url in with_findings):
        line = f"- {shortened_text(name, TITLE_CHARS)}: {visit.findings} findings."
    else:
        line = f"- {name} ({visit.url})" if name else f"- {visit.url}"
        line += f": {visit.outcome or 'in flight'} {visit.reason} {visit.findings} findings. {visit.summary}"
    unread = [
        f"\n  {id_}. not shown yet: {shortened_text(section.heading)}"
        for id_, section in shown_sections(view).items()
        if section.sha == visit.sha and not visit.section
    ]
    return line + "".join(unread)


def _context(view: PlannerView) -> str:
    if view.context_document:
        return _told_in(view.context_document, Messages(view.language)("none_yet"))
    texts = {"Topic": view.topic, "Earlier conversation": view.prior_turn_context, "Context": view.context}
    return "\n".join(f"{name}: {text}" for name, text in texts.items() if text)


def _told_in(document: str, none: str) -> str:
    """The lines of context.md that say something, below their headings; empty if there is only the question."""
    kept, heading = list[str](), ""
    for line in document.splitlines():
        if line.startswith("#"):
            heading = line
        elif line.strip() and not line.endswith(none):
            kept += [heading, line] if heading else [line]
            heading = ""
    return "\n".join(kept) if len(kept) > 2 else ""


def _stuck(view: PlannerView) -> str:
    lines = [f"- rounds in a row without a new finding: {view.barren_rounds}"] if view.barren_rounds else []
    if new := [id_ for id_, one in shown_evidence(view).items() if one.id in new_evidence(view)]:
        lines.append(f"- new evidence of the last round: {', '.join(_in_runs(new))}")
    if view.to_label:
        lines.append("- label the results that are marked `new`")
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


def _in_runs(ids: Sequence[str]) -> list[str]:
    """Ids of evidence, in order: of those that follow each other, the first and the last."""
    runs: list[list[str]] = []
    for id_ in ids:
        if runs and int(id_[1:]) == int(runs[-1][-1][1:]) + 1:
            runs[-1] = [runs[-1][0], id_]
        else:
            runs.append([id_])
    return [" to ".join(run) for run in runs]


def _candidates(view: PlannerView) -> Entries:
    candidates = {candidate.result.url: candidate for candidate in offered(view)}
    # While a page of a host is on its way, the host's wait is the longest that such a download may take.
    busy = {slot_of(url) for url, candidate in candidates.items() if candidate.is_asked_for}
    new = [one.result.url for one in candidates.values() if not one.result.scored]
    first = frozenset(new[: _FIRST_NEW_DEEP if view.depth == "deep" else _FIRST_NEW])
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
        reading = ", being read" if candidate.is_asked_for else ""
        is_brief = not r.scored and r.url not in first
        is_passed_over = r.scored and not is_labelled(r)
        address = host_of(r.url) if is_brief or is_passed_over else r.url
        items.append(
            f"{name}. {_labels(r)}{reading}{wait} | {shortened_text(r.title)} | {address}"
            f"{_snippet(r, is_brief=is_brief)}"
        )
        worth.append(r.score / 2 if is_brief else r.score)
    return Entries(items=items, worth=worth)


def _snippet(result: ScoredResult, *, is_brief: bool) -> str:
    """The snippet as far as it can still tell something: a label has been made of it."""
    if is_labelled(result):
        return ""
    most = _UNLABELLED_CHARS if result.scored else _BRIEF_CHARS if is_brief else _SNIPPET_CHARS
    return f" | {shortened_text(result.snippet, most)}"


def is_labelled(result: ScoredResult) -> bool:
    """Whether the model has judged a result: those that it was not shown have a score that no label has."""
    return result.scored and result.score != UNLABELLED_SCORE


def _labels(result: ScoredResult) -> str:
    if not result.scored:
        return "new"
    return f"{result.score:.1f} {result.type} {result.priority}" if is_labelled(result) else "not labelled"


def _evidence(shown: Mapping[str, Finding], view: PlannerView) -> Entries:
    """What was found, a line a finding, which is the same in all rounds; where room lacks, what the model has judged
    already is left out first."""
    new, answering = new_evidence(view), answering_ids(view)
    lines = [f"{id_}. {_told(finding)}" for id_, finding in shown.items()]
    worth = [one.score / 2 if one.id in answering else one.score + (one.id in new) for one in shown.values()]
    return by_page(list(shown.values()), lines, worth)


def _told(finding: Finding) -> str:
    """What was found: its quote in the place of a longer claim. What is cut off of either is asked for once more."""
    claim = shortened_text(finding.claim, QUOTE_CHARS)
    said = f"“{shortened_text(finding.quote, QUOTE_CHARS)}”" if claim.endswith("…") else claim
    return said + snippet_remark(finding)
