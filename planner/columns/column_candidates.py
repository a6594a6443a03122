"""Find the places of pages that state a value of a column's type, with what speaks for each of them. Pure work.

The figures beside the weights are of the benchmark `columns_saved` in November 2026, with that weight alone changed:
values that are right of 144 on the open half, and of 158 on the one held back (119 and 117 at the time), and wrong
ones (8 and 11). Weights that it does not move were chosen on the invented pages of the benchmark `columns`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from planner.columns.column_subject import (
    ColumnSubject,
    is_sold_on,
    pages_naming_context,
    pages_of_product,
    shop_of,
    vendors_of_row,
)
from planner.columns.offer_columns import asks_offer, asks_stock
from planner.columns.value_places import ValuePlace, places_in_pages, whole_in
from planner.columns.value_readers import AskedWords, ValueInText, described_text, stated_values
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.products import IS_IN_STOCK, Availability, Condition
from research_crawler.core.models.web.pages import OFFER_CONDITION, OFFER_PRICE, PageKind, StoredPage
from research_crawler.core.vendors import NO_CATALOGUE, Catalogue
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.products.price.currencies import territory_of
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import stem, terms
from research_crawler.text.offers.purchase import CHECKED_CONDITIONS, condition_in
from research_crawler.text.questions.asked_nouns import asked_nouns, asks_description
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
_HEARSAY_KINDS: Final[frozenset[PageKind]] = frozenset({"forum", "article", "news", "review"})
"""Kinds of pages on which people tell what something costs, or did once, to them, and that sell nothing."""
_STOCK_CHARS: Final = 80
"""Longest line of a shop that says whether the thing is there: "On backorder, ships in 3 weeks"; a longer one is about
something else too."""
_SHOP_TYPES: Final = frozenset({"url", "email"})
"""Columns of these types ask for the shop's own address."""
_QUOTE_CHARS: Final = 600
"""Longest quote of a value; a longer place gives none."""


@dataclass(frozen=True)
class ColumnCandidate:
    """A value that a place states, and how well the place answers the column's question."""

    place: ValuePlace
    stated: ValueInText
    words: float = 1.0
    """Share of the question's own words."""
    direct: float = 1.0
    """Whether it says it of the subject itself (1), or of a part or a thing beside it (0)."""
    is_named: bool = False
    """Whether its label has nothing but words of the question."""
    is_hearsay: bool = False
    """Whether it is a price that only a post, or running text of a page that sells nothing, tells of."""
    other_condition: Condition | None = None
    """Of an offer: the condition of what it sells, where that is not the one that is asked for."""
    is_of_offer: bool = False
    """Whether it is what its page sells the thing for, or whether it is in stock there."""
    is_of_other_offer: bool = False
    """Whether another page than that of the row's offer says so, and the offer's page says it too."""
    is_there: bool | None = None
    """Of a shop's line about its stock: whether the thing can be had now."""
    meaning: float = 0.0

    @property
    def score(self) -> float:
        """0 to 1."""
        total = _MEANING * self.meaning + _WORDS * self.words + _DIRECT
        return total * (_BESIDE + (1 - _BESIDE) * self.direct) + _LABELLED * self.is_named

    @property
    def rank(self) -> float:
        """What decides which candidates are weighed, before their meaning is known."""
        return self.words + self.direct + 3 * self.place.is_about + 3 * self.place.is_page_of_context


class _ColumnQuestion(NamedTuple):
    """What a column asks for."""

    column: ColumnSpec
    words: frozenset[str]
    """All words of its question."""
    own: frozenset[str]
    """Those that say which value is meant, and not of which kind it is."""


