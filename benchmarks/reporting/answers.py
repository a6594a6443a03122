"""Measures the reports of the extractive brain on real manuals that nobody here wrote, end to end.

The questions are those of `answers` under RESEARCH_TEST_DATA, and its own `score.py` counts the facts. `benchmarks.
docs_web` says how the manuals are served. The questions are split by manual: constants were chosen on the half
`tuned` only. With `RESEARCH_BENCH_KEEP=FOLDER`, the reports stay there.
"""

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.figures import Calibration, Figure, counted
from benchmarks.places import DATA
from benchmarks.reporting.answers_baseline import Baselines, baselines
from benchmarks.reporting.answers_course import Course, costs, course_of, stopping
from benchmarks.reporting.docs_web import manuals, why_missing
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.services.submission.job_question import request_from

FOLDER = DATA / "answers"
TUNED = frozenset({"git", "debian"})
"""The manuals whose questions were looked at when constants were chosen."""
FIRST_WORDS = 200
"""So much of an answer is read first."""
AT_ONCE = 3
JOB_S = 300.0
LEAST_OVERALL, LEAST_FACTS = 0.55, 0.58
LEAST_ABSTAINED, MOST_WRONGLY_ABSTAINED = 0.8, 0.08
KEEP = "RESEARCH_BENCH_KEEP"
_ANSWER = re.compile(r"^## Answer\n(.*?)(?=^## )", re.S | re.M)
_LEVEL = re.compile(r"\b(High|Medium|Low) certainty\b")
_FIGURES = {
    "facts": re.compile(r"^facts\s+([\d.]+)", re.M),
    "overall": re.compile(r"^overall\s+([\d.]+)", re.M),
    "wrong": re.compile(r"^wrong\s+(\d+)", re.M),
    "words": re.compile(r"^words\s+(\d+)", re.M),
}
_ABSTAINED = re.compile(r"^abstained\s+rightly (\d+) of (\d+), wrongly (\d+) of (\d+)", re.M)
_EACH = re.compile(r"^([\d.]+) ([\w-]+)  ", re.M)


