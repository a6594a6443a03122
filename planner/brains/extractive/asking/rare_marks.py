"""Find the years and model names of a question that no finding carries: then nothing that was read is about it."""

import re
from collections.abc import Sequence
from typing import Final

from research_crawler.core.models.commands import Intent
from research_crawler.core.models.findings import Finding

_MARK: Final = re.compile(r"\b(?:(?:19|20)\d\d|[^\W\d_]+[-./]?\d[\w./-]*)\b")
"""A year, or letters with digits (`R5`, `GPX-40`, `Q-217`). A number alone ("Apache 2.4") need not be repeated: manuals
name their version on another page."""


def rare_marks(question: str) -> list[str]:
    """The years and model names of a question, in its order."""
    return list(dict.fromkeys(match[0] for match in _MARK.finditer(question)))


def lacking_marks(question: str, findings: Sequence[Finding], *, intent: Intent) -> list[str]:
    """The marks of a question that stand in no finding, title, heading or address; the year of a page carries it too.

    Spelling does not count: `GPX 40` is `GPX-40`. For a purchase, no year is needed: the best saw of this year may be
    one of last year.
    """
    marks = [mark for mark in rare_marks(question) if intent != "commerce" or not mark.isdecimal()]
    if not marks or not findings:
        return []
    texts = [f"{one.title} {one.heading} {one.quote} {one.url}" for one in findings]
    known = _squeezed(" ".join(texts))
    years = {one.published[:4] for one in findings}
    return [mark for mark in marks if _squeezed(mark) not in known and mark not in years]


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
