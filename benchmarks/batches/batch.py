"""Measures batches: rows that end, topics an hour, pages fetched once, and that a kill repeats no finished row."""

import contextlib
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.children import RESEARCH, environment, loopback
from benchmarks.figures import Calibration, Figure, counted
from research_crawler.demo.process import RunningWeb, local_web_process
from research_crawler.demo.questions import read_questions

ROWS = int(os.environ.get("RESEARCH_BENCH_BATCH_ROWS", "24"))
"""Rows of the batch; the variable makes it as large as wanted."""
STORED_ROWS, STORED_WITHIN_S = 10_000, 10.0
LONGEST_S = 7_200
_FLAGS = ("--depth", "quick", "--phase1-only", "--quiet", "--json")


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Queue 10,000 rows; run a batch that is killed at a random moment, and resume it."""
    with tempfile.TemporaryDirectory() as folder, local_web_process() as web:
        yield _queued(Path(folder, "queued"))
        yield from _killed_and_resumed(Path(folder, "run"), web)


def _queued(folder: Path) -> Figure:
    folder.mkdir()
    table = folder / "rows.csv"
    table.write_text("topic\n" + "".join(f"what is thing number {n}\n" for n in range(STORED_ROWS)))
    begun = time.monotonic()
    _research(folder, "", "batch", "run", str(table), "--detach")
    seconds = time.monotonic() - begun
    return counted(
        f"{STORED_ROWS:,} rows queued by a command", seconds, "s", ok=seconds < STORED_WITHIN_S, target="< 10 s",
        note="with its start-up",
    )  # fmt: skip


def _killed_and_resumed(folder: Path, web: RunningWeb) -> Iterator[Figure]:
    folder.mkdir()
    goals = [question.goal for question in read_questions()]
    rows = [
        goals[n % len(goals)].rstrip("?") + (f" ({n // len(goals) + 1})" if n >= len(goals) else "")
        for n in range(ROWS)
    ]
    table = folder / "rows.jsonl"
    table.write_text("".join(json.dumps({"topic": row}) + "\n" for row in rows))
    begun = time.monotonic()
    before = _run_and_kill(folder, web, table)
    batch = _research(folder, web.search, "batch", "list", "--json")[0]["batch"]
    finished = {
        row["row"]: row for row in _rows(folder, web, batch) if row["state"] in ("done", "insufficient")
    }
    entry = _research(folder, web.search, "batch", "resume", batch, "--quiet", "--json")
    seconds = time.monotonic() - begun
    after = {row["row"]: row for row in _rows(folder, web, batch)}
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
        "finished rows redone after the kill", redone, "rows", ok=not redone, target="0",
        note=f"killed after {before:.1f} s with {len(finished)} rows finished",
    )  # fmt: skip
    yield _fetched_twice(web)


def _run_and_kill(folder: Path, web: RunningWeb, table: Path) -> float:
    """Start the batch and kill its process at a random moment; returns when that was."""
    after_s = random.uniform(8.0, 8.0 + ROWS)
    command = [str(RESEARCH), "batch", "run", str(table), *_FLAGS]
    with subprocess.Popen(
        command,
        env=_environment(folder, web.search),
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after_s)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return after_s


def _fetched_twice(web: RunningWeb) -> Figure:
    """Pages that were downloaded more often than once although rows share them."""
    hosts = {urlsplit(url).hostname for url in web.hosts.values()} - {urlsplit(web.search).hostname}
    counts = Counter(
        (served.host, served.path)
        for served in web.log()
        if served.host in hosts and served.status == 200 and not served.path.startswith("/robots.txt")
    )
    again = sum(count - 1 for count in counts.values() if count > 1)
    return counted(
        "downloads of a page that another row had", again, "pages", ok=again <= 0.02 * len(counts) + 2,
        target="≤ 2 %, and what the kill cut off", note=f"{len(counts)} pages",
    )  # fmt: skip


def _rows(folder: Path, web: RunningWeb, batch: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [str(RESEARCH), "batch", "result", batch, "--format", "jsonl"],
        env=_environment(folder, web.search), cwd=folder, check=True, capture_output=True, text=True, timeout=LONGEST_S,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def _research(folder: Path, search: str, *arguments: str) -> Any:
    """What a command prints as JSON; None if it prints none. A batch with failed rows ends with code 1."""
    done = subprocess.run(
        [str(RESEARCH), *arguments],
        env=_environment(folder, search), cwd=folder, check=False, capture_output=True, text=True, timeout=LONGEST_S,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr[-500:])
    return json.loads(done.stdout) if "--json" in arguments else None


def _environment(folder: Path, search: str) -> dict[str, str]:
    settings: dict[str, Any] = {"home": folder / "home", "phase1_visit_delay_seconds": 0, "batch_places": 8}
    named = {"searxng_url": search, "providers": ["searxng"]} if search else {}
    return environment(**loopback(**settings, **named))
