"""The command `research demo`, which runs a job on a small invented web, in a data folder of its own."""

import asyncio
import importlib
import shlex
import tempfile
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.jobs.run import Run
from research_crawler.cli.options.job_options import check_out
from research_crawler.cli.options.plain import plain_option
from research_crawler.cli.session import echo, echo_err, run_session, settings
from research_crawler.cli.views.progress import ProgressDisplay

if TYPE_CHECKING:
    from research_crawler.core.config import Config
    from research_crawler.demo.process import RunningWeb

VISIT_DELAY_S = 0.2
"""No host of the demo's web needs a pause between visits; a short one shows that the pauses work."""


@click.command()
@click.argument("goal", required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for the job's documents. Default: a folder in the data folder.",
)
@click.option(
    "--local-model",
    is_flag=True,
    help="Let the small packaged model plan, read and write. It is far too small for research and finds next to "
    "nothing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option(
    "--serve",
    "serves",
    is_flag=True,
    help="Keep the small web up until stopped, and print the settings with which other commands use it; after "
    "--watch, show the watch in the dashboard.",
)
@click.option("--watch", "watches", is_flag=True, help="Show a watch on a changing price instead of a job.")
@plain_option
@click.option("--list", "list_goals", is_flag=True, help="List the questions that the small web can answer.")
def demo(
    goal: str | None,
    *,
    out: Path | None,
    local_model: bool,
    as_json: bool,
    serves: bool,
    watches: bool,
    plain: bool,
    list_goals: bool,
) -> None:
    """Start a small web on this machine and research one question on it.

    \b
    research demo "find me a cheap gaming laptop with an RTX card"    also asks the small web's shops
    research demo --watch                                             watches a price that changes
    research demo --watch --serve                                     and shows the watch in the dashboard
    research demo --serve                                             keeps the small web up for other commands

    The pages are invented, and the report can be checked against them. The job uses a temporary data folder,
    so other commands do not know it, but its documents stay. Nothing is sent to the internet, except to a model
    endpoint if one is configured.
    """
    from research_crawler.demo.demo_questions import read_questions

    questions = read_questions()
    if list_goals:
        for question in questions:
            echo(question.goal)
        return
    if (watches or serves) and (goal or out or local_model or as_json):
        raise click.UsageError(
            f"--{'watch' if watches else 'serve'} cannot be combined with a question or other options",
            click.get_current_context(),
        )
    with ProgressDisplay(shown=not as_json, plain=plain) as progress:
        progress.say("starting a small web on this machine")
        config = settings()
        if out:
            check_out(out)
        session = Demo(
            goal or questions[0].goal, out, progress, as_json=as_json, local_model=local_model, plain=plain
        )
        watch = partial(session.watch, serves=serves)
        run_session(config, watch if watches else session.serve if serves else session.go)


@dataclass
class Demo:
    """Starts the small web, and runs one job or one watch on it."""

    goal: str
    out: Path | None
    progress: ProgressDisplay = field(default_factory=ProgressDisplay)
    as_json: bool = False
    local_model: bool = False
    plain: bool = False

    async def go(self) -> int:
        """Run the job and return its exit code."""
        from research_crawler.core.models.jobs.caller_question import JobQuestion
        from research_crawler.services.submission.job_question import request_from

        documents = self.out or _private_folder()
        async with self._small_web() as (_, config):
            if not self.as_json:
                echo_err(f'running: research run "{self.goal}"')
            run = Run(
                config,
                self.progress,
                as_json=self.as_json,
                local_model=self.local_model,
                plain=self.plain,
                can_resume=False,
            )
            return await run.start(request_from(config, JobQuestion(goal=self.goal), folder=documents))

    async def watch(self, *, serves: bool) -> int:
        """Show a watch instead of a job, and with `serves` the dashboard on it."""
        from research_crawler.cli.demo.demo_watch import show_a_watch

        async with self._small_web() as (web, config):
            self.progress.stop()
            return await show_a_watch(web, config, serves=serves)

    async def serve(self) -> int:
        """Keep the small web up until the command is stopped."""
        async with self._small_web() as (web, config):
            self.progress.stop()
            for name, value in _variables(web, config).items():
                echo(f"export {name}={shlex.quote(value)}")
            echo_err(
                "paste these lines into another terminal: its commands then use the small web; Ctrl-C ends it"
            )
            await asyncio.Event().wait()
        return 0

    @asynccontextmanager
    async def _small_web(self) -> AsyncIterator[tuple["RunningWeb", "Config"]]:
        from research_crawler.demo.process import local_web_process

        threading.Thread(target=_import_early, daemon=True).start()
        with ExitStack() as stack:
            stack.enter_context(self.progress)
            home = stack.enter_context(tempfile.TemporaryDirectory(prefix="research-demo-"))
            web = await asyncio.to_thread(stack.enter_context, local_web_process())
            if not self.as_json:
                echo_err(f"the small web runs on this machine; its search engine: {web.search}")
            yield web, _config(home, web)


def _private_folder() -> Path:
    """A new folder for documents in the user's data folder, which only the user can enter."""
    folder: Path = settings().home / "demo" / datetime.now().strftime("%Y-%m-%d-%H%M%S")
    for place in (folder.parents[1], folder.parent):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _import_early() -> None:
    """Import large modules while the small web starts."""
    for name in (
        "research_crawler.runtime.runtime",
        "research_crawler.runtime.crawl_engine",
        "scrapy.crawler",
    ):
        importlib.import_module(name)


def _variables(web: "RunningWeb", config: "Config") -> dict[str, str]:
    """The environment in which other commands use the small web."""
    return {
        "SEARXNG_URL": web.search,
        "RESEARCH_PROVIDERS": "searxng",
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
        "RESEARCH_VENDORS": config.vendors_file,
        "PHASE1_VISIT_DELAY_SECONDS": str(VISIT_DELAY_S),
    }


def _config(home: str, web: "RunningWeb") -> "Config":
    vendors = Path(home, "vendors.toml")
    vendors.write_text(web.vendors_toml())
    return settings(
        home=Path(home),
        vendors_file=str(vendors),
        searxng_url=web.search,
        providers=["searxng"],
        allow_private_hosts=["127.0.0.0/8"],
        phase1_visit_delay_seconds=VISIT_DELAY_S,
    )
