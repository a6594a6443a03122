"""Snippets of search results as evidence, for pages that could not be read: marked, never taken as checked. Pure."""

import uuid
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from research_crawler.core.web.urls import dedupe_key

MOST_SNIPPETS: Final = 5
"""Most snippets that stand as evidence for pages that could not be read."""
LEAST_SCORE: Final = 0.5
"""Least label of a result whose snippet counts: the page promised to be useful."""
LEAST_CHARS: Final = 40
"""A shorter snippet is no evidence."""


def snippet_findings(job: Job) -> list[Finding]:
    """What search engines quote of pages that were asked for and could not be read, the most promising first.

    Only a model is shown them, as snippets; without a model a report has quotes of pages alone.
    """
    if job.brain == "extractive":
        return []
    failed = {dedupe_key(visit.url): visit for visit in job.visits if visit.outcome not in ("", "ok")}
    found = [
        _finding(result, failed[dedupe_key(result.url)])
        for result in job.results
        if dedupe_key(result.url) in failed
        and result.scored
        and result.score >= LEAST_SCORE
        and len(result.snippet) >= LEAST_CHARS
    ]
    return found[:MOST_SNIPPETS]


def without_snippets(findings: Sequence[Finding]) -> list[Finding]:
    """The findings that are quotes of pages."""
    return [finding for finding in findings if not finding.is_snippet]


def quotes_before_snippets(evidence: Sequence[Finding]) -> list[Finding]:
    """The quotes of pages that stand before the first snippet, so that the index of each is that of its evidence.

    Behind the snippets stands the rest of a series of like pages, which says the same again.
    """
    return list(takewhile(lambda finding: not finding.is_snippet, evidence))


def _finding(result: ScoredResult, visit: VisitRecord) -> Finding:
    text = " ".join(result.snippet.split())
    return Finding(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{visit.command} snippet {text}")),
        command=visit.command,
        claim=text,
        quote=text,
        start=0,
        end=len(text),
        page_sha256="",
        url=result.url,
        title=result.title,
        published=result.published,
        score=0.0,
        by="search",
        is_snippet=True,
    )
