"""Find what a question is about by its names and numbers, and recognise texts about a sibling product instead.

A page about the previous model, or about the next year, uses the same words but is about something else.
Vectors hardly show this difference; names and numbers do.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from research_crawler.text.languages.language import language_of
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.words import CJK, Token, stem, stems_of, tokens_of
from research_crawler.text.measures.likeness import coverage

_FEW = 4
"""Words of another script are names where at most one word in so many is one."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
VARIANTS = frozenset(
    """
    air classic compact deluxe duo evo ii iii iv jr junior light lite max micro mini mk nano neo plus
    premium pro s se slim sport touring trio ultra xl xs xt
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words that makers append to a product's name for a sibling of it."""


@dataclass(frozen=True)
class NumberedName:
    """A name with its number, such as `Kestrel 300`: siblings share the `base` and differ in the `mark`."""

    base: str
    mark: str

    @property
    def is_numbered(self) -> bool:
        """Whether a number or a maker's word tells its siblings apart, and not just another name behind the base."""
        return self.mark in VARIANTS or any(character.isdigit() for character in self.mark)


@dataclass(frozen=True)
class Subject:
    """The names and years in a question."""

    words: frozenset[str] = frozenset()
    """Stems of all distinctive words: those with a capital inside a sentence, or with a digit."""
    names: tuple[NumberedName, ...] = ()
    years: frozenset[str] = frozenset()

    def share(self, text: str) -> float:
        """The share of the distinctive words that a text contains, 0 to 1; 1 if the question has none."""
        return coverage(self.words, stems_of(text))

    @property
    def numbered(self) -> "Subject":
        """The subject without names of two words: a page on `Postfix Configuration` is no sibling of `Postfix LMTP`."""
        return replace(self, names=tuple(name for name in self.names if name.is_numbered))

    def is_namesake(self, title: str, titles: Iterable[str]) -> bool:
        """Whether a whole title shares the first word of a name of two, where another title is that name.

        `Lake Sennet` beside `Lake Senna`; a longer title is of something about it (`Postfix Configuration Parameters`).
        """
        own = [token.low for token in tokens_of(title)]
        if len(own) != 2:  # a name of two words
            return False
        rows = [[token.low for token in tokens_of(one)] for one in titles]
        return any(
            own[0] == name.base and own[1] != name.mark and [name.base, name.mark] in rows
            for name in self.names
        )

    def is_neighbour(self, text: str) -> bool:
        """Whether a text names a sibling (`Kestrel 310`, `Kestrel Duo`, another year) instead of the subject."""
        if not (self.names or self.words or self.years):
            return False
        tokens = tokens_of(text)
        own = {word for name in self.names for word in (name.base, name.mark)} | self.words
        if any(_names_sibling(name, tokens) for name in self.names) or _names_variant(self, own, tokens):
            return True
        years = {token.low for token in tokens if _YEAR.fullmatch(token.low)}
        return bool(self.years and years and not self.years & years)


def years_in(text: str) -> set[str]:
    """The years that a text or an address names."""
    return set(_YEAR.findall(text))


def subject_of(*texts: str, language: str = "en") -> Subject:
    """The subject of a question, read from all that the caller wrote: goal, task and topic."""
    wanted: set[str] = set()
    names: list[NumberedName] = []
    years: set[str] = set()
    for text in texts:
        tokens = tokens_of(text, language)
        years |= {token.low for token in tokens if _YEAR.fullmatch(token.low)}
        wanted |= names_in(text, language) | _foreign_names(tokens)
        names += _names(tokens, language)
    return Subject(frozenset(wanted - years), tuple(dict.fromkeys(names)), frozenset(years))


def _foreign_names(tokens: list[Token]) -> set[str]:
    """Words of a script without capitals that stand alone in a text of another script: names."""
    found = {token.text for token in tokens if CJK.match(token.text)}
    return found if len(found) * _FEW <= len(tokens) else set()


def _names(tokens: list[Token], language: str) -> Iterable[NumberedName]:
    """Pairs of tokens whose second one distinguishes siblings (`RX 480`, `Kestrel Mini`), and single ones (`X2`)."""
    known = language_of(language)
    for i, token in enumerate(tokens):
        if _YEAR.fullmatch(token.low):
            continue
        before = tokens[i - 1] if i else None
        linked = (
            before is not None
            and (before.text[0].isupper() or before.is_mark)
            and before.low not in known.stop_words | known.asking
        )
        if linked and before and (token.is_mark or token.is_name):
            yield NumberedName(before.low, token.low)
        elif token.is_mark and (letters := _letters(token.low)):
            yield NumberedName(letters, token.low)


def _names_sibling(name: NumberedName, tokens: list[Token]) -> bool:
    if any(token.low == name.mark or token.low.startswith(f"{name.mark}.") for token in tokens):  # 4.0 is a 4
        return False
    return any(_is_sibling(name, tokens, i) for i in range(len(tokens)))


def _names_variant(subject: Subject, own: set[str] | frozenset[str], tokens: list[Token]) -> bool:
    """Whether every mention of the subject is followed by a word such as `Duo` that the question does not have.

    A mention of several words ends with the last of them: `Brunholt Corva` in `Brunholt Corva Duo`.
    """
    if not any(token.low in VARIANTS for token in tokens):
        return False
    last = {name.mark for name in subject.names} or subject.words
    places = {i for i, token in enumerate(tokens) if token.low in last or stem(token.text) in last}
    after = [tokens[i + 1] if i + 1 < len(tokens) else None for i in places if i + 1 not in places]
    return bool(after) and all(
        token is not None and token.low in VARIANTS and token.low not in own and token.text[0].isupper()
        for token in after
    )


def _is_sibling(name: NumberedName, tokens: list[Token], i: int) -> bool:
    token = tokens[i]
    if token.low == name.base and i + 1 < len(tokens):
        after = tokens[i + 1]
        if _YEAR.fullmatch(after.low) and not _YEAR.fullmatch(name.mark):
            return False
        if name.is_numbered and name.mark not in VARIANTS:
            return after.is_mark or (after.low in VARIANTS and after.text[0].isupper())
        if after.is_mark:  # a Duo has a C1 beside it; a number alone may count something
            return name.mark in VARIANTS and bool(_letters(after.low))
        return after.is_name
    return token.is_mark and token.low != name.mark and _letters(token.low) == name.base


def _letters(mark: str) -> str:
    """The letters that a numbered name starts with: `rx-480` gives `rx`; `480` gives nothing."""
    found = re.match(r"[^\W\d_]+(?=-?\d)", mark)
    return found.group() if found else ""
