"""The headings that report.md has in every report, in one list, and where those of some reports stand among them."""

import re

from planner.reports.code_filled_lists import CODE_FILLED_LISTS
from research_crawler.text.writing.messages import Messages

ALWAYS = ("answer", "journey", "sources")
"""A list of `CODE_FILLED_LISTS` that has lines in every report belongs here, by its key."""
ORDER = (
    "answer",
    "key_findings",
    "in_detail",
    "contradictions",
    *(part.key for part in CODE_FILLED_LISTS),
    "recommendation",
    "price_assessment",
    "journey",
    "sources",
)


def headings_of(markdown: str) -> list[str]:
    """The headings below the title, of the first level."""
    return re.findall(r"^## (.+)", markdown, re.M)


def expected_headings(*some: str, language: str = "en") -> list[str]:
    """What every report has, and `some` headings by their keys, in the order of report.md."""
    translate = Messages(language)
    return [translate(key) for key in ORDER if key in ALWAYS or key in some]