class RowCandidateFinder:
    """Finds the candidates for a row's values in its pages. Pure work, for a thread of its own."""

    def __init__(self, job: Job, pages: Sequence[StoredPage], catalogue: Catalogue = NO_CATALOGUE) -> None:
        """Find the places, and say which of them are about the row's subject."""
        asked = " ".join(column.question_text for column in job.inputs.columns)
        self.language = detect(asked, job.inputs.language)
        """The language in which the columns ask; texts are compared by its stems."""
        self._subject = ColumnSubject(job.inputs, self.language, pages)
        names_shop = bool(vendors_of_row(job.inputs, catalogue))
        of_context = pages_naming_context(job.inputs, pages, catalogue)
        others = [page for page in pages if page not in of_context]
        self._condition = condition_in(job.inputs.goal)
        of_product = pages_of_product(job.inputs, pages, catalogue) if names_shop else []
        self._of_product = frozenset(page.sha for page in of_product)
        """Where the row names a shop: the pages that may tell of the product itself, whosever they are."""
        self._places = [
            replace(
                place,
                is_about=self._subject.is_about(place),
                may_be_about=self._subject.may_be_about(place),
                is_page_of_context=group is of_context,
                other_shop=shop_of(place.page, catalogue) if names_shop and group is others else "",
            )
            for group in (of_context, others)
            for place in places_in_pages(group, self._subject.name or job.inputs.goal)
        ]

    def candidates(self, column: ColumnSpec) -> list[ColumnCandidate]:
        """The best places that state a value of a column's type."""
        found = [
            candidate for place in self._places_for(column) for candidate in self.stated_in(column, place)
        ]
        return sorted(found, key=lambda candidate: -candidate.rank)[:MOST_WEIGHED]

    def nearest(self, column: ColumnSpec, most: int) -> list[ValuePlace]:
        """The places about the subject that have most words of a column's question, those of its entry first."""
        asked = self.asked(column) or _question_words(column, self.language)
        own = [place for place in self._places_for(column) if place.is_about and place.is_page_of_context]
        return sorted(
            own, key=lambda place: (not place.is_entry, -_share(asked, place.asked_text, self.language))
        )[:most]

    def _places_for(self, column: ColumnSpec) -> Iterator[ValuePlace]:
        """The places, those of other shops as good as the row's own where a column asks for what no shop decides."""
        is_of_shop = asks_offer(column) or column.type in _SHOP_TYPES
        for place in self._places:
            if not is_of_shop and place.page.sha in self._of_product:
                yield replace(place, is_page_of_context=True, other_shop="")
            else:
                yield place

    def asked(self, column: ColumnSpec) -> frozenset[str]:
        """The words of a column's question that say which value is meant, and not of which kind it is."""
        kind = kind_words(column.type, self.language)
        return _question_words(column, self.language) - self._subject.words - kind

    def stated_in(self, column: ColumnSpec, place: ValuePlace) -> Iterator[ColumnCandidate]:
        """The values of a column's type that a place states, each with what speaks for it."""
        question = _ColumnQuestion(column, _question_words(column, self.language), self.asked(column))
        if column.type == "text" and asks_description(column.question_text, self.language):
            return _described(place, question.words, self.language)
        if place.is_head:
            return _of_head(column, place, self.language)
        if asks_stock(column) and is_sold_on(place.page):
            if found := list(self._in_stock(column, place)):
                return iter(found)
            if column.type == "text":
                return iter(())
        return self._weighed(question, place, self._values_at(question, place))

    def _values_at(self, question: _ColumnQuestion, place: ValuePlace) -> list[ValueInText]:
        """The values of the column's type in a place, whatever they are values of."""
        column, page = question.column, place.page.page
        asked = question.own if column.type in ("text", "yes_no") else question.words
        return stated_values(
            column, place.text, asked=AskedWords(asked, self.language), language=page.language,
            territory=_territory(place.page), links=page.links, label=place.label, subject=self._subject.name,
        )  # fmt: skip

    def _weighed(
        self, question: _ColumnQuestion, place: ValuePlace, values: Sequence[ValueInText]
    ) -> Iterator[ColumnCandidate]:
        """The values of a place that its quote shows, with what speaks for the place and for each of them."""
        column, own = question.column, question.own
        share = _share(own, f"{place.label} {place.text}", self.language)
        is_named = place.is_pair and _has_only(place.label, question.words, self.language)
        # "Can only be set in the file or on the server command line" is no yes to "at server start".
        if column.type == "yes_no" and not is_named and share < 1:
            return
        direct = self._subject.directness(place, question.words)
        if column.type == "yes_no" and place.label and own:
            direct = max(direct, share)  # the value repeats the question: "Availability: in stock"
        asks_price = column.type == "money" and not own
        is_hearsay = asks_price and not is_named and _is_hearsay(place)
        for stated in values:
            if _quotes(place, stated) and not self._is_circular(column, stated):
                how = _directness(place, stated, direct, is_price=asks_price)
                candidate = ColumnCandidate(place, stated, share, how, is_named, is_hearsay)
                yield self._of_offer(column, candidate) if asks_price or asks_stock(column) else candidate

    def _in_stock(self, column: ColumnSpec, place: ValuePlace) -> Iterator[ColumnCandidate]:
        """What a shop's short line says of the stock, as a value of the column's type."""
        found = words_of_availability(place.text) if len(place.text) <= _STOCK_CHARS else "unknown"
        can_wait = found in ("backorder", "preorder")
        if found == "unknown" or not (can_wait or place.is_pair or len(place.text) <= _BARE_CHARS):
            return
        stated = _stock_value(column, place, found, is_sure=not can_wait)
        if stated and _quotes(place, stated):
            candidate = ColumnCandidate(place, stated, is_there=IS_IN_STOCK.get(found))
            yield self._of_offer(column, candidate)

    def _of_offer(self, column: ColumnSpec, candidate: ColumnCandidate) -> ColumnCandidate:
        """A candidate that tells of an offer, with the offer's condition if that is not the wanted one."""
        place = candidate.place
        return replace(
            candidate,
            other_condition=self._other_condition(column, place),
            is_of_offer=is_sold_on(place.page),
        )

    def _other_condition(self, column: ColumnSpec, place: ValuePlace) -> Condition | None:
        """The condition of what a place sells; None where it is asked for, or no condition is told.

        Who names none asks for a new thing.
        """
        wanted = condition_in(column.question_text) or self._condition or "new"
        found = _condition_of(place)
        return found if found not in (None, wanted) else None

    def _is_circular(self, column: ColumnSpec, stated: ValueInText) -> bool:
        """Whether a text names the subject itself: "taken from `pack.windowMemory`" is no value of it."""
        name = self._subject.name
        return column.type == "text" and bool(name) and whole_in(name, stated.shown) is not None


