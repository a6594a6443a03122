"""`research run`: a question in, a cited report out, in this process."""

from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.job_options import checked_inputs, job_of, job_options
from research_crawler.cli.session import fail, run_session, settings, tell
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs import FINAL_STATES, Job, JobInputs

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime

MakeJob = Callable[[Config, JobInputs], Job]


@click.command()
@click.argument("goal", required=False)
@job_options
@click.option("--local-model", is_flag=True, help="Use the small packaged model instead of an endpoint.")
@click.option("--resume", metavar="JOB", help="Go on with an interrupted job.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress, only the report.")
def run(
    goal: str | None, *, local_model: bool, resume: str | None, as_json: bool, quiet: bool, **given: Any
) -> None:
    """Research GOAL and print the cited report.

    Works without any key: search by the providers that need none, reading and writing without a model. With
    OPENAI_API_KEY or OPENAI_BASE_URL and MIND_MODEL, a model plans, reads and writes.

    Ctrl-C leaves a job that `research run --resume JOB` goes on with.
    """
    if (resume and (goal or given["from_job"])) or not (goal is not None or resume or given["from_job"]):
        raise click.UsageError("give a GOAL, --from JOB, or --resume JOB", click.get_current_context())
    config = settings()
    session = Run(config, as_json=as_json, shows=not (quiet or as_json), local_model=local_model)
    if resume:
        run_session(config, lambda: session.resume(resume))
    try:
        inputs = checked_inputs(config, goal or "", given)
    except UsageError as error:
        fail(str(error), code=BAD_USAGE)
    run_session(config, lambda: session.start(lambda final, known: job_of(final, known, given), inputs))


@dataclass
class Run:
    """One job from submission (or resumption) to its report, in a system of this process."""

    config: Config
    as_json: bool = False
    shows: bool = True
    """Whether progress is shown."""
    local_model: bool = False
    can_resume: bool = True

    async def start(self, make_job: MakeJob, inputs: JobInputs) -> int:
        """Submit a job and see it through; answers the exit code."""
        if inputs.from_job:
            from research_crawler.app import completed_inputs

            inputs = await completed_inputs(self.config, inputs)
        async with AsyncExitStack() as stack:
            runtime = await self._system(stack)
            job = make_job(runtime.config, inputs)
            await runtime.container.jobs.submit(job)
            return await self._see_through(runtime, job)

    async def resume(self, job_id: str) -> int:
        """Go on with a job; answers the exit code."""
        from research_crawler.services.jobs import resume_job

        async with AsyncExitStack() as stack:
            runtime = await self._system(stack)
            job = await resume_job(runtime, job_id)
            return await self._see_through(runtime, job)

    async def _system(self, stack: AsyncExitStack) -> "Runtime":
        from research_crawler.runtime.model_endpoint import check_endpoint, with_local_model
        from research_crawler.runtime.runtime import running

        config = await stack.enter_async_context(with_local_model(self.config, wanted=self.local_model))
        await check_endpoint(config)
        return await stack.enter_async_context(running(config))

    async def _see_through(self, runtime: "Runtime", job: Job) -> int:
        from research_crawler.cli.progress import ProgressDisplay
        from research_crawler.cli.show import show_result
        from research_crawler.services.jobs import follow

        others = [id_ for id_ in runtime.resumed if id_ != job.id]
        if others and self.shows:
            tell(
                f"going on with {len(others)} interrupted job{'s' * (len(others) > 1)} too: {' '.join(others)}"
            )
        try:
            with ProgressDisplay(job, shown=self.shows) as progress:
                async for state in follow(runtime, job.id):
                    progress.show(state)
        except BaseException:
            await self._say_what_is_left(runtime, job.id)
            raise
        return await show_result(runtime, job.id, as_json=self.as_json)

    async def _say_what_is_left(self, runtime: "Runtime", job_id: str) -> None:
        from research_crawler.services.jobs import find_job, somebody_plans

        with suppress(Exception):  # the fault that led here is what is to be told
            if not self.can_resume or (await find_job(runtime, job_id)).state in FINAL_STATES:
                return
            if await somebody_plans(runtime):
                tell(f"job {job_id} goes on in another process; see: research status {job_id}")
            else:
                tell(f"job {job_id} is kept; go on with: research run --resume {job_id}")
