"""Says what a job usually takes, by those that were finished here, and what that is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

from planner.brains.model.model_brain_settings import ModelSettings, prices_of, unpriced_models
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import Depth
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.settings.depth import PRESETS
from research_crawler.core.text.translatable import translatable
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.listed_jobs import newest_jobs

_LEAST_JOBS: Final = 3
"""Fewer finished jobs of the same kind say too little."""
_NEWEST: Final = 60
"""Newest jobs by which it is said what a job usually takes."""
_TOKENS: Final[dict[Depth, tuple[int, int]]] = {
    "quick": (30_000, 4_000), "standard": (70_000, 8_000), "deep": (180_000, 16_000),
}  # fmt: skip
"""Tokens that are sent and answered for a job, where none has been run yet: by the budgets of the prompts and what a
job of this depth reads."""
_SECONDS: Final[dict[Depth, float]] = {"quick": 15.0, "standard": 30.0, "deep": 90.0}
"""How long a job of a depth takes where none has been run yet."""


@dataclass(frozen=True)
class UsualJob:
    """What a job of one depth usually takes."""

    sent: float
    answered: float
    """Tokens of models."""
    seconds: float
    pages: float
    """Pages that are fetched."""
    basis: str
    """What it is computed from, for the user."""
    jobs: int
    """How many finished jobs that is; 0: a typical job."""


async def estimated_job(runtime: Runtime, depth: Depth) -> tuple[UsualJob, float | None]:
    """What a new job is likely to take, and its price, which is None if that of a model is not known."""
    brain = "model" if runtime.config.has_endpoint else "extractive"
    usual = usual_job(await newest_jobs(runtime, _NEWEST), depth, brain)
    return usual, price_of(runtime.config, usual)


def usual_job(jobs: Sequence[Job], depth: Depth, brain: str) -> UsualJob:
    """What a job usually takes, by those of the same depth and brain that are completed. Pure."""
    known = [
        job for job in jobs if job.state == "completed" and job.brain == brain and job.inputs.depth == depth
    ]
    if len(known) >= _LEAST_JOBS:
        return UsualJob(
            sent=mean(job.usage.prompt_tokens for job in known),
            answered=mean(job.usage.completion_tokens for job in known),
            seconds=max(1.0, mean(job.plan.spent_ms / 1000 for job in known)),
            pages=mean(job.pages_fetched for job in known),
            basis=translatable(
                "the last %(num)s jobs of the depth “%(depth)s” here",
                num=len(known),
                depth=translatable(depth),
            ),
            jobs=len(known),
        )
    sent, answered = (0, 0) if brain == "extractive" else _TOKENS[depth]
    return UsualJob(
        sent=sent,
        answered=answered,
        seconds=_SECONDS[depth],
        pages=PRESETS[depth].visits / 2,  # half of what its depth allows
        basis=translatable(
            "a typical job of the depth “%(depth)s”; fewer than %(least)s were finished here",
            depth=translatable(depth),
            least=_LEAST_JOBS,
        ),
        jobs=0,
    )


def price_of(config: Config, usual: UsualJob) -> float | None:
    """What a job costs in US dollars; None if the price of a model is not known."""
    sent, answered = round(usual.sent), round(usual.answered)
    if not sent + answered:
        return 0.0
    if unpriced_models(config):
        return None
    settings = ModelSettings(mind_model=config.mind_model, prices=prices_of(config))
    return settings.usd("planner", sent, answered)
