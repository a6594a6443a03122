"""Find the language in which a goal is written, so that its report is in the same one."""

from functools import cache
from typing import Final

import stopwordsiso

from research_crawler.core.models.jobs import JobInputs
from research_crawler.text.messages import REPORT_LANGUAGES, Messages
from research_crawler.text.words import WORD

_TELLING: Final = 2
"""So many function words show a language."""


def report_language(goal: str, asked: str = "en") -> str:
    """The caller's language, unless that is English (the default) and the goal is written in another one.

    A goal has too few words for statistics of letters; its function words show the language. Another language must
    have two of them and more than English has, because words such as "die" and "in" are English too.
    """
    if asked and asked[:2].lower() != "en":
        return asked[:2].lower()
    return told_language(goal) or "en"


def told_language(text: str) -> str:
    """The language that the function words of a text show; "" where there are too few of them."""
    words = {word.lower() for word in WORD.findall(text)}
    hits = {code: len(words & _function_words(code)) for code in REPORT_LANGUAGES}
    best = max(REPORT_LANGUAGES, key=lambda code: hits[code])
    if hits[best] >= _TELLING and hits[best] > hits["en"]:
        return best
    return "en" if hits["en"] >= _TELLING else ""


def messages_of(inputs: JobInputs) -> Messages:
    """What code writes about a job, in the language of its goal."""
    return Messages(report_language(inputs.goal, inputs.language))


@cache
def _function_words(language: str) -> frozenset[str]:
    return frozenset(stopwordsiso.stopwords(language))
