"""Measures what a waiting batch costs others: the time of a single question beside it, and memory."""

import json
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.children import RESEARCH, Child, children, environment
from benchmarks.figures import Figure, counted

FEW, MANY = 400, 10_000
_ASKED: Final = 3
_AT_WORK_S: Final = 45.0
"""So long a batch works before its memory is compared."""
_MOST_RATIO, _MOST_GROWTH = 2.0, 1.15
_LONGEST_S: Final = 900.0


def beside(folder: Path, settings: dict[str, Any], goals: Sequence[str]) -> Iterator[Figure]:
    """Ask single questions alone and beside 10,000 waiting rows, and compare the memory with that of fewer."""
    folder.mkdir()
    alone, _ = _measured(folder / "alone", settings, [], goals[-_ASKED:])
    _, small = _measured(folder / "small", settings, goals[:FEW], [])
    among, large = _measured(folder / "large", settings, goals[: MANY - _ASKED], goals[-_ASKED:])
    ratio = among / alone
    yield counted(
        f"a single question beside {MANY:,} rows, to alone", ratio, "×", ok=ratio <= _MOST_RATIO, target="≤ 2 ×",
        note=f"median of {_ASKED}: {among:.1f} s, alone {alone:.1f} s",
    )  # fmt: skip
    growth = large / small
    yield counted(
        f"memory with {MANY:,} waiting rows, to {FEW}", growth, "×", ok=growth <= _MOST_GROWTH, target="≤ 1.15 ×",
        note=f"{large:.0f} MB and {small:.0f} MB after {_AT_WORK_S:.0f} s",
    )  # fmt: skip


def _measured(
    folder: Path, settings: dict[str, Any], rows: Sequence[str], asked: Sequence[str]
) -> tuple[float, float]:
    """Run a system on these rows; the median seconds of single questions, and the MB of its main process."""
    folder.mkdir()
    env = environment(**{**settings, "home": folder / "home"})
    table = folder / "rows.jsonl"
    table.write_text("".join(json.dumps({"topic": row}) + "\n" for row in rows))
    with children() as running:
        up = Child.research("up", env=env, folder=folder)
        running.append(up)
        up.wait_until_up()
        if rows:
            _said(env, folder, "batch", "run", str(table), "--depth", "quick", "--phase1-only", "--detach")
            time.sleep(_AT_WORK_S)
        megabytes = _resident_mb(up.pid)
        seconds = [_answered(env, folder, goal) for goal in asked]
    return (statistics.median(seconds) if seconds else 0.0), megabytes


def _answered(env: dict[str, str], folder: Path, goal: str) -> float:
    """Seconds from the submission of a question to its end."""
    begun = time.monotonic()
    job = _said(env, folder, "submit", goal, "--depth", "quick", "--phase1-only").strip()
    until = begun + _LONGEST_S
    while time.monotonic() < until:
        record = json.loads(_said(env, folder, "status", job, "--json"))
        if record["state"] in ("completed", "failed"):
            return time.monotonic() - begun
        time.sleep(0.5)
    raise RuntimeError(f"{job} did not end")


def _said(env: dict[str, str], folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(RESEARCH), *arguments], env=env, cwd=folder, check=True, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    return done.stdout


def _resident_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024
