"""The parts of a technical report: how authoritative its sources are, concepts, documentation and related topics."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.shown import TypedEntry, TypedList, dated_statements
from planner.text.messages import Messages
from planner.text.source_types import source_type
from planner.text.words import content_words, stem
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.events import ResultType
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job

AUTHORITY: Final[Mapping[ResultType, float]] = {
    "official": 1.0, "other": 0.5, "review": 0.5, "news": 0.5, "forum": 0.4, "vendor": 0.3,
}  # fmt: skip
"""What a source of each kind is worth for a technical question."""
MOST_CONCEPTS, MOST_DOCUMENTS, MOST_RELATED = 8, 8, 6
_LEAST_PAGES: Final = 2
"""A term of fewer findings is not a concept of the subject."""
_CODE: Final = re.compile(
    r"`([^`\n]{2,40})`|(?<![\w/.-])(--?[a-z][\w-]{2,40}|[a-z]{2,40}_[a-z_]{2,40}|[A-Z][a-z]{1,40}[A-Z]\w{1,40})(?![\w-])"
)


def technical_lists(
    job: Job, findings: Sequence[Finding], citations: Citations, say: Messages
) -> tuple[list[TypedList], dict[str, Any]]:
    """The lists of a technical report, and the same for `--json`; `findings` in the order of their evidence ids."""
    score = authority_score(findings)
    concepts = TypedList("concepts", list(_concepts(findings, citations)))
    documents = list(_documents(findings, citations))
    topics = related_topics(job, findings)
    shown = [
        TypedList("authority", intro=say("authority_score", score=say.number(score, decimals=2)))
        if findings
        else TypedList("authority"),
        concepts,
        TypedList("documentation", documents),
        TypedList("related_topics", lines=topics),
    ]
    return shown, {
        "authority_score": score,
        "concepts": concepts.records("term"),
        "documentation": _documentation_links(job, findings),
        "related_topics": topics,
    }


def authority_score(findings: Sequence[Finding]) -> float:
    """The mean worth of the pages that the findings come from, 0 to 1."""
    pages = {finding.url: AUTHORITY[source_type(finding.url, finding.title)] for finding in findings}
    return round(sum(pages.values()) / len(pages), 2) if pages else 0.0


def related_topics(job: Job, findings: Sequence[Finding]) -> list[str]:
    """Headings of what was read and not shown, that name something else than the question does."""
    asked = {stem(word.lower()) for word in content_words(f"{job.inputs.goal} {job.inputs.topic}")}
    headings = [
        *(finding.heading.rpartition(" > ")[2] for finding in findings),
        *(heading for visit in job.visits for heading in visit.left_out),
    ]
    found: dict[str, str] = {}
    for heading in headings:
        text = " ".join(heading.split())
        words = {stem(word.lower()) for word in content_words(text)}
        if words & asked and words - asked and len(text) <= 80:
            found.setdefault(text.casefold(), text)
    return list(found.values())[:MOST_RELATED]


def _concepts(findings: Sequence[Finding], citations: Citations) -> Iterator[TypedEntry]:
    """Names in the spelling of code that several findings have, each with the first whole sentence about it."""
    in_findings: Counter[str] = Counter()
    for finding in findings:
        in_findings.update({name.strip() for match in _CODE.findall(finding.quote) for name in match if name})
    told = dated_statements(findings)
    used: set[str] = set()
    for term, count in in_findings.most_common():
        if count < _LEAST_PAGES or len(used) >= MOST_CONCEPTS:
            return
        one = next((one for one in told if term in one.text and one.text not in used), None)
        if one is None:
            continue
        used.add(one.text)
        for cited in citations.keep([Sentence(text=one.text, evidence=[one.place])]):
            yield TypedEntry(cited, before=term)


def _documents(findings: Sequence[Finding], citations: Citations) -> Iterator[TypedEntry]:
    """The pages of documentation that were read, each with its number among Key Sources."""
    seen: set[str] = set()
    for place, finding in enumerate(findings):
        if finding.url in seen or source_type(finding.url, finding.title) != "official":
            continue
        seen.add(finding.url)
        if len(seen) > MOST_DOCUMENTS:
            return
        for cited in citations.keep([Sentence(text=finding.title or finding.url, evidence=[place])]):
            yield TypedEntry(cited)


def _documentation_links(job: Job, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Documentation with its address for programs: pages that were read, then those that were only found."""
    read = {
        finding.url: finding.title
        for finding in findings
        if source_type(finding.url, finding.title) == "official"
    }
    found = {
        result.url: result.title
        for result in job.results
        if result.url not in read and "official" in (result.type, source_type(result.url, result.title))
    }
    return [
        *({"title": title, "url": url, "read": True} for url, title in list(read.items())[:MOST_DOCUMENTS]),
        *({"title": title, "url": url, "read": False} for url, title in list(found.items())[:MOST_DOCUMENTS]),
    ]
