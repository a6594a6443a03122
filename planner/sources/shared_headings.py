"""Find the headings that pages of several hosts share: what a topic consists of."""

from collections import defaultdict
from collections.abc import Sequence

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.words import content_words, terms

MOST_TOPICS = 6
SHARED_BY = 2
"""A heading of so many hosts is one of the topic, not of a page."""
_MAX_WORDS = 6
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
