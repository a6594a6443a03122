"""An interface of one's own: it reads questions from standard input and answers each with a line of JSON.

An interface has no logic of its own: it submits, follows and reads by the functions of `research_crawler/services/`.
As it is run here it needs no network, for it uses the demo web. Declared as an entry point of a package that is
installed beside the crawler, it is the command `research answer-lines`, with the settings and the web of its user:

    [project.entry-points."research_crawler.commands"]
    answer-lines = "own_interface:answer_lines"

echo "What is the best hand coffee grinder for travel?" | python examples/own_interface.py
"""

import asyncio
import json
import sys
from collections.abc import Iterable
from tempfile import TemporaryDirectory

import click

from research_crawler.app import Runtime, follow, report_of, running
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.demo.process import RunningWeb, local_web_process
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job


async def answer(runtime: Runtime, question: str) -> dict[str, object]:
    """Submit a question, wait until its job is over, and say what came of it."""
    request = await asyncio.to_thread(request_from, runtime.config, JobQuestion(goal=question))
    job = await submit_job(runtime, request)
    async for step in follow(runtime, job.id):
        print(f"{step.id}: {step.state}", file=sys.stderr)
    report = await report_of(runtime, job.id)
    if report is None:
        return {"question": question, "state": "failed", "sources": []}
    return {"question": question, "state": report.state, "sources": [source.url for source in report.sources]}


async def serve(questions: Iterable[str], config: Config) -> None:
    """Answer all questions in one process, which crawls and plans."""
    async with running(config) as runtime:
        for question in questions:
            print(json.dumps(await answer(runtime, question)))


@click.command("answer-lines")
def answer_lines() -> None:
    """Answer questions from standard input, a line each."""
    asyncio.run(serve(_questions(), load_system_config()))


def _questions() -> list[str]:
    return [line.strip() for line in sys.stdin if line.strip()]


def demo_config(web: RunningWeb, home: str) -> Config:
    """The settings for the demo web. For the real web, `load_system_config()` is enough."""
    return load_system_config(
        home=home,
        searxng_url=web.search,
        providers=["searxng"],
        allow_private_hosts=["127.0.0.0/8"],
        phase1_visit_delay_seconds=0,
    )


def main() -> None:
    """Read the questions, and delete the data afterwards."""
    questions = _questions()
    with TemporaryDirectory() as home, local_web_process() as web:
        asyncio.run(serve(questions, demo_config(web, home)))


if __name__ == "__main__":
    main()
