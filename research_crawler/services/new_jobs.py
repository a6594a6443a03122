"""A new job from settings and what the caller asked."""

from pathlib import Path

from planner.job.factory import make_job, new_job_id
from research_crawler.core.config import Config
from research_crawler.core.depth import limits_for
from research_crawler.core.models.jobs import Job, JobInputs


def new_job(
    config: Config,
    inputs: JobInputs,
    *,
    folder: Path | None = None,
    max_searches: int | None = None,
    max_visits: int | None = None,
    timeout_s: float | None = None,
    max_tokens: int | None = None,
) -> Job:
    """A pending job with its limits, the brain that will think, and a folder for its documents.

    Args:
        folder: where its documents go; None: `jobs/<id>` in the data folder.

    Raises:
        UsageError: empty goal, malformed URL, a limit that no job could keep.
    """
    job_id = new_job_id()
    limits = limits_for(
        config,
        depth=inputs.depth,
        max_searches=max_searches,
        max_visits=max_visits,
        timeout_s=timeout_s,
        max_tokens=max_tokens,
    )
    return make_job(
        inputs,
        limits,
        brain="model" if config.has_endpoint else "extractive",
        folder=str((folder or config.home / "jobs" / job_id).absolute()),
        job_id=job_id,
    )
