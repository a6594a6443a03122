"""Says what a batch is likely to take, and what that is computed from, before it starts."""

from dataclasses import dataclass
from statistics import mean
from typing import Final

from planner.brains.model.settings import ModelSettings, prices_of, unpriced_models
from planner.money.model_prices import model_prices
from research_crawler.core.config import Config
from research_crawler.core.models.batches import Batch
from research_crawler.core.models.jobs import Depth, Job
from research_crawler.core.settings.depth import PRESETS
from research_crawler.core.text.counting import count
from research_crawler.runtime.runtime import Runtime

LONG_H: Final = 1.0
"""A batch that takes longer is worth a question."""
_LOOKED_AT: Final = 200
_LEAST_JOBS: Final = 3
"""Fewer finished jobs of the same kind say too little."""
_TOKENS: Final[dict[Depth, tuple[int, int]]] = {
    "quick": (30_000, 4_000), "standard": (70_000, 8_000), "deep": (180_000, 16_000),
}  # fmt: skip
"""Tokens that are sent and answered for a row, where no job has been run yet: by the budgets of the prompts and what
a job of this depth reads."""
_SECONDS: Final[dict[Depth, float]] = {"quick": 15.0, "standard": 30.0, "deep": 90.0}


@dataclass(frozen=True)
class BatchEstimate:
    """What a batch is likely to take."""

    rows: int
    tokens: int
    usd: float | None
    """None: the price of a model is not known."""
    hours: float
    """Working time, with the rows that run at once."""
    longest_hours: float
    """The same if all pages stood on one host, which is fetched from at the delay of the settings."""
    basis: str
    """What it is computed from, for the user."""

    @property
    def costs_money(self) -> bool:
        """Whether it is known to cost money."""
        return bool(self.usd)


async def estimate(runtime: Runtime, batch: Batch) -> BatchEstimate:
    """What a batch is likely to take, by the jobs that have been finished here with the same brain and depth."""
    known = [
        job
        for job in await runtime.container.archive.list_jobs(_LOOKED_AT)
        if job.state == "completed" and job.brain == batch.brain and job.inputs.depth == batch.inputs.depth
    ]
    sent, answered, seconds, basis = _per_row(batch, known)
    usd = _price(runtime.config, batch, round(sent), round(answered))
    places = max(1, min(runtime.config.batch_places, batch.rows))
    return BatchEstimate(
        rows=batch.rows,
        tokens=round(batch.rows * (sent + answered)),
        usd=None if usd is None else usd * batch.rows,
        hours=batch.rows * seconds / places / 3_600,
        longest_hours=batch.rows
        * max(seconds / places, _pages(batch, known) * batch.limits.visit_delay_s)
        / 3_600,
        basis=basis,
    )


def _per_row(batch: Batch, known: list[Job]) -> tuple[float, float, float, str]:
    """Tokens sent and answered, seconds, and where they come from, for one row."""
    depth, is_plain = batch.inputs.depth, batch.brain == "extractive"
    if len(known) >= _LEAST_JOBS:
        seconds = mean(job.plan.spent_ms / 1000 for job in known)
        basis = f"the last {len(known)} {depth} jobs here"
        return (
            mean(job.usage.prompt_tokens for job in known),
            mean(job.usage.completion_tokens for job in known),
            max(1.0, seconds),
            basis,
        )
    sent, answered = (0, 0) if is_plain else _TOKENS[depth]
    return (
        sent,
        answered,
        _SECONDS[depth],
        f"a typical {depth} job; fewer than {_LEAST_JOBS} were finished here",
    )


def _pages(batch: Batch, known: list[Job]) -> float:
    """Pages that a row fetches: as many as earlier jobs did, else half of what its depth allows."""
    if len(known) >= _LEAST_JOBS:
        return mean(job.pages_fetched for job in known)
    return PRESETS[batch.inputs.depth].visits / 2


def _price(config: Config, batch: Batch, sent: int, answered: int) -> float | None:
    """The price of a row; None if that of a model is not known."""
    if batch.brain == "extractive":
        return 0.0
    if unpriced_models(config):
        return None
    settings = ModelSettings(mind_model=config.mind_model, prices=prices_of(config))
    return settings.usd("planner", sent, answered)


def told_estimate(found: BatchEstimate, config: Config) -> str:
    """The estimate in one line."""
    longest = f", up to {_hours(found.longest_hours)} if all pages are on one host"
    is_longer = found.longest_hours > 1.5 * found.hours
    parts = [count(found.rows, "row"), f"about {_hours(found.hours)}{longest if is_longer else ''}"]
    if found.tokens:
        parts.append(f"{found.tokens:,} model tokens")
        date = model_prices(config.model_prices_usd).date
        price = "a price that is not known" if found.usd is None else f"${found.usd:,.2f} (prices of {date})"
        parts.append(price if found.usd is None or found.usd else "no money")
    return f"{', '.join(parts)}; by {found.basis}"


def _hours(hours: float) -> str:
    if hours >= 1:
        return f"{hours:.1f} h"
    return f"{max(1, round(hours * 60))} min"
