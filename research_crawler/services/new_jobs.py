"""Makes a new job from the settings and the caller's inputs."""

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
    """Make a pending job with its limits, the name of its brain, and the folder of its documents.

    Args:
        config: the settings; they give every limit that is None here.
        inputs: what the caller asked.
        folder: where its documents go; None: `jobs/<id>` in the data folder.
        max_searches: how many searches the job may make.
        max_visits: how many pages it may visit.
        timeout_s: how long it may work, in seconds.
        max_tokens: how many model tokens it may use.

    Raises:
        UsageError: the goal is empty, a URL is malformed, or a limit is impossible.
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
