"""Choose which phases a job runs, and say why."""

from collections.abc import Collection
from typing import NamedTuple

from planner.goal.report_language import messages_of
from research_crawler.core.errors import UsageError
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.records import Strategy, TimelineEntry

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
"""What phase 2 needs from phase 1. Full intelligence has findings of all three kinds, partial intelligence of one or
two."""


class ChosenStrategy(NamedTuple):
    """A strategy with its reason and the warnings for the report."""

    strategy: Strategy
    reason: str
    warnings: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    """The only things that phase 1 has to find, because the rest is known; empty if nothing is known."""


def strategy_named(text: str) -> Strategy:
    """The strategy that a user names.

    Raises:
        UsageError: no strategy has this name.
    """
    strategy = NAMES.get(text.strip().lower().replace("-", "_"))
    if strategy is None:
        raise UsageError(f"{text!r} is not a strategy; choose one of {', '.join(NAMES)}")
    return strategy


def choose_strategy(
    inputs: JobInputs, known: Collection[FindingKind] = (), source: str = ""
) -> ChosenStrategy:
    """The strategy of a job: as the caller says, else by its intent and what is already known.

    Args:
        known: kinds of the fresh findings about the same products.
        source: where those findings come from, for the reason.
    """
    if inputs.strategy and not (inputs.intent == "informational" and inputs.strategy == "phase1_only"):
        return _forced(inputs, inputs.strategy)
    if inputs.from_job:
        return ChosenStrategy("phase2_only", f"the job continues from phase 1 of job {inputs.from_job}")
    if inputs.intent == "informational":
        return ChosenStrategy("phase1_only", "the goal asks for knowledge, not for an offer")
    missing = [name for kind, name in NEEDED.items() if kind not in known]
    known_names = ", ".join(name for kind, name in NEEDED.items() if kind in known)
    if not missing:
        return ChosenStrategy("phase2_only", f"full intelligence: {known_names} are known from {source}")
    if known_names:
        reason = (
            f"partial intelligence: {known_names} known from {source}; phase 1 looks for {', '.join(missing)}"
        )
        return ChosenStrategy("phase1_and_phase2", reason, (), tuple(missing))
    return ChosenStrategy("phase1_and_phase2", "the goal asks for an offer, and nothing is known from before")


def reading_line(inputs: JobInputs, reason: str, at_ms: int, by: str = "") -> TimelineEntry:
    """The line of the timeline that tells how a goal was read, and why it is researched as it is."""
    market = f" in {inputs.region}, {inputs.currency}" if inputs.intent == "commerce" else ""
    return TimelineEntry(
        at_ms=at_ms,
        iteration=0,
        action="intent",
        text=f"read as {inputs.intent}{market}, type {inputs.type} – {reason}",
        by=by,
    )


def _forced(inputs: JobInputs, strategy: Strategy) -> ChosenStrategy:
    is_warned = strategy == "phase1_only" and inputs.intent == "commerce"
    warnings = (messages_of(inputs)("offers_not_compared"),) if is_warned else ()
    return ChosenStrategy(strategy, "the caller chose it", warnings)
