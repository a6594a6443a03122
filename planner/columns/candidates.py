"""Find the places of pages that state a value of a column's type, with what speaks for each of them. Pure work.

The figures beside the weights are of the benchmark `columns_saved` in November 2026, with that weight alone changed:
values that are right of 144 on the open half, and of 158 on the one held back (119 and 117 as they stand), and wrong
ones (8 and 11). Weights that it does not move were chosen on the invented pages of the benchmark `columns`.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from planner.columns.entries import entry_names
from planner.columns.places import ValuePlace, places_in_pages
from planner.columns.subject import IS_ABOUT, ColumnSubject
from planner.columns.typed import StatedValue, stated_values
from research_crawler.core.models.columns import ColumnSpec, ColumnType
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.pages import OFFER_PRICE, StoredPage
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.products.price.currencies import territory_of
from research_crawler.text.numbers import unit_of
from research_crawler.text.words import terms

MOST_WEIGHED: Final = 24
"""Most places that are embedded for a column."""
_MEANING, _WORDS, _DIRECT = 0.45, 0.35, 0.2
"""Meaning 0.2: 119 and 116. Words 0.1: 107 and 103. Directness 0: 92 and 94."""
_LABELLED: Final = 0.12
"""So much more has a value whose label is what the question asks. 0: 117 and 117."""
_BESIDE: Final = 0.42
"""So much of its score keeps a sentence about a part of the subject, or about a thing beside it. 1: 116 and 120, with
11 and 12 wrong ones."""
_PREFIX: Final = 4
_BARE_CHARS, _AFTER_WORDS = 40, 0.6
"""Longest line that is bare, and the directness of a value behind some words in it. 0: 6 wrong ones instead of 8."""
_OTHER_PRICE: Final = 0.4
"""So much of its directness keeps an amount that is not the price at which its page sells the thing. 1: 117 and 116,
with 10 and 15 wrong ones."""
_WINDOW: Final = 40
"""Characters around a value whose words say most of it, where a sentence has several values."""
_GENERIC: Final[Mapping[ColumnType, str]] = {
    "text": "value",
    "number": "much many number count total amount long large big size high",
    "money": "cost price much pay charge amount expensive sell sold buy",
    "date": "date day year month time when",
    "yes_no": "support offer have include available",
    "choice": "kind type which category",
    "url": "website site page link url address homepage web online",
    "email": "email mail e-mail address contact reach",
}
"""Words of a question that every value of the type answers; the others say which value is meant."""
_QUOTE_CHARS: Final = 600


@dataclass(frozen=True)
class ColumnCandidate:
    """A value that a place states, and how well the place answers the column's question."""

    spot: ValuePlace
    stated: StatedValue
    words: float
    """Weighted share of the question's own words."""
    about: float
    direct: float
    is_named: bool = False
    """Whether its label has nothing but words of the question."""
    meaning: float = 0.0

    @property
    def score(self) -> float:
        """0 to 1."""
        total = (_MEANING * self.meaning + _WORDS * self.words + _DIRECT) * (
            _BESIDE + (1 - _BESIDE) * self.direct
        )
        total += _LABELLED * self.is_named
        unit = 1.0 if self.stated.is_wanted_unit else 0.8
        return max(0.0, total) * unit * (1.0 if self.stated.is_sure else 0.9)


def column_candidates(job: Job, pages: Sequence[StoredPage]) -> dict[str, list[ColumnCandidate]]:
    """By column: the best places that state a value of its type. Pure work, for a thread of its own."""
    name = job.inputs.subject.split(";")[0].strip()
    spots = places_in_pages(pages, entry_names(name or job.inputs.goal))
    subject = ColumnSubject(job.inputs, spots)
    about = [subject.about(spot) for spot in spots]
    stems = [frozenset(terms(spot.asked_text)) for spot in spots]
    rarity = _rarity(stems)
    locales = [_locale_of(spot.page) for spot in spots]
    found: dict[str, list[ColumnCandidate]] = {}
    for column in job.inputs.columns:
        named = "" if column.type == "yes_no" else column.name.replace("_", " ")
        asked = frozenset(terms(f"{column.asks} {named}"))
        generic = frozenset(terms(_GENERIC[column.type]))
        wanted = _distinct_stems(asked - subject.words - generic)
        weights = {word: rarity.get(word, max(rarity.values(), default=1.0)) for word in wanted}
        candidates = [
            ColumnCandidate(spot, stated, words, about[n], direct, _is_named(spot, asked))
            for n, spot in enumerate(spots)
            for stated, words, direct in _stated(
                column, spot, _Asked(asked, generic, weights), subject, locales[n]
            )
        ]
        candidates.sort(key=lambda one: -(one.words + one.direct + 3 * (one.about >= IS_ABOUT)))
        found[column.name] = candidates[:MOST_WEIGHED]
    return found


@dataclass(frozen=True)
class _Asked:
    """The words of a column's question."""

    all: frozenset[str]
    generic: frozenset[str]
    """Those that every value of its type answers."""
    own: Mapping[str, float]
    """The others, by their rarity: they say which value is meant."""


