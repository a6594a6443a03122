"""Which type of research a goal asks for, for callers that give none."""

import re
from typing import Final

from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.questions import ResearchType
from research_crawler.text.questions.wishes import asks_for_documentation, asks_for_news

_YEAR: Final = re.compile(r"\b(1\d{3}|20\d\d)\b")


def detect_type(goal: str, intent: Intent, *, stack: str = "", today: str = "") -> ResearchType:
    """The type of research that a goal asks for; an offer is always general research.

    News: it says so ("latest news", "recent developments"), and names no earlier year. Technical: the caller names a
    technology, or it asks for documentation. Words such as "class" or "method" are no sign: everything has them. A
    model may correct the type in its first answer.

    Args:
        stack: the technology that the caller names.
        today: ISO date; a goal that names an earlier year is about the past. Empty: any year is the past.
    """
    if intent == "commerce":
        return "general"
    years = _YEAR.findall(goal)
    if asks_for_news(goal) and not (years and max(years) < (today[:4] or "9999")):
        return "news"
    return "technical" if stack.strip() or asks_for_documentation(goal) else "general"
