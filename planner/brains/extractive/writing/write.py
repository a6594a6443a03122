"""Write answer, certainty, key findings and journey without a model, from the findings themselves."""

from collections.abc import Sequence
from typing import Final

from planner.brains.extractive.asking.queries import question_of
from planner.brains.extractive.asking.rare_marks import lacking_marks
from planner.brains.extractive.writing.recommending import led_by, recommending
from planner.brains.extractive.writing.report_digest import digest_report
from planner.reports.view import quoted_from
from research_crawler.core.models.drafts import ReportDraft, ReportView
from research_crawler.core.models.outline import Outline
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import slot_of
from research_crawler.text.messages import Messages

_TITLES: Final = 3
"""Titles of pages that are named where none of them answers."""


async def write_answer(view: ReportView, embedder: Embedder) -> ReportDraft:
    """A report draft in the words of the pages: a digest of excerpts."""
    view = quoted_from(view)
    question = question_of(view.goal, view.task)
    if view.intent == "commerce":
        if lacking := lacking_marks(question, view.findings, intent=view.intent):
            return _of_other_things(view, lacking)
        if (
            not view.outline.is_given
        ):  # what an offer needs ("what it should cost") is no part of the question
            view = view.changed(outline=Outline())
    draft = await digest_report(view, embedder)
    if view.intent == "commerce" and not draft.not_found:
        draft = draft.changed(answer=led_by(recommending(view), draft.answer))
    return draft.changed(journey=journey(view))


def _of_other_things(view: ReportView, lacking: Sequence[str]) -> ReportDraft:
    """The draft for a model that no page names: what was read is about others."""
    titles = dict.fromkeys(finding.title or slot_of(finding.url) for finding in view.findings)
    missing = Messages(view.language)("missing", items=", ".join(lacking))
    return ReportDraft(
        by="extractive", not_found="; ".join(list(titles)[:_TITLES]), certainty=missing, journey=journey(view)
    )


def journey(view: ReportView) -> str:
    """One short paragraph: the searches, the pages read, the most useful page, and how the research ended."""
    say = Messages(view.language)
    queries = f" {say('and')} ".join(f"“{search.query}”" for search in view.searches)
    results = sum(search.results for search in view.searches)
    read = [visit for visit in view.visited if visit.what == "ok"]
    unread = len(view.visited) - len(read)
    count = max(len(read), view.pages_read)
    known = [visit.final_url or visit.url for visit in read]
    if count > len(read):  # the record has dropped visits; what they found is left
        known += [finding.url for finding in view.findings]
    hosts = len({slot_of(url) for url in known})
    useful = max(read, key=lambda visit: (visit.findings, visit.relevance), default=None)
    parts = [
        say("step_searched", queries=queries, n=results) if queries else say("step_unsearched"),
        say("step_read", n=count, hosts=hosts) + (say("step_unread", n=unread) if unread else "") + ".",
    ]
    if useful and useful.findings:
        parts.append(
            say(
                "step_useful",
                title=useful.title or useful.url,
                host=say("own_file") if useful.origin == "file" else slot_of(useful.final_url or useful.url),
                n=useful.findings,
            )
        )
    if view.done_reason:
        reason = view.done_reason.rstrip(".")
        parts.append(say("step_ended", reason=f"{reason[:1].upper()}{reason[1:]}"))
    return " ".join(parts)
