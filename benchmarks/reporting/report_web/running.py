"""Runs the processes of the benchmark `reports`: its web, systems that answer questions, and the scripted model."""

import contextlib
import json
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.children import Child, children, environment, loopback
from benchmarks.reporting.report_web.world import LocalQuestion
from research_crawler.demo.process import RunningWeb

Row = dict[str, Any]


@contextlib.contextmanager
def local_web(*what: str) -> Iterator[RunningWeb]:
    """The web of this benchmark in a process of its own; with `series`, many pages on a few subjects are added."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        child = Child.module("report_web.serve", *what, env=environment(), folder=Path(folder))
        running.append(child)
        yield RunningWeb(pid=child.pid, **child.hear())


@contextlib.contextmanager
def scripted_model() -> Iterator["Scripted"]:
    """The scripted model in a process of its own."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        child = Child.module("report_web.model", env=environment(), folder=Path(folder))
        running.append(child)
        yield Scripted(child, f"http://127.0.0.1:{child.hear()['port']}")


@contextlib.contextmanager
def system(web: RunningWeb, **settings: Any) -> Iterator[Child]:
    """A running process with nothing stored, which answers questions about the web."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        chosen = loopback(
            home=folder,
            searxng_url=web.search,
            providers=["searxng"],
            phase1_visit_delay_seconds=0,
            **settings,
        )
        child = Child.module("report_web.answer", env=environment(**chosen), folder=Path(folder))
        running.append(child)
        child.hear()
        yield child


def answers(child: Child, asked: Sequence[Row]) -> dict[str, Row]:
    """The rows of the jobs by their ids.

    Raises:
        RuntimeError: a job failed.
    """
    for one in asked:
        child.tell(one)
    rows = {row["id"]: row for row in (child.hear() for _ in asked)}
    if failed := [f"{id_}: {row['error']}" for id_, row in rows.items() if "error" in row]:
        raise RuntimeError("; ".join(failed))
    return rows


def asked(question: LocalQuestion, **more: Any) -> Row:
    """The line that asks for a job."""
    line = {"id": question.id, "goal": question.goal, "type": question.type, "shopping": question.shopping}
    return {**line, **more}


@dataclass(frozen=True)
class ModelRun:
    """What a scripted model and the system made of some jobs."""

    rows: dict[str, Row]
    calls: list[Row]
    written: list[Row]


@dataclass(frozen=True)
class Scripted:
    """The scripted model in its process."""

    process: Child
    url: str

    @property
    def settings(self) -> Row:
        """The settings of a system that asks this model."""
        return {"openai_base_url": f"{self.url}/v1", "mind_model": "scripted"}

    def become(self, **character: Any) -> None:
        """Answer the jobs that follow with this character."""
        self.process.tell(character)

    def system(self, web: RunningWeb, **limits: Any) -> contextlib.AbstractContextManager[Child]:
        """A system with nothing stored that asks this model; without `limits` it has only those of a job."""
        free = {"phase1_max_iterations": 100, "search_results_per_host": 20}
        return system(web, **self.settings, **(limits or free))

    def run(self, child: Child, lines: Sequence[Row], **character: Any) -> ModelRun:
        """The jobs with a model of this character, in a system of `system`."""
        self.become(**character)
        calls, written = len(self.calls()), len(self._got("written"))
        rows = answers(child, lines)
        return ModelRun(rows, self.calls()[calls:], self._got("written")[written:])

    def calls(self) -> list[Row]:
        """All calls so far."""
        return self._got("calls")

    def _got(self, what: str) -> list[Row]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.url}/{what}", timeout=10) as response:
            got: list[Row] = json.loads(response.read())
        return got
