"""The port of whoever reads whether a text says what a statement says.

Code compares figures, dates, names, negations and commands; meaning is read here. A model reads
(`planner.brains.model.reader`); where there is none, every pair is `could_not_check`
(`research_crawler.core.models.evidence.entailment.unread`).
"""

from collections.abc import Sequence
from typing import Protocol

from research_crawler.core.models.evidence.entailment import Pair, Readings
from research_crawler.core.ports.models import Call


class Entailment(Protocol):
    """Reads pairs of a statement and the quotes beside it."""

    async def judge(self, pairs: Sequence[Pair], call: Call, *, language: str = "en") -> Readings:
        """One reading a pair, in their order; `language` is that of rewordings."""
        ...
