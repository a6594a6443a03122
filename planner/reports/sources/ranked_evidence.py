"""Turn findings into evidence: each quote once, the most useful first."""

from collections.abc import Sequence
from typing import Final

from planner.evidence.series import split_off_series
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.cited_parts import Evidence
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.language import function_words
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.writing.markdown import is_own_file

MOST_TITLE: Final = 160
"""Most characters of what is told of a quote's page."""
OWN_BONUS = 0.1
"""How much more a finding of a file is worth that the caller has named."""


def evidence_of(findings: Sequence[Finding]) -> list[Finding]:
    """The findings without repeated quotes, best first, then snippets; the first one gets the id `E1`.

    What the caller's own files say goes before what pages say that is about as good. Behind all of them stand the
    rest of a series of like pages: see `written_from`.
    """
    best: dict[str, Finding] = {}
    for finding in findings:
        best.setdefault(normal_quote(finding.quote), finding)
    kept, late = split_off_series(
        sorted(best.values(), key=lambda f: (f.is_snippet, -f.score - OWN_BONUS * is_own_file(f.url)))
    )
    return [*kept, *late]


def written_from(findings: Sequence[Finding], most: int) -> list[Finding]:
    """The first of the evidence, which an answer is written from: at most three of each series of like pages."""
    kept, _ = split_off_series(evidence_of(findings))
    return kept[:most]


def evidence_id(index: int) -> str:
    """The id of the evidence with this index (0-based)."""
    return f"E{index + 1}"


def as_evidence(findings: Sequence[Finding], job: str = "") -> list[Evidence]:
    """The findings as evidence records, in the same order; those of other jobs than `job` name theirs."""
    return [
        Evidence(
            id=evidence_id(index),
            claim=f.claim,
            quote=f.quote,
            start=f.start,
            end=f.end,
            url=f.url,
            title=f.title,
            page_sha256=f.page_sha256,
            fetched_at=f.fetched_at,
            remembered_from="" if f.command.startswith(f"{job}:") else f.command.rpartition(":")[0],
            page_number=f.page_number,
        )
        for index, f in enumerate(findings)
    ]


def source_label(finding: Finding) -> str:
    """Title and headings of a finding's quote, the words that lead to it, the names that "it" stands for, and its host.

    The path consists of headings alone: a sentence or a name behind them would look like one of them.
    """
    path = [*dict.fromkeys(filter(None, (finding.title, *finding.heading.split(" > "))))]
    about = clean_line(" > ".join(path))
    if len(about) > MOST_TITLE:  # the last heading or term says most of what a quote leaves out
        last = f" > {clean_line(path[-1])[: MOST_TITLE // 2]}" if finding.heading else ""
        about = (about[: MOST_TITLE - len(last)].rstrip(" >") + last).removesuffix(" > ")
    introduction = clean_line(finding.introduction)[: MOST_TITLE // 2]
    words = [word for word in finding.subject.split() if word.lower() not in function_words()]
    named = clean_line(" ".join(word for word in words if word not in about))
    parts = [
        about,
        f"below: {introduction}" if introduction and introduction not in about else "",
        f"about: {named}" if named else "",
        host_of(finding.url),
    ]
    return " | ".join(filter(None, parts))
