"""Tell whether the excerpts that were found answer a question at all."""

import re
from collections.abc import Sequence

from planner.brains.extractive.asking.rare_marks import lacking_marks
from planner.brains.extractive.reading.passages import finding_text
from planner.brains.extractive.writing.excerpt_order import Item
from planner.goal.language import report_language
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.web.urls import host_of
from research_crawler.text.agreement import stems_of
from research_crawler.text.query_words import query_words, settings_in
from research_crawler.text.subject import subject_of
from research_crawler.text.words import terms

ANSWERS, UNNAMED_COST = 0.45, 0.25
"""Cosine that the nearest excerpt must have with the question, and how much more if it lacks the question's names.

Of 30 questions about manuals, the five that these do not answer have at most 0.41, or 0.61 with no name of the question
in any excerpt; the others have 0.48 or more. One of several names may go without saying: a manual of Debian seldom
says that it is about Linux.
"""
ANSWERS_OTHER = 0.25
"""The same for a question in another language than English, the only one in which the packaged model is good: there
its names cannot be told from other nouns (German), and the pages may be in English."""
_OPTION = re.compile(r"^--\w")


def is_unanswered(view: ReportView, question: str, items: Sequence[Item]) -> bool:
    """Whether the excerpts do not answer the question."""
    is_english = report_language(question) == "en"
    about = _of_naming_sites(view, question, items) if is_english else items
    nearest = 0.0 if _lacks_asked(question, items) else max(item.similarity for item in about)
    needed = ANSWERS + UNNAMED_COST * _share_unnamed(question, items) ** 2 if is_english else ANSWERS_OTHER
    return nearest < needed or bool(lacking_marks(question, view.findings, intent=view.intent))


def _of_naming_sites(view: ReportView, question: str, items: Sequence[Item]) -> Sequence[Item]:
    """The excerpts from sites that name what the question is about, if no part of it is stated: the port of one
    database is no answer about another. All of them if no site names it, which costs by itself, or if a part is stated.

    A page of a manual seldom names the product that all of its pages are about, but others of its site do.
    """
    names = subject_of(question).words
    if not names or not view.outline.leaves or any(leaf.state == "filled" for leaf in view.outline.leaves):
        return items
    sites = {
        host_of(item.finding.url) for item in items if not names.isdisjoint(terms(finding_text(item.finding)))
    }
    return [item for item in items if host_of(item.finding.url) in sites] or items


def _lacks_asked(question: str, items: Sequence[Item]) -> bool:
    """Whether a question asks for settings or options by their names, and nothing that was found has any of these.

    An option is no less asked for because the program that should have it is named like a setting (`pg_dump`).
    """
    options = [word for word in query_words(question) if _OPTION.match(word)]
    text = " ".join(f"{finding_text(item.finding)} {item.finding.quote}" for item in items).lower()
    of_kinds = (options, settings_in(question))
    return any(asked and not any(word.lower() in text for word in asked) for asked in of_kinds)


def _share_unnamed(question: str, items: Sequence[Item]) -> float:
    """The share of the question's names and years that no excerpt and no title of its page has, 0 to 1."""
    subject = subject_of(question)
    names = subject.words | subject.years
    if not names:
        return 0.0
    text = " ".join(finding_text(i.finding) for i in items)
    known = stems_of(text)
    return len(names - known) / len(names)
