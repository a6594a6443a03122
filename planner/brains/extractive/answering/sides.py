"""The two sides that a question compares, by its syntax alone."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.language import detect, language_of
from research_crawler.text.languages.words import WORD, terms
from research_crawler.text.questions.question import (
    kind_words,
    links_of,
    or_words,
)

_VERSUS: Final = frozenset({"vs", "versus"})
_PAUSE: Final = re.compile(r"[,.;:?!()]")
_MOST_WORDS: Final = 2
"""Words of a side."""


@dataclass(frozen=True)
class Sides:
    """Two things that are compared, and the stems by which a text is about one of them."""

    one: str
    other: str
    one_key: str
    other_key: str
    is_part: bool
    """The other one is named by the words of the first and more: `VACUUM` and `VACUUM FULL`."""

    def of(self, words: Collection[str]) -> tuple[bool, bool]:
        """Whether a text with these stems is about the first and about the other one."""
        has_one, has_other = self.one_key in words, self.other_key in words
        return has_one and not (self.is_part and has_other), has_other and (has_one or not self.is_part)


@lru_cache(maxsize=256)
def sides_of(question: str) -> Sides | None:
    """The sides of `A vs B`, or of `A and B` and `A or B` in a question about a difference or a choice."""
    language = detect(question)
    joints = _VERSUS
    if kind_words("choice", language) & set(terms(question, language)):
        joints |= links_of(language) | or_words(language)
    found = list(WORD.finditer(question))
    for at, word in enumerate(found):
        if word[0].lower() in joints:
            before = _run(question, found[:at][::-1], language)[::-1]
            behind = _run(question, found[at + 1 :], language)
            if sides := _sides(before, behind, language):
                return sides
    return None


def _run(text: str, words: Sequence[re.Match[str]], language: str) -> list[str]:
    """The first of some words, up to a pause or a function word; one may stand before them ("and the …")."""
    run: list[re.Match[str]] = []
    if words and words[0][0].lower() in language_of(language).stop_words:
        words = words[1:]
    for word in words[: _MOST_WORDS + 1]:
        if word[0].lower() in language_of(language).stop_words:
            break
        if run and _PAUSE.search(text[min(run[-1].end(), word.end()) : max(run[-1].start(), word.start())]):
            break
        run.append(word)
    return [word[0] for word in run[:_MOST_WORDS]]


def _sides(before: Sequence[str], behind: Sequence[str], language: str) -> Sides | None:
    keys = [[stem for word in words for stem in terms(word, language)[:1]] for words in (before, behind)]
    if not all(keys):
        return None
    own, others = ([key for key in mine if key not in yours] for mine, yours in (keys, keys[::-1]))
    if not others:
        return None
    return Sides(" ".join(before), " ".join(behind), (own or keys[0])[-1], others[0], is_part=not own)
