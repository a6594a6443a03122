"""Tells pages about a sibling of what is asked (`Corva Duo` beside `Corva`) by their titles alone.

A manual, a shop or an encyclopedia names the pages of both in one way. So where a title is that of another page with
more words behind a word of the question, it names another thing, unless the question has these words too.
"""

from collections.abc import Collection, Sequence
from typing import Final

from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import WORD, stem, terms

_MOST_WORDS: Final = 2
"""Most words by which a sibling's name is longer."""


def sibling_titles(question: str, titles: Collection[str]) -> set[str]:
    """The titles that are another one with one or two words more behind a word of the question.

    Args:
        question: what is asked; words that it has make no page one of another thing.
        titles: of the pages that were read.
    """
    language = detect(question)
    asked = frozenset(terms(question, language))
    words = {title: [stem(word.lower(), language) for word in WORD.findall(title)] for title in titles}
    known = {tuple(own) for own in words.values()}
    return {title for title, own in words.items() if _is_longer(own, known, asked)}


def _is_longer(title: Sequence[str], known: Collection[tuple[str, ...]], asked: frozenset[str]) -> bool:
    return any(
        title[at - 1] in asked and asked.isdisjoint(title[at:end]) and (*title[:at], *title[end:]) in known
        for at in range(1, len(title))
        for end in range(at + 1, min(at + _MOST_WORDS, len(title)) + 1)
    )
