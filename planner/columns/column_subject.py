"""Say whether a place of a page is about what the columns ask about, or about something beside it."""

from collections.abc import Sequence
from typing import Final

from planner.columns.value_places import (
    ValuePlace,
    begins_entry,
    is_ordinary_word,
    is_page_about,
    whole_in,
)
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.web.pages import OFFER_PRICE, StoredPage
from research_crawler.core.vendors import NO_CATALOGUE, Catalogue, Vendor
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.language import function_words
from research_crawler.text.languages.sentences import leans
from research_crawler.text.languages.words import WORD, stem, terms
from research_crawler.text.offers.purchase import before_use
from research_crawler.text.questions.subject import subject_of

SUBJECT_MIN_WORD_SHARE: Final = 0.7
"""Least share of the subject's words that a place, or its page, must have: two words of three are shared with
"House Museum" too."""
_LEADING_WORDS: Final = 5
"""So many words of a sentence are its beginning, in which its subject stands."""
_READ_CHARS: Final = 20_000
"""So much of a page says what it names."""


class ColumnSubject:
    """What the columns are about: the words of a row's fields, its name first, or the names of the goal."""

    def __init__(self, inputs: JobInputs, language: str, pages: Sequence[StoredPage]) -> None:
        """Read the row's name; `language` is that in which its columns ask, `pages` those that the row read."""
        self._language = language
        self.name = next(iter(_fields(inputs)), "")
        """The subject as the row names it."""
        own = frozenset(_stems(self.name, language)) or subject_of(inputs.goal).words
        own = own or frozenset(terms(inputs.goal, language))
        self._own_stems = own
        self._is_one_word = len(self.name.split()) == 1
        self._is_ordinary = is_ordinary_word(self.name, pages)
        self._siblings = subject_of(self.name or inputs.goal)
        self._pages: dict[str, float] = {}
        self._naming: dict[str, bool] = {}

    @property
    def words(self) -> frozenset[str]:
        """Stems of the words that name the subject."""
        if self._is_one_word:  # the parts of `push.default` are words of other things too
            return frozenset({stem(self.name.lower(), self._language)})
        return self._own_stems

    def is_about(self, place: ValuePlace) -> bool:
        """Whether a place says something of the subject: it stands in its entry, or it or its page names it.

        Where the name is an ordinary word, only the page's title or the head of the place's row names it.
        """
        if place.is_entry:
            return True
        if self._is_ordinary:
            is_about_page = is_page_about(place.page, self.name, is_ordinary=True)
            return is_about_page or begins_entry(place.label, self.name)
        of_page, whole = self._of_page(place.page), place.asked_text
        own = f"{place.label}: {place.text}"
        if of_page < 0 or self._siblings.is_neighbour(own) or self._siblings.is_neighbour(whole):
            return False
        return max(of_page, self._share(whole)) >= SUBJECT_MIN_WORD_SHARE

    def may_be_about(self, place: ValuePlace) -> bool:
        """Whether a place that does not name the subject may be about it: its page does, and it names no other thing.

        A page about a sibling, or about a thing for it, is of that one, and so is a row of a table with a head of its
        own.
        """
        page = place.page
        if self._of_page(page) < 0 or self._siblings.is_neighbour(f"{place.asked_text} {place.label}"):
            return False
        is_row = place.label and not place.is_pair
        return not is_row and self._is_named_on(page)

    def directness(self, place: ValuePlace, asked: frozenset[str]) -> float:
        """Whether a sentence says something of the subject itself (1), or of a part or a thing beside it (0).

        Its first words tell: the subject's name, a pronoun or a label that was asked for, or another noun.
        """
        known = self.words | asked
        if place.label:
            inside = terms(place.label, self._language)
            return sum(word in known for word in inside) / len(inside) if inside else 0.5
        if self._share(place.text) >= SUBJECT_MIN_WORD_SHARE or leans(place.text):
            return 1.0
        first_stems = _stems(" ".join(place.text.split()[:_LEADING_WORDS]), self._language)
        first = next(
            (word for word in first_stems if word not in function_words() and not word[0].isdigit()), ""
        )
        return float(first in known)

    def _of_page(self, page: StoredPage) -> float:
        """How far a page is about the subject by its title; -1 if it is about a sibling or a thing for it."""
        if page.sha not in self._pages:
            is_other = self._siblings.is_neighbour(page.page.title) or self._is_thing_for_it(page)
            self._pages[page.sha] = -1.0 if is_other else self._share(page.page.title)
        return self._pages[page.sha]

    def _is_named_on(self, page: StoredPage) -> bool:
        """Whether a page has all words of the subject."""
        if page.sha not in self._naming:
            text = f"{page.page.title}\n{page.page.text[:_READ_CHARS]}"
            self._naming[page.sha] = self._share(text) == 1.0
        return self._naming[page.sha]

    def _is_thing_for_it(self, page: StoredPage) -> bool:
        """Whether a page sells what is used with the subject, and the subject is no such thing itself: "Cooling pad
        for Tarn 300"."""
        title = page.page.title
        if not is_sold_on(page) or before_use(self.name, equipment=False) != self.name:
            return False
        return self._share(before_use(title, equipment=False)) < SUBJECT_MIN_WORD_SHARE <= self._share(title)

    def _share(self, text: str) -> float:
        """The share of the subject's words that a text has."""
        if self._is_one_word:
            return float(whole_in(self.name, text) is not None)
        has = {*terms(text, self._language), *_stems(text, self._language)}
        return len(self._own_stems & has) / len(self._own_stems) if self._own_stems else 1.0


