"""A running process that answers questions about the demo web: `python -m benchmarks.reporting.recall_child`.

stdin: the web's hosts as JSON, then a question's id per line. stdout: {"up"}, then a line of JSON per question.
Settings come from the environment.
"""

import asyncio
import contextlib
import json
import sys
import time
from typing import Any

import uvloop

from research_crawler import app
from research_crawler.configuration import load_system_config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.reports.report import Report
from research_crawler.demo.demo_questions import DemoQuestion, load_questions, score
from research_crawler.services.submission.job_question import request_from

SLOWEST_JOB_S = 180.0


async def research(runtime: app.Runtime, goal: str) -> tuple[Report, float]:
    """Submit a job and follow it to its report. Return the report and the time in seconds."""
    job = request_from(runtime.config, JobQuestion(goal=goal)).to_job(runtime.config)
    begun = time.perf_counter()
    await runtime.container.jobs.submit(job)
    async with asyncio.timeout(SLOWEST_JOB_S):
        async for _ in app.follow(runtime, job.id):
            pass
    seconds = time.perf_counter() - begun
    report = await app.report_of(runtime, job.id)
    assert report, f"job {job.id} ended without a report"
    return report, seconds


async def false_quotes(runtime: app.Runtime, report: Report) -> list[str]:
    """The ids of evidence whose quote is not a slice of its stored page."""
    bad = []
    for piece in report.evidence:
        page = await runtime.container.archive.get_page(piece.page_sha256)
        if page is None or page.page.markdown[piece.start : piece.end] != piece.quote:
            bad.append(piece.id)
    return bad


async def measured(runtime: app.Runtime, question: DemoQuestion) -> dict[str, Any]:
    """The results of one question."""
    report, seconds = await research(runtime, question.goal)
    recall = score(question, [piece.model_dump() for piece in report.evidence])
    cited = {ref for claim in report.claims for ref in claim.evidence}
    in_answer = score(question, [piece.model_dump() for piece in report.evidence if piece.id in cited])
    return {
        "question": question.id,
        "planted": recall.planted,
        "found": recall.found,
        "in_answer": in_answer.found,
        "missed": recall.missed,
        "wrongly_cited": recall.wrongly_cited,
        "seconds": seconds,
        "quotes": len(report.evidence),
        "false_quotes": await false_quotes(runtime, report),
        "searches": report.metrics.searches,
        "pages": report.metrics.pages_visited,
        "exit_code": report.exit_code,
    }


async def main() -> None:
    """Answer until stdin ends."""
    results, sys.stdout = sys.stdout, sys.stderr
    hosts = json.loads(sys.stdin.readline())
    questions = {question.id: question for question in load_questions(hosts)}
    async with app.running(load_system_config()) as runtime:
        await runtime.container.embedder.embed(["the model is loaded before the first job is timed"])
        results.write(json.dumps({"up": True}) + "\n")
        results.flush()
        while line := await asyncio.to_thread(sys.stdin.readline):
            results.write(json.dumps(await measured(runtime, questions[json.loads(line)])) + "\n")
            results.flush()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
