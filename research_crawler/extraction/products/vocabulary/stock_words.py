"""Reads the availability that a text, a word of schema.org or a value of a page's state gives.

A text is divided into words, and the phrases of `stock_phrases` are looked for among them. A phrase inside a longer
one does not count ("almost sold out"); of the others, the worst wins.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from research_crawler.core.models.products import Availability
from research_crawler.extraction.products.vocabulary import stock_phrases

_SCHEMA: Final[dict[str, Availability]] = {
    "instock": "in_stock", "onlineonly": "in_stock", "instoreonly": "in_stock", "madetoorder": "in_stock",
    "available": "in_stock", "availablefororder": "backorder", "outofstock": "out_of_stock", "soldout": "out_of_stock",
    "discontinued": "out_of_stock", "reserved": "out_of_stock", "unavailable": "out_of_stock",
    "notavailable": "out_of_stock", "notinstock": "out_of_stock", "nostock": "out_of_stock", "outstock": "out_of_stock",
    "preorder": "preorder", "presale": "preorder", "comingsoon": "preorder", "backorder": "backorder",
    "onbackorder": "backorder", "backordered": "backorder", "limitedavailability": "limited", "limitedstock": "limited",
    "lowstock": "limited", "limited": "limited", "instocklimited": "limited", "oos": "out_of_stock",
    "pending": "out_of_stock", "ended": "out_of_stock", "sold": "out_of_stock", "true": "in_stock",
    "false": "out_of_stock", "yes": "in_stock", "no": "out_of_stock",
}  # fmt: skip
_WORST_FIRST: Final[tuple[Availability, ...]] = (
    "out_of_stock",
    "preorder",
    "limited",
    "backorder",
    "in_stock",
)
_WORD: Final = re.compile(r"\d+|[^\W\d_]+")
_BREAK: Final = re.compile(r"[.,;!?()|•·–—]")
_SPACELESS: Final = re.compile(r"[\u0900-\u0dff\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts in which words are not divided by spaces, or by more than spaces."""
_NONE_LEFT: Final = re.compile(r"[\s:(]{0,3}0(?![\d.,%])")
_MARKS: Final = re.compile("[\u0300-\u036f]+")
_MONEY: Final = re.compile(r" ?(?:[.,]\d|[€$£¥₽₺%]|(?:kr|eur|usd|gbp|zl|kc|ft|lei)\b)")
_MAX_TEXT = 600
_BEFORE, _NUMBERS = 3, 2
"""The most words between a phrase and the word that denies it; the most numbers in a row: "1-2"."""
_KEY = 3


class Word(NamedTuple):
    """A word of a text, with its place in it."""

    text: str
    start: int
    end: int


class Found(NamedTuple):
    """What a part of a text says."""

    said: Availability
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as words, of which `#`, `?` and `*` stand for others."""

    words: tuple[str, ...]
    said: Availability
    is_whole: bool
    is_answer: bool
    is_last: bool

    def end_at(self, words: Sequence[Word], start: int, position: int = 0) -> int:
        """The index after the last word of the phrase if it begins with the word at `start`; else 0."""
        if position == len(self.words):
            return start
        wanted = self.words[position]
        if wanted == "?":
            without = self.end_at(words, start, position + 1)
            return without or (start < len(words) and self.end_at(words, start + 1, position + 1)) or 0
        if start >= len(words):
            return 0
        found = words[start].text
        if wanted == "#":
            more = start
            while more < min(start + _NUMBERS, len(words)) and words[more].text.isdecimal():
                more += 1
            return self.end_at(words, more, position + 1) if more > start else 0
        fits = found.startswith(wanted[:-1]) if wanted[-1] == "*" else found == wanted
        return self.end_at(words, start + 1, position + 1) if fits else 0


def read_availability(value: object) -> Availability:
    """Read an availability from schema.org, OpenGraph or a page's state, which may also be in words."""
    if isinstance(value, bool):
        return "in_stock" if value else "out_of_stock"
    text = str(value or "").strip()
    bare = re.sub(r"[\W_]", "", text.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]).lower()
    return _SCHEMA.get(bare) or words_of_availability(text)


def words_of_availability(text: str) -> Availability:
    """The availability that a short text states. If it states several, the worst one wins."""
    return _said(text[:_MAX_TEXT])


@lru_cache(maxsize=4_096)
def _said(text: str) -> Availability:
    plain = _plain(text)
    words = [Word(one[0], one.start(), one.end()) for one in _WORD.finditer(plain)]
    found = [*_spoken(plain, words), *_spaceless(plain)]
    if not found:
        return "unknown"
    said = {
        one.said
        for one in found
        if not any(
            other.start <= one.start
            and one.end <= other.end
            and other.end - other.start > one.end - one.start
            for other in found
        )
    }
    return next((one for one in _WORST_FIRST if one in said), "unknown")


