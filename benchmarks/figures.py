"""Figures with their target and reference, and a measure of how noisy the machine was."""

import contextlib
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

QUIET = 1.3
"""An absolute time counts if the calibration loop takes at most this many times its best time."""
TRIES = 3
"""A noisy measurement is made at most this many times, and then shown as noisy."""
LOOPS_AT_START = 8
WORK = """
import time
begun, cpu = time.perf_counter(), time.process_time()
total = 0
for number in range(2_000_000):
    total += number * number % 7
print(time.perf_counter() - begun, time.process_time() - cpu)
"""

Result = TypeVar("Result")


@dataclass
class Figure:
    """One line of the result.

    ok: None if there is no target, or if the machine was too noisy for an absolute time.
    factor: the time of the calibration loop around the measurement, divided by its best time in the whole
    run.
    """

    name: str
    value: float
    unit: str
    target: str = ""
    ok: bool | None = None
    reference: str = ""
    note: str = ""
    factor: float | None = None

    def line(self) -> str:
        """The figure for a terminal."""
        mark = {True: "ok  ", False: "MISS", None: "--  "}[self.ok]
        value = f"{self.value:,.{digits_after(self.value)}f} {self.unit}"
        parts = [f"{mark} {self.name:<58} {value:>14}"]
        if self.target:
            parts.append(f"target {self.target}")
        if self.reference:
            parts.append(f"reference: {self.reference}")
        if self.factor is not None:
            parts.append(f"calibration × {self.factor:.2f}")
        if self.note:
            parts.append(self.note)
        return " | ".join(parts)


@dataclass
class Calibration:
    """Fixed Python work that is timed before and after each run.

    The spread of its times is the machine's noise.
    """

    times_s: list[float] = field(default_factory=list)
    best_s: float = math.inf
    """The least processor time of a loop, which is its time on a quiet machine even if this one is busy."""

    @classmethod
    def started(cls) -> "Calibration":
        """A calibration that has found a best time before anything is measured."""
        calibration = cls()
        for _ in range(LOOPS_AT_START):
            calibration.loop()
        return calibration

    def loop(self) -> float:
        """Time the work on all cores at once, and return the slowest time divided by the best so far.

        A loop on one core alone would not show that another process uses the other core.
        """
        command = [sys.executable, "-S", "-E", "-c", WORK]
        with contextlib.ExitStack() as stack:
            processes = [
                stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
                for _ in range(os.cpu_count() or 1)
            ]
            times = [process.communicate()[0].split() for process in processes]
        self.times_s.append(max(float(wall) for wall, _ in times))
        self.best_s = min(self.best_s, *(float(cpu) for _, cpu in times))
        return self.times_s[-1] / self.best_s

    def with_factor(self, measure: Callable[[], Result]) -> tuple[Result, float]:
        """The result of a measurement, and the larger one of the factors before and after it."""
        before = self.loop()
        result = measure()
        return result, max(before, self.loop())

    def quietest(self, measure: Callable[[], Result]) -> tuple[Result, float]:
        """The first measurement on a quiet machine, or the least noisy one of three, with its factor."""
        tried: list[tuple[Result, float]] = []
        while len(tried) < TRIES and not (tried and tried[-1][1] <= QUIET):
            tried.append(self.with_factor(measure))
        return min(tried, key=lambda result: result[1])

    def line(self) -> str:
        """The best, median and worst time in one line."""
        worst = max(self.times_s)
        return (
            f"calibration loop: best {self.best_s:.3f} s, median {statistics.median(self.times_s):.3f} s, "
            f"worst {worst:.3f} s of {len(self.times_s)}"
        )


def timed(
    name: str, value: float, unit: str, *, most: float, factor: float, reference: str = "", note: str = ""
) -> Figure:
    """A figure that is an absolute time. It counts only if the machine was quiet."""
    quiet = factor <= QUIET
    return Figure(
        name,
        value,
        unit,
        target=f"≤ {most:g} {unit}",
        ok=value <= most if quiet else None,
        reference=reference,
        note=note if quiet else ", ".join(filter(None, [note, "too noisy to count"])),
        factor=factor,
    )


def counted(name: str, value: float, unit: str, *, ok: bool, target: str, **more: Any) -> Figure:
    """A figure that does not depend on noise."""
    return Figure(name, value, unit, target=target, ok=ok, **more)


def percentile(values: Sequence[float], share: float) -> float:
    """The percentile by nearest rank: the least value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def digits_after(value: float) -> int:
    """How many digits after the point are shown for a value of this size."""
    if value == int(value):
        return 0
    return 2 if abs(value) < 100 else 0
