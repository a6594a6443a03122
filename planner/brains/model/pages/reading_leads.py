"""Look up what a page has named and the rest of the answer depends on, without another call: the reader says what."""

from typing import Final

from research_crawler.core.models.jobs.decisions import Answered, Candidate, Decision, PlannerView
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.text.languages.words import terms

_REASON: Final = "A page that was read names what the rest of the answer depends on."
MOST_WORDS: Final = 12


def led_by_reading(view: PlannerView, by: str) -> Answered | None:
    """The look-up that the reader of the last pages asks for; None: a model decides.

    A page that a known link or result has by this name is read, else it is searched for. The name stands in the page's
    quotes and not in the question: what the question names was searched for anyway.

    Args:
        view: what is known.
        by: the name of the brain whose model has read the pages.
    """
    is_plain = view.intent == "informational" and view.type != "news" and view.depth != "deep"
    if not is_plain or view.stuck or view.reads_goal or view.labelling or view.quality.is_thorough:
        return None
    last = max((visit.round for visit in view.visited), default=0)
    leads = [one for one in view.visited if one.leads_to and one.round == last > view.rounds_before]
    if not leads:
        return None
    lead = max(leads, key=lambda one: one.relevance)
    own = _own_words(lead, view)
    searched = [frozenset(terms(one.query, view.language)) for one in view.searches]
    wanted = frozenset(terms(lead.leads_to, view.language))
    if not own or len(lead.leads_to.split()) > MOST_WORDS or any(own <= one for one in searched):
        return None
    named = [one for one in view.candidates if _is_named(one, own, wanted, view.language)]
    if named and "visit" in view.allowed:
        decision = Decision(action="visit", urls=[named[0].result.url], reason=_REASON)
    elif "search" in view.allowed:
        decision = Decision(action="search", queries=[lead.leads_to], reason=_REASON)
    else:
        return None
    return Answered(by=by, decision=decision)


def _own_words(lead: VisitRecord, view: PlannerView) -> frozenset[str]:
    """The words of a lead that its page's quotes have and the question has not."""
    quotes = " ".join(one.quote for one in view.findings if one.command == lead.command)
    asked = terms(f"{view.goal} {view.task}", view.language)
    said = frozenset(terms(quotes, view.language))
    return (frozenset(terms(lead.leads_to, view.language)) - frozenset(asked)) & said


def _is_named(candidate: Candidate, own: frozenset[str], wanted: frozenset[str], language: str) -> bool:
    """Whether a page that can be read has the name that is looked up for its title, and no other words."""
    title = frozenset(terms(candidate.result.title, language))
    return not candidate.is_asked_for and own <= title <= wanted
