"""Find the themes of a job: what its sub-questions and the headings that pages share have in common with findings."""

from collections import defaultdict
from collections.abc import Sequence

from planner.memory.memory_search import text_of_finding
from research_crawler.core.models.evidence.credibility import Synthesis, Theme
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import Report
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.words import content_words, terms
from research_crawler.text.measures.likeness import coverage

MAX_THEMES, MAX_MATCHES = 12, 10
"""Most themes of a job, and most findings of one."""
LEAST_THEME_SHARE = 0.6
"""Least share of a theme's words in a finding that belongs to it, as for the answers of sub-questions by words."""
_MAX_COMPARED = 80
"""Most findings that are compared, the most useful first."""


def theme_queries(job: Job, topic: str, findings: Sequence[Finding]) -> dict[str, list[str]]:
    """What the findings may be about, with the ids of those that are known to belong to it.

    They are the sub-questions of the outline, and the headings that pages share.
    """
    asked = [(leaf.question, leaf.evidence) for leaf in job.outline.leaves]
    distinct: dict[frozenset[str], tuple[str, list[str]]] = {}
    for query, ids in [*asked, *shared_headings(topic, findings)] or [(topic, [])]:
        distinct.setdefault(frozenset(terms(query)), (query, list(ids)))
    return dict(list(distinct.values())[:MAX_THEMES])


def themes_of(job: Job, topic: str, evidence: Sequence[Finding]) -> list[Theme]:
    """The themes of a job's findings, the strongest first.

    Args:
        topic: what the job asks.
        evidence: the findings in the order of their ids.
    """
    compared = list(evidence)[:_MAX_COMPARED]
    if not compared:
        return []
    words = [frozenset(terms(text_of_finding(finding))) for finding in compared]
    pages = len({finding.page_sha256 for finding in compared})
    themes = []
    for query, ids in theme_queries(job, topic, compared).items():
        shares = _shares(query, ids, compared, words)
        themes.append(_theme(query, shares, compared, pages))
    return sorted((theme for theme in themes if theme.evidence), key=lambda theme: -theme.strength)


def _shares(
    query: str, ids: Sequence[str], findings: Sequence[Finding], words: Sequence[frozenset[str]]
) -> list[float]:
    """How much of the query each finding has: its words, or 1 and more for those that are known to belong to it."""
    wanted, order = frozenset(terms(query)), {id_: len(ids) - index for index, id_ in enumerate(ids)}
    return [
        order.get(finding.id, 0) + (coverage(wanted, told) if wanted else 0)
        for finding, told in zip(findings, words, strict=True)
    ]


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


def _theme(query: str, shares: Sequence[float], findings: Sequence[Finding], pages: int) -> Theme:
    near = sorted(range(len(findings)), key=lambda index: -shares[index])[:MAX_MATCHES]
    matched = [index for index in near if shares[index] >= LEAST_THEME_SHARE]
    distinct = {findings[index].page_sha256: findings[index].url for index in matched}
    return Theme(
        title=query,
        evidence=[f"E{index + 1}" for index in matched],
        sources=list(dict.fromkeys(distinct.values())),
        strength=round(min(1.0, len(distinct) / pages), 3),
    )


MOST_TOPICS = 6
"""Most topics by headings that pages share."""
SHARED_BY = 2
"""A heading of so many hosts is one of the topic, not of a page."""
_MAX_WORDS = 6
"""A heading with more content words is no topic."""
_LEAST_STEMS = 2
"""Headings of one word beyond the question's ("Introduction", "Examples") are those of any page."""


def shared_headings(question: str, findings: Sequence[Finding]) -> list[tuple[str, list[str]]]:
    """The headings that findings of several hosts stand under, with the ids of these findings, the most shared first.

    Headings are the same if their stems are, without those of the question.
    """
    asked = set(terms(question))
    spelled: dict[frozenset[str], str] = {}
    pages: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    evidence: defaultdict[frozenset[str], list[str]] = defaultdict(list)
    for finding in findings:
        heading = finding.heading.rsplit(" > ", 1)[-1].strip(" ¶#:.0123456789")
        key = frozenset(terms(heading)) - asked
        if len(key) < _LEAST_STEMS or len(content_words(heading)) > _MAX_WORDS:
            continue
        spelled.setdefault(key, heading)
        pages[key].add(host_of(finding.url))
        evidence[key].append(finding.id)
    shared = [key for key in spelled if len(pages[key]) >= SHARED_BY]
    best = sorted(shared, key=lambda key: (-len(pages[key]), -len(evidence[key])))
    return [(spelled[key], evidence[key]) for key in best[:MOST_TOPICS]]
