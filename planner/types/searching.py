"""How each type of research searches, and how it ranks what it finds."""

from collections.abc import Iterable
from typing import Final

from planner.text.source_types import source_type
from research_crawler.core.models.commands import SearchSpec
from research_crawler.core.models.decisions import ResultLabel
from research_crawler.core.models.jobs import Job

NEWS_DAYS: Final = 7
NEWS_RESULTS: Final = 20
OFFICIAL_BONUS: Final = 0.1
"""How much higher official documentation stands in technical research, beside pages that fit the goal as well."""


def search_spec(job: Job, query: str, providers: list[str]) -> SearchSpec:
    """One search of a job: news are looked for among the news of the last seven days, and on the web after that.

    A provider without news, or a week without any, must not leave a job with nothing.
    """
    spec = SearchSpec(
        query=query, providers=providers, max_results=job.limits.max_results, language=job.inputs.language
    )
    if job.inputs.type != "news":
        return spec
    asked = [search for search in job.searches if search.what]
    if asked and not any(search.results for search in asked):
        return spec
    return SearchSpec(
        query=query,
        providers=providers,
        vertical="news",
        max_results=NEWS_RESULTS,
        language=job.inputs.language,
        date_restrict=f"d{NEWS_DAYS}",
    )


def labels_for_type(job: Job, labels: Iterable[ResultLabel]) -> list[ResultLabel]:
    """The labels of new results, in technical research with official documentation first."""
    if job.inputs.type != "technical":
        return list(labels)
    titles = {result.url: result.title for result in job.results}
    raised = [
        ResultLabel(
            url=label.url,
            score=min(1.0, label.score + OFFICIAL_BONUS),
            type=label.type,
            priority=label.priority,
        )
        if "official" in (label.type, source_type(label.url, titles.get(label.url, "")))
        else label
        for label in labels
    ]
    return sorted(raised, key=lambda label: -label.score)
