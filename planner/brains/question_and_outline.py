"""What a job asks, as both brains read it: the question without its URLs, and the outline before any evidence."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from planner.job.completeness import WHAT_IS_GOOD, WHAT_IT_COSTS, WHAT_USERS_NAME, as_said
from planner.outline.making import first_outline
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.words import content_words
from research_crawler.text.writing.messages import Messages

_URL: Final = re.compile(r"https?://[^\s<>\"'`]++", re.I)
OFFER_NEEDS: Final[Mapping[str, frozenset[FindingKind]]] = {
    WHAT_IS_GOOD: frozenset({"spec_to_look_for", "recommendation", "warning"}),
    WHAT_IT_COSTS: frozenset({"price_expectation"}),
    WHAT_USERS_NAME: frozenset({"recommended_product"}),
}
"""What an offer needs, with the kinds of findings that supply it."""


def question_to_answer(goal: str, task: str) -> str:
    """The question to answer: the goal, and the task if there is one, with the sites' names for URLs.

    The words of a URL say little about what is asked; the page itself is visited.
    """
    question = f"{goal} {task}".strip() if task and task not in goal else goal
    named = _URL.sub(lambda match: host_of(match.group()).removeprefix("www."), question)
    return named if len(content_words(named)) > 1 else _URL.sub(_site_and_path, question)


def _site_and_path(match: re.Match[str]) -> str:
    """A URL as words, for a question that is hardly more than this URL."""
    path = re.findall(r"[^\W\d_]{3,}", unquote(urlsplit(match.group()).path))
    return " ".join([host_of(match.group()).removeprefix("www."), *path])


def planned_outline(view: PlannerView) -> Outline:
    """The outline of a job before any evidence: the parts of its question, or what an offer needs."""
    if view.intent == "commerce":
        return _offer_outline(Messages(view.language))
    return _first(question_to_answer(view.goal, view.task))


def _offer_outline(translate: Messages) -> Outline:
    """The outline of a search for an offer: one leaf, without a query of its own, for each thing that it needs."""
    sections = [
        Section(id=str(n), title=text, leaves=[Leaf(id=f"{n}.1", question=text)])
        for n, text in enumerate(as_said(OFFER_NEEDS, translate), 1)
    ]
    return Outline(by="extractive", sections=sections)


@lru_cache(maxsize=256)
def _first(question: str) -> Outline:
    return first_outline(question, by="extractive")
