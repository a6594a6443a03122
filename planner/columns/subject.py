"""Say whether a place of a page is about what the columns ask about, or about something beside it."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

from planner.columns.entries import names_whole
from planner.columns.places import ValuePlace
from research_crawler.core.models.jobs import JobInputs
from research_crawler.core.models.pages import StoredPage
from research_crawler.text.language import function_words
from research_crawler.text.subject import VARIANTS, subject_of
from research_crawler.text.words import WORD, stem, terms

IS_ABOUT: Final = 0.5
"""Least weighted share of the subject's words that a place, or its page, must have. 0.35: 12 wrong ones on
the half held back instead of 11; 0.65: 116 and 115."""
_LEADING_WORDS: Final = 5
"""So many words of a sentence are its beginning, in which its subject stands."""
_ITSELF: Final = re.compile(
    r"(?:it|its|they|their|he|his|she|her|er|sie|es|sein\w*|ihr\w*|il|elle|son|sa|ses|su|sus|with|at|for|mit|für|avec"
    r"|can|may|comes?|includes?|has|offers?|features|weighs|supports|fits|works|provides|requires|costs|available"
    r"|kann|enthält|hat|bietet|wiegt|kostet|erhältlich|verfügbar|disponible|inclut|incluye)\b",
    re.I,
)
"""Words that begin a sentence about what its page is about; where it has no subject, it says it of that."""
_NAME_RUN: Final = re.compile(
    r"\W*(?:The |Der |Die |Das |Le |La |El )?"
    r"((?:[A-Z][\w'’&-]*+\s+(?:(?:of|and|for|de|du|und|der)\s+)?)+[A-Z0-9][\w'’&-]*+)"
)
_YEAR: Final = re.compile(r"(?:1\d|20)\d\d")


class ColumnSubject:
    """What the columns are about: the words of a row's fields, its name first, or the names of the goal."""

    def __init__(self, inputs: JobInputs, spots: Sequence[ValuePlace]) -> None:
        """Weigh the words by their rarity on these pages."""
        fields = [field.strip() for field in inputs.subject.split(";") if field.strip()]
        self._name = fields[0] if fields else ""
        own = set(_name_words(self._name)) or set(subject_of(inputs.goal).words) or set(terms(inputs.goal))
        self._siblings = _Siblings(fields[0] if fields else inputs.goal, is_name=bool(fields))
        self._numbers = {word for word in own if any(char.isdigit() for char in word)}
        self._variants = {stem(word) for word in VARIANTS} & own - self._numbers
        self._goal = frozenset(terms(f"{inputs.goal} {inputs.task}"))
        pages = {spot.page.sha: spot.page for spot in spots}
        has = [set(_words(f"{page.page.title} {page.page.text[:20_000]}")) for page in pages.values()]
        kinds = set(terms(inputs.goal.replace(self._name, " "))) if fields else set()
        is_name = any(char.isupper() or char.isdigit() for char in (self._name or inputs.goal)[1:])
        self._weights = _weights(own - kinds or own, has, is_name=is_name)
        self._pages: dict[str, tuple[float, frozenset[str]]] = {}

    @property
    def name(self) -> str:
        """The subject as the row names it."""
        return self._name

    @property
    def words(self) -> frozenset[str]:
        """Stems of the words that name the subject."""
        if len(self._name.split()) == 1:  # the parts of `push.default` are words of other things too
            return frozenset({stem(self._name.lower())})
        return frozenset(self._weights)

    def about(self, spot: ValuePlace) -> float:
        """How far a place is about the subject, 0 to 1; less than IS_ABOUT: it is not."""
        if not self._weights or spot.is_entry:
            return 1.0
        own = f"{spot.label}: {spot.text}"
        if self._siblings.are_in(own) or self._siblings.are_in(f"{spot.context}: {own}"):
            return 0.0
        near = self._share(f"{spot.context}: {own}")
        of_page, titled = self._of_page(spot.page)
        if of_page < 0:  # a page about a sibling gives only what names the subject in full
            return near if near >= 1 else min(near, IS_ABOUT - 0.01)
        is_attribute = spot.is_pair and of_page >= IS_ABOUT
        if not is_attribute and self._names_another(spot, titled):
            return min(near, of_page, IS_ABOUT - 0.01)
        return max(near, of_page) if of_page >= IS_ABOUT else near

    def directness(self, spot: ValuePlace, asked: frozenset[str]) -> float:
        """Whether a sentence says something of the subject itself (1), or of a part or a thing beside it (0).

        Its first words tell: the subject's name, a pronoun or a label that was asked for, or another noun.
        """
        own = spot.label or spot.text
        lead = _words(" ".join(own.split()[:_LEADING_WORDS]))
        known = self.words | asked | self._goal
        if spot.label:
            inside = [word for word in terms(spot.label) if not word[0].isdigit()]
            return sum(word in known for word in inside) / len(inside) if inside else 0.5
        if self._share(spot.text) >= IS_ABOUT or _ITSELF.match(own):
            return 1.0
        first = next((word for word in lead if word not in function_words() and not word[0].isdigit()), "")
        return 1.0 if first in known else 0.0

    def _of_page(self, page: StoredPage) -> tuple[float, frozenset[str]]:
        if page.sha not in self._pages:
            first = page.page.headings[0].text if page.page.headings else ""
            path = re.sub(r"[-_/.]+", " ", unquote(urlsplit(page.final_url).path))
            is_sibling = self._siblings.are_in(page.page.title) or self._siblings.are_in(first)
            share = (
                -1.0
                if is_sibling
                else max(self._share(page.page.title), self._share(first), self._share(path))
            )
            self._pages[page.sha] = share, frozenset(_words(f"{page.page.title} {first} {path}"))
        return self._pages[page.sha]

    def _names_another(self, spot: ValuePlace, titled: frozenset[str]) -> bool:
        """Whether a place begins with a name of several words that is neither the subject's nor its page's."""
        run = _NAME_RUN.match(spot.label or spot.text)
        if not run or self._share(run[1]) >= 1:
            return False
        words = _words(run[1])
        return len(words) > 1 and bool(set(words) - self.words - titled - function_words())

    def _share(self, text: str) -> float:
        """The weighted share of the subject's words that a text has; its number alone is none of them."""
        if self._name and len(self._name.split()) == 1:
            return float(names_whole(text, self._name))
        has = {*terms(text), *_words(text)}
        total = sum(self._weights.values())
        if not total:
            return 1.0
        if not has & (self._weights.keys() - self._numbers) and self._numbers < self._weights.keys():
            return 0.0
        share = sum(weight for word, weight in self._weights.items() if word in has) / total
        lacks_mark = (self._numbers and not self._numbers & has) or not self._variants <= has
        return min(share, IS_ABOUT - 0.01) if lacks_mark else share


