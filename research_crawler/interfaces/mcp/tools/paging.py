"""Keeps the answers of tools within a number of tokens: estimates them, and cuts long answers into pages. Pure."""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeVar

from research_crawler.core.errors import UsageError

DEFAULT_TOKENS: Final = 8_000
"""Tokens of a tool's answer where the client names no number."""
LEAST_ANSWER_TOKENS: Final = 2_000
"""Fewest tokens of an answer that a client may ask for."""
MOST_ANSWER_TOKENS: Final = 20_000
"""Most tokens of an answer that a client may ask for."""
REPRESENTATIONS: Final = 2
"""An answer travels twice: as structured content, and as text for clients that read no structured content."""
_ASCII_A_TOKEN: Final = 3.5
"""Low on purpose: English has about four letters a token, JSON and URLs three and a half."""
_TOKENS_A_LETTER: Final = 1.2
"""Of other scripts: Chinese and Japanese have about one token a letter in current vocabularies, others fewer."""
_FRAME_TOKENS: Final = 250
"""Keys, ids and links around what is paged."""
_CURSOR: Final = re.compile(r"([a-z]{1,12}):(\d{1,9})")
_ENDS: Final = ("\n\n", "\n", ". ", " ")
"""Where a text may be cut, the best first."""

Item = TypeVar("Item")


CursorPart = Literal[
    "report", "sources", "results", "findings", "rows", "watches", "products", "interventions"
]
"""What an answer consists of: a list, or the two parts of a report."""


@dataclass(frozen=True)
class Cursor:
    """A place in an answer: in which part of it, and how far in."""

    part: CursorPart
    at: int = 0

    @classmethod
    def of(cls, text: str, parts: Sequence[CursorPart]) -> Self:
        """Read the cursor that a caller sends back; an empty one is the beginning.

        Raises:
            UsageError: it is none that an answer of this kind has given.
        """
        if not text:
            return cls(parts[0])
        written = _CURSOR.fullmatch(text)
        part = next((part for part in parts if written and part == written[1]), None)
        if written is None or part is None:
            raise UsageError(
                f"{text[:40]!r} is no cursor; give the value of `next` of the answer before, or nothing"
            )
        return cls(part, int(written[2]))

    def __str__(self) -> str:
        """The cursor as an answer gives it."""
        return f"{self.part}:{self.at}"


class TokenBudget:
    """What is left of an answer's tokens while it is filled."""

    def __init__(self, max_tokens: int) -> None:
        """`max_tokens`: of the whole answer, in both representations."""
        self.left = self._size = max_tokens / REPRESENTATIONS - _FRAME_TOKENS

    def take_text(self, text: str, start: int) -> int:
        """How far the text from `start` fits; it ends at a paragraph, line, sentence or word if there is one."""
        end = start + _longest(text, start, self.left)
        if end < len(text):
            end = _border(text, start, end)
        self.left -= tokens_as_json(text[start:end])
        return end

    def take_items(self, items: Sequence[Item], start: int, text_of: Callable[[Item], str]) -> int:
        """How many of the items from `start` on fit: the position after the last of them.

        Raises:
            UsageError: an item fits into no answer of this size.
        """
        for place in range(start, len(items)):
            cost = tokens_as_json(text_of(items[place])) + 2
            if cost > self._size:
                raise UsageError("one entry is longer than max_tokens; give a larger max_tokens")
            if cost > self.left:
                return place
            self.left -= cost
        return len(items)


def tokens_as_json(text: str) -> int:
    """An estimate of the tokens of a text as a JSON string, rather too high than too low."""
    return math.ceil(_cost(json.dumps(text, ensure_ascii=False)))


def first_letters(text: str, letters: int) -> str:
    """A text with at most so many letters."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _cost(text: str) -> float:
    plain = len(text.encode("ascii", "ignore"))
    return plain / _ASCII_A_TOKEN + (len(text) - plain) * _TOKENS_A_LETTER


def _longest(text: str, start: int, tokens: float) -> int:
    """The most letters from `start` on that cost no more than so many tokens, by halving."""
    low, high = 0, min(len(text) - start, max(0, int(tokens * _ASCII_A_TOKEN)))
    while low < high:
        middle = (low + high + 1) // 2
        if tokens_as_json(text[start : start + middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def _border(text: str, start: int, end: int) -> int:
    """The last good place to cut in the second half of text[start:end]; else `end`."""
    for mark in _ENDS:
        found = text.rfind(mark, start + (end - start) // 2, end)
        if found >= 0:
            return found + len(mark)
    return end
