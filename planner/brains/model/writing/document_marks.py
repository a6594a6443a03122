"""Take from a model's sentences what belongs to the form of a document, which code makes: marks, numbers, a lead-in.

Small models write "1. Stop it." where they are asked for a sentence, and begin an answer with what it will be about.
"""

import re
from collections.abc import Sequence
from typing import Final

from research_crawler.core.models.reports.drafts import Sentence

_MARK: Final = re.compile(r"(?:#{1,6}|[-*+•])\s+")
"""Of a heading or of an item."""
_NUMBER: Final = re.compile(r"(?P<n>\d{1,2})[.)]\s+")
_LEAST_STEPS: Final = 2
"""One number alone may be a date: "8. Mai 1945"."""


def without_document_marks(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences without marks of headings and items; those that a model has numbered in their order are steps."""
    bare = [
        one.changed(text=one.text[mark.end() :]) if (mark := _MARK.match(one.text)) else one
        for one in sentences
    ]
    numbers = [_NUMBER.match(one.text) for one in bare]
    said = [int(number["n"]) for number in numbers if number]
    if len(said) < _LEAST_STEPS or said != [*range(1, len(said) + 1)]:
        return bare
    return [
        one.changed(text=one.text[number.end() :], form="step") if number else one
        for one, number in zip(bare, numbers, strict=True)
    ]


def without_lead_in(answer: Sequence[Sentence]) -> list[Sentence]:
    """The answer without a first line that only says what follows: it ends in a colon, shows no code and no figure, and
    cites nothing that the lines below do not cite."""
    first, *rest = answer
    cited = {place for one in rest for place in one.evidence}
    says_something = first.code or "`" in first.text or any(map(str.isdigit, first.text))
    is_lead_in = first.text.endswith((":", "：")) and not says_something and cited.issuperset(first.evidence)
    return rest if rest and is_lead_in else [*answer]
