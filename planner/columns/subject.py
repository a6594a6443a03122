"""Say whether a place of a page is about what the columns ask about, or about something beside it.

`candidates` says what the figures beside the numbers are.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

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
_UNSEEN: Final = 0.5
"""A word of the subject that no page has weighs so much of the others' mean: it may be one that pages leave out."""
_ALL: Final = 1.5
"""A common noun that no page has weighs so much more than all words before it."""
_FIRST: Final = 1.5
"""A name is shortened to its first word more often than to its last: `Dunmore` is Dunmore Beans, `Beans` may be any."""
_KIND: Final = 0.3
"""So much weighs a word of the name that the question has beside the name, as it says of which kind the subject is."""
_OTHER_FIELD: Final = 0.25
"""So much weighs a word of a row's other fields (a country, say), beside the name in its first one.

This and the four above it change nothing on saved pages, whose subjects are whole names of products (each alone set to
1, `_ALL` to 0.5, this to 0); they were chosen on the invented rows of the benchmark `columns`, whose names are alike.
"""
_ITSELF: Final = re.compile(
    r"(?:it|its|they|their|he|his|she|her|er|sie|es|sein\w*|ihr\w*|il|elle|son|sa|ses|su|sus|with|at|for|mit|für|avec"
    r"|can|may|comes?|includes?|has|offers?|features|weighs|supports|fits|works|provides|requires|costs|available"
    r"|kann|enthält|hat|bietet|wiegt|kostet|erhältlich|verfügbar|disponible|inclut|incluye)\b",
    re.I,
)
"""Words that begin a sentence about what its page is about; where it has no subject, it says it of that."""
_PERSON: Final = re.compile(r"(?:i|we|our|my|wir|unser\w*|ich|nous|notre|je|yo|nosotros)\b", re.I)
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
        named = subject_of(inputs.goal)
        self._name = _name_words(fields[0]) if fields else []
        own = set(self._name) or set(named.words) or set(terms(inputs.goal))
        others = {word for field in fields[1:] for word in terms(field)} - own
        self._siblings = _Siblings(fields[0] if fields else inputs.goal, is_name=bool(fields))
        self._numbers = {word for word in own if any(char.isdigit() for char in word)}
        self._variants = {stem(word) for word in VARIANTS} & own - self._numbers
        self._goal = frozenset(terms(f"{inputs.goal} {inputs.task}"))
        pages = {spot.page.sha: spot.page for spot in spots}
        has = [set(_words(f"{page.page.title} {page.page.text[:20_000]}")) for page in pages.values()]
        fixed = set(terms(inputs.goal.replace(fields[0], " "))) if fields else set()
        is_name = any(char.isupper() or char.isdigit() for char in (fields[0] if fields else inputs.goal)[1:])
        self._weights = _weights(own, has, common=fixed, is_name=is_name)
        if is_name and self._name and self._name[0] in self._weights:
            # A first word that is on all pages, unlike others of the name, is a kind: `Museum of Tides`.
            is_kind = all(self._name[0] in one for one in has) and any(own - one for one in has)
            self._weights[self._name[0]] *= 1.0 if is_kind else _FIRST
        scale = sum(self._weights.values()) / max(1, len(self._weights))
        self._other_weights = dict.fromkeys(others, _OTHER_FIELD * scale)
        self._pages: dict[str, tuple[float, frozenset[str]]] = {}
        contexts = {(spot.page.sha, spot.heading) for spot in spots if spot.heading}
        self._own_sections = {one for one in contexts if self._share(one[1]) >= 1}

    @property
    def words(self) -> frozenset[str]:
        """Stems of the words that name the subject."""
        return frozenset(self._weights) | frozenset(self._other_weights)

    def about(self, spot: ValuePlace) -> float:
        """How far a place is about the subject, 0 to 1; less than IS_ABOUT: it is not."""
        if not self._weights:
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

    def is_elsewhere(self, spot: ValuePlace) -> bool:
        """Whether pages of many things have a section with the subject's name, and the place is in none of these."""
        if not self._own_sections or self._of_page(spot.page)[0] >= IS_ABOUT:
            return False
        return (spot.page.sha, spot.heading) not in self._own_sections

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
        if _PERSON.match(own):
            return 0.3
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
        has = {*terms(text), *_words(text)}
        total = sum(self._weights.values())
        if not total:
            return 1.0
        if not has & (self._weights.keys() - self._numbers) and self._numbers < self._weights.keys():
            return 0.0
        share = sum(weight for word, weight in self._weights.items() if word in has) / total
        more = sum(weight for word, weight in self._other_weights.items() if word in has)
        share = min(1.0, share + (more / total if share > 0 else 0.0))
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


def _weights(
    own: set[str], pages: Sequence[set[str]], *, common: set[str], is_name: bool
) -> dict[str, float]:
    """Rare words weigh most; those in `common` say only of which kind the subject is.

    Pages shorten a name; but if the subject is a common noun that no page has, no page is about it.
    """
    found: Counter[str] = Counter()
    for has in pages:
        found.update(own & has)
    weights = {word: (1 + len(pages)) / (1 + count) for word, count in found.items()}
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    for word in own - weights.keys():
        is_needed = any(char.isdigit() for char in word)
        weights[word] = mean if is_needed else _UNSEEN * mean if is_name else _ALL * sum(weights.values())
    return {word: weight * (_KIND if word in common else 1.0) for word, weight in weights.items()}
