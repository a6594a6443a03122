"""Say whether a place of a page is about what the columns ask about, or about something beside it."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from planner.columns.entries import names_whole
from planner.columns.value_places import ValuePlace
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.web.pages import OFFER_PRICE, StoredPage
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.language import function_words
from research_crawler.text.languages.sentences import leans
from research_crawler.text.languages.words import WORD, stem, terms
from research_crawler.text.offers.purchase import before_use
from research_crawler.text.questions.subject import VARIANTS, subject_of

IS_ABOUT: Final = 0.65
"""Least weighted share of the subject's words that a place, or its page, must have: two words of three are shared with
"House Museum" too. 0.5: two right ones more of 158 on the half of `columns_saved` held back, and five wrong ones more
of 240 on the invented pages of `columns`; 0.7: two and three fewer on the halves of `columns_saved`."""
_LEADING_WORDS: Final = 5
"""So many words of a sentence are its beginning, in which its subject stands."""
_READ_CHARS: Final = 20_000
"""So much of a page says what it names."""


class ColumnSubject:
    """What the columns are about: the words of a row's fields, its name first, or the names of the goal."""

    def __init__(self, inputs: JobInputs, spots: Sequence[ValuePlace]) -> None:
        """Weigh the words by their rarity on these pages."""
        fields = _fields(inputs)
        self.name = fields[0] if fields else ""
        """The subject as the row names it."""
        own = set(_words(self.name)) or set(subject_of(inputs.goal).words) or set(terms(inputs.goal))
        self._siblings = _Siblings(self.name or inputs.goal, is_name=bool(fields))
        self._variants = {stem(word) for word in VARIANTS} & own
        pages = {spot.page.sha: spot.page for spot in spots}
        has = [set(_words(f"{page.page.title} {page.page.text[:_READ_CHARS]}")) for page in pages.values()]
        is_name = any(char.isupper() or char.isdigit() for char in (self.name or inputs.goal)[1:])
        kinds = set(terms(inputs.goal.replace(self.name, " "))) if fields else set()
        self._weights = _weights(own - kinds or own, has, is_name=is_name)
        self._pages: dict[str, float] = {}

    @property
    def words(self) -> frozenset[str]:
        """Stems of the words that name the subject."""
        if len(self.name.split()) == 1:  # the parts of `push.default` are words of other things too
            return frozenset({stem(self.name.lower())})
        return frozenset(self._weights)

    def is_about(self, spot: ValuePlace) -> bool:
        """Whether a place says something of the subject: it stands in its entry, or it or its page names it."""
        if not self._weights or spot.is_entry:
            return True
        own, of_page = f"{spot.label}: {spot.text}", self._of_page(spot.page)
        whole = f"{spot.context}: {own}"
        if of_page < 0 or self._siblings.are_in(own) or self._siblings.are_in(whole):
            return False
        return max(of_page, self._share(whole)) >= IS_ABOUT

    def directness(self, spot: ValuePlace, asked: frozenset[str]) -> float:
        """Whether a sentence says something of the subject itself (1), or of a part or a thing beside it (0).

        Its first words tell: the subject's name, a pronoun or a label that was asked for, or another noun.
        """
        known = self.words | asked
        if spot.label:
            inside = [word for word in terms(spot.label) if not word[0].isdigit()]
            return sum(word in known for word in inside) / len(inside) if inside else 0.5
        if self._share(spot.text) >= IS_ABOUT or leans(spot.text):
            return 1.0
        lead = _words(" ".join(spot.text.split()[:_LEADING_WORDS]))
        first = next((word for word in lead if word not in function_words() and not word[0].isdigit()), "")
        return 1.0 if first in known else 0.0

    def _of_page(self, page: StoredPage) -> float:
        """How far a page is about the subject by its title; -1 if it is about a sibling or a thing for it."""
        if page.sha not in self._pages:
            is_other = self._siblings.are_in(page.page.title) or self._is_thing_for_it(page)
            self._pages[page.sha] = -1.0 if is_other else self._share(page.page.title)
        return self._pages[page.sha]

    def _is_thing_for_it(self, page: StoredPage) -> bool:
        """Whether a page sells what is used with the subject: "Cooling pad for Tarn 300"."""
        title = page.page.title
        is_sold = page.page.kind in ("product", "listing") or OFFER_PRICE in page.page.metadata
        if (
            not is_sold or before_use(self.name, equipment=False) != self.name
        ):  # the thing itself is for something
            return False
        return self._share(before_use(title, equipment=False)) < IS_ABOUT <= self._share(title)

    def _share(self, text: str) -> float:
        """The weighted share of the subject's words that a text has; without the variant in its name, not enough."""
        if self.name and len(self.name.split()) == 1:
            return float(names_whole(text, self.name))
        has, total = {*terms(text), *_words(text)}, sum(self._weights.values())
        share = sum(weight for word, weight in self._weights.items() if word in has) / total if total else 1.0
        return share if self._variants <= has else min(share, IS_ABOUT - 0.01)


