"""Which phases a job runs, and why."""

from typing import NamedTuple

from research_crawler.core.models.commands import Intent
from research_crawler.core.models.jobs import Strategy

OFFERS_NOT_COMPARED = "Offers were not compared: this run learned what to look for, and visited no vendors."


class Choice(NamedTuple):
    """A strategy with its reason and what the report has to warn about."""

    strategy: Strategy
    reason: str
    warnings: tuple[str, ...] = ()


def choose_strategy(intent: Intent) -> Choice:
    """The strategy of a job by its intent."""
    if intent == "informational":
        return Choice("phase1_only", "the goal asks for knowledge, not for an offer")
    return Choice("phase1_only", "the goal asks for an offer; only phase 1 is run", (OFFERS_NOT_COMPARED,))
