"""Statements beside texts that may say them, and what a reader finds."""

from typing import Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.brain_answer import BrainAnswer

ReadVerdict = Literal["supported", "contradicted", "not_said"]
"""What a text says about a statement: all of it, the opposite of it, or neither."""
EntailmentVerdict = Literal["supported", "contradicted", "not_said", "could_not_check"]
"""The same, or that nobody has read it."""


class Pair(Frozen):
    """A statement with the quotes that it cites."""

    statement: str
    quotes: list[str]
    sources: list[str] = Field(default_factory=list)
    """Title, heading and host of each quote: a quote mostly does not repeat what its page is about."""
    needs_second_reading: bool = False
    """Whether code finds words in the statement that nothing beside it has: it is then read twice."""
    opens_answer: bool = False
    """Whether it is the first sentence of an answer, for which the quotes of the other statements count too."""
    told_as: str = ""
    """Its part in what is told step by step: that something is seen, what that means, what to do about it."""
    missing_names: list[str] = Field(default_factory=list)
    """Names in the statement that no quote has: it is shown only in other words, without them."""
    below: str = ""
    """Of a listing with the sentence above it: that sentence, which a reader of both is shown once."""


class PairReading(Frozen):
    """What was found about one pair."""

    verdict: EntailmentVerdict = "could_not_check"
    reason: str = ""
    """For people: what the quotes lack, say otherwise, or why nobody has read them."""
    reworded: str = ""
    """For a statement that the quotes say only in part: the part that they say, as a sentence."""
    words: str = ""
    """For a doubted statement that was read twice: the words of its quotes that say it, as the second reader copied
    them."""


class Readings(BrainAnswer):
    """What a reader found: one reading for each pair, in their order."""

    found: list[PairReading] = Field(default_factory=list)


def unread(pairs: int, by: str = "", why: str = "") -> Readings:
    """The readings of so many pairs that nobody has read."""
    return Readings(by=by, found=[PairReading(reason=why)] * pairs)
