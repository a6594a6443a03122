"""Finds the names that a quote leaves out because the page has them in the sentences before it."""

import re
from typing import Final

_BEFORE: Final = 2_000
"""So many characters before a quote are looked at: "it" is what was named last, and hardly further away."""
_WORD: Final = re.compile(r"(?<![\w-])[^\W\d_][\w-]*+")
_MOST_CHARS: Final = 200


def subject_of(claim: str, markdown: str, start: int, end: int) -> str:
    """The words with capitals of a claim that its quote does not have, and that stand on the page shortly before it.

    A quote such as "It weighs 387 g" is about something that a writer has to name. The claim names it, and the page
    bears it out: what the page does not have there is left out.

    Args:
        claim: what was found, in the words of who read the page.
        markdown: the page.
        start: where the quote begins.
        end: where it ends.
    """
    quote, before = _words(markdown[start:end]), _words(markdown[max(0, start - _BEFORE) : start])
    names = [word for word in _with_capital(claim) if word not in quote and word in before]
    return " ".join(dict.fromkeys(names))[:_MOST_CHARS]


def _words(text: str) -> set[str]:
    return set(_with_capital(text))


def _with_capital(text: str) -> list[str]:
    """The words that are written as names are; which of them are names is up to who uses them."""
    return [word for word in _WORD.findall(text) if word[0].isupper()]
