"""Decide without another call what follows from the pages that a model has read: the end, a look-up, or more pages."""

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Final

from planner.analysis.lexical_judge import ANSWER_MIN_WORD_SHARE, nearest_ids
from planner.brains.model.pages.page_reading import MOST_LEAD
from planner.outline.making import first_outline
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Analysis, Evaluation
from research_crawler.core.models.jobs.decisions import Answered, Candidate, Decision, PlannerView
from research_crawler.core.models.jobs.outline import Leaf, LeafState, Outline
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import word_coverage
from research_crawler.text.questions.subject import subject_of
from research_crawler.text.source_types import source_type

_LOOK_UP_REASON: Final = "A page that was read names what the rest of the answer depends on."
_SECTION_REASON: Final = "The page that was read has more of it in a section that was not shown."
MOST_WORDS: Final = 12
"""A lead in more words than these is no query."""
ENOUGH_FINDINGS: Final = 15
"""Pages that give so many findings are not read on in a section that one of them leads to. In records of careful
readers, such sections gave nothing cited in three of four reports, and two sentences in the fourth."""
MOST_READ_ON: Final = 2
"""Most results that are read after searches beside a visit, of each search in turn: each asks for another thing. Of
nine third ones, three were worth their 8,000 characters; of the first two, most were."""
RESULT_MIN_WORD_SHARE: Final = 0.55
"""Least share of a query's words in a title and snippet. Of 24 such searches that careful readers made, 14 had results
with so many; a page that the reader then chose was among the first two of them in 11."""
_BESIDE_REASON: Final = "The pages that were read do not answer all; the search beside them found these."
_ANSWERED_REASON: Final = "The pages that were read answer all that is asked."
PROMISES_MUCH: Final = 0.8
"""A page with such a label is wanted, though its model has read others first. In seven records no search was left, all
results had labels and the last pages were relevant: six times the model said that it was done, once it read one more
page, with a label of 0.4. After pages of less relevance it read on in six of twelve."""
READING_MARGIN: Final = 0.1
"""A reading that answers all may be so much less sure than an analyst: its model also doubts what is dated, which
another decision does not mend. Asked all the same after an answer to all with a confidence of 0.7, it said `done`."""
LED_MARGIN: Final = 0.2
"""The same where an earlier page led to the last ones and these lead nowhere: a reader of two names in a row doubts the
first of them (which game was the last of its year), and no further page has mended that."""
_NOTHING_LEFT_REASON: Final = "No search is left, and all pages that promise much are read."


def led_by_reading(view: PlannerView, by: str) -> Answered | None:
    """The look-up that the reader of the last pages asks for; None: a model decides.

    It is a section of its page that was not shown, or a name. A page that a known link or result has by this name is
    read, else it is searched for. The name stands in the page's quotes and not in the question: what the question names
    was searched for anyway.

    Args:
        view: what is known.
        by: the name of the brain whose model has read the pages.
    """
    if not may_follow(view):
        return None
    last = max((visit.round for visit in view.visited), default=0)
    leads = [one for one in view.visited if one.leads_to and one.round == last > view.rounds_before]
    if not leads:
        return None
    found = sum(one.findings for one in view.visited if one.round == last)
    section = _section_of(leads, view) if found < ENOUGH_FINDINGS else None
    decision = section or _look_up(max(leads, key=lambda one: one.relevance), view)
    return Answered(by=by, decision=decision) if decision else None


def may_follow(view: PlannerView) -> bool:
    """Whether code may follow what was read: a plain question that one more page can answer."""
    is_plain = view.intent == "informational" and view.type != "news" and view.depth != "deep"
    return is_plain and not (view.stuck or view.may_classify_goal or view.quality.is_thorough)


def _section_of(leads: Sequence[VisitRecord], view: PlannerView) -> Decision | None:
    """The reading of a section that the reader of its page has asked for; it waits for no host."""
    unread = {(one.sha, one.heading[:MOST_LEAD]): one for one in view.unread_sections}
    asked = [unread[lead.sha, lead.leads_to] for lead in leads if (lead.sha, lead.leads_to) in unread]
    if not asked or "read_section" not in view.allowed:
        return None
    return Decision(action="read_section", sections=asked[: view.remaining_visits], reason=_SECTION_REASON)


