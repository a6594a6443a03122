"""Look up what a page has named and the rest of the answer depends on, without another call: the reader says what."""

from collections.abc import Sequence
from typing import Final

from planner.brains.model.pages.page_reading import MOST_LEAD
from research_crawler.core.models.jobs.decisions import Answered, Candidate, Decision, PlannerView
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.text.languages.words import terms

_REASON: Final = "A page that was read names what the rest of the answer depends on."
_REST: Final = "The page that was read has more of it in a section that was not shown."
MOST_WORDS: Final = 12


def led_by_reading(view: PlannerView, by: str) -> Answered | None:
    """The look-up that the reader of the last pages asks for; None: a model decides.

    It is a section of its page that was not shown, or a name. A page that a known link or result has by this name is
    read, else it is searched for. The name stands in the page's
    quotes and not in the question: what the question names was searched for anyway.

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
    decision = _section_of(leads, view) or _look_up(max(leads, key=lambda one: one.relevance), view)
    return Answered(by=by, decision=decision) if decision else None


def may_follow(view: PlannerView) -> bool:
    """Whether code may follow what was read: a plain question that one more page can answer."""
    is_plain = view.intent == "informational" and view.type != "news" and view.depth != "deep"
    return is_plain and not (view.stuck or view.reads_goal or view.quality.is_thorough)


def _section_of(leads: Sequence[VisitRecord], view: PlannerView) -> Decision | None:
    """The reading of a section that the reader of its page has asked for; it waits for no host."""
    unread = {(one.sha, one.heading[:MOST_LEAD]): one for one in view.unread_sections}
    asked = [unread[lead.sha, lead.leads_to] for lead in leads if (lead.sha, lead.leads_to) in unread]
    if not asked or "read_section" not in view.allowed:
        return None
    return Decision(action="read_section", sections=asked[: view.remaining_visits], reason=_REST)


def _look_up(lead: VisitRecord, view: PlannerView) -> Decision | None:
    """The page that has what is named for its title, also where it was searched for; else a search for it."""
    own = _own_words(lead, view)
    if not own or len(lead.leads_to.split()) > MOST_WORDS:
        return None
    wanted = frozenset(terms(lead.leads_to, view.language))
    named = [one for one in view.candidates if _is_named(one, own, wanted, view.language)]
    if named and "visit" in view.allowed:
        return Decision(action="visit", urls=[named[0].result.url], reason=_REASON)
    searched = [frozenset(terms(one.query, view.language)) for one in view.searches]
    if view.to_label or "search" not in view.allowed or any(own <= one for one in searched):
        return None
    return Decision(action="search", queries=[lead.leads_to], reason=_REASON)


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
