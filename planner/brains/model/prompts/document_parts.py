"""Pieces that the documents of several roles have in common."""

from collections.abc import Sequence

from prompts.loader import Entries
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.sentences import without_markdown

CLAIM_CHARS, QUOTE_CHARS = 240, 400
"""Longest claim and quote of a finding in a prompt, in characters."""
WHOLE_QUOTE_CHARS = 1_200
"""Longest quote for those who write from it or check what was written: an excerpt of a page's section can be so long,
and what is cut off is what nobody can say."""
UNKNOWN = "unknown"
TITLE_CHARS = 100
"""Longest title of a page in a prompt."""
_STAYS = 9.0
"""The worth of the line of a page, which stays."""


def shortened_text(text: str, most: int = 200) -> str:
    """The text with single spaces, cut at a word to at most `most` characters."""
    folded = " ".join(text.split())
    return folded if len(folded) <= most else folded[:most].rsplit(" ", 1)[0] + " …"


def goal_text(goal: str, task: str) -> str:
    """The goal, with the task where that is another one."""
    return f"{goal}\nTask: {task}" if task and task != goal else goal


def aging(items: list[str]) -> Entries:
    """Entries, the newest of which are worth most."""
    return Entries(items=items, worth=[(n + 1) / (len(items) + 1) for n in range(len(items))])


def by_page(findings: Sequence[Finding], lines: Sequence[str], worth: Sequence[float]) -> Entries:
    """Lines of findings below a line for each page, with its title, its host and its date; where room lacks, the lines
    of least worth are left out and those of pages stay."""
    items, worths, last = list[str](), list[float](), ""
    for finding, line, own in zip(findings, lines, worth, strict=True):
        page = page_line(finding)
        if page != last:
            items.append(page)
            worths.append(_STAYS)
        items.append(line)
        worths.append(own)
        last = page
    return Entries(items=items, worth=worths)


def page_line(finding: Finding) -> str:
    """The page of a finding: title, host and date. A title has no bar: it would add a column of its own making."""
    title = shortened_text(finding.title, TITLE_CHARS).replace("|", "¦") or finding.url
    return f"From: {title} | {host_of(finding.url)} | {finding.published or 'undated'}"


def evidence_line(finding: Finding, most: int = QUOTE_CHARS) -> str:
    """A finding on one line: what was found, and its quote of at most `most` characters. A claim in the words of its
    quote is not shown twice."""
    claim, quote = " ".join(finding.claim.split()), shortened_text(finding.quote, most)
    if without_markdown(finding.quote) == finding.claim:
        line = shortened_text(claim, max(CLAIM_CHARS, most))
    elif len(claim) > CLAIM_CHARS:  # the heading says what "this option" is, as the claim would
        heading = finding.heading.rpartition(" > ")[2]
        line = f"{shortened_text(heading, TITLE_CHARS)} | “{quote}”" if heading else f"“{quote}”"
    else:
        line = f"{claim} | “{quote}”"
    return (
        line + (f" | below: {finding.introduction}" if finding.introduction else "") + snippet_remark(finding)
    )


def snippet_remark(finding: Finding) -> str:
    """What is said of a finding whose page was not read."""
    return " | only the snippet of a search result: the page was not read" if finding.is_snippet else ""
