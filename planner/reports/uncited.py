"""Hold what a model says without a quote to what is known: its journey, what it misses, and its further questions."""

from collections.abc import Sequence

from planner.verify.cited_text import CitedText, sentences_of
from planner.verify.coverage import WordWeights
from planner.verify.names import names_of
from planner.verify.statement import Statement
from research_crawler.core.models.drafts import ReportDraft, ReportView
from research_crawler.core.web.urls import host_of


def without_news(draft: ReportDraft, view: ReportView) -> ReportDraft:
    """The draft without the lines that no quote supports and that name a number, a date or a name that stands neither
    in the job's record nor in a quote. Without a journey, a report has the one of the record.
    """
    read = [visit for visit in view.visited if visit.what == "ok"]
    hosts = {host_of(visit.final_url or visit.url) for visit in view.visited}
    counts = [
        len(view.searches),
        len(view.visited),
        len(read),
        view.pages_read,
        len(hosts),
        len(view.findings),
    ]
    sentences = [
        " and ".join(map(str, [*counts, *(search.results for search in view.searches)])),
        view.goal,
        view.task,
        *(search.query for search in view.searches),
        *(f"{leaf.question} ({leaf.reason})" for leaf in view.outline.leaves),
        *(piece for finding in view.findings for piece in sentences_of(finding.quote)),
    ]
    context = [
        text for visit in view.visited for text in (visit.title, host_of(visit.final_url or visit.url))
    ]
    known = CitedText([one for one in sentences if one], [one for one in context if one])

    asked = names_of(f"{view.goal} {view.task}", view.language)

    def is_known(text: str) -> bool:
        statement = Statement(text, known, WordWeights(()), asked, view.language)
        return not (statement.figures or statement.dates or statement.lacking)

    def kept(lines: Sequence[str]) -> list[str]:
        return [line for line in lines if is_known(line)]

    return draft.changed(
        journey=draft.journey if is_known(draft.journey) else "",
        unknown=kept(draft.unknown),
        follow_ups=kept(draft.follow_ups),
    )
