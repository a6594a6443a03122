"""The command `research run`, which researches a question in this process and prints the report."""

import asyncio
import sys
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE, WAITS_FOR_ANSWER
from research_crawler.cli.options.job_options import asked, job_options
from research_crawler.cli.options.model_option import model_option, with_model
from research_crawler.cli.options.plain import plain_option
from research_crawler.cli.session import echo_err, echo_json, fail, run_session, settings
from research_crawler.cli.views.progress import ProgressDisplay
from research_crawler.cli.views.review_view import show_review
from research_crawler.core.text.counting import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from research_crawler.core.config import Config
    from research_crawler.core.models.jobs.job import Job
    from research_crawler.frontier.command_locations import CommandLocation
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.exports.saving import SaveName
    from research_crawler.services.reviews.views import ReviewView
    from research_crawler.services.submission.new_jobs import JobRequest


@click.command()
@click.argument("goal", required=False)
@job_options
@model_option
@click.option(
    "--local-model",
    is_flag=True,
    help="Use the small packaged model instead of an endpoint, to try models offline. It is far too small for "
    "research and finds next to nothing.",
)
@click.option("--resume", metavar="JOB", help="Resume an interrupted job.")
@click.option(
    "--save-to-file",
    metavar="NAME",
    help="Also save the report under this name below MCP_RESEARCH_SAVE_DIRECTORY, or else in the job's folder. "
    "The end of the name says the format. Default: Markdown.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--quiet", is_flag=True, help="Print only the report, no progress.")
