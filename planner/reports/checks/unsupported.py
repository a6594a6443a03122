"""Hold what a model says without a quote to what is known: how certain it is, what it misses, and what it asks next."""

from collections.abc import Sequence

from planner.verify.source import CitedSource
from planner.verify.vetoes import vetoes
from research_crawler.core.models.reports.drafts import ReportDraft, ReportView
from research_crawler.core.web.urls import host_of


def drop_unsupported(draft: ReportDraft, view: ReportView) -> ReportDraft:
    """The draft without the lines that name a number, a date or a name that stands neither in the job's record nor in a
    quote.
    """
    known = _known(view)

    def is_known(text: str) -> bool:
        return all(veto.kind in ("negation", "command") for veto in vetoes(text, known, view.language))

    def kept(lines: Sequence[str]) -> list[str]:
        return [line for line in lines if is_known(line)]

    return draft.changed(
        certainty=draft.certainty if is_known(draft.certainty) else "",
        unknown=kept(draft.unknown),
        follow_ups=kept(draft.follow_ups),
    )


def _known(view: ReportView) -> CitedSource:
    """What a job's record and its quotes say."""
    texts = [
        view.goal,
        view.task,
        *(search.query for search in view.searches),
        *(f"{leaf.question} ({leaf.reason})" for leaf in view.outline.leaves),
        *(finding.quote for finding in view.findings),
    ]
    context = [
        text for visit in view.visited for text in (visit.title, host_of(visit.final_url or visit.url))
    ]
    return CitedSource(texts, context, f"{view.goal} {view.task}")
