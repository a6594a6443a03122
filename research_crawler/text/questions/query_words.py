"""The words of a question for a search engine: names, versions, options and quoted phrases as they are written."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import WORD, content_words, stem
from research_crawler.text.questions.question import measure_words

MOST_PHRASE_CHARS: Final = 60
"""Longest phrase in quotation marks that a query keeps."""
_TOKEN: Final = re.compile(
    rf"[\"“«„](?P<phrase>[^\"“”«»„\n]{{1,{MOST_PHRASE_CHARS}}})[\"”»“]"
    rf"|`(?P<code>[^`\n]{{1,{MOST_PHRASE_CHARS}}})`|(?P<word>[^\s\"“”«»„`]+)"
)
_NOT_WORD: Final = re.compile(r"[\W_]+")
_OUTER: Final = "()[]{}'‘’,;:?!¿¡…"
_SIGNS: Final = frozenset("_/\\$@=*<>|~%^#")
_OPTION: Final = re.compile(r"--?[A-Za-z]")
_DOTTED: Final = re.compile(r"\w\.\w*[^\W_]{2}|\d\.\d|(?<!\w)\.[A-Za-z]")
"""A version, a file or a setting (`2.4`, `httpd.conf`, `gc.pruneExpire`), and no abbreviation (`e.g.`)."""
_SETTING: Final = re.compile(r"[^\W_]_[^\W_]")
_PARTS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CHOICE: Final = re.compile(r"[a-zß-ÿ]+(?:/[a-zß-ÿ]+)+$")
"""`and/or`, `read/write`: words, and no name."""
_SHORTENED: Final = re.compile(r"[a-zß-ÿ](?:\.[a-zß-ÿ])+")
"""`e.g`, `z.B`"""


def query_words(text: str) -> list[str]:
    """The words that a search for a text needs, each once, in order; its language is told by its words.

    A phrase in quotation marks stays one, with its marks; what is code by its signs (`--force`, `$@`, `max_size`,
    `HTTP/2`, `2.4`) stays as it is written; of the rest, the words that carry meaning.
    """
    code = detect(text)
    asking = measure_words(text, code)
    # Whether a word carries meaning depends on what stands before it, so all are judged together.
    meant = {stem(word, code): word for word in content_words(text, code) if word.lower() not in asking}
    found: list[str] = []
    for token in _TOKEN.finditer(text):
        if token["phrase"]:
            found.append(_quoted(token["phrase"]))
        elif exact := token["code"] or _code_of(token["word"]):
            found.append(" ".join(exact.split()))
        else:
            stems = (stem(word, code) for word in WORD.findall(token["word"]))
            found += [meant[one] for one in stems if one in meant and not _SHORTENED.fullmatch(one)]
    return distinct_words(filter(None, found))


def distinct_words(words: Iterable[str]) -> list[str]:
    """Words without those that have the stem of an earlier one, in order."""
    spelled: dict[str, str] = {}
    for word in words:
        spelled.setdefault(stem(word.lower()), word)
    return list(spelled.values())


def most_words(words: Sequence[str], most: int) -> list[str]:
    """The first ones that have at most so many words in all: a phrase counts all of its own, and is not cut."""
    kept: list[str] = []
    for word in words:
        most -= len(word.split())
        if most < 0:
            break
        kept.append(word)
    return kept


def _quoted(phrase: str) -> str:
    words = " ".join(phrase.split())
    return f'"{words}"' if " " in words else words


def spelled_out(text: str) -> str:
    """A text with the words that its identifiers are made of: `LimitRequestBody` as `Limit Request Body`."""
    return " ".join(_PARTS.sub(" ", text).replace("_", " ").split())


def is_code_word(word: str) -> bool:
    """Whether a word of a query is an option, a variable, a file or a version by its signs."""
    return bool(_code_of(word))


def is_setting(word: str) -> bool:
    """Whether a word names a setting, a variable or a function, which has the same name nowhere else: `max_size`."""
    return _SETTING.search(word) is not None


def options_in(text: str) -> list[str]:
    """The options of commands that a text names, each once, in order: `--force`."""
    return [word for word in query_words(text) if _OPTION.match(word)]


def settings_in(text: str) -> list[str]:
    """The settings that a text names, each once, in order."""
    return [word for word in query_words(text) if is_code_word(word) and is_setting(word)]


def _code_of(word: str) -> str:
    """A word that is code or a version by its signs, without the punctuation around it; else empty."""
    bare = word.strip(_OUTER).rstrip(".").removesuffix("'s").removesuffix("’s")
    if len(bare) < 2 or not any(character.isalnum() or character in _SIGNS for character in bare):
        return ""
    if _OPTION.match(bare) or _DOTTED.search(bare):
        return bare
    return bare if not _SIGNS.isdisjoint(bare) and not _CHOICE.match(bare) else ""


def normal_query(query: str) -> str:
    """A query without case, punctuation and Unicode variants; two queries are the same if these are equal."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", query).casefold()).strip()
