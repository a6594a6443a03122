"""Compare two statements: whether they state the same fact, or the same thing differently."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from planner.audit.lexicon.classes import PERSONS
from planner.audit.same_case import is_other_measure, is_same_time
from planner.audit.spans import span_of, with_joined_times
from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure, figures_of, unstated
from planner.verify.names import names_of
from planner.verify.polarity import clauses_of, dropped_limits, is_denied, is_limited
from research_crawler.text.agreement import denied_words, is_negated, stems_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

SAME_WORDS: Final = 0.6
"""Least share of the rarer words that two statements have in common for them to say the same of the same."""
SAME_EVENT: Final = 0.75
"""The same for two days: what was begun in one year and finished in another shares all but the one word that counts."""
_EVEN: Final = 1.0
VARIES: Final = re.compile(
    r"\b(?:averag\w*|median|mean|typical\w*|usual\w*|generally|ranges?|varies|depend(?:s|ing)|starts? (?:at|from)"
    r"|cheapest|most expensive|in (?:my|our) case|i (?:paid|got|bought)|durchschnitt\w*|meist\w*|en moyenne|de media"
    r"|in media)\b",
    re.I,
)
"""Words of a statement about many things, or about one of them, of which another page may give another number."""


@dataclass(frozen=True)
class Stated:
    """A statement with what it is compared by."""

    text: str

    @cached_property
    def dates(self) -> list[Date]:
        """Days, months and years that it names."""
        return dates_of(self.text)[0]

    @cached_property
    def figures(self) -> list[Figure]:
        """Its numbers that are no dates, with their units."""
        return with_joined_times(figures_of(dates_of(self.text)[1]), self.text)

    @cached_property
    def names(self) -> set[str]:
        """Stems of its names; that of a month is part of a date."""
        return names_of(dates_of(self.text)[1])

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that say what it is about: without numbers and dates."""
        return frozenset(word for word in terms(dates_of(self.text)[1]) if not word[0].isdigit())


def shared_words(one: Stated, other: Stated) -> float:
    """The share of the words of the shorter statement that the other one has, if their names agree; else 0."""
    if not one.words or not other.words or not _same_names(one, other):
        return 0.0
    common = len(one.words & other.words)
    fewer, more = sorted((len(one.words), len(other.words)))
    return common / fewer if common / more >= SAME_WORDS / 2 else 0.0


def is_same_fact(one: Stated, other: Stated) -> bool:
    """Whether both state the same: words, names, numbers with units, dates, and both or neither a negation."""
    if shared_words(one, other) < SAME_WORDS or is_negated(one.text) != is_negated(other.text):
        return False
    if unstated(one.figures, other.figures) or unstated(other.figures, one.figures):
        return False
    return _fit(one.dates, other.dates) and _fit(other.dates, one.dates) and not _denied(one, other)


def differing(one: Stated, other: Stated) -> tuple[Figure, Figure] | None:
    """The numbers of one unit that two statements about the same thing give differently; None if they do not.

    A bound or an estimate ("about", "more than", "up to") is no difference, and neither is an average.
    """
    if shared_words(one, other) < SAME_WORDS or VARIES.search(one.text) or VARIES.search(other.text):
        return None
    if not is_same_time(one.dates, other.dates):
        return None
    for mine in one.figures:
        same_unit = [f for f in other.figures if f.is_of_unit(mine.unit) and f.values and mine.values]
        if len(same_unit) == 1 == sum(f.is_of_unit(mine.unit) for f in one.figures):
            (theirs,) = same_unit
            if are_of_other_cases(one.figures, other.figures, {mine, theirs}):
                continue
            if is_other_measure(mine, one.text, theirs, other.text) or _count_apart(
                mine, one.text, theirs, other.text
            ):
                continue
            if mine.kind == theirs.kind == "exact" and not _agree(mine, theirs):
                if span_of(mine, one.text).meets(span_of(theirs, other.text)):
                    continue  # 75 cm is within 60 to 90 cm
                return mine, theirs
    return None


def _count_apart(one: Figure, text: str, other: Figure, other_text: str) -> bool:
    """Whether two numbers without a unit count different things: beds and nurses."""
    counted = [_counted_by(one, text), _counted_by(other, other_text)]
    return (
        not one.unit
        and all(counted)
        and stem(counted[0]) != stem(counted[1])
        and not all(map(PERSONS.is_in, counted))
    )


def _counted_by(figure: Figure, text: str) -> str:
    """The word behind a number; empty if it is a function word, or if the number stands alone."""
    inside = [] if figure.spelled else [word for word in WORD.findall(figure.text) if word.isalpha()]
    words = inside or [word for word in WORD.findall(text.partition(figure.text)[2])[:1] if word.isalpha()]
    return words[0].lower() if words and words[0].lower() not in STOPWORDS else ""


def are_of_other_cases(
    figures: Sequence[Figure], others: Sequence[Figure], compared: Collection[Figure]
) -> bool:
    """Whether two statements also differ in another number each: "40 MB for 1,000", "800 MB for 20,000"."""
    rest, other_rest = ([one for one in both if one not in compared] for both in (figures, others))
    return bool(rest and other_rest and unstated(rest, other_rest))


def differing_dates(one: Stated, other: Stated) -> tuple[Date, Date] | None:
    """The dates that two statements about the same thing give differently; None if they do not."""
    if shared_words(one, other) < SAME_EVENT or not (len(one.dates) == len(other.dates) == 1):
        return None
    if one.figures and other.figures and unstated(one.figures, other.figures):
        return None  # what is counted in two years
    (mine,), (theirs,) = one.dates, other.dates
    return None if mine.fits(theirs) else (mine, theirs)


def is_contrary(one: Stated, other: Stated) -> bool:
    """Whether one statement denies what the other says without a limit of its own.

    What is denied must be said: "apt-get does not know the command" denies nothing of "apt-get is recommended".
    """
    if shared_words(one, other) < SAME_WORDS or is_negated(one.text) == is_negated(other.text):
        return False
    denying, saying = (one, other) if is_negated(one.text) else (other, one)
    denied = denied_words(denying.text)
    if denied and not denied & stems_of(saying.text):
        return False
    if dropped_limits(one.text, other.text) or dropped_limits(other.text, one.text):
        return False
    if is_limited(one.text, ()) or is_limited(other.text, ()):  # each holds in its own case
        return False
    return _denied(one, other)


def _denied(one: Stated, other: Stated) -> bool:
    weights = dict.fromkeys(one.words | other.words, _EVEN)
    mine, theirs = clauses_of(one.text), clauses_of(other.text)
    return is_denied(mine, theirs, weights) and is_denied(theirs, mine, weights)


def _agree(one: Figure, other: Figure) -> bool:
    return one.is_stated_by(other) or other.is_stated_by(one) or one.is_converted(other)


def _fit(dates: Sequence[Date], others: Sequence[Date]) -> bool:
    return all(any(date.fits(other) for other in others) for date in dates)


def _same_names(one: Stated, other: Stated) -> bool:
    """Whether each name of one statement is at least a word of the other."""
    return one.names <= other.words | other.names and other.names <= one.words | one.names
