"""The names and commands of a statement that its source has not."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.name_words import Name, is_numbered, name_key, name_words
from research_crawler.text.languages.words import WORD, stem

_STEM_LETTERS: Final = 5
"""Words with so many first letters in common may be forms of one word."""
_LEAST_TITLE: Final = 3
"""Of the name of a source with so many words, one in so many may stand in neither titles nor URL."""
_ENDING: Final = 4
"""So many letters at the beginning, and so many at most behind them, make `Australian` and `Australia` one name."""
_OPTION: Final = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z](?![\w-]))")
_CODE: Final = re.compile(r"`(?P<code>[^`]{1,200})`")
_COMMAND: Final = re.compile(r"[a-z][\w.-]*")


class NameKeys:
    """The words of a source in which a name can stand."""

    def __init__(self, texts: Iterable[str], titles: Iterable[str] = (), asked: str = "") -> None:
        """Read a source.

        Args:
            texts: what it says, and what stands above that.
            titles: what tells its own name: titles, host and URL.
            asked: the question; a name in it need not stand in the source.
        """
        texts = list(texts)
        own = {word for text in texts for word in _words_of(text)}
        questioned = {word for word in _words_of(asked) if is_numbered(word)}
        self._refused = frozenset() if own.isdisjoint(questioned) else questioned - own
        """Of two numbered names in a question, the one that the source has not: it is about the other."""
        texts.append(asked)
        words = [word for text in texts for word in _words_of(text)]
        self._keys = set(words)
        self._parts = {part for key in self._keys for part in _parts(key)} | self._keys
        self._stems = {stem(part) for part in self._parts}
        self._in_order = f" {' '.join(words)} "
        told = {word for text in titles for word in _words_of(text)}
        self._titles = told | {part for word in told for part in _parts(word)}

    def has(self, name: Name) -> bool:
        """Whether a statement's name stands here, in this or another form, or need not.

        What stands before a name of two words that is here is taken for a title: "Chairman Ana Ruiz".
        """
        if name.key in self._refused:
            return False
        if name.key in self._keys or name.is_numbered:
            return name.key in self._keys
        if len(name.leads) > 1 and f" {' '.join(name.leads)} " in self._in_order:
            return True
        parts = _parts(name.key) or [name.key]
        is_here = all(part in self._parts or stem(part) in self._stems for part in parts)
        return is_here or self._has_akin(name.key)

    def is_source(self, words: Sequence[str]) -> bool:
        """Whether a name is that of the source itself, as its titles and URL tell it, a long one in part: "the FAQ" of
        a page below `debian-faq/`, "the Debian Administrator's Handbook" of one below `debian-handbook/`."""
        known = sum(word in self._titles and word not in self._refused for word in words)
        most_unknown = len(words) // _LEAST_TITLE
        return len(words) - known <= most_unknown and not any(map(is_numbered, words))

    def _has_akin(self, key: str) -> bool:
        head = key[:_STEM_LETTERS]
        return len(key) >= _STEM_LETTERS and any(
            word.startswith(head) and _common(key, word) >= max(len(key), len(word)) - _ENDING
            for word in self._parts
        )


def unknown_names(text: str, source: NameKeys, language: str = "en") -> list[str]:
    """The names and commands of a statement that its source has not."""
    unknown, rest = [], 0
    for name in name_words(text, language):
        if name.leads:
            rest = len(name.leads) + 1 if source.is_source((name.key, *name.leads)) else 0
        if rest:
            rest -= 1
        elif not source.has(name) and not source.is_source((name.key,)):
            unknown.append(name.key)
    return list(dict.fromkeys(unknown))


@lru_cache(maxsize=4_096)
def _words_of(text: str) -> tuple[str, ...]:
    """The words of a text as names are compared."""
    return tuple(map(name_key, WORD.findall(text)))


def _parts(key: str) -> list[str]:
    parts = [part for part in re.split(r"[-'&/]", key) if part]
    return parts if len(parts) > 1 else []


def _common(first: str, second: str) -> int:
    """How many letters two words have in common at their beginning."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )


def options_in(text: str) -> frozenset[str]:
    """The options of a text: `--soft`, `-R`."""
    return frozenset(match[0].rstrip("-") for match in _OPTION.finditer(text))


def unknown_commands(text: str, options: Collection[str], whole: str) -> list[str]:
    """The commands and options that a statement says to type and its source does not contain.

    Args:
        text: the statement; commands stand between backticks.
        options: those of the source.
        whole: all that the source says.
    """
    found = sorted(options_in(text) - set(options))
    for match in _CODE.finditer(text):
        first, *rest = match["code"].split() or [""]
        if rest and _COMMAND.fullmatch(first) and first not in whole:
            found.append(first)
    return found