def _look_up(lead: VisitRecord, view: PlannerView) -> Decision | None:
    """The pages that have names of the lead for their titles, also where it was searched for; else a search for it.

    A lead may have two names, of a game and of its publisher: where one of them has a known page, the other is searched
    for, and both pages are read in one call.
    """
    own = _own_words(lead, view)
    if not own or len(lead.leads_to.split()) > MOST_WORDS:
        return None
    wanted = frozenset(terms(lead.leads_to, view.language))
    named = sorted(
        (one for one in view.candidates if _is_named(one, own, wanted, view.language)),
        key=lambda one: -len(own.intersection(terms(one.result.title, view.language))),
    )
    searched = [frozenset(terms(one.query, view.language)) for one in view.searches]
    may_search = "search" in view.allowed and not any(own <= one for one in searched)
    if named and "visit" in view.allowed:
        rest = own.difference(*(terms(one.result.title, view.language) for one in named))
        others = _titled(rest, [one.result for one in view.candidates if _is_open(one, view)], view.language)
        if others or not (rest and may_search):
            first, *more = [one.result.url for one in named]
            urls = [first, *others[:1], *more][: min(MOST_READ_ON, view.remaining_visits)]
            return Decision(action="visit", urls=urls, reason=_LOOK_UP_REASON)
    if not may_search:
        return None
    return Decision(action="search", queries=[lead.leads_to], reason=_LOOK_UP_REASON)


def _own_words(lead: VisitRecord, view: PlannerView) -> frozenset[str]:
    """The words of a lead that its page's quotes have and the question has not."""
    quotes = " ".join(one.quote for one in view.findings if one.command == lead.command)
    asked = terms(f"{view.goal} {view.task}", view.language)
    said = frozenset(terms(quotes, view.language))
    return (frozenset(terms(lead.leads_to, view.language)) - frozenset(asked)) & said


def _is_named(candidate: Candidate, own: frozenset[str], wanted: frozenset[str], language: str) -> bool:
    """Whether the title of a page that can be read is a name that is looked up, and has no other words: "Realms of the
    Haunting" for "Realms of the Haunting publisher Interplay"."""
    title = frozenset(terms(candidate.result.title, language))
    return not candidate.is_asked_for and title <= wanted and not own.isdisjoint(title)


def search_read_on(view: PlannerView, by: str) -> Answered | None:
    """The visit of the pages that a search has found for what the last pages lack; None: a model decides.

    A reader has asked for it by a name: these have the name in their titles, and come first. Or the search was made
    beside their visits, which answered only a part: these are the pages that have most of its words. The results get
    their labels with the next decision.

    Args:
        view: what is known.
        by: the name of the brain that made the search.
    """
    last = max((visit.round for visit in view.visited), default=0)
    read = [one for one in view.visited if one.round == last > view.rounds_before and one.outcome == "ok"]
    if not (may_follow(view) and view.to_label and read and "visit" in view.allowed):
        return None
    if any(visit.answers_all for visit in read):
        return None  # its reader was not sure, or not of the right thing
    open_ = [one.result for one in view.candidates if _is_open(one, view)]
    done = [one for one in view.searches if one.outcome == "ok"]
    asked = {one.leads_to: one for one in read if one.leads_to}
    fitting = [
        _titled(_own_words(asked[one.query], view), open_, view.language)
        for one in done
        if one.round > last and one.query in asked
    ]
    fitting += [_fitting(one.query, open_, view.language) for one in done if one.round == last]
    in_turn = dict.fromkeys(filter(None, chain.from_iterable(zip_longest(*fitting))))
    urls = list(in_turn)[: min(MOST_READ_ON, view.remaining_visits)]
    return (
        Answered(by=by, decision=Decision(action="visit", urls=urls, reason=_BESIDE_REASON)) if urls else None
    )


def _fitting(query: str, results: Sequence[ScoredResult], language: str) -> list[str]:
    """The addresses of the results that have most of the words of a query, the best first."""
    wanted = terms(query, language)
    shares = [(word_coverage(wanted, f"{one.title}. {one.snippet}", language), one.url) for one in results]
    ranked = sorted(shares, key=lambda pair: -pair[0])
    return [url for share, url in ranked if share >= RESULT_MIN_WORD_SHARE]


def _titled(name: frozenset[str], results: Sequence[ScoredResult], language: str) -> list[str]:
    """The addresses of the results that have a name in their titles, the shortest titles first."""
    titles = [(frozenset(terms(one.title, language)), one.url) for one in results]
    return [url for title, url in sorted(titles, key=lambda pair: len(pair[0])) if name and name <= title]


def _is_open(candidate: Candidate, view: PlannerView) -> bool:
    """Whether a result is new, can be read, and is about what is asked and no sibling of it."""
    result = candidate.result
    subject = subject_of(view.goal, view.task, view.topic, language=view.language)
    return not (
        result.scored
        or candidate.is_asked_for
        or subject.is_neighbour(result.title)
        or source_type(result.url, result.title, result.snippet) == "vendor"
    )