class _Siblings:
    """Recognises names that begin as the subject's and go on otherwise: `Tarn 310` or `Tarn 300 Duo` for `Tarn 300`."""

    def __init__(self, name: str, *, is_name: bool) -> None:
        words = [match.group() for match in WORD.finditer(name)] if is_name else []
        self._goal = None if is_name else subject_of(name)
        self._own = [word.lower() for word in words]

    def are_in(self, text: str) -> bool:
        """Whether a text names a sibling and not the subject."""
        if self._goal is not None:
            return self._goal.is_neighbour(text)
        if not self._own:
            return False
        tokens = list(WORD.finditer(text))
        low = [token.group().lower().removesuffix("'s").removesuffix("’s") for token in tokens]
        has_all = set(self._own) <= set(low)
        found = False
        for n, word in enumerate(low):
            if word != self._own[0]:
                continue
            same = 0
            while same < len(self._own) and n + same < len(low) and low[n + same] == self._own[same]:
                same += 1
            is_whole = same == len(self._own)
            is_other = self._is_variant if is_whole else self._is_another
            if not is_other(text, tokens, n + same):
                if is_whole:
                    return False
                continue
            found = found or is_whole or (not has_all and tokens[n].group()[0].isupper())
        return found

    def _is_variant(self, text: str, tokens: Sequence[re.Match[str]], n: int) -> bool:
        """Whether a maker's word for a sibling follows the whole name: `Pro`. Shops append what they like: `128 GB`."""
        return _goes_on(text, tokens, n) and tokens[n].group().lower() in VARIANTS

    def _is_another(self, text: str, tokens: Sequence[re.Match[str]], n: int) -> bool:
        """Whether a name goes on otherwise than the subject's, not just without one of its words."""
        return _goes_on(text, tokens, n) and tokens[n].group().lower() not in self._own


def _goes_on(text: str, tokens: Sequence[re.Match[str]], n: int) -> bool:
    """Whether word `n`, behind a name, makes it another one: a number that is no year, or a word with a capital."""
    if n >= len(tokens) or text[tokens[n - 1].end() : tokens[n].start()].strip(" "):
        return False
    word = tokens[n].group()
    return (word[0].isupper() or word[0].isdigit()) and not _YEAR.fullmatch(word)


def _name_words(name: str) -> list[str]:
    """The stems of a name's words, without function words that have no capital: `Moss One` has two."""
    words = [match.group() for match in WORD.finditer(name)]
    kept = [word for word in words if word[0].isupper() or word.lower() not in function_words()]
    return _words(" ".join(kept or words))


def _words(text: str) -> list[str]:
    """The stems of all words, function words too: a name may consist of them."""
    return [stem(match.group().lower().replace("’", "'").removesuffix("'s")) for match in WORD.finditer(text)]


def _weights(own: set[str], pages: Sequence[set[str]], *, is_name: bool) -> dict[str, float]:
    """Rare words weigh most. A word of a name that no page has weighs what the others do on average, as pages shorten
    names; a common noun that no page has weighs more than all others, as then no page is about it.
    """
    found = Counter(word for has in pages for word in own & has)
    weights = {word: (1 + len(pages)) / (1 + count) for word, count in found.items()}
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    unseen = mean if is_name else mean + sum(weights.values())
    return {word: weights.get(word, unseen) for word in own}
