"""Find what a broad topic consists of: the headings that several pages share."""

from collections import defaultdict
from collections.abc import Sequence

from planner.outline.making import query_of
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Leaf, Outline, Section
from research_crawler.core.web.urls import host_of
from research_crawler.text.words import content_words, stem, terms

MOST_TOPICS = 6
SHARED_BY = 2
"""A heading of so many hosts is one of the topic, not of a page."""
_MAX_WORDS = 6
_OF_ANY_PAGE = frozenset(
    stem(word)
    for word in """
    about abstract acknowledgement appendix author bibliography comment conclusion content description detail example
    faq footnote further guide index intro introduction link literature method more note notes option other overview
    preface question quick read reading refer reference related resource see source start summary synopsis table title
    topic tutorial usage version
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words of headings that any page may have, whatever it is about."""


def shared_topics(question: str, findings: Sequence[Finding]) -> list[tuple[str, list[str]]]:
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
        if not key or len(content_words(heading)) > _MAX_WORDS or key <= _OF_ANY_PAGE:
            continue
        spelled.setdefault(key, heading)
        pages[key].add(host_of(finding.url))
        evidence[key].append(finding.id)
    shared = [key for key in spelled if len(pages[key]) >= SHARED_BY]
    best = sorted(shared, key=lambda key: (-len(pages[key]), -len(evidence[key])))
    return [(spelled[key], evidence[key]) for key in best[:MOST_TOPICS]]


def with_topics(outline: Outline, question: str, findings: Sequence[Finding]) -> Outline:
    """The outline of a broad topic with a section for each heading that pages share; ids that stand stay."""
    asked = {frozenset(terms(leaf.question)) for leaf in outline.leaves}
    sections = list(outline.sections)
    for heading, _ in shared_topics(question, findings):
        if len(sections) > MOST_TOPICS or frozenset(terms(heading)) in asked:
            continue
        number = len(sections) + 1
        leaf = Leaf(id=f"{number}.1", question=heading, query=query_of(f"{question} {heading}", question))
        sections.append(Section(id=str(number), title=heading, leaves=[leaf]))
    return outline.changed(sections=sections)
