"""Say whether a sentence holds only under a condition of which nobody else speaks."""

import re
from typing import Final

from planner.audit.restrictions import is_one_of, without_lookalikes
from research_crawler.text.words import terms

_IF: Final = re.compile(
    r"\b(?:if|unless|provided that|as long as|in case|only when|wenn|falls|sofern|à condition|siempre que"
    r"|purché|tenzij|mits|jeśli)\s"
    r"(?P<what>[^,.;]{3,60})",
    re.I,
)
_UNLESS_SAID: Final = re.compile(r"\bunless\b[^,.;]{2,60}", re.I)
"""Who does not say otherwise has the default."""


def has_condition(text: str, known: str) -> bool:
    """Whether what a text says holds if something is so of which the others know nothing: "If you take the boat"."""
    others = set(terms(known))
    conditions = (
        terms(match["what"]) for match in _IF.finditer(_UNLESS_SAID.sub(" ", without_lookalikes(text)))
    )
    return any(not any(is_one_of(word, others) for word in words) for words in conditions if words)
