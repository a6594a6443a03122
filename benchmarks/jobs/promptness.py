"""Measures how soon a user sees the first search results and the findings of a page, on the demo web.

All times are taken from the output of `research run`, from the start of its process, with nothing warm.
"""

import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.children import RESEARCH, environment, loopback
from benchmarks.figures import Calibration, Figure, timed
from research_crawler.demo.demo_questions import load_questions
from research_crawler.demo.process import RunningWeb, local_web_process

RUNS = 5
FIRST_RESULTS_S, PAGE_S = 10.0, 5.0
RESULTS, READING, READ = re.compile(r"✓ \d+ results"), re.compile(r"→ reading"), re.compile(r"✓ .*findings?")


@dataclass(frozen=True)
class Run:
    """The times of one `research run`, in seconds."""

    first_results: float
    """From the start of the process."""
    pages: tuple[float, ...]
    """From the decision to read pages to the findings of each."""
    report: float
    """From the start of the process to its end."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Take the medians of five runs, each with an empty data folder."""
    with local_web_process() as web:
        questions = load_questions(web.hosts)[:RUNS]
        runs = [calibration.quietest(lambda goal=q.goal: _run(web, goal)) for q in questions]  # type: ignore[misc]
    factor = statistics.median(factor for _, factor in runs)
    pages = [seconds for run, _ in runs for seconds in run.pages]
    yield timed(
        "start of the process → first search results shown",
        statistics.median(run.first_results for run, _ in runs),
        "s",
        most=FIRST_RESULTS_S,
        factor=factor,
        note=f"worst {max(run.first_results for run, _ in runs):.1f} s of {len(runs)}",
    )
    yield timed(
        "decision to read → findings of a page shown",
        statistics.median(pages),
        "s",
        most=PAGE_S,
        factor=factor,
        note=f"worst {max(pages):.1f} s of {len(pages)} pages",
    )
    yield Figure(
        "start of the process → report", statistics.median(run.report for run, _ in runs), "s", factor=factor
    )


def _run(web: RunningWeb, goal: str) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        settings = loopback(
            home=folder, searxng_url=web.search, providers=["searxng"], phase1_visit_delay_seconds=0
        )
        begun, first, decided = time.perf_counter(), 0.0, 0.0
        pages: list[float] = []
        with (
            (Path(folder) / "report.md").open("w") as out,
            subprocess.Popen(
                [RESEARCH, "run", goal], cwd=folder, env=environment(**settings), stdout=out,
                stderr=subprocess.PIPE, text=True,
            ) as process,
        ):  # fmt: skip
            for line in process.stderr or ():
                now = time.perf_counter()
                if RESULTS.search(line):
                    first = first or now - begun
                elif READING.search(line):
                    decided = now
                elif READ.search(line):
                    pages.append(now - decided)
        report = time.perf_counter() - begun
    assert process.returncode == 0 and first and pages, f"`research run` ended with {process.returncode}"
    return Run(first, tuple(pages), report)
