"""The parts of a technical report: how authoritative its sources are, concepts, documentation and related topics."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.subject_statements import AskedSubject, Statement
from planner.reports.typed.typed_list import TypedEntry, TypedList
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import ResultType
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.text.languages.words import content_words, stem
from research_crawler.text.source_types import page_type, source_type
from research_crawler.text.writing.messages import Messages

AUTHORITY: Final[Mapping[ResultType, float]] = {
    "official": 1.0, "other": 0.5, "review": 0.5, "news": 0.5, "forum": 0.4, "vendor": 0.3,
}  # fmt: skip
"""What a source of each kind is worth for a technical question. Chosen: only their order carries meaning."""
MOST_CONCEPTS, MOST_DOCUMENTS, MOST_RELATED = 8, 8, 6
"""Most concepts, pages of documentation and related topics of a technical report."""
MOST_HEADING: Final = 80
"""A longer heading is no related topic."""
_LEAST_PAGES: Final = 2
"""A term of fewer findings is not a concept of the subject."""
_NUMBER: Final = re.compile(
    r"\A(?:(?:chapter|section|appendix|part) )?(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3})*[.:)]? +", re.I
)
_OPENING_WORDS: Final = 5
"""So many first words of a sentence say which concept it explains."""
_CODE: Final = re.compile(
    r"`([^`\n]{2,40})`|(?<![\w/.-])(--?[a-z][\w-]{2,40}|[a-z]{2,40}_[a-z_]{2,40}|[A-Z][a-z]{1,40}[A-Z]\w{1,40})(?![\w-])"
)


@dataclass(frozen=True)
class _PageKinds:
    """The pages of a job by what they are: the reader of pages knows documentation that no address shows."""

    kinds: Mapping[str, str]

    def kind(self, finding: Finding) -> ResultType:
        """The kind of a finding's page."""
        return page_type(finding.url, finding.title, self.kinds.get(finding.url, ""))

    def is_official(self, finding: Finding) -> bool:
        """Whether a finding's page is documentation."""
        return self.kind(finding) == "official"


def technical_lists(
    job: Job, findings: Sequence[Finding], citations: Citations, translate: Messages
) -> tuple[list[TypedList], dict[str, Any]]:
    """The lists of a technical report, and the same for `--json`; `findings` in the order of their evidence ids."""
    pages = _PageKinds({visit.final_url or visit.url: visit.kind for visit in job.visits})
    score = _authority_score(findings, pages)
    concepts = TypedList("concepts", list(_concepts(findings, citations)))
    documents = list(_documents(findings, pages, citations))
    topics = related_topics(job, findings)
    shown = [
        TypedList("authority", intro=translate("authority_score", score=translate.number(score, decimals=2)))
        if findings
        else TypedList("authority"),
        concepts,
        TypedList("documentation", documents),
        TypedList("related_topics", lines=topics),
    ]
    return shown, {
        "authority_score": score,
        "concepts": concepts.records("term"),
        "documentation": _documentation_links(job, findings, pages),
        "related_topics": topics,
    }


def _authority_score(findings: Sequence[Finding], pages: _PageKinds) -> float:
    """The mean worth of the pages that the findings come from, 0 to 1."""
    worth = {finding.url: AUTHORITY[pages.kind(finding)] for finding in findings}
    return round(sum(worth.values()) / len(worth), 2) if worth else 0.0


def related_topics(job: Job, findings: Sequence[Finding]) -> list[str]:
    """Headings of what was read and not shown, that name something else than the question does."""
    asked = {stem(word.lower()) for word in content_words(f"{job.inputs.goal} {job.inputs.topic}")}
    headings = [
        *(finding.heading.rpartition(" > ")[2] for finding in findings),
        *(heading for visit in job.visits for heading in visit.left_out),
    ]
    titles = {_unnumbered(finding.title).casefold() for finding in findings}
    found: dict[str, str] = {}
    for heading in headings:
        text = _unnumbered(heading)
        words = {stem(word.lower()) for word in content_words(text)}
        is_new = text.casefold() not in titles and not text.isupper()
        if is_new and words & asked and words - asked and len(text) <= MOST_HEADING:
            found.setdefault(text.casefold(), text)
    return list(found.values())[:MOST_RELATED]


def _unnumbered(heading: str) -> str:
    """A heading without its number: `20.10. Automatic Vacuuming`, `Chapter 3: Backup`."""
    return _NUMBER.sub("", " ".join(heading.split()), count=1)


def _concepts(findings: Sequence[Finding], citations: Citations) -> Iterator[TypedEntry]:
    """Names in the spelling of code that several findings have, each with a sentence that says what it is."""
    in_findings: Counter[str] = Counter()
    for finding in findings:
        in_findings.update({name.strip() for match in _CODE.findall(finding.quote) for name in match if name})
    statements = AskedSubject(()).statements(findings)
    used: set[str] = set()
    for term, count in in_findings.most_common():
        if count < _LEAST_PAGES or len(used) >= MOST_CONCEPTS:
            return
        if one := next((one for one in statements if one.text not in used and _explains(one, term)), None):
            used.add(one.text)
            for cited in citations.cite([Sentence(text=one.text, evidence=[one.index])]):
                yield TypedEntry(cited, before=term)


def _explains(statement: Statement, term: str) -> bool:
    """Whether a sentence says what a term is: it begins with it, or stands under its heading."""
    opening = " ".join(statement.text.split()[:_OPENING_WORDS])
    return term in opening or (
        term in statement.text and term in statement.finding.heading.rpartition(" > ")[2]
    )


def _documents(findings: Sequence[Finding], pages: _PageKinds, citations: Citations) -> Iterator[TypedEntry]:
    """The pages of documentation that were read, each with its number among Key Sources."""
    seen: set[str] = set()
    for index, finding in enumerate(findings):
        if finding.url in seen or not pages.is_official(finding):
            continue
        seen.add(finding.url)
        if len(seen) > MOST_DOCUMENTS:
            return
        for cited in citations.cite([Sentence(text=finding.title or finding.url, evidence=[index])]):
            yield TypedEntry(cited)


def _documentation_links(job: Job, findings: Sequence[Finding], pages: _PageKinds) -> list[dict[str, Any]]:
    """Documentation with its address for programs: pages that were read, then those that were only found."""
    read = {finding.url: finding.title for finding in findings if pages.is_official(finding)}
    found = {
        result.url: result.title
        for result in job.results
        if result.url not in read and "official" in (result.type, source_type(result.url, result.title))
    }
    return [
        *({"title": title, "url": url, "read": True} for url, title in list(read.items())[:MOST_DOCUMENTS]),
        *({"title": title, "url": url, "read": False} for url, title in list(found.items())[:MOST_DOCUMENTS]),
    ]
