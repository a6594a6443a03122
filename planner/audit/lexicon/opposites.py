"""Opposite properties by their words, in several languages: open and closed, free and paid."""

import re
from dataclasses import dataclass
from typing import Final

from planner.audit.lexicon.answering_words import ANSWERED_BY
from planner.audit.lexicon.opposite_words import PAIRS
from planner.audit.lexicon.opposite_words_of_things import PAIRS_OF_THINGS
from planner.audit.lexicon.word_lists import WordList
from research_crawler.text.words import WORD, stem


@dataclass(frozen=True)
class Opposites:
    """Two properties of which a thing has one."""

    one: WordList
    """Words by which a question asks for the first, and by which a statement tells it."""
    other: WordList
    tells_one: WordList
    """Further words by which a statement tells the first, and by which nobody asks for it."""
    tells_other: WordList

    def asked_side(self, question: str) -> bool | None:
        """Whether a question asks for the first of them (True) or the second; None for neither, or both."""
        has_one, has_other = self.one.is_in(question), self.other.is_in(question)
        return has_one if has_one != has_other else None

    def side_of(self, text: str) -> bool | None:
        """Whether a text tells the first of them (True) or the second; None for neither, or both.

        What a phrase says, its words say no more: "costs nothing" is free, though "costs" is not.
        """
        first, second = self._sides(text)
        if bool(first) != bool(second):
            return bool(first)
        phrases = [word for word in (*first, *second) if " " in word]
        if not first or not phrases:
            return None
        rest = self._sides(without_words(text, phrases))
        sides = [{word for word in side if " " in word} for side in (first, second)]
        has = [bool(phrase) or bool(left) for phrase, left in zip(sides, rest, strict=True)]
        return has[0] if has[0] != has[1] else None

    def told_by(self, text: str) -> list[str]:
        """The words of either side that a text has."""
        return [word for side in self._sides(text) for word in side]

    def longest_in(self, text: str) -> int:
        """How long the longest of their words or phrases is that a text has: "open source" says more than "open"."""
        return max(map(len, (*self.one.found(text), *self.other.found(text))), default=0)

    def _sides(self, text: str) -> tuple[list[str], list[str]]:
        return (
            [*self.one.found(text), *self.tells_one.found(text)],
            [*self.other.found(text), *self.tells_other.found(text)],
        )


_NAMED: Final = {
    name: Opposites(*map(WordList.of, (one, other, *ANSWERED_BY.get(name, ("", "")))))
    for name, (one, other) in (*PAIRS.items(), *PAIRS_OF_THINGS.items())
}
OPPOSITES: Final = tuple(_NAMED.values())

_ASKED_BY_FORM: Final = (
    (
        _NAMED["fit"],
        re.compile(
            r"^(?:can|may|could|should|shall|darf|dürfen|kann|können|peut-on|peuvent|puis-je|se puede|puede|pueden|può"
            r"|possono|si può|mag|mogen|kan|kunnen|pode|podem|można|czy można)\b"
            r"|\b(?:good|ok|okay|right|fine|recommended)\b",
            re.I,
        ),
    ),
    (
        _NAMED["has"],
        re.compile(
            r"^(?:does|do|did|has|have|is there|are there|gibt es|hat|haben|unterstützt|y a-t-il|hay|tiene|ha|c'è|heeft"
            r"|is er|tem|há|czy)\b",
            re.I,
        ),
    ),
)
"""What a question of yes or no asks for by its form, whatever its words are."""

_UN: Final = re.compile(r"(?:un|in|im|ir|il|non-?|dis|dés|des|nie|not-)(?=\w{4})", re.I)
"""Beginnings that turn a word round: "unencrypted", "uninhabited"."""
_FREE_OF: Final = re.compile(
    r"(?<![\w-])(?P<what>[^\W\d_]{3,20}?)-?(?:free|less|frei|los|loos|vrij)(?:e[nmrs]?)?(?!\w)", re.I
)
"""Endings that say that something is not there: "gluten-free", "lactosefrei"."""


def opposites_asked(question: str) -> list[tuple[Opposites, bool]]:
    """The opposite properties of which a question asks for one, and whether that is the first; the one that it has in
    the longest words first."""
    found = [(pair, side) for pair in OPPOSITES if (side := pair.asked_side(question)) is not None]
    return sorted(found, key=lambda one: -one[0].longest_in(question))


def opposites_of_form(question: str) -> list[Opposites]:
    """The opposite properties for whose first one a question asks by its form: "Can it …?"."""
    return [pair for pair, form in _ASKED_BY_FORM if form.search(question)]


def without_words(text: str, words: list[str]) -> str:
    """A text in lower case without some of its words or phrases, so that they are not counted twice."""
    low = text.lower().replace("’", "'")
    for word in sorted(words, key=len, reverse=True):
        low = low.replace(word, " ", 1)
    return low


def turned_round(text: str, asked: frozenset[str]) -> set[str]:
    """The stems of a question that a text has in a form which denies them.

    Args:
        text: what answers the question.
        asked: stems of the question.
    """
    found = {stem(match["what"].lower()) for match in _FREE_OF.finditer(text)}
    words = WORD.findall(text.lower())
    for word in words:
        if beginning := _UN.match(word):
            found.add(stem(word[beginning.end() :]))
    return (found & asked) - {stem(word) for word in words}
