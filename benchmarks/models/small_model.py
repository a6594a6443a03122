"""Checks that the answers of the small local model parse, and that its job keeps its limits."""

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.children import Child, children, environment, loopback
from benchmarks.figures import Calibration, Figure, counted, timed
from benchmarks.jobs.ledger import calls_of
from prompts.answers import (
    Answer,
    ExtractorAnswer,
    PlannerAnswer,
    ScorerAnswer,
    parse_answer,
)
from prompts.report_answers import ReportAnswer
from research_crawler.configuration import load_system_config
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.demo.demo_questions import DemoQuestion, load_questions, score
from research_crawler.demo.process import RunningWeb, local_web_process

QUESTION = "corva-descaling"
ANSWERS: dict[str, type[Answer]] = {
    "planner": PlannerAnswer, "scorer": ScorerAnswer, "extractor": ExtractorAnswer, "report": ReportAnswer,
}  # fmt: skip
PATIENCE_S = 400.0


@dataclass(frozen=True)
class Job:
    """The result of one `research run`."""

    seconds: float
    report: dict[str, Any]
    calls: list[dict[str, Any]]

    def found(self, question: DemoQuestion) -> int:
        """How many planted facts the report has."""
        return score(question, self.report["evidence"]).found


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Run a question with the model, then the same question without."""
    with local_web_process() as web:
        question = next(q for q in load_questions(web.hosts) if q.id == QUESTION)
        job, factor = calibration.with_factor(lambda: _run(web, question.goal, local_model=True))
        plain = _run(web, question.goal, local_model=False)
    parsed = Counter(_how_it_parses(call) for call in job.calls)
    roles = ", ".join(f"{n} {role}" for role, n in Counter(call["role"] for call in job.calls).items())
    yield counted(
        "answers of the small model that do not parse after one repair",
        parsed["failed"],
        "answers",
        ok=not parsed["failed"] and parsed["plain"] + parsed["repaired"] > 0,
        target="0",
        note=f"{len(job.calls)} calls ({roles}): {parsed['plain']} parse at once, {parsed['repaired']} repaired, "
        f"{parsed['broken off']} broken off",
    )
    config = load_system_config()
    limit_s = config.phase1_timeout_seconds + config.writing_timeout_seconds
    yield timed(
        "a job with the small model",
        job.report["metrics"]["seconds"],
        "s",
        most=limit_s,
        factor=factor,
        reference=f"extractive brain {plain.report['metrics']['seconds']:.1f} s",
        note=f"planted facts {job.found(question)} of {len(question.facts)} (extractive {plain.found(question)}); "
        f"{job.seconds:.0f} s with its start",
    )


def _how_it_parses(call: dict[str, Any]) -> str:
    if call["text"] is None:
        return "broken off"
    model = ANSWERS[call["role"]]
    try:
        model.model_validate_json(call["text"])
    except ValueError:
        pass
    else:
        return "plain"
    try:
        parse_answer(model, call["text"])
    except BadAnswer:
        return "failed"
    return "repaired"


def _run(web: RunningWeb, goal: str, *, local_model: bool) -> Job:
    """Run one job. The model is that of `--local-model`, behind a recorder."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        path = Path(folder)
        settings = loopback(
            home=path / "home", searxng_url=web.search, providers=["searxng"], phase1_visit_delay_seconds=0
        )
        if local_model:
            recorder = Child.module("model_recorder", env=environment(), folder=path / "recorder")
            running.append(recorder)
            settings |= recorder.hear()
        begun = time.monotonic()
        child = Child.research("run", goal, "--json", env=environment(**settings), folder=path / "run")
        running.append(child)
        output, _ = child.process.communicate(timeout=PATIENCE_S)
        seconds = time.monotonic() - begun
        if not output:
            raise RuntimeError(f"no report: {child.said()[-500:]}")
        calls = calls_of(urlsplit(settings["openai_base_url"]).port or 0) if local_model else []
        return Job(seconds, json.loads(output), calls)
