"""Say what a number counts besides all of what is asked for: some, a part, those that have something, one of many."""

import re
from typing import Final

from planner.audit.lexicon.word_lists import WordList
from planner.audit.same_fact import VARIES
from planner.verify.number_words import NUMBER_WORDS
from research_crawler.text.words import terms

_SOME: Final = WordList.of(
    "new, additional, further, extra, remaining, other, of them, of these, of which, neue, neuen, weitere"
    ", zusätzliche"
    ", übrige, davon, nouveaux, nouvelles, autres, dont, nuevos, nuevas, otros, otras, nuovi, nuove, altri, altre"
    ", nieuwe, andere, novos, novas, outros, outras, nowych, kolejnych"
)
"""Words of a number that counts some of what another number counts all of."""
_PART_OF_ALL: Final = re.compile(
    r"\b(?:the|die|den|der|les|los|las|gli|de|os|as) (?:last|first|next|final|remaining|upper|lower|other|letzten"
    r"|ersten|nächsten|übrigen|derniers|dernières|premiers|premières|últimos|primeros|ultimi|primi|laatste"
    r"|eerste)\s$",
    re.I,
)
"""What stands before a number that measures a part."""
_PACKED: Final = re.compile(
    r"\b(?:packs?|packets?|packages?|boxes|box|sets?|bags?|bottles?|tins?|jars?|crates?|bundles?|batches"
    r"|batch|rolls?|groups?|teams?"
    r"|rows?|pairs?|packungen?|packung|boîtes?|paquets?|cajas?|paquetes?|confezion[ei]|pakken|pak)\s(?:of|mit"
    r"|von|zu|de|da|van)\s$",
    re.I,
)
"""What stands before a number of things that belong together, of which there may be more: "packs of 20 tablets"."""
_THOSE: Final = re.compile(
    r"\W{0,3}[\w.,]{1,20}\s[a-z]{3,20}\s(?:of|in|at)\s(?:the\s)?[A-Z][\w'’ -]{2,40}?\s(?:have|has|had|are|were|with)"
    r"\s(?P<what>.{3,80})"
)
_COMPARES: Final = re.compile(
    r"\b(?:than|more|less|fewer|lighter|heavier|longer|shorter|higher|lower|instead of|used to|als|mehr|weniger|moins"
    r"|menos|meno|meer|minder|niż)\b",
    re.I,
)
"""Words of a sentence whose number is a difference, or one of two."""
_BOUNDED: Final = re.compile(
    r"\b(?:(?:more|less|fewer|longer|mehr|weniger|meer|minder) (?:than|als|dan)|(?:plus|moins|más|menos|mais) de"
    r"|(?:più|meno) di)\s(?P<amount>\d|[^\W\d_]{2,20})",
    re.I,
)
"""Bounds of a number, which the number knows itself."""


def counts_some(text: str, amount: str) -> bool:
    """Whether a number of a text counts new or further ones, or a part: "45 new members", "the last 30 kilometres"."""
    before, _, behind = text.partition(amount)
    if _PART_OF_ALL.search(before) or _PACKED.search(before):
        return True
    near = f"{' '.join(before.split()[-1:])} {amount} {' '.join(behind.split()[:1])}"
    return _SOME.is_in(near)


def counts_those(text: str, question: str) -> bool:
    """Whether a number counts those of which something else is told: "twelve rooms of the hotel have a balcony"."""
    told = _THOSE.match(text)
    return told is not None and not set(terms(told["what"])) & set(terms(question))


def is_of_many(text: str) -> bool:
    """Whether the number of a sentence is one of many, or a difference of two."""
    return bool(VARIES.search(text) or _COMPARES.search(_BOUNDED.sub(_amount_alone, text)))


def _amount_alone(bound: re.Match[str]) -> str:
    """What a bound of a number leaves: nothing that compares."""
    amount = bound["amount"].lower()
    return " " if amount.isdigit() or amount in NUMBER_WORDS else bound[0]
