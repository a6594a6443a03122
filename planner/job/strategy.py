"""Which phases a job runs, and why (row 1.9)."""

from collections.abc import Collection
from typing import NamedTuple

from research_crawler.core.errors import UsageError
from research_crawler.core.models.commands import Intent
from research_crawler.core.models.findings import FindingKind
from research_crawler.core.models.jobs import JobInputs, Strategy

OFFERS_NOT_COMPARED = "Offers were not compared: this run learned what to look for, and visited no vendors."
NAMES: dict[str, Strategy] = {
    "phase1_only": "phase1_only",
    "phase1_and_phase2": "phase1_and_phase2",
    "phase1_then_phase2": "phase1_and_phase2",
    "phase2_only": "phase2_only",
}
"""Spellings of the strategies, in lower case."""
NEEDED: dict[FindingKind, str] = {
    "recommended_product": "recommended products",
    "price_expectation": "the price range",
    "spec_to_look_for": "specs to look for",
}
"""What phase 2 works with; full intelligence has findings of all three kinds."""


class ChosenStrategy(NamedTuple):
    """A strategy with its reason and what the report has to warn about."""

    strategy: Strategy
    reason: str
    warnings: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    """What phase 1 is to find where the rest is known; empty: everything."""


def strategy_named(text: str) -> Strategy:
    """A strategy as a person writes it.

    Raises:
        UsageError: there is none of this name.
    """
    strategy = NAMES.get(text.strip().lower().replace("-", "_"))
    if strategy is None:
        raise UsageError(f"{text!r} is no strategy; choose one of {', '.join(NAMES)}")
    return strategy


def choose_strategy(
    inputs: JobInputs, known: Collection[FindingKind] = (), source: str = ""
) -> ChosenStrategy:
    """The strategy of a job: as the caller says, else by its intent and by what is known already.

    Args:
        known: kinds of fresh findings on the same products from before.
        source: where those come from, for the reason.
    """
    if inputs.strategy and not (inputs.intent == "informational" and inputs.strategy == "phase1_only"):
        return _forced(inputs.intent, inputs.strategy)
    if inputs.from_job:
        return ChosenStrategy("phase2_only", f"phase 1 of job {inputs.from_job} is taken over")
    if inputs.intent == "informational":
        return ChosenStrategy("phase1_only", "the goal asks for knowledge, not for an offer")
    missing = [name for kind, name in NEEDED.items() if kind not in known]
    have = [name for kind, name in NEEDED.items() if kind in known]
    if not missing:
        return ChosenStrategy("phase2_only", f"full intelligence: {', '.join(have)} are known from {source}")
    if have:
        reason = f"partial intelligence: {', '.join(have)} known from {source}; phase 1 looks for {', '.join(missing)}"
        return ChosenStrategy("phase1_and_phase2", reason, (), tuple(missing))
    return ChosenStrategy("phase1_and_phase2", "the goal asks for an offer, and nothing is known from before")


def _forced(intent: Intent, strategy: Strategy) -> ChosenStrategy:
    warnings = (OFFERS_NOT_COMPARED,) if strategy == "phase1_only" and intent == "commerce" else ()
    return ChosenStrategy(strategy, "the caller asked for it", warnings)
