"""The answer that a piece of a page gives to a question, with how surely it is what is asked for."""

import math
from dataclasses import dataclass, field
from typing import Final

from planner.audit.any_wording.asked import AskedAnswer
from planner.audit.any_wording.pieces import Piece
from planner.audit.restrictions import is_one_of
from planner.audit.spans import Span
from planner.verify.dates import Date
from planner.verify.figures import Figure
from research_crawler.text.words import WORD, stem

SURELY_ASKED: Final = 1.0
LIKELY: Final = 0.6
POSSIBLE: Final = 0.3
"""How surely an answer is what is asked for: by its unit or its word, by what stands beside it, by its kind alone."""


@dataclass(frozen=True)
class ToldAnswer:
    """What a piece answers."""

    piece: Piece
    certainty: float
    """How surely it is what is asked for, by its unit, its head or the word that tells what happened."""
    rivals: int = 0
    """How many others of the kind stand in the piece."""
    text: str = ""
    """The answer as the page has it."""
    span: Span | None = None
    figure: Figure | None = None
    date: Date | None = None
    name: frozenset[str] = frozenset()
    start: int = 0
    """Where it begins in the piece."""
    words: tuple[str, ...] = field(default=())
    """Those that may be the thing that is asked for."""


def distance_to_asked(asked: AskedAnswer, text: str, start: int, end: int) -> float:
    """How many characters a span is from the nearest word of what is asked."""
    wanted = asked.counted | frozenset(map(stem, asked.aspects))
    places = [match.span() for match in WORD.finditer(text) if is_one_of(stem(match[0].lower()), wanted)]
    return min((max(0, place[0] - end, start - place[1]) for place in places), default=math.inf)
