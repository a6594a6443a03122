"""Says what a batch is likely to take, and what that is computed from, before it starts."""

from dataclasses import dataclass
from typing import Final

from planner.money.model_prices import model_prices
from research_crawler.core.models.jobs.batches import Batch
from research_crawler.core.text.counting import count
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.submission.usual_jobs import price_of, usual_job

LONG_H: Final = 1.0
"""A batch that takes longer is worth a question."""
UNMEASURED_SPREAD: Final = 5
"""How much longer a batch may take than typical jobs say: 40 rows took 6 min on a busy machine, not 75 s."""
_LOOKED_AT: Final = 200
"""Newest jobs from which an estimate is made."""


@dataclass(frozen=True)
class BatchEstimate:
    """What a batch is likely to take."""

    rows: int
    tokens: int
    usd: float | None
    """None: the price of a model is not known."""
    prices_of: str
    """The date of the prices of models, in ISO form."""
    hours: float
    """Working time, with the rows that run at once."""
    longest_hours: float
    """The same if all pages stood on one host, which is fetched from at the delay of the settings."""
    basis: str
    """What it is computed from, for the user."""
    is_measured: bool
    """Whether that is jobs of this machine."""

    @property
    def spread(self) -> float:
        """How many times as long it may take."""
        return 1 if self.is_measured else UNMEASURED_SPREAD

    @property
    def costs_money(self) -> bool:
        """Whether it is known to cost money."""
        return bool(self.usd)


async def estimate(runtime: Runtime, batch: Batch) -> BatchEstimate:
    """What a batch is likely to take, by the jobs that have been finished here with the same brain and depth."""
    jobs = await runtime.container.archive.list_jobs(_LOOKED_AT)
    usual = usual_job(jobs, batch.inputs.depth, batch.brain)
    usd = price_of(runtime.config, usual)
    seconds = usual.seconds
    places = max(1, min(runtime.config.batch_places, batch.rows))
    return BatchEstimate(
        rows=batch.rows,
        tokens=round(batch.rows * (usual.sent + usual.answered)),
        usd=None if usd is None else usd * batch.rows,
        prices_of=model_prices(runtime.config.model_prices_usd).date,
        hours=batch.rows * seconds / places / 3_600,
        longest_hours=batch.rows
        * max(seconds / places, usual.pages * batch.limits.visit_delay_seconds)
        / 3_600,
        basis=usual.basis,
        is_measured=usual.jobs > 0,
    )


def estimate_text(found: BatchEstimate) -> str:
    """The estimate in one line."""
    longest = f", up to {_hours(found.longest_hours)} if all pages are on one host"
    is_longer = found.longest_hours > 1.5 * found.hours
    span = _hours(found.hours)
    if not found.is_measured:
        span += f" to {_hours(found.hours * found.spread)}, told more exactly while it runs"
    parts = [count(found.rows, "row"), f"about {span}{longest if is_longer else ''}"]
    if found.tokens:
        parts.append(f"{found.tokens:,} model tokens")
        price = (
            "a price that is not known"
            if found.usd is None
            else f"${found.usd:,.2f} (prices of {found.prices_of})"
        )
        parts.append(price if found.usd is None or found.usd else "no money")
    return f"{', '.join(parts)}; by {found.basis}"


def _hours(hours: float) -> str:
    if hours >= 1:
        return f"{hours:.1f} h"
    return f"{max(1, round(hours * 60))} min"
