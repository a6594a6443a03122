"""Drop what a model says without a quote and the job does not bear out: in its certainty, gaps and follow-ups."""

from planner.verify.cited_source import CitedSource, addresses_in, sentences_of
from planner.verify.vetoes import vetoes
from research_crawler.core.models.reports.drafts import ReportDraft, ReportView
from research_crawler.core.web.urls import host_of


def drop_unsupported(draft: ReportDraft, view: ReportView) -> ReportDraft:
    """The draft without the sentences of its certainty and the lines that have a number, a date or a name that stands
    neither in the job's record nor in a quote. A follow-up may ask about another name, but about no address.
    """
    known = _known(view)

    def is_known(text: str, *, may_name: bool = False) -> bool:
        return not any(
            veto.kind in ("figure", "date") or (veto.kind == "name" and not may_name)
            for veto in vetoes(text, known, view.language)
        )

    sentences = sentences_of(draft.certainty, view.language)
    return draft.changed(
        certainty=" ".join(one for one in sentences if is_known(one)),
        unknown=[line for line in draft.unknown if is_known(line)],
        # What nobody has read of yet has names that stand nowhere; an address would send the reader to it.
        follow_ups=[one for one in draft.follow_ups if is_known(one, may_name=not addresses_in(one))],
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
