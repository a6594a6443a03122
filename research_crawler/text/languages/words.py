"""Split text into the words that rankers compare, and find the words and names that carry its meaning."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.language import Language, language_of
from research_crawler.text.languages.numbers import unit_of

WORD: Final = re.compile(
    r"(?<![\w/])[A-Z]/[A-Z](?![\w/])"  # I/O, A/B
    r"|(?:(?<![\w.])\.(?=[A-Z]))?[^\W_]+(?:[-.'’&][^\W_]+)*(?:(?<=[^\W\d_])(?:\+\+?|#)(?!\w))?"  # .NET, R&D, C++, C#
)
"""A word as people write it, with the signs that belong to its name."""
CJK: Final = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
"""Characters of scripts written without spaces (Korean uses some); such text is compared by pairs of characters."""
SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;]\s|[\"“(¿¡«„])\s*+$")
_STRESSED: Final = frozenset(
    "a all always and any both ever every i more most must never no not now only or that this very".split()  # noqa: SIM905
)
"""Function words that people write in capitals to stress them, or always: any other in capitals is a name (`WHO`)."""
_MARKS: Final = re.compile(r"[-.'&]")
_ELIDED: Final = re.compile(r"(?:[cdjlmnst]|qu|jusqu|lorsqu|dell|all|dall|nell|sull|un)['’](?=\w)", re.I)
"""An article or pronoun that French and Italian join to the next word."""
_ELIDING: Final = frozenset(("fr", "it"))
_BEHIND: Final = re.compile(r"\s?([%°€$£]|[^\W\d_]+)")
_CACHE, _CACHED_CHARS = 32_768, 2_000
"""Texts whose words are remembered, and the longest of them."""


def without_elisions(text: str, language: str) -> str:
    """A text whose French or Italian articles and negations stand apart from the next word: `n'est` as `n est`."""
    return _ELIDED.sub(lambda match: f"{match.group()[:-1]} ", text) if language in _ELIDING else text


def words(text: str) -> list[str]:
    """Lower-case words of a text; a name such as `RX-480` or `Disney+` gives itself and its parts."""
    return [word for match in WORD.findall(text) for word in _forms(match)]


def terms(text: str, language: str = "en") -> list[str]:
    """Stemmed words of a text without function words, as rankers count them."""
    read = _terms if len(text) <= _CACHED_CHARS else _terms.__wrapped__
    return list(read(text, language[:2].lower()))


@lru_cache(maxsize=_CACHE)
def _terms(text: str, code: str) -> tuple[str, ...]:
    language = language_of(code)
    shouts = text.isupper()
    stops, stem = language.stop_words, language.stem
    if code in _ELIDING:
        text = _ELIDED.sub("", text)
    return tuple(
        stem(form)
        for match in WORD.findall(text)
        for form in _forms(match)
        if form not in stops or (not shouts and len(form) == len(match) and is_acronym(match))
    )


def _forms(match: str) -> list[str]:
    """The lower-case forms of a word by which it is compared."""
    word = match.lower()
    if word.isalpha() and word.isascii():
        return [word]
    if CJK.search(match):
        return [word[i : i + 2] for i in range(max(1, len(word) - 1))]
    word = word.replace("’", "'").removesuffix("'s")
    bare = word.rstrip("+#")
    if bare != word and len(bare) == 1:
        return [word]
    return [word, *(part for part in _MARKS.split(bare) if part and part != word)]


def stem(word: str, language: str = "en") -> str:
    """The stem by which a word is compared, without the "'s" behind it."""
    return language_of(language).stem(word.lower().replace("’", "'").removesuffix("'s"))


def stems_of(text: str, language: str = "en") -> set[str]:
    """The stems of all words of a text, function words too."""
    return {stem(word, language) for word in WORD.findall(text)}


def is_acronym(word: str) -> bool:
    """Whether a word that has the letters of a function word is a name by its capitals: `WHO`, `IT`."""
    return word.isupper() and word.lower() not in _STRESSED


def content_words(text: str, language: str = "en") -> list[str]:
    """The words that carry meaning, as written, each once, in order: without function words and words of asking."""
    known = language_of(language)
    kept: dict[str, str] = {}
    for token in _tokens(text, known):
        if token.is_function or token.low in known.asking:
            continue
        bare = token.low.replace("’", "'").removesuffix("'s")
        kept.setdefault(known.stem(bare), token.text[: len(bare)] if bare != token.low else token.text)
    return list(kept.values())


@dataclass(frozen=True)
class Token:
    """A word of a text, with what its place and capitals say."""

    text: str
    low: str
    start: int
    starts: bool
    """Whether it starts a sentence, where a capital does not indicate a name."""
    is_function: bool
    """Whether it is a function word, and no name that is spelled like one (`WHO`, vitamin `A`)."""
    is_mark: bool
    """Whether it has a digit and can be part of a name: no unit follows it."""

    @property
    def is_name(self) -> bool:
        """Whether a capital, or a sign that belongs to it, makes a name of it."""
        if self.is_function:
            return False
        has_sign = self.text[0] == "." or self.text[-1] in "+#" or "/" in self.text
        return has_sign or is_acronym(self.text) or (self.text[0].isupper() and not self.starts)


def tokens_of(text: str, language: str = "en") -> list[Token]:
    """The words of a text with what their places and capitals say."""
    return list(_tokens(text, language_of(language)))


def _tokens(text: str, language: Language) -> Iterator[Token]:
    shouts = text.isupper()
    for match in WORD.finditer(text):
        word = match.group()
        low = word.lower()
        starts = bool(SENTENCE_START.search(text[max(0, match.start() - 4) : match.start()]))
        is_letter = word == "A" and not starts
        is_function = low in language.stop_words and (shouts or not (is_acronym(word) or is_letter))
        yield Token(word, low, match.start(), starts, is_function, _is_mark(text, match))


def _is_mark(text: str, match: re.Match[str]) -> bool:
    word = match.group()
    if not any(char.isdigit() for char in word):
        return False
    behind = _BEHIND.match(text, match.end()) if word[0].isdigit() else None
    return behind is None or unit_of(behind[1]) is None
