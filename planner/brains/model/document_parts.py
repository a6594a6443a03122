"""Pieces that the documents of several roles have in common."""

from prompts.loader import Entries
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.sentences import plain

CLAIM_CHARS, QUOTE_CHARS = 240, 400
WHOLE_QUOTE_CHARS = 1_200
"""Longest quote for those who write from it or check what was written: an excerpt of a page's section can be so long,
and what is cut off is what nobody can say."""
UNKNOWN = "unknown"


def shortened(text: str, most: int = 200) -> str:
    """The text with single spaces, cut at a word to at most `most` characters."""
    folded = " ".join(text.split())
    return folded if len(folded) <= most else folded[:most].rsplit(" ", 1)[0] + " …"


def goal_text(goal: str, task: str) -> str:
    """The goal, with the task where that is another one."""
    return f"{goal}\nTask: {task}" if task and task != goal else goal


def aging(items: list[str]) -> Entries:
    """Entries, the newest of which are worth most."""
    return Entries(items=items, worth=[(n + 1) / (len(items) + 1) for n in range(len(items))])


def evidence_line(finding: Finding, most: int = QUOTE_CHARS) -> str:
    """A finding on one line: what was found, its quote of at most `most` characters, and where and when the page says
    it. A claim in the words of its quote is not shown twice."""
    claim, quote = " ".join(finding.claim.split()), shortened(finding.quote, most)
    if plain(finding.quote) == finding.claim:
        said = shortened(claim, max(CLAIM_CHARS, most))
    elif len(claim) > CLAIM_CHARS:
        said = f"“{quote}”"
    else:
        said = f"{claim} | “{quote}”"
    return (
        said
        + f" | {shortened(finding.title) or finding.url} | {host_of(finding.url)}"
        + f" | {finding.published or 'undated'}"
        + (" | only the snippet of a search result: the page was not read" if finding.is_snippet else "")
    )