def placed_pages(inputs: JobInputs, pages: Sequence[StoredPage]) -> list[StoredPage]:
    """The pages that name what the question says beside the name, any of it: for `Timeout` of Apache those of Apache.

    Those of their hosts are among them: few pages of a manual name its program. On the open half of `columns_manuals`
    4 of 29 right values were lost without it.

    It alone tells apart what two programs name alike. A field of the row that the question does not use may be a
    number of the caller's own, which no page has.
    """
    name, *others = _fields(inputs) or [""]
    asked = [field for field in others if field.casefold() in inputs.goal.casefold()]
    words = {word for field in asked for word in _words(field)}.difference(_words(name))
    if not words:
        return list(pages)
    hosts = {host_of(page.final_url) for page in pages if not words.isdisjoint(_words_of(page))}
    return [page for page in pages if host_of(page.final_url) in hosts]


def _words_of(page: StoredPage) -> list[str]:
    return _words(f"{page.page.title} {page.final_url} {page.page.text[:_READ_CHARS]}")


def _fields(inputs: JobInputs) -> list[str]:
    """The fields of a row that are not empty; the first one is its name."""
    return [field.strip() for field in inputs.subject.split(";") if field.strip()]


class _Siblings:
    """Recognises names that begin as the subject's and go on otherwise: `Tarn 310` or `Tarn 300 Duo` for `Tarn 300`."""

    def __init__(self, name: str, *, is_name: bool) -> None:
        self._goal = None if is_name else subject_of(name)
        self._own = [_bare(match[0]) for match in WORD.finditer(name)]

    def are_in(self, text: str) -> bool:
        """Whether a text names a sibling and not the subject."""
        if self._goal is not None or not self._own:
            return self._goal is not None and self._goal.is_neighbour(text)
        tokens = list(WORD.finditer(text))
        low = [_bare(token[0]) for token in tokens]
        has_all, found = set(self._own) <= set(low), False
        for n, word in enumerate(low):
            if word != self._own[0]:
                continue
            same = next(
                (k for k, own in enumerate(self._own) if low[n + k : n + k + 1] != [own]), len(self._own)
            )
            following = low[n + same] if _goes_on(text, tokens, n + same) else ""
            if same < len(self._own):
                is_other = following and following not in self._own and not has_all
                found = found or bool(is_other and tokens[n][0][0].isupper())
            elif following in VARIANTS:  # a maker's word; shops append what they like: `128 GB`
                found = True
            else:
                return False
        return found


def _bare(word: str) -> str:
    return word.lower().removesuffix("'s").removesuffix("’s")


def _goes_on(text: str, tokens: Sequence[re.Match[str]], n: int) -> bool:
    """Whether word `n`, behind a name, makes it another one: a number, or a word with a capital."""
    if n >= len(tokens) or text[tokens[n - 1].end() : tokens[n].start()].strip(" "):
        return False
    return tokens[n][0][0].isupper() or tokens[n][0][0].isdigit()


def _words(text: str) -> list[str]:
    """The stems of all words, function words too: a name may consist of them."""
    return [stem(word) for word in WORD.findall(text)]


def _weights(own: set[str], pages: Sequence[set[str]], *, is_name: bool) -> dict[str, float]:
    """Rare words weigh most. A word of a name that no page has weighs what the others do on average, as pages shorten
    names; a common noun that no page has weighs more than all others, as then no page is about it.
    """
    found = Counter(word for has in pages for word in own & has)
    weights = {word: (1 + len(pages)) / (1 + count) for word, count in found.items()}
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    unseen = mean if is_name else mean + sum(weights.values())
    return {word: weights.get(word, unseen) for word in own}