def answered_by_reading(view: PlannerView, by: str) -> Answered | None:
    """The end of a job whose last reading answers all that is asked; None: a model decides.

    Thorough research, news and offers want more than one reading; and a job that is stuck, or whose goal nobody has
    read yet, is decided by a model.

    Args:
        view: what is known.
        by: the name of the brain whose model has read the pages.
    """
    wants_more = view.depth == "deep" or view.quality.is_thorough or view.type == "news"
    is_plain = view.intent == "informational" and not (view.stuck or view.may_classify_goal)
    read = [] if wants_more or not is_plain else _answering_visits(view)
    found = [finding for finding in view.findings if finding.command in {visit.command for visit in read}]
    if not found or "done" not in view.allowed:
        return None
    relevance = round(max(visit.relevance for visit in read), 1)
    confidence = round(min(visit.confidence for visit in read), 1)
    return Answered(
        by=by,
        decision=Decision(action="done", reason=_ANSWERED_REASON),
        # A model that has never been asked for an outline has left none.
        outline=_filled_outline(
            view.outline if view.outline.sections else first_outline(view.goal, by=by),
            view.findings,
            view.language,
        ),
        evaluation=Evaluation(
            relevance=relevance, confidence=confidence, coverage=1.0, reasons=_ANSWERED_REASON
        ),
        analysis=Analysis(
            by=by,
            round=read[-1].round,
            assessment=_ANSWERED_REASON,
            confidence_score=confidence,
            is_answered=True,
        ),
    )


def nothing_left_to_read(view: PlannerView, by: str) -> Answered | None:
    """The end of a job that may not search any more, and has read all pages that its model expects much of; None: a
    model decides.

    The model would have the choice between the end and pages that it left aside when it saw them all. Where a person
    may be asked, the model decides whether it is.

    Args:
        view: what is known.
        by: the name of the brain that chose the pages.
    """
    if not may_follow(view) or view.to_label or "done" not in view.allowed:
        return None
    if "search" in view.allowed or "ask_human" in view.allowed:
        return None
    least = view.quality.enough_relevance
    last = max((visit.round for visit in view.visited), default=0)
    read = [one for one in view.visited if one.round == last > view.rounds_before and one.findings]
    if max((one.relevance for one in read), default=0.0) < least or view.given_urls:
        return None
    if any(one.result.score >= PROMISES_MUCH and not one.is_asked_for for one in view.candidates):
        return None
    leaves = view.outline.leaves
    open_ = [leaf for leaf in leaves if leaf.state != "filled" and not _nearest(leaf, view)]
    evaluation = Evaluation(
        relevance=round(max(one.relevance for one in read), 1),
        confidence=round(max(one.confidence for one in read if one.relevance >= least), 1),
        coverage=round(1 - len(open_) / max(1, len(leaves)), 1),
        reasons=_NOTHING_LEFT_REASON,
    )
    return Answered(
        by=by,
        decision=Decision(action="done", reason=_NOTHING_LEFT_REASON),
        # The report's writer says what is missing: by their words, answered sub-questions look like open ones.
        outline=_filled_outline(view.outline, view.findings, view.language, states=("open",)),
        evaluation=evaluation,
    )


def _nearest(leaf: Leaf, view: PlannerView) -> list[str]:
    return nearest_ids(leaf.question, view.findings, view.language, least=ANSWER_MIN_WORD_SHARE)


def _answering_visits(view: PlannerView) -> list[VisitRecord]:
    """The visits of the last round whose reading answers all that is asked, if it is relevant and sure enough."""
    last = max((visit.round for visit in view.visited), default=0)
    led = any(visit.leads_to for visit in view.visited if view.rounds_before < visit.round < last)
    leads_on = any(visit.leads_to for visit in view.visited if visit.round == last)
    margin = LED_MARGIN if led and not leads_on else READING_MARGIN
    least_confidence = round(view.quality.answered_confidence - margin, 2)
    return [
        visit
        for visit in view.visited
        if visit.answers_all
        and visit.round == last > view.rounds_before
        and visit.relevance >= view.quality.enough_relevance
        and visit.confidence >= least_confidence
    ]


def _filled_outline(
    outline: Outline,
    found: Sequence[Finding],
    language: str,
    *,
    states: Sequence[LeafState] = ("open", "unavailable"),
) -> Outline:
    """The outline with the findings that answer each sub-question; where none has most of its words, the nearest."""
    return outline.with_leaves(
        {leaf.id: _with_nearest(leaf, found, language) for leaf in outline.leaves if leaf.state in states}
    )


def _with_nearest(leaf: Leaf, found: Sequence[Finding], language: str) -> Leaf:
    nearest = nearest_ids(leaf.question, found, language, least=ANSWER_MIN_WORD_SHARE) or nearest_ids(
        leaf.question, found, language, most=1
    )
    evidence = list(dict.fromkeys([*leaf.evidence, *nearest]))
    return leaf.changed(state="filled", evidence=evidence, reason="")
