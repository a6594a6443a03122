"""Each word of a name with what stands behind it, to look it up in a source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.dates import month_of
from research_crawler.text.languages.language import Language, language_of
from research_crawler.text.languages.words import Token, tokens_of

_LEAST_LOWER: Final = 3
"""One word in so many is in lower case, or the text is a headline, in which capitals say nothing."""


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


@lru_cache(maxsize=4_096)
def name_words(text: str, language: str = "en") -> tuple[Name, ...]:
    """The names of a text, word by word; months are dates, and titles belong to no name."""
    known, tokens = language_of(language), tokens_of(text, language)
    if _LEAST_LOWER * sum(token.text[0].islower() for token in tokens) < len(tokens):
        return tuple(Name(name_key(token.text)) for token in tokens if is_numbered(token.text))
    found = []
    for at, token in enumerate(tokens):
        if not _can_be_name(token, known):
            continue
        run = _behind(text, tokens, at, known)
        is_first = at == 0 or not (
            _can_be_name(tokens[at - 1], known) and _joined(text, tokens[at - 1], token)
        )
        behind = tokens[at + 1 : at + 1 + len(run)]
        is_bare = not run or (token.starts and all(_is_shouted(word.text) for word in behind))
        stands_alone = (token.starts or known.has_capital_nouns) and is_first and is_bare
        if _is_odd(token.text) or not stands_alone:
            found.append(Name(name_key(_name_in(token.text)), tuple(run) if is_first else ()))
    return tuple(found)


def _can_be_name(token: Token, language: Language) -> bool:
    """Whether a word can be a part of a name by its letters."""
    if token.low in language.titles or token.is_function or month_of(token.low, language.code):
        return False
    if re.split(r"['’]", token.low)[0] in language.stop_words and not token.is_name:
        return False
    return (token.text[0].isupper() and len(token.text) > 1) or _is_odd(token.text)


def _name_in(word: str) -> str:
    """The name in a compound with plain words: `Unix` in "Unix-like"."""
    name, _, rest = word.partition("-")
    is_name = len(name) > 1 and name[0].isupper()
    return name if is_name and rest.replace("-", "").isalpha() and rest.islower() else word


def _is_odd(word: str) -> bool:
    """Whether a word is a name wherever it stands: with a capital inside, or with letters before digits."""
    return not word[0].isdigit() and (is_numbered(word) or any(char.isupper() for char in word[1:]))


def _is_shouted(word: str) -> bool:
    """Whether a word is a keyword or an acronym: what a sentence begins with before it may be a verb ("Take GIN")."""
    return word.isupper() and word.isalpha()


def is_numbered(word: str) -> bool:
    """Whether a word has letters before digits."""
    return word[0].isalpha() and any(char.isdigit() for char in word)


def _behind(text: str, tokens: Sequence[Token], at: int, language: Language) -> list[str]:
    """The words of a name that stand right behind one of them."""
    run = []
    for one, following in zip(tokens[at:], tokens[at + 1 :], strict=False):
        if not _joined(text, one, following) or not _can_be_name(following, language):
            break
        run.append(name_key(following.text))
    return run


def _joined(text: str, one: Token, following: Token) -> bool:
    """Whether nothing stands between two words but a space, or the dot of an abbreviation."""
    return text[one.start + len(one.text) : following.start] in (" ", ". ", "\u00a0")


def name_key(word: str) -> str:
    """A word of a name as it is compared: in lower case, without dots and without the "'s" behind it."""
    return word.lower().replace("’", "'").removesuffix("'s").replace(".", "")