def _stated(
    column: ColumnSpec, spot: ValuePlace, asked: _Asked, subject: ColumnSubject, locale: tuple[str, str]
) -> Iterator[tuple[StatedValue, float, float]]:
    """The values that a place states, each with its share of the question's words and its directness."""
    language, territory = locale
    links = spot.page.page.links
    found = stated_values(
        column, spot.text, asked=frozenset(asked.own) if column.type in ("text", "yes_no") else asked.all,
        language=language, territory=territory, links=links, label=spot.label, subject=subject.name,
    )  # fmt: skip
    if not found:
        return
    direct = subject.directness(spot, asked.all | asked.generic)
    said = frozenset(terms(spot.asked_text))
    own = frozenset(terms(f"{spot.label} {spot.text}"))
    whole = max(_words_share(asked.own, own), _words_share(asked.own, said))
    if column.type == "yes_no":  # a quote has to say it, and not what stands around it
        whole = _words_share(dict.fromkeys(asked.own, 1.0), own)
        if whole < 1 and not _has_neighbours(column.asks, f"{spot.label} {spot.text}"):
            return
    if column.type == "text" and spot.is_entry and spot.label and _words_share(asked.own, own) == 0:
        return
    for stated in found:
        if _contains(spot, stated):
            near = spot.text[max(0, stated.start - _WINDOW) : stated.start + len(stated.shown) + _WINDOW]
            local = (
                _words_share(asked.own, frozenset(terms(f"{spot.label} {near}"))) if len(found) > 1 else whole
            )
            own_direct = _directness(column, spot, asked, stated, direct=direct, words=whole)
            yield stated, (whole + local) / 2, own_direct


def _has_neighbours(question: str, text: str) -> bool:
    """Whether two words stand side by side in a question and in a text: "server start", and not one here, one there."""
    asked, said = terms(question), terms(text)
    return bool(set(pairwise(asked)) & set(pairwise(said)))


def _directness(
    column: ColumnSpec, spot: ValuePlace, asked: _Asked, stated: StatedValue, *, direct: float, words: float
) -> float:
    """How directly one value of a place answers; `direct` is what its sentence says, `words` its share of them."""
    if not spot.label:
        direct = 1.0 if spot.is_entry else max(direct, _bareness(spot.text, stated))
    if column.type == "number" and stated.unit and stated.unit == column.unit and not unit_of(column.unit):
        return max(direct, _AFTER_WORDS)  # it counts what was asked for
    if column.type == "text" and not spot.label:
        return 1.0  # the phrase hangs on the word that was asked for
    if column.type == "yes_no" and spot.label and asked.own:
        return max(direct, words)  # the value repeats the question: "Availability: in stock"
    offer = spot.page.page.metadata.get(OFFER_PRICE) if column.type == "money" and not asked.own else None
    if offer is None:
        return direct
    return 1.0 if stated.value == float(offer) else _OTHER_PRICE * direct


def _is_named(spot: ValuePlace, asked: frozenset[str]) -> bool:
    return spot.is_pair and bool(named := frozenset(terms(spot.label))) and named <= asked


def _bareness(text: str, stated: StatedValue) -> float:
    """How far a line is nothing but the value, so that what it is a value of stands above it.

    1 where words follow at most ("$39.00 every month", "$329.00 Was $379.00"), less where a few stand before it.
    """
    if not stated.shown or len(text) > _BARE_CHARS or (text[-1:] in ".?!" and stated.shown[-1:] != "."):
        return 0.0
    return _AFTER_WORDS if any(char.isalnum() for char in text[: stated.start]) else 1.0


def _contains(spot: ValuePlace, stated: StatedValue) -> bool:
    """Whether the quote has the value as it is shown; yes and no stand in the sentence as a whole."""
    if len(spot.markdown) > _QUOTE_CHARS:
        return False
    return not stated.shown or stated.shown in spot.markdown or stated.shown in " ".join(spot.text.split())


def _locale_of(page: StoredPage) -> tuple[str, str]:
    """Language and country of a page."""
    tld = host_of(page.final_url).rpartition(".")[2]
    language = page.page.language
    return language, territory_of(language, tld if tld.isalpha() else "")


def _distinct_stems(words: Iterable[str]) -> set[str]:
    """The words without those that another one begins: `fold` stands for `foldabl` too."""
    kept: set[str] = set()
    for word in sorted(words, key=len):
        if not any(len(short) >= _PREFIX and word.startswith(short) for short in kept):
            kept.add(word)
    return kept


def _rarity(stems: Sequence[frozenset[str]]) -> dict[str, float]:
    counts: defaultdict[str, int] = defaultdict(int)
    for words in stems:
        for word in words:
            counts[word] += 1
    return {word: math.log(1 + len(stems) / count) for word, count in counts.items()}


def _words_share(weights: Mapping[str, float], has: frozenset[str]) -> float:
    """The weighted share of the question's own words that a place has; in the middle where it has none of its own."""
    total = sum(weights.values())
    if not total:
        return 0.5
    return sum(weight for word, weight in weights.items() if _is_said(word, has)) / total


def _is_said(word: str, has: frozenset[str]) -> bool:
    return word in has or (len(word) >= _PREFIX and any(other.startswith(word) for other in has))