@dataclass(frozen=True)
class Score:
    """What `score.py` prints about a set of answers."""

    facts: float
    overall: float
    wrong: int
    words: int
    abstained: tuple[int, int]
    """Rightly, of so many questions that have no answer."""
    abstained_wrongly: tuple[int, int]
    each: dict[str, float]
    """By question: the share of its facts, or 1 where it was right to abstain."""

    def line(self) -> str:
        """The figures that belong together."""
        return (
            f"facts {self.facts:.3f}, wrong {self.wrong}, abstained rightly {self.abstained[0]} of "
            f"{self.abstained[1]}, wrongly {self.abstained_wrongly[0]} of {self.abstained_wrongly[1]}, "
            f"{self.words} words"
        )


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Our reports on all questions, three jobs at a time, then the baselines on the same search engine."""
    if reason := why_missing() or ("" if FOLDER.is_dir() else "RESEARCH_TEST_DATA has no answers"):
        yield Figure("answers on real manuals", 0, "skipped", note=reason)
        return
    questions = manual_questions()
    with tempfile.TemporaryDirectory() as folder, manuals() as search:
        path = Path(folder)
        before = calibration.loop()
        reports, courses, cpu_s = researched(search, questions, path)
        factor = max(before, calibration.loop())
        simple = asyncio.run(_baselines(search, questions))
        yield from _figures(questions, reports, simple, path)
    yield from stopping(questions, courses)
    yield from costs(reports, cpu_s, factor)


def manual_questions() -> list[dict[str, Any]]:
    """All questions on the manuals."""
    lines = (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _figures(
    questions: Sequence[dict[str, Any]],
    reports: dict[str, dict[str, Any]],
    simple: dict[str, Baselines],
    folder: Path,
) -> Iterator[Figure]:
    ours = {
        id_: {"answer": answer_of(report), "abstained": report.get("exit_code") == 3}
        for id_, report in reports.items()
    }
    bm25 = {id_: {"answer": one.by_bm25} for id_, one in simple.items()}
    minilm = {id_: {"answer": one.by_minilm} for id_, one in simple.items()}
    whole = {id_: {"answer": one.all_text} for id_, one in simple.items()}
    halves = {
        "all questions": list(questions),
        "half that was tuned": [q for q in questions if q["topic"] in TUNED],
        "half held back": [q for q in questions if q["topic"] not in TUNED],
    }
    for name, asked in halves.items():
        found = scored(ours, asked, folder)
        by_bm25, by_minilm = scored(bm25, asked, folder), scored(minilm, asked, folder)
        in_pages = scored(whole, asked, folder, words=10**7)
        if name == "all questions":
            _print_each(found, reports)
            yield from _calibrated(found, reports)
        yield counted(
            f"{name}: overall",
            found.overall,
            "of 1",
            ok=found.overall >= LEAST_OVERALL,
            target=f"≥ {LEAST_OVERALL}",
            reference=f"8 sentences by BM25 {by_bm25.overall:.3f}, by MiniLM {by_minilm.overall:.3f}",
            note=found.line(),
        )
        yield counted(
            f"{name}: facts within 600 words",
            found.facts,
            "of 1",
            ok=found.facts >= LEAST_FACTS,
            target=f"≥ {LEAST_FACTS}",
            reference=f"by BM25 {by_bm25.facts:.3f}, by MiniLM {by_minilm.facts:.3f}, in all text of the first five "
            f"pages {in_pages.facts:.3f}",
        )
        first = scored(ours, asked, folder, words=FIRST_WORDS)
        by_bm25 = scored(bm25, asked, folder, words=FIRST_WORDS)
        yield Figure(
            f"{name}: facts in the first {FIRST_WORDS} words",
            first.facts,
            "of 1",
            reference=f"by BM25 {by_bm25.facts:.3f}",
        )
        if name == "all questions":  # a half has too few of them for a share
            yield _abstained(found)
        yield counted(f"{name}: wrong statements", found.wrong, "answers", ok=not found.wrong, target="0")


def _abstained(found: Score) -> Figure:
    rightly, wrongly = found.abstained, found.abstained_wrongly
    is_met = rightly[0] >= LEAST_ABSTAINED * rightly[1] and wrongly[0] <= MOST_WRONGLY_ABSTAINED * wrongly[1]
    return counted(
        "all questions: abstained rightly",
        rightly[0],
        f"of {rightly[1]}",
        ok=is_met,
        target=f"≥ {LEAST_ABSTAINED:.0%}, wrongly ≤ {MOST_WRONGLY_ABSTAINED:.0%}",
        note=f"wrongly {wrongly[0]} of {wrongly[1]}",
    )


def _calibrated(found: Score, reports: dict[str, dict[str, Any]]) -> Iterator[Figure]:
    """What the answers of each certainty were worth."""
    by_level: defaultdict[str, list[float]] = defaultdict(list)
    for id_, report in reports.items():
        level = _LEVEL.search(answer_of(report))
        if report.get("exit_code") != 3:
            by_level[level[1].lower() if level else "no"].append(found.each[id_])
    for level in ("high", "medium", "low", "no"):
        if points := by_level.get(level):
            yield Figure(
                f"answers with {level} certainty: mean share of facts",
                statistics.mean(points),
                "of 1",
                note=f"{len(points)} answers, of which {sum(p < 0.5 for p in points)} with less than half of the facts",
            )


def answer_of(report: dict[str, Any]) -> str:
    """The answer section of report.md."""
    found = _ANSWER.search(report.get("report_markdown", ""))
    return found[1].strip() if found else ""


def scored(
    answers: dict[str, dict[str, Any]], questions: Sequence[dict[str, Any]], folder: Path, *, words: int = 600
) -> Score:
    """The score of answers to some of the questions, by the scorer that came with them."""
    asked, given = folder / "questions.jsonl", folder / "answers.jsonl"
    asked.write_text("".join(json.dumps(q) + "\n" for q in questions), "utf-8")
    ids = [q["id"] for q in questions if q["id"] in answers]
    given.write_text("".join(json.dumps({"id": id_, **answers[id_]}) + "\n" for id_ in ids), "utf-8")
    command = [sys.executable, str(FOLDER / "score.py"), str(given), "--questions", str(asked), "--each"]
    text = subprocess.run(
        [*command, "--words", str(words)], check=True, capture_output=True, text=True
    ).stdout
    figures = {name: found[1] for name, pattern in _FIGURES.items() if (found := pattern.search(text))}
    abstained = _ABSTAINED.search(text)
    assert abstained, text
    rightly, unanswerable, wrongly, answerable = map(int, abstained.groups())
    return Score(
        facts=float(figures["facts"]),
        overall=float(figures["overall"]),
        wrong=int(figures["wrong"]),
        words=int(figures["words"]),
        abstained=(rightly, unanswerable),
        abstained_wrongly=(wrongly, answerable),
        each={match[2]: float(match[1]) for match in _EACH.finditer(text)},
    )


def _print_each(found: Score, reports: dict[str, dict[str, Any]]) -> None:
    for id_, points in found.each.items():
        metrics = reports.get(id_, {}).get("metrics", {})
        print(
            f"     {points:.2f} {id_:20} {metrics.get('seconds', 0):5.1f} s, {metrics.get('searches', 0)} searches, "
            f"{metrics.get('pages_visited', 0)} pages" + ("" if id_ in reports else ", no report")
        )


async def _baselines(search: str, questions: Sequence[dict[str, Any]]) -> dict[str, Baselines]:
    embedder = SentenceEmbedder(Config().embedding_model)
    try:
        return {q["id"]: await baselines(search, q["question"], embedder) for q in questions}
    finally:
        await embedder.close()


def reports_in(
    search: str, questions: Sequence[dict[str, Any]], **limits: Any
) -> tuple[dict[str, dict[str, Any]], float]:
    """The same as `reports_on` in a folder of its own, without the memory of the questions before."""
    with tempfile.TemporaryDirectory() as folder:
        return reports_on(search, questions, Path(folder), memory=False, **limits)


def reports_on(
    search: str, questions: Sequence[dict[str, Any]], folder: Path, *, memory: bool = True, **limits: Any
) -> tuple[dict[str, dict[str, Any]], float]:
    """The stored reports by question, and the processor time of the process that made them.

    Args:
        search: the base URL of the search engine.
        questions: as `manual_questions` gives them.
        folder: for the data of the system.
        memory: whether a job uses what the jobs before it have found.
        limits: settings other than the default ones.
    """
    reports, _, cpu_s = researched(search, questions, folder, memory=memory, **limits)
    return reports, cpu_s


def researched(
    search: str, questions: Sequence[dict[str, Any]], folder: Path, *, memory: bool = True, **limits: Any
) -> tuple[dict[str, dict[str, Any]], dict[str, Course], float]:
    """The same, with what the research for each question did."""
    with redis_server(folder) as redis_url, children() as running:
        settings = loopback(
            home=folder / "home",
            redis_url=redis_url,
            searxng_url=search,
            providers=["searxng"],
            phase1_visit_delay_seconds=0.05,
            **limits,
        )
        up = Child.research("up", env=environment(**settings), folder=folder / "up")
        running.append(up)
        up.wait_until_up()
        config = load_system_config(**settings)
        jobs = asyncio.run(_asked(config, questions, memory=memory))
        cpu_s = _processor_time(up.pid)
        reports, courses = asyncio.run(_stored(config, jobs))
    if keep := os.environ.get(KEEP):
        _keep(Path(keep), reports)
    return reports, courses, cpu_s


async def _asked(config: Config, questions: Sequence[dict[str, Any]], *, memory: bool) -> dict[str, str]:
    """The ids of the jobs by question, all of them over."""
    client: Any = redis.asyncio.Redis.from_url(config.redis_url, socket_timeout=30, decode_responses=True)
    store, free, jobs = RedisJobs(client), asyncio.Semaphore(AT_ONCE), {}

    async def ask(question: dict[str, Any]) -> None:
        async with free:
            asked = JobQuestion(goal=question["question"], memory=memory)
            job = request_from(config, asked).to_job(config)
            await store.submit(job)
            jobs[question["id"]] = job.id
            finals, until = {f'"{state}"' for state in FINAL_STATES}, time.monotonic() + JOB_S
            while time.monotonic() < until:
                if await client.hget(f"research:job:{job.id}", "state") in finals:
                    break
                await asyncio.sleep(0.5)

    await asyncio.gather(*map(ask, questions))
    await store.close()
    await client.aclose()
    return jobs


async def _stored(
    config: Config, jobs: dict[str, str]
) -> tuple[dict[str, dict[str, Any]], dict[str, Course]]:
    archive = SqlArchive(config)
    await archive.open()
    records = {id_: await archive.get_job(job) for id_, job in jobs.items()}
    kept = {id_: stored for id_, stored in records.items() if stored}
    courses = {id_: await course_of(stored[0], archive) for id_, stored in kept.items()}
    await archive.close()
    return {id_: dict(stored[2]) for id_, stored in kept.items()}, courses


def _keep(folder: Path, reports: dict[str, dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for id_, report in reports.items():
        (folder / f"{id_}.md").write_text(report.get("report_markdown", ""), "utf-8")
        (folder / f"{id_}.json").write_text(json.dumps(report), "utf-8")


def _processor_time(pid: int) -> float:
    """Processor seconds of a process and of those that it started."""
    process = psutil.Process(pid)
    total = 0.0
    for one in (process, *process.children(recursive=True)):
        times = one.cpu_times()
        total += times.user + times.system
    return total
