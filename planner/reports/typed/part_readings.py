"""What a reader is asked for the parts on request, and what he has answered. Pure.

A part such as sentiment is read as the entailment of one sentence: "What this says of the pump is praise." A quote that
says so praises; one that says the opposite criticises.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from research_crawler.core.models.evidence.entailment import EntailmentVerdict, Pair, Readings

MOST_PAIRS: Final = 24
"""Most pairs of a part: one call of a model reads as many."""


@dataclass(frozen=True)
class PartReadings:
    """Verdicts by statement and quote; what was not read could not be checked."""

    found: dict[tuple[str, str], EntailmentVerdict] = field(default_factory=dict)

    def verdict(self, statement: str, quote: str) -> EntailmentVerdict:
        """What a quote says about a statement."""
        return self.found.get((statement, quote), "could_not_check")

    @property
    def is_read(self) -> bool:
        """Whether somebody has read at all."""
        return any(verdict != "could_not_check" for verdict in self.found.values())


def part_readings(pairs: Sequence[Pair], readings: Readings) -> PartReadings:
    """The verdicts of a reader on the pairs of parts, which have one quote each."""
    found = zip(pairs, readings.found, strict=True)
    return PartReadings({(pair.statement, pair.quotes[0]): reading.verdict for pair, reading in found})