def _stock_value(
    column: ColumnSpec, place: ValuePlace, found: Availability, *, is_sure: bool
) -> ValueInText | None:
    """An availability as a value of the column's type; None where it is none of the choices."""
    is_there = IS_IN_STOCK.get(found, False)
    if column.type == "yes_no":
        return ValueInText(is_there, is_sure=is_sure)
    shown = place.text.removeprefix(f"{place.label}:").strip()
    if column.type == "text":
        return ValueInText(shown, shown)
    senses = {words_of_availability(choice): choice for choice in reversed(column.choices)}
    choice = senses.get(found) or (senses.get("in_stock") if is_there else None)
    return ValueInText(choice, shown) if choice else None


def _of_head(column: ColumnSpec, place: ValuePlace, language: str) -> Iterator[ColumnCandidate]:
    """What stands in brackets behind a name: the type of its value, or one of the answers that a column may have."""
    nouns = [stem(word, language) for word in asked_nouns(column.question_text, language)]
    is_type = column.type == "text" and not kind_words("type", language).isdisjoint(nouns[-1:])
    for answer in [place.text] if is_type else column.choices:
        if answer.casefold() == place.text.casefold():
            yield ColumnCandidate(place, ValueInText(answer, place.text), is_named=True)


def _described(place: ValuePlace, asked: frozenset[str], language: str) -> Iterator[ColumnCandidate]:
    """What a thing is or does: the first sentence of its entry, or what stands behind a label for it or behind the term
    that the question names (`--quiet`); else nothing."""
    named = place.is_pair and (
        _has_only(place.label, asked, language) or asks_description(place.label, language)
    )
    text = place.text.removeprefix(f"{place.label}:") if named else place.text
    stated = described_text(text) if named or place.is_opening else None
    if stated and _quotes(place, stated):
        yield ColumnCandidate(place, stated, is_named=named)


def _has_only(label: str, asked: frozenset[str], language: str) -> bool:
    """Whether a label has nothing but words of the question."""
    inside = frozenset(terms(label, language))
    return bool(inside) and inside <= asked


def _directness(place: ValuePlace, stated: ValueInText, direct: float, *, is_price: bool) -> float:
    """How directly one value of a place answers; `direct` is what its sentence says."""
    is_bare = bool(stated.shown) and stated.start == 0 and len(place.text) <= _BARE_CHARS
    if not place.label and (place.is_entry or is_bare):
        direct = 1.0
    offer = place.page.page.metadata.get(OFFER_PRICE) if is_price else None
    if offer is None:
        return direct
    return 1.0 if stated.value == float(offer) else _OTHER_PRICE * direct


def _is_hearsay(place: ValuePlace) -> bool:
    """Whether a place only tells what somebody paid."""
    page = place.page.page
    if page.kind == "forum" or any(" ".join(place.text.split()) in post.text for post in page.posts):
        return True
    return page.kind in _HEARSAY_KINDS and OFFER_PRICE not in page.metadata


def _condition_of(place: ValuePlace) -> Condition | None:
    """The condition of what a place prices: as its own line names it, else its page of one product."""
    page = place.page.page
    if named := condition_in(f"{place.label} {place.text}"):
        return named
    stated = page.metadata.get(OFFER_CONDITION)
    return next((one for one in CHECKED_CONDITIONS if one == stated), None) or condition_in(page.title)


def _territory(page: StoredPage) -> str:
    tld = host_of(page.final_url).rpartition(".")[2]
    return territory_of(page.page.language, tld if tld.isalpha() else "")


def _question_words(column: ColumnSpec, language: str) -> frozenset[str]:
    named = "" if column.type == "yes_no" else column.name.replace("_", " ")
    return frozenset(terms(f"{column.question_text} {named}", language))


def _quotes(place: ValuePlace, stated: ValueInText) -> bool:
    """Whether the quote contains the value as it is shown; yes and no are read from the whole sentence."""
    return len(place.markdown) <= _QUOTE_CHARS and stated.shown in f"{place.markdown}\n{place.text}"


def _share(asked: frozenset[str], text: str, language: str) -> float:
    """The share of the question's words that a text has, alone or as the beginning of a longer word."""
    has = frozenset(terms(text, language))
    count = sum(
        word in has or (len(word) >= _PREFIX and any(longer.startswith(word) for longer in has))
        for word in asked
    )
    return count / len(asked) if asked else 0.5
