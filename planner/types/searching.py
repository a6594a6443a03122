"""Which type of research a goal asks for, how each type searches, and how it ranks what it finds."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import ResearchType
from research_crawler.core.models.jobs.decisions import ResultLabel
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.web.urls import host_of
from research_crawler.text.questions.wishes import asks_for_documentation, asks_for_news
from research_crawler.text.source_types import source_type

NEWS_DAYS: Final = 7
"""News is searched for so many days back, where the question names no time."""
NEWS_RESULTS: Final = 20
"""Results that a search for news asks of a provider."""
PREFERRED: Final = 0.1
"""How much higher stand pages of expected sites, and official documentation in technical research."""
_YEAR: Final = re.compile(r"\b(1\d{3}|20\d\d)\b")


def search_spec(job: Job, query: str, providers: list[str]) -> SearchSpec:
    """One search of a job: news are looked for among the news of the last seven days, and on the web after that.

    A provider without news, or a week without any, must not leave a job with nothing.
    """
    spec = SearchSpec(
        query=query,
        providers=providers,
        max_results=job.limits.max_results,
        language=job.inputs.language,
        date_restrict=_days_since(job),
    )
    if job.inputs.type != "news":
        return spec
    asked = [search for search in job.searches if search.outcome]
    if asked and not any(search.results for search in asked):
        return spec
    return SearchSpec(
        query=query,
        providers=providers,
        vertical="news",
        max_results=NEWS_RESULTS,
        language=job.inputs.language,
        date_restrict=_days_since(job) or f"d{NEWS_DAYS}",
    )


def fresh_news(job: Job, results: Sequence[SearchResult]) -> list[SearchResult]:
    """The results of a search for news without those dated before its seven days, unless nothing newer was found.

    Some providers know only months, and some no dates at all; a result without a date stays.
    """
    if job.inputs.type != "news" or job.inputs.since or not job.created_at:
        return list(results)
    first = (date.fromisoformat(job.created_at[:10]) - timedelta(days=NEWS_DAYS)).isoformat()
    is_newer = any(result.published[:10] >= first for result in results if result.published)
    return [
        result for result in results if not (is_newer and result.published and result.published[:10] < first)
    ]


def _days_since(job: Job) -> str:
    """How many days back a search has to go for the caller's first day; "" for any date."""
    if not job.inputs.since or not job.created_at:
        return ""
    days = (date.fromisoformat(job.created_at[:10]) - date.fromisoformat(job.inputs.since[:10])).days
    return f"d{days + 1}" if days >= 0 else ""


def labels_for_job(job: Job, labels: Iterable[ResultLabel]) -> list[ResultLabel]:
    """The labels of new results, best first: a little more for the sites on which the query writer expects the answer.

    In technical research, official documentation gets as much.
    """
    attempts = job.assessed.attempts
    expected = [_site_of(name) for name in (attempts[-1].expected_domains if attempts else [])]
    titles = {result.url: result.title for result in job.results}
    raised = [
        ResultLabel(
            url=label.url,
            score=min(1.0, label.score + PREFERRED),
            type=label.type,
            priority=label.priority,
        )
        if _is_expected(label.url, expected) or _is_documentation(job, label, titles.get(label.url, ""))
        else label
        for label in labels
    ]
    return sorted(raised, key=lambda label: -label.score)


def _is_documentation(job: Job, label: ResultLabel, title: str) -> bool:
    return job.inputs.type == "technical" and "official" in (label.type, source_type(label.url, title))


def _is_expected(url: str, expected: Sequence[str]) -> bool:
    host = host_of(url).removeprefix("www.")
    return any(host == site or host.endswith(f".{site}") for site in expected if site)


def _site_of(name: str) -> str:
    """The host of a site as a model names it: with a scheme, a path or `www.`, or without."""
    return name.strip().lower().rpartition("://")[2].partition("/")[0].removeprefix("www.")


def detect_type(goal: str, intent: Intent, *, stack: str = "", today: str = "") -> ResearchType:
    """The type of research that a goal asks for; an offer is always general research.

    News: it says so ("latest news", "recent developments"), and names no earlier year. Technical: the caller names a
    technology, or it asks for documentation. Words such as "class" or "method" are no sign: everything has them. A
    model may correct the type in its first answer.

    Args:
        stack: the technology that the caller names.
        today: ISO date; a goal that names an earlier year is about the past. Empty: any year is the past.
    """
    if intent == "commerce":
        return "general"
    years = _YEAR.findall(goal)
    if asks_for_news(goal) and not (years and max(years) < (today[:4] or "9999")):
        return "news"
    return "technical" if stack.strip() or asks_for_documentation(goal) else "general"
