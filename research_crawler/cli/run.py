"""The command `research run`, which researches a question in this process and prints the report."""

from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.job_options import job_options, request_of
from research_crawler.cli.model_option import model_option, with_model
from research_crawler.cli.session import echo_err, fail, run_session, settings
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs import FINAL_STATES, Job

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.new_jobs import JobRequest


@click.command()
@click.argument("goal", required=False)
@job_options
@model_option
@click.option("--local-model", is_flag=True, help="Use the small packaged model instead of an endpoint.")
@click.option("--resume", metavar="JOB", help="Resume an interrupted job.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--quiet", is_flag=True, help="Print only the report, no progress.")
def run(
    goal: str | None,
    *,
    model: str,
    local_model: bool,
    resume: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Research GOAL and print a report with citations.

    No key is needed: without a model endpoint, the command uses search providers that need no key, and plans,
    reads and writes without a model. To let a model plan, read and write, set MIND_MODEL and
    OPENAI_API_KEY or OPENAI_BASE_URL, or take one that runs on this machine with --model auto.

    After Ctrl-C, `research run --resume JOB` resumes the job.
    """
    from_job = options["from_job"]
    if (resume and (goal or from_job)) or not (goal is not None or resume or from_job):
        raise click.UsageError("give a GOAL, --from JOB, or --resume JOB", click.get_current_context())
    config = settings()
    if model and local_model:
        raise click.UsageError(
            "--model and --local-model exclude each other; give one of them", click.get_current_context()
        )
    session = Run(config, as_json=as_json, shows_progress=not (quiet or as_json), local_model=local_model)
    if resume:
        session.config = with_model(config, model)
        run_session(config, lambda: session.resume(resume))
    try:
        request = request_of(config, goal or "", options)
    except UsageError as error:
        fail(str(error), code=BAD_USAGE)
    session.config = with_model(config, model)
    run_session(config, lambda: session.start(request))


@dataclass
class Run:
    """Runs one job in this process, from its submission or resumption to its report."""

    config: Config
    as_json: bool = False
    shows_progress: bool = True
    local_model: bool = False
    can_resume: bool = True

    async def start(self, request: "JobRequest") -> int:
        """Submit a job, wait for its report, and return the exit code."""
        from research_crawler.services.submission import completed_request, submit_job

        request = await completed_request(self.config, request)
        async with AsyncExitStack() as stack:
            runtime = await self._open_runtime(stack)
            job = await submit_job(runtime, request)
            return await self._follow_to_report(runtime, job)

    async def resume(self, job_id: str) -> int:
        """Resume a job, wait for its report, and return the exit code."""
        from research_crawler.services.jobs import resume_job

        async with AsyncExitStack() as stack:
            runtime = await self._open_runtime(stack)
            job = await resume_job(runtime, job_id)
            return await self._follow_to_report(runtime, job)

    async def _open_runtime(self, stack: AsyncExitStack) -> "Runtime":
        from research_crawler.runtime.model_endpoint import check_endpoint, with_local_model
        from research_crawler.runtime.runtime import running

        config = await stack.enter_async_context(with_local_model(self.config, wanted=self.local_model))
        config = await check_endpoint(config)
        return await stack.enter_async_context(running(config))

    async def _follow_to_report(self, runtime: "Runtime", job: Job) -> int:
        from research_crawler.cli.progress import ProgressDisplay
        from research_crawler.cli.show import show_result
        from research_crawler.services.jobs import follow

        others = [id_ for id_ in runtime.resumed if id_ != job.id]
        if others and self.shows_progress:
            echo_err(
                f"also resuming {len(others)} interrupted job{'s' * (len(others) > 1)}: {' '.join(others)}"
            )
        try:
            with ProgressDisplay(job, shown=self.shows_progress) as progress:
                async for state in follow(runtime, job.id):
                    progress.show(state)
        except BaseException:
            await self._tell_how_to_resume(runtime, job.id)
            raise
        return await show_result(runtime, job.id, as_json=self.as_json)

    async def _tell_how_to_resume(self, runtime: "Runtime", job_id: str) -> None:
        from research_crawler.services.jobs import find_job, planner_runs

        with suppress(Exception):  # The user must see the original error, not one from here.
            if not self.can_resume or (await find_job(runtime, job_id)).state in FINAL_STATES:
                return
            if await planner_runs(runtime):
                echo_err(f"job {job_id} goes on in another process; see: research status {job_id}")
            else:
                echo_err(f"job {job_id} is kept; resume it with: research run --resume {job_id}")
