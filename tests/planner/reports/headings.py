"""The headings that report.md has in every report, in one list, and where those of some reports stand among them."""

import re

from planner.reports.code_filled_lists import CODE_FILLED_LISTS
from research_crawler.text.writing.messages import Messages

ALWAYS = ("answer", "journey", "sources")
FILLED_BY_CODE = tuple(part.key for part in CODE_FILLED_LISTS)
ORDER = (
    "answer",
    "key_findings",
    "in_detail",
    "contradictions",
    *FILLED_BY_CODE,
    "recommendation",
    "price_assessment",
    "journey",
    "sources",
)


def headings_of(markdown: str) -> list[str]:
    """The headings below the title, of the first level."""
    return re.findall(r"^## (.+)", markdown, re.M)


def expected_headings(markdown: str, *some: str, language: str = "en") -> list[str]:
    """What every report has, and `some` headings by their keys, in the order of report.md.

    A list that code fills may have lines in any report: where this one has them, its heading belongs to the order.
    """
    translate, shown = Messages(language), headings_of(markdown)
    filled = [key for key in FILLED_BY_CODE if translate(key) in shown]
    return [translate(key) for key in ORDER if key in (*ALWAYS, *some, *filled)]
