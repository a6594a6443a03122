"""How long is really worked for something: without waits, and without time in which the process stood still."""

import contextlib
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

MOST_STEP_S: Final = 5.0
"""Longest step between two readings of a clock that counts in full. A living process reads its clock every two
seconds; after a longer step it was stopped, or its machine slept."""


class ActiveClock:
    """A clock that stands still while its process does (SIGSTOP, a machine that sleeps)."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._read_s, self._active_s = monotonic(), 0.0

    def read(self) -> float:
        """Seconds that the process was active; call it at least every MOST_STEP_S seconds."""
        now_s = self._monotonic()
        step_s, self._read_s = now_s - self._read_s, now_s
        self._active_s += step_s if step_s <= MOST_STEP_S else 0.0
        return self._active_s


_process_clock = ActiveClock()  # as time.monotonic: there is one of it, because a process stops as a whole


def active_s() -> float:
    """Seconds on the clock of this process; the node and the planner read it every two seconds."""
    return _process_clock.read()


class Stopwatch:
    """Measures the work for one command or decision. Waits at the same time count as one."""

    def __init__(self, clock: Callable[[], float] = active_s) -> None:
        self._clock, self._started_s = clock, clock()
        self._waits, self._waiting_since_s, self._waited_s = 0, 0.0, 0.0

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Stop the watch for the time of the block."""
        if not self._waits:
            self._waiting_since_s = self._clock()
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1
            if not self._waits:
                self._waited_s += self._clock() - self._waiting_since_s

    @property
    def waited_s(self) -> float:
        """Seconds of waiting so far."""
        return self._waited_s + (self._clock() - self._waiting_since_s if self._waits else 0.0)

    @property
    def worked_s(self) -> float:
        """Seconds of work so far."""
        return max(0.0, self._clock() - self._started_s - self.waited_s)


_watch: ContextVar[Stopwatch | None] = ContextVar("watch", default=None)


@contextlib.contextmanager
def measured_by(watch: Stopwatch) -> Iterator[None]:
    """Let `in_queue` stop this watch, within the block and in the tasks that begin there."""
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


@contextlib.contextmanager
def in_queue() -> Iterator[None]:
    """Count the time of the block as waiting: a process or thread that works for many is busy with others."""
    watch = _watch.get()
    if watch is None:
        yield
        return
    with watch.waiting():
        yield
