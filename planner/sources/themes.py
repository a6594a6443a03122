"""Find the themes of a job: what its sub-questions and the headings that pages share have in common with findings."""

from collections.abc import Sequence

from planner.memory.search import text_of_finding
from planner.sources.shared_headings import shared_headings
from research_crawler.core.models.credibility import Synthesis, Theme
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.reports import Report
from research_crawler.core.ports.models import Embedder
from research_crawler.text.likeness import cosine
from research_crawler.text.words import terms

MAX_THEMES, MAX_MATCHES, LEAST_SIMILARITY = 12, 10, 0.3
_MAX_COMPARED = 80
"""Most findings that are compared, the most useful first: 80 of 60 words take about half a second."""


def theme_queries(job: Job, topic: str, findings: Sequence[Finding]) -> list[str]:
    """What to look for in the findings: the sub-questions of the outline, and the headings that pages share."""
    asked = [leaf.question for leaf in job.outline.leaves]
    shared = [heading for heading, _ in shared_headings(topic, findings)]
    distinct = {frozenset(terms(query)): query for query in reversed([*asked, *shared] or [topic])}
    return list(distinct.values())[::-1][:MAX_THEMES]


async def themes_of(job: Job, topic: str, evidence: Sequence[Finding], embedder: Embedder) -> list[Theme]:
    """The themes of a job's findings, the strongest first.

    Args:
        topic: what the job asks.
        evidence: the findings in the order of their ids.
    """
    compared = list(evidence)[:_MAX_COMPARED]
    if not compared:
        return []
    queries = theme_queries(job, topic, compared)
    vectors = await embedder.embed([*queries, *map(text_of_finding, compared)])
    wanted, found = vectors[: len(queries)], vectors[len(queries) :]
    pages = len({finding.page_sha256 for finding in compared})
    themes = [
        _theme(query, [cosine(vector, other) for other in found], compared, pages)
        for query, vector in zip(queries, wanted, strict=True)
    ]
    return sorted((theme for theme in themes if theme.evidence), key=lambda theme: -theme.strength)


def synthesis_of(report: Report, topic: str) -> Synthesis:
    """The record of what a job has found about its topic."""
    rated = [source.credibility for source in report.sources if source.credibility is not None]
    supported = sum(claim.verdict == "supported" for claim in report.claims)
    credible = sum(rated) / len(rated) if rated else 0.0
    return Synthesis(
        topic=topic,
        key_findings=[finding.text for finding in report.key_findings],
        source_count=report.source_count,
        confidence=round(credible * supported / len(report.claims), 3) if report.claims else 0.0,
        sources=[source.url for source in report.sources],
        time=report.generated_at,
    )


def _theme(query: str, similarities: Sequence[float], findings: Sequence[Finding], pages: int) -> Theme:
    near = sorted(range(len(findings)), key=lambda place: -similarities[place])[:MAX_MATCHES]
    matched = [place for place in near if similarities[place] >= LEAST_SIMILARITY]
    distinct = {findings[place].page_sha256: findings[place].url for place in matched}
    return Theme(
        title=query,
        evidence=[f"E{place + 1}" for place in matched],
        sources=list(dict.fromkeys(distinct.values())),
        strength=round(min(1.0, len(distinct) / pages), 3),
    )
