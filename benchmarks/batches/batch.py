"""Measures batches: rows that end, topics an hour, pages fetched once, and that a kill repeats nothing finished."""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.batches.batch_beside import beside
from benchmarks.children import RESEARCH, Child, children, environment, loopback
from benchmarks.figures import Calibration, Figure, counted
from benchmarks.jobs.ledger import calls_of
from research_crawler.demo.demo_questions import read_questions
from research_crawler.demo.process import RunningWeb, local_web_process

ROWS = int(os.environ.get("RESEARCH_BENCH_BATCH_ROWS", "24"))
"""Rows of the batch; the variable makes it as large as wanted."""
STORED_ROWS, STORED_WITHIN_S = 10_000, 10.0
LONGEST_S = 14_400
_FLAGS = ("--depth", "quick", "--phase1-only", "--quiet", "--json")
_FINISHED = ("done", "partly", "insufficient")


@dataclass(frozen=True)
class BatchStage:
    """Where a batch runs: its folder, the demo web, and the port of a scripted model."""

    folder: Path
    web: RunningWeb
    model_port: int

    def environment(self) -> dict[str, str]:
        """The environment of a command that searches the demo web and asks the scripted model."""
        return environment(**self.settings())

    def settings(self) -> dict[str, Any]:
        """The settings of such a command."""
        return loopback(
            home=self.folder / "home",
            phase1_visit_delay_seconds=0,
            batch_places=8,
            searxng_url=self.web.search,
            providers=["searxng"],
            openai_base_url=f"http://127.0.0.1:{self.model_port}/v1",
            mind_model="scripted",
        )

    def research(self, *arguments: str) -> Any:
        """What a command prints as JSON; None if it prints none. A batch with failed rows ends with code 1."""
        return told(arguments, self.environment(), self.folder)

    def rows(self, batch: str) -> list[dict[str, Any]]:
        """The rows of a batch, as its table of results has them."""
        done = subprocess.run(
            [str(RESEARCH), "batch", "result", batch, "--format", "jsonl"],
            env=self.environment(), cwd=self.folder, check=True, capture_output=True, text=True, timeout=LONGEST_S,
        )  # fmt: skip
        return [json.loads(line) for line in done.stdout.splitlines()]


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Queue 10,000 rows; run a batch that is killed at a random moment, and resume it; ask one question beside it."""
    with tempfile.TemporaryDirectory() as folder, local_web_process() as web, children() as running:
        yield _queued(Path(folder, "queued"))
        model = Child.module("scripted_model", env=environment(), folder=Path(folder, "model"))
        running.append(model)
        port = model.hear()["port"]
        stage = BatchStage(Path(folder, "run"), web, port)
        yield from _killed_and_resumed(stage)
        yield from beside(Path(folder, "beside"), stage.settings(), goals(STORED_ROWS), port)


def goals(count: int) -> list[str]:
    """So many different questions about the demo web, each with the number of its row."""
    asked = [question.goal.rstrip("?") for question in read_questions()]
    return [f"{asked[n % len(asked)]} (row {n + 1})?" for n in range(count)]


def told(arguments: tuple[str, ...], env: dict[str, str], folder: Path) -> Any:
    """What a command prints as JSON; None if it prints none."""
    done = subprocess.run(
        [str(RESEARCH), *arguments],
        env=env, cwd=folder, check=False, capture_output=True, text=True, timeout=LONGEST_S,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr[-500:])
    return json.loads(done.stdout) if "--json" in arguments else None


def _queued(folder: Path) -> Figure:
    folder.mkdir()
    table = folder / "rows.csv"
    table.write_text("topic\n" + "".join(f"what is thing number {n}\n" for n in range(STORED_ROWS)))
    begun = time.monotonic()
    told(("batch", "run", str(table), "--detach"), environment(**loopback(home=folder / "home")), folder)
    seconds = time.monotonic() - begun
    return counted(
        f"{STORED_ROWS:,} rows queued by a command", seconds, "s", ok=seconds < STORED_WITHIN_S, target="< 10 s",
        note="with its start-up",
    )  # fmt: skip


def _killed_and_resumed(stage: BatchStage) -> Iterator[Figure]:
    stage.folder.mkdir()
    table = stage.folder / "rows.jsonl"
    table.write_text("".join(json.dumps({"topic": row}) + "\n" for row in goals(ROWS)))
    begun = time.monotonic()
    after_s = _run_and_kill(stage, table)
    killed_ms = time.monotonic() * 1000
    stored = _stored_paths(stage.folder / "home")
    batch = stage.research("batch", "list", "--json")[0]["batch"]
    finished = {row["row"]: row for row in stage.rows(batch) if row["state"] in _FINISHED}
    entry = stage.research("batch", "resume", batch, "--quiet", "--json")
    seconds = time.monotonic() - begun
    after = {row["row"]: row for row in stage.rows(batch)}
    ended = entry["rows_ended"]
    yield counted(
        "rows that ended", ended, "rows", ok=ended == ROWS, target=f"{ROWS}", note=f"{entry['counts']}"
    )
    yield Figure(
        "topics an hour", ROWS / seconds * 3_600, "rows/h", note="with a kill and two starts; no target"
    )
    redone = sum(
        after[n]["job"] != row["job"] or after[n]["answer"] != row["answer"] for n, row in finished.items()
    )
    yield counted(
        "finished rows redone after the kill", redone, "rows", ok=not redone and bool(finished), target="0",
        note=f"killed after {after_s:.1f} s with {len(finished)} rows finished",
    )  # fmt: skip
    calls = calls_of(stage.model_port)
    again = [call for call in calls if call["start_ms"] > killed_ms and call["row"] in finished]
    unnamed = sum(call["row"] is None for call in calls)
    yield counted(
        "model calls of finished rows after the kill", len(again), "calls", ok=not again, target="0",
        note=f"of {len(calls)} calls, {unnamed} of which name no row",
    )  # fmt: skip
    yield _fetched_twice(stage.web, killed_ms, stored)


def _run_and_kill(stage: BatchStage, table: Path) -> float:
    """Start the batch and kill its processes at a random moment; returns when that was."""
    after_s = random.uniform(20.0, 20.0 + ROWS)
    command = [str(RESEARCH), "batch", "run", str(table), *_FLAGS]
    with subprocess.Popen(
        command,
        env=stage.environment(),
        cwd=stage.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after_s)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return after_s


def _stored_paths(home: Path) -> set[tuple[str, str]]:
    """Host and path of each page that is in the archive."""
    with contextlib.closing(sqlite3.connect(home / "archive.sqlite3")) as archive:
        urls = [url for row in archive.execute("SELECT url, final_url FROM pages") for url in row]
    return {_place(url) for url in urls}


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.path + (f"?{parts.query}" if parts.query else "")


def _fetched_twice(web: RunningWeb, killed_ms: float, stored: set[tuple[str, str]]) -> Figure:
    """Pages that were downloaded again although rows share them; without those that the kill kept from the archive."""
    hosts = {urlsplit(url).hostname for url in web.hosts.values()} - {urlsplit(web.search).hostname}
    downloads: dict[tuple[str, str], list[float]] = {}
    for served in web.log():
        is_page = served.status == 200 and not served.path.startswith("/robots.txt")
        if served.host in hosts and is_page:
            downloads.setdefault((served.host, served.path), []).append(served.start_ms)
    cut_off = again = 0
    repeated = []
    for place, times in downloads.items():
        lost = min(times) < killed_ms and place not in stored
        cut_off += lost and len(times) > 1
        if (surplus := len(times) - 1 - lost) > 0:
            again += surplus
            repeated.append(f"{place[1]} at {', '.join(f'{(at - killed_ms) / 1000:+.1f}' for at in times)} s")
    note = f"{len(downloads)} pages; {cut_off} downloaded again because the kill came before they were stored"
    return counted(
        "downloads of a page that another row had", again, "pages", ok=again <= 0.02 * len(downloads),
        target="≤ 2 %", note="; ".join([note, *repeated[:5]]),
    )  # fmt: skip
