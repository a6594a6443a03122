"""Read the likeliest pages of a search that was made beside the last visits, without another call: its words say what
those pages were expected to lack."""

from typing import Final

from planner.brains.model.pages.reading_leads import may_follow
from research_crawler.core.models.jobs.decisions import Answered, Candidate, Decision, PlannerView
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import said_share
from research_crawler.text.questions.subject import subject_of
from research_crawler.text.source_types import source_type

MOST_READ_ON: Final = 2
LEAST_SAID: Final = 0.55
"""Least share of a query's words in a title and snippet. Of 24 such searches that careful readers made, 14 had results
with so many; a page that the reader then chose was among the first two of them in 11."""
_REASON: Final = "The pages that were read do not answer all; the search beside them found these."


def search_read_on(view: PlannerView, by: str) -> Answered | None:
    """The visit of the pages that have most words of the last round's queries; None: a model decides.

    It takes a round of searches and visits that answered only a part. The results get their labels with the next
    decision.

    Args:
        view: what is known.
        by: the name of the brain that made the search.
    """
    last = max((visit.round for visit in view.visited), default=0)
    read = [one for one in view.visited if one.round == last > view.rounds_before and one.outcome == "ok"]
    queries = [one.query for one in view.searches if one.round == last and one.outcome == "ok"]
    if not (may_follow(view) and view.to_label and read and queries and "visit" in view.allowed):
        return None
    if any(visit.answers_all for visit in read):
        return None  # its reader was not sure, or not of the right thing
    ranked = sorted(
        ((_said(one, queries, view), one.result.url) for one in view.candidates if _is_open(one, view)),
        key=lambda pair: -pair[0],
    )
    urls = [url for share, url in ranked[: min(MOST_READ_ON, view.remaining_visits)] if share >= LEAST_SAID]
    return Answered(by=by, decision=Decision(action="visit", urls=urls, reason=_REASON)) if urls else None


def _said(candidate: Candidate, queries: list[str], view: PlannerView) -> float:
    text = f"{candidate.result.title}. {candidate.result.snippet}"
    return max(said_share(terms(query, view.language), text, view.language) for query in queries)


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