def pages_naming_context(
    inputs: JobInputs, pages: Sequence[StoredPage], catalogue: Catalogue = NO_CATALOGUE
) -> list[StoredPage]:
    """The pages that name what the question says beside the name, any of it: for `Timeout` of Apache those of Apache.

    Those of their hosts are among them: few pages of a manual name its program. On the open half of `columns_manuals`
    4 of 29 right values were lost without it.

    It alone tells apart what two programs name alike. A field of the row that the question does not use may be a
    number of the caller's own, which no page has.

    Where a field is the name of a vendor of the catalogue, its own pages are meant, whether they name it or not; what
    another vendor sells is at that one, whatever it names.
    """
    name, *others = _fields(inputs) or [""]
    asked = [field for field in others if field.casefold() in inputs.goal.casefold()]
    if vendors := vendors_of_row(inputs, catalogue):
        return [page for page in pages if _is_at(page, vendors, catalogue)]
    return _pages_naming(asked, name, pages)


def pages_of_product(
    inputs: JobInputs, pages: Sequence[StoredPage], catalogue: Catalogue
) -> list[StoredPage]:
    """The pages that may tell of the product itself, at whichever shop: those that name what the row says beside its
    name and the names of vendors.
    """
    name, *others = _fields(inputs) or [""]
    asked = [field for field in others if field.casefold() in inputs.goal.casefold()]
    return _pages_naming(
        [field for field in asked if not catalogue.called(field, inputs.region)], name, pages
    )


def _pages_naming(fields: Sequence[str], name: str, pages: Sequence[StoredPage]) -> list[StoredPage]:
    words = {word for field in fields for word in _stems(field)}.difference(_stems(name))
    if not words:
        return list(pages)
    hosts = {host_of(page.final_url) for page in pages if not words.isdisjoint(_stems_of_page(page))}
    return [page for page in pages if host_of(page.final_url) in hosts]


def vendors_of_row(inputs: JobInputs, catalogue: Catalogue) -> list[Vendor]:
    """The vendors of the catalogue that a row names beside its subject, where the question uses them."""
    asked = [field for field in _fields(inputs)[1:] if field.casefold() in inputs.goal.casefold()]
    return [vendor for field in asked for vendor in catalogue.called(field, inputs.region)]


def shop_of(page: StoredPage, catalogue: Catalogue) -> str:
    """The shop whose page it is, by its name in the catalogue, else its host; "" for a page that sells nothing."""
    host = host_of(page.final_url)
    if own := catalogue.match(f"https://{host}/"):
        return own.name
    return host if is_sold_on(page) else ""


def _is_at(page: StoredPage, vendors: Sequence[Vendor], catalogue: Catalogue) -> bool:
    """Whether a page is one of these vendors, or of nobody who sells and tells of one of them."""
    if own := catalogue.match(f"https://{host_of(page.final_url)}/"):
        return own in vendors
    if is_sold_on(page):
        return False
    text = f"{page.page.title}\n{page.page.text[:_READ_CHARS]}"
    return any(vendor.named_in(text) for vendor in vendors)


def is_sold_on(page: StoredPage) -> bool:
    """Whether a page sells things: a shop's page of a product, or its list of them."""
    return page.page.kind in ("product", "listing") or OFFER_PRICE in page.page.metadata


def _stems_of_page(page: StoredPage) -> list[str]:
    return _stems(f"{page.page.title} {page.final_url} {page.page.text[:_READ_CHARS]}")


def _fields(inputs: JobInputs) -> list[str]:
    """The fields of a row that are not empty; the first one is its name."""
    return [field.strip() for field in inputs.subject.split(";") if field.strip()]


def _stems(text: str, language: str = "en") -> list[str]:
    """The stems of all words, function words too: a name may consist of them."""
    return [stem(word, language) for word in WORD.findall(text)]
