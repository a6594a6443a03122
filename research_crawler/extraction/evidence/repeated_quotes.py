"""Tells where a quote is from that a page has several times, such as a row of every table of a manual."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

_WORD: Final = re.compile(r"\w+")
_MOST_PLACES: Final = 100
"""The longest manual of those measured has one row 60 times."""

Span = tuple[int, int]


def meant_place(claim: str, markdown: str, span: Span) -> Span:
    """The place of a quote whose heading has most words of the claim; the given one where no other has more.

    Args:
        claim: what was found, in the words of who read the page.
        markdown: the page.
        span: where the quote begins and ends for the first time.
    """
    start, end = span
    places = list(islice(_places(markdown[start:end], markdown, start), _MOST_PLACES))
    if len(places) == 1:
        return span
    claimed = _words(claim)
    best = max(places, key=lambda place: len(claimed & _words(_heading_line(markdown, place))))
    return best, best + end - start


def _places(quote: str, markdown: str, start: int) -> Iterator[int]:
    """Where the quote begins, from the first place on."""
    while start >= 0:
        yield start
        start = markdown.find(quote, start + len(quote))


def _heading_line(markdown: str, place: int) -> str:
    """The line of the heading above a place, or nothing."""
    begun = markdown.rfind("\n#", 0, place)
    return markdown[begun + 1 : markdown.find("\n", begun + 1)] if begun >= 0 else ""


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