@plain_option
def run(
    goal: str | None,
    *,
    model: str,
    local_model: bool,
    resume: str | None,
    save_to_file: str | None,
    as_json: bool,
    quiet: bool,
    plain: bool,
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
    if model and local_model:
        raise click.UsageError(
            "--model and --local-model exclude each other; give one of them", click.get_current_context()
        )
    with ProgressDisplay(shown=not (quiet or as_json), plain=plain) as progress:
        config = settings()
        session = Run(config, progress, as_json=as_json, local_model=local_model, plain=plain)
        if save_to_file is not None:
            session.save_to = _save_name(config, save_to_file)
        if resume:
            session.config = with_model(config, model)
            run_session(config, lambda: session.resume(resume))
        request = asked(config, goal or "", options)
        session.config = with_model(config, model)
        run_session(config, lambda: session.start(request))


def _save_name(config: "Config", name: str) -> "SaveName":
    from research_crawler.core.errors import UsageError
    from research_crawler.services.exports.saving import save_name

    try:
        return save_name(config, name)
    except UsageError as error:
        fail(f"--save-to-file: {error}", code=BAD_USAGE)


@dataclass
class Run:
    """Runs one job in this process, from its submission or resumption to its report."""

    config: "Config"
    progress: ProgressDisplay = field(default_factory=ProgressDisplay)
    as_json: bool = False
    local_model: bool = False
    plain: bool = False
    """Print the report as its Markdown on a terminal too."""
    can_resume: bool = True
    joins: bool = False
    """Leave the work to the processes of the data folder, if a planner and a crawler run."""
    _answered_no: int = 0
    """Number of the job's last question that was answered here."""
    save_to: "SaveName | None" = None
    """Where the report is saved besides the job's documents."""

    async def start(self, request: "JobRequest") -> int:
        """Submit a job, wait for its report, and return the exit code."""
        self.progress.say("starting")
        from research_crawler.services.submission.submit import completed_request, submit_job

        async with AsyncExitStack() as stack:
            stack.enter_context(self.progress)
            request = await completed_request(self.config, request)
            runtime = await self._open_runtime(stack)
            job = await submit_job(runtime, request)
            return await self._follow_to_report(runtime, job)

    async def resume(self, job_id: str) -> int:
        """Resume a job, wait for its report, and return the exit code."""
        self.progress.say("starting")
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.jobs.job_lifecycle import resumable_job, resume_job
        from research_crawler.services.jobs.job_lookup import job_named

        async with AsyncExitStack() as stack:
            stack.enter_context(self.progress)
            async with connected(self.config) as client:
                job_id = await job_named(client.container, job_id)
                await resumable_job(client, job_id)  # one that is over ends it before all else
            runtime = await self._open_runtime(stack)
            job = await resume_job(runtime, job_id)
            return await self._follow_to_report(runtime, job)

    async def _open_runtime(self, stack: AsyncExitStack) -> "Runtime":
        from research_crawler.runtime.model_endpoint import check_endpoint, with_local_model
        from research_crawler.runtime.runtime import running

        if self.joins and (joined := await self._joined(stack)):
            return joined
        if self.local_model:
            self.progress.say("loading the local model")
        config = await stack.enter_async_context(with_local_model(self.config, wanted=self.local_model))
        if config.has_endpoint:
            self.progress.say("asking the model endpoint")
        config = await check_endpoint(config)
        return await stack.enter_async_context(running(config, announce=self.progress.say))

    async def _joined(self, stack: AsyncExitStack) -> "Runtime | None":
        """A client of the system that works on the data folder; None if there is none."""
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.jobs.job_lifecycle import missing_process

        async with AsyncExitStack() as trial:
            client = await trial.enter_async_context(connected(self.config))
            if await missing_process(client):
                return None
            stack.push_async_exit(trial.pop_all())
            return client

    async def _follow_to_report(self, runtime: "Runtime", job: "Job") -> int:
        from research_crawler.cli.views.printed_reports import show_result
        from research_crawler.services.jobs.job_lookup import follow

        others = [id_ for id_ in runtime.resumed if id_ != job.id]
        if others and self.progress.shown:
            echo_err(f"also resuming {count(len(others), 'interrupted job')}: {' '.join(others)}")
        try:
            self.progress.follow(job)
            async for state in follow(runtime, job.id):
                self.progress.show(state, await self._locations(runtime, state))
                if state.state == "waiting_for_human" and not await self._answered(runtime, state):
                    return WAITS_FOR_ANSWER
            self.progress.stop()
        except BaseException:
            await self._tell_how_to_resume(runtime, job.id)
            raise
        code = await show_result(runtime, job.id, as_json=self.as_json, plain=self.plain)
        if self.save_to:
            from research_crawler.services.exports.saving import save_report

            echo_err(f"saved as {await save_report(runtime, job.id, self.save_to)}")
        return code

    async def _locations(self, runtime: "Runtime", job: "Job") -> "Sequence[CommandLocation]":
        """Where the job's pages are, if somebody watches."""
        return await runtime.container.frontier.locations(job.id) if self.progress.is_live else ()

    async def _answered(self, runtime: "Runtime", job: "Job") -> bool:
        """Have the person at the terminal answer what the job asks; without one, say how to answer.

        Returns:
            True if the job goes on.
        """
        from research_crawler.cli.views.review_view import how_to_answer
        from research_crawler.services.reviews.views import review_of

        question = job.review.question
        if question is None or question.no == self._answered_no:
            return True  # the answer is on its way
        self.progress.stop()
        view = await review_of(runtime, job.id)
        is_asked = not self.as_json and sys.stdin.isatty() and sys.stdout.isatty()
        if is_asked and await self._ask(runtime, view):
            self._answered_no = question.no
            self.progress.follow(job)
            return True
        if self.as_json:
            echo_json(view.model_dump_json(indent=2))
        elif not is_asked:
            show_review(view)
        echo_err(f"job {job.id} waits for your answer, for as long as it takes; {how_to_answer(view)}")
        return False

    async def _ask(self, runtime: "Runtime", view: "ReviewView") -> bool:
        """Show the job, and read answers until one fits; False: the person answers later."""
        from research_crawler.cli.options.answer_options import TYPED, request_of_line
        from research_crawler.core.errors import UsageError
        from research_crawler.services.reviews.review_answers import answer_review

        show_review(view)
        while True:
            line = await asyncio.to_thread(click.prompt, f"({TYPED})", default="later", show_default=False)
            try:
                request = request_of_line(line)
                if request is None:
                    return False
                outcome = await answer_review(runtime, view.job, request)
            except UsageError as error:
                echo_err(str(error))
                continue
            for text in outcome.retracted_claims:
                echo_err(f"retracted: {text}")
            return True

    async def _tell_how_to_resume(self, runtime: "Runtime", job_id: str) -> None:
        from research_crawler.core.models.jobs.job import FINAL_STATES
        from research_crawler.services.jobs.job_lifecycle import planner_runs
        from research_crawler.services.jobs.job_lookup import find_job

        self.progress.stop()
        with suppress(Exception):  # The user must see the original error, not one from here.
            job = await find_job(runtime, job_id)
            if not self.can_resume or job.state in FINAL_STATES:
                return
            if job.state == "waiting_for_human":
                echo_err(f"job {job_id} waits for your answer; see: research review {job_id}")
                return
            if await planner_runs(runtime):
                echo_err(
                    f"job {job_id} goes on in another process; see: research status {job_id}, "
                    f"or end it with: research cancel {job_id}"
                )
            else:
                echo_err(f"job {job_id} is kept; resume it with: research run --resume {job_id}")
