"""`research demo`: the local web and a job on it, with a data folder of its own."""

import asyncio
import importlib
import tempfile
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.run import Run
from research_crawler.cli.session import run_session, say, settings, tell
from research_crawler.core.config import Config
from research_crawler.core.models.jobs import JobInputs
from research_crawler.services.new_jobs import new_job

if TYPE_CHECKING:
    from research_crawler.demo.process import RunningWeb

VISIT_DELAY_S = 0.2
"""The small web is ours: nobody has to be spared, but the waiting should be seen to work."""


@click.command()
@click.argument("goal", required=False)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Folder of the documents."
)
@click.option("--local-model", is_flag=True, help="Let the small packaged model plan, read and write.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout and nothing else.")
@click.option("--watch", "watches", is_flag=True, help="Watch a price that changes, instead of a question.")
@click.option("--list", "list_goals", is_flag=True, help="Show the questions that the small web can answer.")
def demo(
    goal: str | None, *, out: Path | None, local_model: bool, as_json: bool, watches: bool, list_goals: bool
) -> None:
    """Start a small web on loopback and research one question on it.

    \b
    research demo "find me a cheap gaming laptop with an RTX card"    goes on to the small web's shops
    research demo --watch                                             looks at a price that changes

    Its pages are invented, so that everything in the report can be checked there. The job has a data folder of
    its own, which goes with it; its documents stay. No other host is asked than a model endpoint, where one is
    configured.
    """
    from research_crawler.demo.questions import read_questions

    questions = read_questions()
    if list_goals:
        for question in questions:
            say(question.goal)
        return
    if watches and (goal or out or local_model or as_json):
        raise click.UsageError("--watch goes without a question and its options", click.get_current_context())
    session = Demo(goal or questions[0].goal, out, as_json=as_json, local_model=local_model)
    run_session(settings(), session.watch if watches else session.go)


@dataclass
class Demo:
    """The small web, and one job or one watch on it."""

    goal: str
    out: Path | None
    as_json: bool = False
    local_model: bool = False

    async def go(self) -> int:
        """Answer the job's exit code."""
        documents = self.out or settings().home / "demo" / datetime.now().strftime("%Y-%m-%d-%H%M%S")
        async with self._small_web() as (_, config):
            if not self.as_json:
                tell(f'running: research run "{self.goal}"')
            run = Run(
                config,
                as_json=self.as_json,
                shows=not self.as_json,
                local_model=self.local_model,
                can_resume=False,
            )
            return await run.start(
                lambda config, inputs: new_job(config, inputs, folder=documents), JobInputs(goal=self.goal)
            )

    async def watch(self) -> int:
        """Show a watch in place of a job."""
        from research_crawler.cli.demo_watch import show_a_watch

        async with self._small_web() as (web, config):
            return await show_a_watch(web, config)

    @asynccontextmanager
    async def _small_web(self) -> AsyncIterator[tuple["RunningWeb", Config]]:
        from research_crawler.demo.process import local_web_process

        threading.Thread(target=_import_early, daemon=True).start()
        with ExitStack() as stack:
            home = stack.enter_context(tempfile.TemporaryDirectory(prefix="research-demo-"))
            web = await asyncio.to_thread(stack.enter_context, local_web_process())
            if not self.as_json:
                tell(f"a small web is up on this machine; its search engine: {web.search}")
            yield web, _config(home, web)


def _import_early() -> None:
    """While the small web starts, this process has nothing to do."""
    for name in (
        "research_crawler.runtime.runtime",
        "research_crawler.runtime.crawl_engine",
        "scrapy.crawler",
    ):
        importlib.import_module(name)


def _config(home: str, web: "RunningWeb") -> Config:
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
