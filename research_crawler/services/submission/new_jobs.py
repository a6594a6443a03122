"""Makes a new job from the settings and the caller's inputs."""

from dataclasses import dataclass, replace
from pathlib import Path

from planner.goal.report_language import messages_of
from planner.job.factory import make_job, new_job_id
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.settings.depth import limits_for

_ANY_GOAL = "?"
"""Stands for the goal that another job is going to give, while everything else is checked."""


def new_job(  # noqa: PLR0913  # one argument a limit
    config: Config,
    inputs: JobInputs,
    *,
    folder: Path | None = None,
    max_searches: int | None = None,
    max_visits: int | None = None,
    timeout_s: float | None = None,
    max_tokens: int | None = None,
    job_id: str = "",
    max_attempts: int | None = None,
    max_usd: float | None = None,
) -> Job:
    """Make a pending job with its limits, the name of its brain, and the folder of its documents.

    Args:
        config: the settings; they give every limit that is None here.
        inputs: what the caller asked.
        folder: where its documents go; None: `jobs/<id>` in the data folder.
        max_searches: how many searches the job may make.
        max_visits: how many pages it may visit.
        timeout_s: how long it may work in phase 1, in seconds; waiting does not count.
        max_tokens: how many model tokens it may use.
        job_id: its id; empty: a random one.
        max_attempts: how many rounds of searches it may make.
        max_usd: how much money for models it may spend.

    Raises:
        UsageError: the goal is empty, a URL is malformed, or a limit is impossible.
        OutlineError: the caller's outline cannot be read.
        SchemaError: a column cannot be asked for.
    """
    if "vendors" not in inputs.model_fields_set:
        inputs = inputs.changed(vendors=config.phase2_vendors)
    if "review" not in inputs.model_fields_set:
        inputs = inputs.changed(review=config.review)
    if max_usd is not None or config.day_max_usd is not None:
        check_prices(config)
    if "blocker_policy" not in inputs.model_fields_set:
        inputs = inputs.changed(blocker_policy=config.blocker_policy)
    if inputs.columns:
        from planner.columns.column_input import check_columns

        check_columns(inputs.columns)
    if config.is_offline:
        inputs, max_searches = inputs.changed(strategy="phase1_only"), 0
    job_id = job_id or new_job_id()
    limits = limits_for(
        config,
        depth=inputs.depth,
        max_searches=max_searches,
        max_visits=max_visits,
        timeout_s=timeout_s,
        max_tokens=max_tokens,
        max_attempts=max_attempts,
        max_usd=max_usd,
    )
    job = make_job(
        inputs,
        limits,
        brain="model" if config.has_endpoint else "extractive",
        folder=str((folder or config.home / "jobs" / job_id).absolute()),
        job_id=job_id,
    )
    if config.is_offline:
        job = job.changed(warnings=[*job.warnings, messages_of(job.inputs)("offline")])
    if not (inputs.outline or inputs.columns):
        return job
    from planner.columns.column_questions import with_columns  # here, because it loads what reads questions

    return with_columns(job)


def check_prices(config: Config) -> None:
    """Check that the prices of the models are known: without them no ceiling in money holds.

    Raises:
        UsageError: the price of a model is not known.
    """
    from planner.brains.model.settings import unpriced_models  # here, because it loads what models need

    if unknown := unpriced_models(config):
        raise UsageError(
            f"the price of {unknown[0]} is not known, so no ceiling in money holds; set RESEARCH_MODEL_PRICES_USD, for "
            f'example {{"{unknown[0]}": [0.15, 0.6]}}'
        )


@dataclass(frozen=True, kw_only=True)
class JobRequest:
    """What a caller asks of a new job; a limit that is None comes from the settings."""

    inputs: JobInputs
    folder: Path | None = None
    """Where the job's documents go; None: `jobs/<id>` in the data folder."""
    max_searches: int | None = None
    max_visits: int | None = None
    timeout_s: float | None = None
    """Work of phase 1, in seconds."""
    max_tokens: int | None = None
    job_id: str = ""
    """The id of the job; empty: a random one."""
    files: tuple[Path, ...] = ()
    """Files of the caller, which `submit_job` reads into the archive."""
    max_attempts: int | None = None
    """Rounds of searches whose results were read."""
    max_usd: float | None = None
    """Most money for models, in US dollars."""

    def to_job(self, config: Config, *, job_id: str = "") -> Job:
        """Make the pending job, with this id or a random one.

        Raises:
            UsageError: the goal is empty, a URL is malformed, the country or currency is unknown, or a limit is
                impossible.
        """
        return new_job(
            config,
            self.inputs,
            folder=self.folder,
            max_searches=self.max_searches,
            max_visits=self.max_visits,
            timeout_s=self.timeout_s,
            max_tokens=self.max_tokens,
            job_id=job_id or self.job_id,
            max_attempts=self.max_attempts,
            max_usd=self.max_usd,
        )

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
