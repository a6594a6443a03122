"""Tell whether a passage is about one of several things that are compared."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.text.query_words import is_code
from research_crawler.text.sentences import sentence_spans
from research_crawler.text.words import terms

_THING: Final = re.compile(r" – |: ")
_NUMBER: Final = re.compile(r"(?<=[a-z])-(?=\d)")
"""`RAID-5` is `RAID 5`."""
_NAME_WORDS: Final = 4
_OPENING_LENGTH: Final = 6
"""Words at the beginning of a sentence: what it is about stands there."""


@dataclass(frozen=True)
class Thing:
    """One of several things that are compared, such as `VACUUM` beside `VACUUM FULL`."""

    name: str
    longer: tuple[str, ...] = ()
    """The others that contain its name."""

    def is_told_of(self, text: str) -> bool:
        """Whether a sentence begins with the thing, and not with one of the others."""
        sentences = (text[start:end] for start, end in sentence_spans(text))
        return any(self._is_in(" ".join(one.split()[:_OPENING_LENGTH])) for one in sentences)

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a word of the thing."""
        if is_code(self.name):
            return self.name in text.lower()
        return not frozenset(terms(self.name)).isdisjoint(terms(text))

    def _is_in(self, text: str) -> bool:
        low = _NUMBER.sub(" ", text.lower())
        for other in self.longer:
            low = low.replace(other, " ")
        place = low.find(self.name)
        while place >= 0:
            end = place + len(self.name)
            if not (_goes_on(low[place - 1 : place]) or _goes_on(low[end : end + 1])):
                return True
            place = low.find(self.name, end)
        return False


def things_of(questions: Sequence[str]) -> list[Thing | None]:
    """The thing that each of some sub-questions is about: `VACUUM – PostgreSQL`, or `RAID 1` beside `RAID 5`; None for
    one that asks."""
    asked = ["" if question.rstrip().endswith("?") else question for question in questions]
    names = [_named(question) or _of_a_kind(question, asked) for question in asked]
    known = [name for name in names if name]
    return [
        Thing(name, tuple(other for other in known if name in other and name != other))
        if name and len(known) > 1
        else None
        for name in names
    ]


def _named(question: str) -> str:
    name, *rest = _THING.split(question.lower(), maxsplit=1)
    return name.strip() if rest else ""


def _of_a_kind(question: str, asked: Sequence[str]) -> str:
    """A short name without a scope, if another one has a word of it."""
    own = frozenset(terms(question))
    others = [other for other in asked if other and other != question]
    is_kind = any(own & frozenset(terms(other)) for other in others if len(other.split()) <= _NAME_WORDS)
    return question.strip().lower() if is_kind and len(question.split()) <= _NAME_WORDS else ""


def _goes_on(character: str) -> bool:
    """Whether a name goes on with this character: `vacuum_cost_limit` is another thing than `vacuum`."""
    return character.isalnum() or character in ("_", "-")
