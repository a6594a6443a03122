"""Read the phrase of a text that a question asks for: the value, and not the sentence that has it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from research_crawler.text.language import language_of
from research_crawler.text.numbers import figures
from research_crawler.text.words import WORD, stem, terms

_MOST_WORDS: Final = 6
"""A longer phrase of a sentence is no value but what is told of it."""
_MOST_LABELLED_WORDS: Final = 15
"""What stands behind a label may be longer: a list of places, a short description."""
_LABEL_CHARS: Final = 60
_BETWEEN: Final = 3
"""So many words may stand between the asked word and "is": "the default value of `max_size` is"."""
_CLAUSE_END: Final = re.compile(r"(?<!\s)\s*+(?:[,;:.!?](?=\s|$)|[(–—]|$)")
_GOES_ON: Final = re.compile(r"\s*\([^()]*\)\s*+\w")
_ARTICLES: Final = frozenset(
    "the a an der die das ein eine le la les un une el los las una il lo i gli het de een o os as um uma".split()  # noqa: SIM905
)
_SWITCHES: Final = frozenset("on off yes no none never always true false".split())  # noqa: SIM905
"""Function words that are values of settings."""
_POINTING: Final = ("see", "siehe", "voir", "véase", "vedi", "zie", "zob.", "ver")
"""Begins what a label has in the place of a value: `Default: See usage for details`."""
_NAME: Final = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?: (?:de|van|von|der|da|di) )?(?: ?[A-ZÀ-ÖØ-Þ][\w'’.-]*)+")


def phrases_of(
    text: str, label: str, asked: frozenset[str], *, subject: str, is_person: bool, language: str
) -> Iterator[tuple[str, int]]:
    """The phrases of a text that can be a value, with where each begins.

    Args:
        text: a sentence, or what stands behind a label.
        label: the label, empty for a sentence.
        asked: stems of the words of the question that say which value is meant.
        subject: its name, which a manual repeats before a value: `Default: KeepAliveTimeout 5`.
        is_person: the question asks for a name.
        language: of the page.
    """
    own, mark, rest = text.partition(":")
    if label and not text.startswith(label):
        yield from _labelled(text, 0, subject)
    elif mark and rest.strip() and len(own) <= _LABEL_CHARS:
        if asked & set(terms(own)):
            yield from _labelled(rest, len(own) + 1, subject)
    elif asked & set(terms(text)):
        found = [*_behind_copula(text, asked, language), *_apposed(text, asked), *_in_brackets(text, asked)]
        if is_person:
            found = [
                (name[0], name.start()) for name in _NAME.finditer(text) if name[0] not in subject
            ] or found
        yield from dict.fromkeys(found)


def _labelled(text: str, offset: int, subject: str) -> Iterator[tuple[str, int]]:
    value = text.strip().removesuffix(".").strip()
    if subject and value.lower().startswith(f"{subject.lower()} "):
        value = value[len(subject) + 1 :].strip()
    points = value.lower().split()[:1] in ([word] for word in _POINTING)
    if value and len(value.split()) <= _MOST_LABELLED_WORDS and not points:
        yield value, offset + text.index(value)


def _behind_copula(text: str, asked: frozenset[str], language: str) -> Iterator[tuple[str, int]]:
    """What is said of the asked word: "the default value is 200", "defaults to 10"; "it is on by default"."""
    known = language_of(language)
    copulas = str(known.data.get("question", {}).get("be", "")).split()
    words = list(WORD.finditer(text))
    low = [word[0].lower() for word in words]
    for place, word in enumerate(low):
        if stem(word) not in asked:
            continue
        if place + 1 < len(low) and low[place + 1] == "to":
            yield from _phrase(text, words[place + 1].end(), language)
        behind = low[place + 1 : place + 2 + _BETWEEN]
        copula = next((n for n, other in enumerate(behind, place + 1) if other in copulas), -1)
        if copula > 0 and "." not in re.sub(r"\w\.\w", "", text[words[place].end() : words[copula].start()]):
            yield from _phrase(text, words[copula].end(), language)
        is_switch = place > 2 and low[place - 1] == "by" and low[place - 2] in _SWITCHES
        if is_switch and low[place - 3] in copulas:
            yield words[place - 2][0], words[place - 2].start()


def _apposed(text: str, asked: frozenset[str]) -> Iterator[tuple[str, int]]:
    """What stands between commas behind the asked word: "The default, 64, has proven sufficient"."""
    for found in re.finditer(r"(?<!\w)(\w++), ([^,.;:()]{1,40}),(?= )", text):
        if stem(found[1].lower()) in asked and len(found[2].split()) <= _BETWEEN:
            yield found[2], found.start(2)


def _in_brackets(text: str, asked: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The word before brackets with nothing but what was asked for: "zero (the default) turns it off"."""
    for found in re.finditer(r"(?<![\w.+-])([\w.+-]++) \((\w++(?: \w++)?)\)", text):
        words = [word for word in found[2].lower().split() if word not in _ARTICLES]
        if words and all(stem(word) in asked for word in words):
            yield found[1], found.start(1)


def _phrase(text: str, start: int, language: str) -> Iterator[tuple[str, int]]:
    """The phrase from a place to the end of its clause, without its article; none if it is no noun or number."""
    end = _CLAUSE_END.search(text, start)
    if end and _GOES_ON.match(text, end.start()):  # "16 (the limit) multiplied by …" is more than 16
        return
    raw = text[start : end.start() if end else len(text)]
    words = raw.split()
    if words and words[0].lower() in _ARTICLES:
        words = words[1:]
    if not words or len(words) > _MOST_WORDS or not _is_value(words, language):
        return
    begin = text.index(words[0], start)
    value = text[begin : start + len(raw)].strip().strip("\"“”'`")
    if value:
        yield value, text.index(value, begin)


def _is_value(words: Sequence[str], language: str) -> bool:
    first = words[0].lower().strip("\"“”'`")
    if len(words) == 1 and first in _SWITCHES:
        return True
    is_number = bool((found := figures(" ".join(words), language)) and found[0].start == 0)
    return is_number or first not in language_of(language).stop_words
