"""Makes a new job from the settings and the caller's inputs."""

from dataclasses import dataclass, replace
from pathlib import Path

from planner.goal.report_language import messages_of
from planner.job.factory import make_job, new_job_id
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.job_limits import NO_LIMITS, Limits
from research_crawler.core.settings.depth import limits_for

_ANY_GOAL = "?"
"""Stands for the goal that another job is going to give, while everything else is checked."""


@dataclass(frozen=True, kw_only=True)
class JobRequest:
    """What a caller asks of a new job, completed and checked: `request_from` makes it of a question."""

    inputs: JobInputs
    limits: Limits = NO_LIMITS
    folder: Path | None = None
    """Where the job's documents go; None: `jobs/<id>` in the data folder."""
    files: tuple[Path, ...] = ()
    """Files of the caller, which `submit_job` reads into the archive."""

    def to_job(self, config: Config, *, job_id: str = "") -> Job:
        """Make the pending job, with its limits, the name of its brain, and the folder of its documents.

        Args:
            config: the settings; they give every limit that the caller left open.
            job_id: its id; empty: a random one.

        Raises:
            UsageError: the goal is empty, a URL is malformed, or the country or currency is unknown.
            OutlineError: the caller's outline cannot be read.
            SchemaError: a column cannot be asked for.
        """
        inputs, limits = self.inputs, self.limits
        if limits.max_usd is not None or config.day_max_usd is not None:
            check_prices(config)
        if inputs.columns:
            from planner.columns.column_input import check_columns

            check_columns(inputs.columns)
        if config.is_offline:
            limits = limits.changed(max_searches=0)
        job_id = job_id or new_job_id()
        job = make_job(
            inputs,
            limits_for(config, inputs.depth, limits),
            brain="model" if config.has_endpoint else "extractive",
            model=config.model_tag,
            folder=str((self.folder or config.home / "jobs" / job_id).absolute()),
            job_id=job_id,
        )
        if config.is_offline:
            job = job.changed(warnings=[*job.warnings, messages_of(job.inputs)("offline")])
        if not (inputs.outline or inputs.columns):
            return job
        from planner.columns.column_questions import (
            with_columns,  # here, because it loads what reads questions
        )

        return with_columns(job)

    def check(self, config: Config) -> None:
        """Check all inputs before anything is started.

        Raises:
            UsageError: see `to_job`; also if there is neither a goal nor a job to start from.
        """
        has_goal = bool(self.inputs.goal.strip()) or not self.inputs.from_job
        inputs = self.inputs if has_goal else self.inputs.changed(goal=_ANY_GOAL)
        replace(self, inputs=inputs).to_job(config)
        if self.files:
            from research_crawler.services.submission.own_files import check_files

            check_files(self.files, most_bytes=config.download_max_bytes)


def check_prices(config: Config) -> None:
    """Check that the prices of the models are known: without them no ceiling in money holds.

    Raises:
        UsageError: the price of a model is not known.
    """
    from planner.brains.model.model_brain_settings import (
        unpriced_models,  # here, because it loads what models need
    )

    if unknown := unpriced_models(config):
        raise UsageError(
            f"the price of {unknown[0]} is not known, so no ceiling in money holds; set RESEARCH_MODEL_PRICES_USD, for "
            f'example {{"{unknown[0]}": [0.15, 0.6]}}'
        )