def _spoken(text: str, words: list[Word]) -> Iterator[Found]:
    """What the phrases in a text say, with the words that deny them."""
    for start, word in enumerate(words):
        for phrase in _PHRASES.get("#" if word.text.isdecimal() else word.text[:_KEY], ()):
            end = phrase.end_at(words, start)
            if not end or (phrase.is_last and end < len(words)):
                continue
            if phrase.is_whole and not _is_whole(phrase, [*words[:start], *words[end:]]):
                continue
            if phrase.words[-1] == "#" and _MONEY.match(text, words[end - 1].end):
                continue
            said, first = phrase.said, start
            if said == "in_stock":
                said, first = _checked(text, words, start, end)
            elif said == "limited" and "#" in phrase.words and _is_zero(words[start:end]):
                said = "out_of_stock"
            yield Found(said, words[first].start, words[end - 1].end)


def _checked(text: str, words: list[Word], start: int, end: int) -> tuple[Availability, int]:
    """What a phrase for "in stock" says beside the words around it, and the word with which that begins."""
    if _is_zero(words[start:end]) or _NONE_LEFT.match(text, words[end - 1].end):
        return "out_of_stock", start
    if end == len(words) - 1 and words[end].text in _LATER_NEGATORS:
        return "out_of_stock", start
    for before in range(start - 1, max(start - 1 - _BEFORE, -1), -1):
        if _BREAK.search(text, words[before].end, words[before + 1].start):
            break
        if words[before].text in _NEGATORS:
            return "out_of_stock", before
        if words[before].text in _CONDITIONALS:
            return "unknown", before
    return "in_stock", start


def _is_zero(words: list[Word]) -> bool:
    numbers = [one.text for one in words if one.text.isdecimal()]
    return bool(numbers) and not any(map(int, numbers))


def _is_whole(phrase: Phrase, others: list[Word]) -> bool:
    """Whether beside a phrase there are only words that may be there, and a label where it needs one."""
    is_labelled = any(one.text in _LABELS for one in others)
    return all(one.text in _LABELS or one.text in _ASIDES for one in others) and (
        is_labelled or not phrase.is_answer
    )


def _spaceless(text: str) -> Iterator[Found]:
    """What a text in a script without spaces says."""
    if not _SPACELESS.search(text):
        return
    for phrase, said in _JOINED.items():
        start = text.find(phrase)
        if start >= 0:
            yield Found(said, start, start + len(phrase))


def _plain(text: str) -> str:
    """A text in small letters without accents, with "not" as a word of its own."""
    small = text.casefold()
    if not small.isascii():
        small = small.replace("’", "'").replace("\u00ad", "").replace("ı", "i")
        small = unicodedata.normalize("NFKC", _MARKS.sub("", unicodedata.normalize("NFKD", small)))
    return small.replace("n't ", " not ").replace("can not ", "cannot ")


def _phrases() -> Iterator[tuple[str, Phrase]]:
    """All phrases, with the key of their first word; those of scripts without spaces come as one word."""
    by_class: dict[Availability, str] = {
        "out_of_stock": stock_phrases.OUT_OF_STOCK,
        "limited": stock_phrases.LIMITED,
        "preorder": stock_phrases.PREORDER,
        "backorder": stock_phrases.BACKORDER,
        "in_stock": stock_phrases.IN_STOCK,
    }
    for said, lines in by_class.items():
        for written in re.split(r"[|\n]", lines.strip()):
            if not (bare := _plain(written.strip())):
                continue
            parts = [part.split("/") for part in bare.strip("=~$").split()]
            for words in product(*parts):
                key = "#" if words[0] == "#" or words[0].isdecimal() else words[0].rstrip("*")[:_KEY]
                yield key, Phrase(words, said, bare[:1] in ("=", "~"), bare[:1] == "~", bare[-1:] == "$")


def _joined(phrase: Phrase) -> str:
    return " ".join(phrase.words).replace("#", "")


_NEGATORS: Final = frozenset(_plain(stock_phrases.NEGATORS).split())
_LATER_NEGATORS: Final = frozenset(_plain(stock_phrases.LATER_NEGATORS).split())
_CONDITIONALS: Final = frozenset(_plain(stock_phrases.CONDITIONALS).split())
_LABELS: Final = frozenset(_plain(stock_phrases.LABELS).split())
_ASIDES: Final = frozenset(_plain(stock_phrases.ASIDES).split())
_PHRASES: Final[dict[str, list[Phrase]]] = defaultdict(list)
_JOINED: Final[dict[str, Availability]] = {}
for _first, _phrase in _phrases():
    if _SPACELESS.search(_joined(_phrase)):
        _JOINED[_joined(_phrase)] = _phrase.said
    else:
        _PHRASES[_first].append(_phrase)
