"""Measures the recall of the extractive brain on the demo web: planted facts, citations, quotes, time."""

import contextlib
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.children import Child, children, environment, loopback
from benchmarks.figures import QUIET, Calibration, Figure, counted, timed
from benchmarks.reporting.recall_baseline import ask
from research_crawler.demo.demo_questions import load_questions
from research_crawler.demo.process import RunningWeb, local_web_process

LEAST_RECALL, LONGEST_JOB_S = 0.8, 15.0
Again = Callable[[str], float]
"""Runs the job of a question once more and returns its time in seconds."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Run our jobs, then the baseline with the same number of pages and quotes, on the same web."""
    with local_web_process() as web:
        with _system(web) as child:
            rows = [_ask(child, question.id, calibration) for question in load_questions(web.hosts)]
        baseline = _baseline(web, rows)
        yield from _figures(rows, baseline, lambda question: _ask_afresh(web, question), calibration)


def _figures(
    rows: list[dict[str, Any]], baseline: dict[str, int], again: Again, calibration: Calibration
) -> Iterator[Figure]:
    for row in rows:
        print(_line(row, baseline[row["question"]]))
    planted, found = sum(row["planted"] for row in rows), sum(row["found"] for row in rows)
    share = found / planted
    simple = sum(baseline.values())
    yield counted(
        "planted facts found with the right citation",
        share * 100,
        "%",
        ok=share >= LEAST_RECALL,
        target="≥ 80 %",
        reference=f"{simple / planted:.0%} by top results, trafilatura and BM25 sentences",
        note=f"{found} of {planted} facts, {len(rows)} questions",
    )
    quotes, false = sum(row["quotes"] for row in rows), sum(len(row["false_quotes"]) for row in rows)
    yield counted(
        "quotes that are not verbatim", false, "quotes", ok=not false and quotes > 0, target="0",
        note=f"of {quotes}",
    )  # fmt: skip
    yield _slowest(rows, again, calibration)


def _slowest(rows: list[dict[str, Any]], again: Again, calibration: Calibration) -> Figure:
    """The slowest job. If the machine was noisy, the job is run again with nothing stored."""
    row = max(rows, key=lambda row: row["seconds"])
    seconds, factor = row["seconds"], row["factor"]
    if factor > QUIET:
        seconds, factor = calibration.quietest(lambda: again(row["question"]))
    median = statistics.median(row["seconds"] for row in rows)
    return timed(
        "slowest job without delays", seconds, "s", most=LONGEST_JOB_S, factor=factor,
        note=f"{row['question']}; median {median:.1f} s",
    )  # fmt: skip


@contextlib.contextmanager
def _system(web: RunningWeb) -> Iterator[Child]:
    """A running process with nothing stored, ready for questions."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        settings = loopback(
            home=folder, searxng_url=web.search, providers=["searxng"], phase1_visit_delay_seconds=0
        )
        child = Child.module("recall_child", env=environment(**settings), folder=Path(folder))
        running.append(child)
        child.tell(web.hosts)
        child.hear()
        yield child


def _ask(child: Child, question: str, calibration: Calibration) -> dict[str, Any]:
    """The row of a question, with its calibration factor."""
    row, factor = calibration.with_factor(lambda: _answer(child, question))
    return row | {"factor": factor}


def _answer(child: Child, question: str) -> dict[str, Any]:
    child.tell(question)
    row: dict[str, Any] = child.hear()
    return row


def _ask_afresh(web: RunningWeb, question: str) -> float:
    """The time of one job in a process of its own, in seconds."""
    with _system(web) as child:
        return float(_answer(child, question)["seconds"])


def _baseline(web: RunningWeb, rows: list[dict[str, Any]]) -> dict[str, int]:
    """How many facts the short script finds with as many pages and quotes as our job had."""
    questions = {question.id: question for question in load_questions(web.hosts)}
    return {
        row["question"]: ask(
            web.search, questions[row["question"]], pages=row["pages"], quotes=row["quotes"]
        ).found
        for row in rows
    }


def _line(row: dict[str, Any], baseline: int) -> str:
    missed = ", ".join(row["missed"]) or "nothing"
    return (
        f"     {row['question']:22} {row['found']}/{row['planted']} found (baseline {baseline}), "
        f"{row['in_answer']} of them in the answer, {row['seconds']:5.1f} s, {row['searches']} searches, "
        f"{row['pages']} pages, {row['quotes']} quotes, missed: {missed}"
    )
