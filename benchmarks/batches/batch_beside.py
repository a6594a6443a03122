"""Measures what a waiting batch costs others: the time of a single question beside it, its turns, and memory."""

import asyncio
import json
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.children import RESEARCH, Child, children, environment, redis_server
from benchmarks.figures import Figure, counted
from benchmarks.jobs.ledger import calls_of
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.demo.request_log import monotonic_ms

FEW, MANY = 400, 10_000
_ASKED: Final = 5
_AT_WORK_S: Final = 45.0
"""So long a batch works before its memory is compared."""
_BACK_AT_WORK_S: Final = 10.0
"""So long a batch works alone again before the next question, so that each one meets it with all of its rows."""
_MOST_RATIO, _MOST_GROWTH = 2.0, 1.15
_LONGEST_S: Final = 900.0


@dataclass(frozen=True)
class _Asked:
    """A single question: how long it took, and what the model was asked meanwhile."""

    seconds: float
    own_calls: int
    calls_of_rows: int

    @property
    def turns_of_rows(self) -> float:
        """Calls of rows for one of its own."""
        return self.calls_of_rows / max(1, self.own_calls)


@dataclass
class _Measured:
    """A system with or without a batch."""

    megabytes: float = 0.0
    asked: list[_Asked] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The median time of a question."""
        return statistics.median(one.seconds for one in self.asked)


def beside(folder: Path, settings: dict[str, Any], goals: Sequence[str], model_port: int) -> Iterator[Figure]:
    """Ask single questions alone and beside 10,000 waiting rows, and compare the memory with that of fewer.

    The goals name their rows, so that the model's record says whose each call was.
    """
    folder.mkdir()
    single = goals[-_ASKED:]
    alone = _measured(folder / "alone", settings, [], single, model_port)
    small = _measured(folder / "small", settings, goals[:FEW], [], model_port)
    among = _measured(folder / "large", settings, goals[: MANY - _ASKED], single, model_port)
    ratio = among.seconds / alone.seconds
    yield counted(
        f"a single question beside {MANY:,} rows, to alone", ratio, "×", ok=ratio <= _MOST_RATIO, target="≤ 2 ×",
        note=f"median of {_ASKED}: {_told(among)}; alone {_told(alone)}",
    )  # fmt: skip
    yield Figure(
        "model calls of rows meanwhile, for one of its own",
        statistics.median(one.turns_of_rows for one in among.asked),
        "calls",
        note=", ".join(f"{one.calls_of_rows} to {one.own_calls}" for one in among.asked)
        + "; other work on the machine does not move this",
    )
    growth = among.megabytes / small.megabytes
    yield counted(
        f"memory with {MANY:,} waiting rows, to {FEW}", growth, "×", ok=growth <= _MOST_GROWTH, target="≤ 1.15 ×",
        note=f"{among.megabytes:.0f} MB and {small.megabytes:.0f} MB after {_AT_WORK_S:.0f} s",
    )  # fmt: skip


def _told(measured: _Measured) -> str:
    times = " ".join(f"{one.seconds:.1f}" for one in sorted(measured.asked, key=lambda one: one.seconds))
    return f"{measured.seconds:.1f} s ({times})"


def _measured(
    folder: Path, settings: dict[str, Any], rows: Sequence[str], asked: Sequence[str], model_port: int
) -> _Measured:
    """Run a system on these rows; the MB of its main process, and single questions one after the other."""
    folder.mkdir()
    table = folder / "rows.jsonl"
    table.write_text("".join(json.dumps({"topic": row}) + "\n" for row in rows))
    with redis_server(folder) as url, children() as running:
        env = environment(**{**settings, "home": folder / "home", "redis_url": url})
        up = Child.research("up", env=env, folder=folder)
        running.append(up)
        up.wait_until_up()
        if rows:
            _said(env, folder, "batch", "run", str(table), "--depth", "quick", "--phase1-only", "--detach")
            time.sleep(_AT_WORK_S)
        measured = _Measured(_resident_mb(up.pid))
        for goal in asked:
            time.sleep(_BACK_AT_WORK_S if rows else 0.0)
            measured.asked.append(_answered(env, folder, url, goal, model_port))
    return measured


def _answered(env: dict[str, str], folder: Path, redis_url: str, goal: str, model_port: int) -> _Asked:
    """Ask a question; its time is from its submission, without the start of the command, to its end.

    It uses no memory: beside a batch it would find what rows of the same web have found, and have less to do.
    """
    asked = ("submit", goal, "--depth", "quick", "--phase1-only", "--no-memory")
    job = _said(env, folder, *asked).strip()
    begun, begun_ms = time.monotonic(), monotonic_ms()
    asyncio.run(_ended(redis_url, job))
    seconds, ended_ms = time.monotonic() - begun, monotonic_ms()
    row = int(goal.rpartition("(row ")[2].partition(")")[0])
    calls = [call for call in calls_of(model_port) if begun_ms <= call["start_ms"] <= ended_ms]
    own = sum(call["row"] == row for call in calls)
    return _Asked(seconds, own, len(calls) - own)


async def _ended(redis_url: str, job: str) -> None:
    """Wait for the end of a job in Redis: a command that asks again and again would be work of its own.

    Raises:
        TimeoutError: it did not end in time.
    """
    client: Any = connect_url(redis_url)
    jobs = RedisJobs(client)
    try:
        async with asyncio.timeout(_LONGEST_S):
            async for _ in jobs.changes(job):
                if (await jobs.states_of([job])).get(job) in FINAL_STATES:
                    return
    finally:
        await jobs.close()
        await client.aclose()


def _said(env: dict[str, str], folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(RESEARCH), *arguments], env=env, cwd=folder, check=True, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    return done.stdout


def _resident_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024
