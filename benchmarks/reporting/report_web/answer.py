"""A running process that answers questions a few at a time: `python -m benchmarks.reporting.report_web.answer`.

stdin: a line of JSON per job: {"id", "goal", "type", "shopping", "depth", "searches", "visits"}, the last three
optional. stdout: {"up"}, then a line per job in the order in which they end: {"id", "report", "false_quotes",
"claims", "seconds"} or {"id", "error"}. Settings come from the environment.
"""

import asyncio
import contextlib
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvloop

from benchmarks.reporting.recall_child import false_quotes
from research_crawler import app
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import Report
from research_crawler.services.submission.job_question import request_from

AT_ONCE = 2
LONGEST_JOB_S = 600.0


def job_of(config: Config, asked: dict[str, Any]) -> Job:
    """What a user would ask. Offers of shops are measured elsewhere, so that phase 1 is all of a job."""
    question = JobQuestion(
        goal=asked["goal"],
        depth=asked.get("depth", "standard"),
        strategy="phase1_only",
        memory=asked.get("memory", True),
        intent="commerce" if asked.get("shopping") else None,
        max_searches=asked.get("searches"),
        max_visits=asked.get("visits"),
        timeout_seconds=LONGEST_JOB_S,
    )
    request = request_from(config, question)
    # Not given by the caller: a model may read the goal in another way.
    typed = request.inputs.changed(type=asked.get("type", "general"))
    return replace(request, inputs=typed).to_job(config)


async def answered(runtime: app.Runtime, asked: dict[str, Any]) -> dict[str, Any]:
    """The report of one job, and the evidence whose quote is not in its stored page."""
    job = job_of(runtime.config, asked)
    begun = time.perf_counter()
    await runtime.container.jobs.submit(job)
    async with asyncio.timeout(LONGEST_JOB_S):
        async for _ in app.follow(runtime, job.id):
            pass
    seconds = time.perf_counter() - begun
    report = await app.report_of(runtime, job.id)
    assert report, f"job {job.id} ended without a report"
    return {
        "report": report.model_dump(mode="json"),
        "false_quotes": await false_quotes(runtime, report),
        "claims": checked_claims(report),
        "seconds": seconds,
    }


def checked_claims(report: Report) -> list[Any]:
    """What the checks made of each sentence: the lines of the job's claims.jsonl."""
    file = Path(report.folder or "") / "claims.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


async def main() -> None:
    """Answer until stdin ends."""
    results, sys.stdout = sys.stdout, sys.stderr
    places = asyncio.Semaphore(AT_ONCE)

    def tell(message: dict[str, Any]) -> None:
        results.write(json.dumps(message) + "\n")
        results.flush()

    async def one(asked: dict[str, Any]) -> None:
        async with places:
            try:
                tell({"id": asked["id"], **await answered(runtime, asked)})
            except Exception as error:
                tell({"id": asked["id"], "error": repr(error)})

    async with app.running(load_system_config()) as runtime, asyncio.TaskGroup() as jobs:
        await runtime.container.embedder.embed(["the model is loaded before the first job"])
        tell({"up": True})
        while line := await asyncio.to_thread(sys.stdin.readline):
            jobs.create_task(one(json.loads(line)))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
