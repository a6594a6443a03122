"""Names in a text: the only place that reads them.

`names_in` gives their stems, to compare texts; `whole_names` names as they are written; `name_words` each word of a
name with what stands behind it, to look it up in a source; `proper_names` names of several words and identifiers, to
search for; `product_names` those of products.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.dates import month_of
from research_crawler.text.language import Language, function_words, language_of
from research_crawler.text.words import Token, stem, tokens_of

_LEAST_LOWER: Final = 3
"""One word in so many is in lower case, or the text is a headline, in which capitals say nothing."""
MAX_NAME_WORDS: Final = 6
"""A claim with at most so many words is a name."""
_OPENING: Final = re.compile(
    r"^(?:(?:The|An?|Our|My|Its|Their|This|That|If|And|But|Get|Buy|Take|With|For|the|an?|our|my)\s)+"
)
_WORDED: Final = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur)\s(?P<name>[A-Z][a-z][\w-]*\s[A-Z][a-z][\w-]*)\b"
)
"""A name without a number after an article: "the Velmar Pocket"."""
_MODEL: Final = re.compile(
    r"\b(?:[A-Z][\w&-]{0,40}\s){0,3}(?:[A-Z][\w-]{0,40}\d[\w-]*|[A-Z]{2,}\s\d{2,5}\w*|[A-Z][a-z]\w+\s\d{1,5}\w*)"
)
_PROPER: Final = re.compile(
    r"\b[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){1,3}"  # a person, a company, a place
    r"|(?<![\w./$@+-])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # shared_buffers
    r"|(?<![\w./$@+-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # LimitRequestBody
)
_CACHE: Final = 32_768


def names_in(text: str, language: str = "en") -> set[str]:
    """Stems of the names in a text: words with a capital within a sentence, and those with a digit in them.

    Where every noun has a capital, a name is what has a capital or digit within it, or stands in a row of capitals.
    """
    return {stem(word, language) for word in _names(text, language[:2].lower())}


@lru_cache(maxsize=_CACHE)
def _names(text: str, code: str) -> tuple[str, ...]:
    language = language_of(code)
    tokens = tokens_of(text, code)
    return tuple(token.text for place, token in enumerate(tokens) if _is_name(tokens, place, language))


def _is_name(tokens: Sequence[Token], place: int, language: Language) -> bool:
    token = tokens[place]
    if token.low in language.asking or token.low in language.titles:
        return False
    if token.is_mark or not language.has_capital_nouns:
        return token.is_mark or token.is_name
    inner = any(char.isupper() for char in token.text[1:])
    beside = [tokens[at] for at in (place - 1, place + 1) if 0 <= at < len(tokens)]
    return token.is_name and (inner or any(other.is_name or other.is_mark for other in beside))


def whole_names(text: str, code: str = "en") -> list[str]:
    """Names as they are written: words with capitals or digits side by side are one."""
    language = language_of(code)
    found: list[str] = []
    end = -1
    for token in tokens_of(text, language.code):
        is_part = (token.is_name or token.is_mark) and token.low not in language.titles
        if is_part and found and end >= 0 and text[end : token.start] in (" ", "\u00a0"):
            found[-1] += f" {token.text}"
        elif is_part and not token.text[0].isdigit():
            found.append(token.text)
        end = token.start + len(token.text) if is_part else -1
    if language.has_capital_nouns:
        found = [name for name in found if " " in name or any(not char.islower() for char in name[1:])]
    return list(dict.fromkeys(found))


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
        stands_alone = (token.starts or known.has_capital_nouns) and is_first and not run
        if _is_odd(token.text) or not stands_alone:
            found.append(Name(name_key(token.text), tuple(run) if is_first else ()))
    return tuple(found)


def _can_be_name(token: Token, language: Language) -> bool:
    """Whether a word can be a part of a name by its letters."""
    if token.low in language.titles or token.is_function or month_of(token.low, language.code):
        return False
    if re.split(r"['’]", token.low)[0] in language.stop_words and not token.is_name:
        return False
    return (token.text[0].isupper() and len(token.text) > 1) or _is_odd(token.text)


def _is_odd(word: str) -> bool:
    """Whether a word is a name wherever it stands: with a capital inside, or with letters before digits."""
    return not word[0].isdigit() and (is_numbered(word) or any(char.isupper() for char in word[1:]))


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


def proper_names(text: str) -> list[str]:
    """Names of several words and identifiers, without the function words that a sentence begins with."""
    found = []
    for match in _PROPER.finditer(text):
        words = match.group().split()
        while words and words[0].lower() in function_words():
            words = words[1:]
        if len(words) > 1 or (words and not words[0].isalpha()) or (words and not words[0].istitle()):
            found.append(" ".join(words))
    return found


def product_names(claim: str) -> list[str]:
    """Names of products in a claim: the claim itself if it is a name, else the models that it names."""
    if is_name_alone(claim):
        return [without_opening(claim)]
    numbered = [without_opening(match.group()) for match in _MODEL.finditer(claim)]
    numbered = [name for name in numbered if not month_of(name.partition(" ")[0])]  # "March 2024"
    return numbered or [match["name"] for match in _WORDED.finditer(claim)]


def is_name_alone(claim: str) -> bool:
    """Whether a claim is a name; a longer one is a sentence that contains names."""
    return len(claim.split()) <= MAX_NAME_WORDS and not claim.rstrip().endswith((".", "!", "?"))


def without_opening(name: str) -> str:
    """A name without the words of a sentence's beginning that a capital makes look like a part of it."""
    return _OPENING.sub("", name).strip()
