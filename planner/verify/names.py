"""The names in a statement, and those of them that its source has not."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from planner.goal.language import report_language
from planner.verify.dates import month_of
from research_crawler.text.words import STOPWORDS, WORD, is_acronym, stem

_STARTS: Final = re.compile(r"(?:^|[.!?:;|•–—]\s|\n)[\s\"“”'‘(¿¡«„*_\[-]*$")
"""What stands before the first word of a sentence, whose capital says nothing."""
_LOOK_BACK: Final = 6
"""Characters before a word in which it is looked for."""
_CAPITAL_NOUNS: Final = frozenset({"de"})
"""Languages in which every noun has a capital: only words in a row, and odd spellings, are names there."""
_LEAST_LOWER: Final = 3
"""One word in so many is in lower case, or the text is a headline, in which capitals say nothing."""
_STEM_LETTERS: Final = 5
_ENDING: Final = 4
"""So many letters at the beginning, and so many at most behind them, make `Australian` and `Australia` one name."""


@dataclass(frozen=True)
class Name:
    """A word of a statement that is a name, or a part of one."""

    key: str
    """As it is compared: in lower case, without dots and without the "'s" behind it."""
    leads: tuple[str, ...] = ()
    """The words of its name behind it, if it is the first."""

    @property
    def is_numbered(self) -> bool:
        """Whether it has letters and digits (`http-01`, `A380`): such a name is compared as a whole."""
        return any(char.isdigit() for char in self.key)


class NameKeys:
    """The words of a source in which a name can stand."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read the texts of a source."""
        words = [word for text in texts for word in _words(text)]
        self._keys = {key_of(word) for word in words}
        self._parts = {part for key in self._keys for part in _parts(key)} | self._keys
        self._stems = {stem(part) for part in self._parts}
        self._numbered = {key for key in self._keys if _is_numbered(key)}
        self._in_order = f" {' '.join(key_of(word) for word in words)} "
        self._initials = {run for text in texts for run in _initials(text)}

    def has(self, name: Name) -> bool:
        """Whether a statement's name stands here, in this or another form, or need not.

        "Dr Ana Ruiz" is "Ana Ruiz": what stands before a name of two words that is here is taken for a title.
        """
        if name.key in self._keys or name.key in self._initials:
            return True
        if name.is_numbered:
            return not self._has_sibling(name.key)
        if len(name.leads) > 1 and f" {' '.join(name.leads)} " in self._in_order:
            return True
        parts = _parts(name.key) or [name.key]
        return all(part in self._parts or stem(part) in self._stems for part in parts) or self._has_akin(
            name.key
        )

    def _has_sibling(self, key: str) -> bool:
        """Whether another name with the same letters or the same number stands here: `dns-01` for `http-01`."""
        letters, digits = _split(key)
        return any((letters == other) != (digits == number) for other, number in map(_split, self._numbered))

    def _has_akin(self, key: str) -> bool:
        head = key[:_STEM_LETTERS]
        return len(key) >= _STEM_LETTERS and any(
            word.startswith(head) and len(_common(key, word)) >= max(len(key), len(word)) - _ENDING
            for word in self._parts
        )


def unknown_names(text: str, source: NameKeys, language: str = "") -> list[str]:
    """The names of a statement that its source has not."""
    return list(dict.fromkeys(name.key for name in names_in(text, language) if not source.has(name)))


def names_of(text: str, language: str = "") -> set[str]:
    """The stems of the names of a sentence."""
    return {stem(name.key) for name in names_in(text, language)}


@lru_cache(maxsize=4_096)
def names_in(text: str, language: str = "") -> tuple[Name, ...]:
    """The names of a text, word by word; months are dates.

    Args:
        text: a sentence.
        language: of the text; "": told by its words.
    """
    matches = list(WORD.finditer(text))
    words = [match[0] for match in matches]
    if _LEAST_LOWER * sum(word[0].islower() for word in words) < len(words):
        return ()
    has_nouns = (language or report_language(text)) in _CAPITAL_NOUNS
    found = []
    for at, match in enumerate(matches):
        if not _is_capital(match[0]) and not _is_odd(match[0]):
            continue
        run = _behind(text, matches, at)
        starts = _STARTS.search(text[max(0, match.start() - _LOOK_BACK) : match.start()]) is not None
        is_first = at == 0 or not (_is_capital(words[at - 1]) and _joined(text, matches[at - 1], match))
        if _is_odd(match[0]) or not (starts or has_nouns) or run or not is_first:
            found.append(Name(key_of(match[0]), tuple(map(key_of, run)) if is_first else ()))
    return tuple(found)


def _is_capital(word: str) -> bool:
    """Whether a word can be a name by its first letter."""
    low = word.lower()
    if not word[0].isupper() or len(word) < 2 or month_of(low):
        return False
    bare = re.split(r"['’]", low)[0]
    return bare not in STOPWORDS or (is_acronym(word) and len(word) > 1)


def _is_odd(word: str) -> bool:
    """Whether a word is a name wherever it stands: with a capital inside, or with letters before digits."""
    if word[0].isdigit():
        return False
    return _is_numbered(word) or (any(char.isupper() for char in word[1:]) and word.lower() not in STOPWORDS)


def _is_numbered(word: str) -> bool:
    return word[0].isalpha() and any(char.isdigit() for char in word)


def _behind(text: str, matches: list[re.Match[str]], at: int) -> list[str]:
    """The words with capitals that stand right behind one."""
    run = []
    for one, following in zip(matches[at:], matches[at + 1 :], strict=False):
        if not _joined(text, one, following) or not (_is_capital(following[0]) or _is_odd(following[0])):
            break
        run.append(following[0])
    return run


def _joined(text: str, one: re.Match[str], following: re.Match[str]) -> bool:
    """Whether nothing stands between two words but a space, or the dot of an abbreviation."""
    return text[one.end() : following.start()] in (" ", ". ", "\u00a0")


def key_of(word: str) -> str:
    """A word as names are compared."""
    return word.lower().replace("’", "'").removesuffix("'s").replace(".", "")


def _words(text: str) -> list[str]:
    return WORD.findall(text)


def _parts(key: str) -> list[str]:
    parts = [part for part in re.split(r"[-'&/]", key) if part]
    return parts if len(parts) > 1 else []


def _split(key: str) -> tuple[str, str]:
    """The letters and the digits of a numbered name."""
    return "".join(c for c in key if c.isalpha()), "".join(c for c in key if c.isdigit())


def _initials(text: str) -> set[str]:
    """The initials of runs of words with capitals: `Royal Australian Navy` gives `ran`."""
    runs = re.findall(r"[A-Z][\w'’-]*+(?:\s++(?:(?:of|the|for|and|de|du|der)\s++){0,2}[A-Z][\w'’-]*+)+", text)
    return {"".join(word[0] for word in run.split() if word[0].isupper()).lower() for run in runs}


def _common(one: str, other: str) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return one[:at]
