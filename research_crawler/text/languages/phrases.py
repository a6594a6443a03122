"""Read the phrase that a sentence gives for a word: "the default is 200", "defaults to 10", "zero (the default)"."""

import re
from collections.abc import Iterator, Set
from typing import Final

from research_crawler.text.languages.language import language_of
from research_crawler.text.languages.words import WORD, stem

_MOST_WORDS: Final = 6
"""A longer phrase is no value but what is told of it."""
_BETWEEN: Final = 3
"""So many words may stand between the asked word and "is": "the default value of `max_size` is"."""
_CLAUSE_END: Final = re.compile(r"(?<!\s)\s*+(?:[,;:.!?](?=\s|$)|[(–—]|$)")
_SENTENCE_END: Final = re.compile(r"[.!?;]\s")
_GOES_ON: Final = re.compile(r"\s*\([^()]*\)\s*+\w")
_BRACKETS: Final = re.compile(r"(?<![\w.+-])([\w.+-]++) \((\w++(?: \w++)?)\)")
_QUOTES: Final = "\"“”'`"


def phrases_for(
    text: str, asked: Set[str], language: str, asked_language: str = "en"
) -> Iterator[tuple[str, int]]:
    """The phrases that a sentence gives for a word, with where each begins.

    Args:
        text: the sentence.
        asked: stems of the words of which one is asked for.
        language: of the sentence.
        asked_language: of the question, by whose stems its words are compared.

    The figures are rightly read values of the manuals of the benchmarks, of 101 that they state: without what stands
    behind "is" and "to" 53 fewer, without brackets 3 fewer, without the words in front of "by default" 2.
    """
    known = language_of(language)
    copulas = str(known.data.get("question", {}).get("be", "")).split()
    words = list(WORD.finditer(text))
    low = [word[0].lower() for word in words]
    for place, word in enumerate(low):
        if stem(word, asked_language) not in asked:
            continue
        behind = low[place + 1 : place + 2 + _BETWEEN]
        if behind[:1] == ["to"]:
            yield from _phrase(text, words[place + 1].end())
        copula = next((n for n, other in enumerate(behind, place + 1) if other in copulas), -1)
        if copula > 0 and not _SENTENCE_END.search(text, words[place].end(), words[copula].start()):
            yield from _phrase(text, words[copula].end())
        if place > 2 and low[place - 1] == "by" and low[place - 3] in copulas:
            yield words[place - 2][0], words[place - 2].start()
    for found in _BRACKETS.finditer(
        text
    ):  # nothing but what was asked for: "zero (the default) turns it off"
        inside = [word for word in found[2].lower().split() if word not in known.stop_words]
        if inside and all(stem(word, asked_language) in asked for word in inside):
            yield found[1], found.start(1)


def _phrase(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The phrase from a place to the end of its clause; none if it is long."""
    end = _CLAUSE_END.search(text, start)
    if end and _GOES_ON.match(text, end.start()):  # "16 (the limit) multiplied by …" is more than 16
        return
    value = text[start : end.start() if end else len(text)].strip().strip(_QUOTES)
    if value and len(value.split()) <= _MOST_WORDS:
        yield value, text.index(value, start)
