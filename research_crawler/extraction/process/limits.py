"""Bounds what a parse process may use: memory, time, its parent's life, the environment that it sees."""

import ctypes
import os
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, parent_process, resource_tracker
from multiprocessing.synchronize import Semaphore
from pathlib import Path

from research_crawler.core.python_child import SAFE_PATH

OUT_OF_MEMORY = 77
"""The exit code of a parse process whose page needs more memory than is allowed."""
_SLACK_S = 5.0
"""The process ends itself this long after its parent should have ended it."""
_WAITS = 6.0
"""Work may last so many times its processor time. On a machine that others use too, pages waited nine tenths of the
time for a processor and were cut off as too slow, when the clock alone counted."""
_SET_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_STATM = Path("/proc/self/statm")
_KEPT = {"PATH", "HOME", "TZ", "TMPDIR", "TEMP", "TMP", "LANG", "LANGUAGE", "VIRTUAL_ENV"}
_KEPT_STARTS = ("LC_", "LD_", "DYLD_", "PYTHON")
_environment = threading.Lock()


def begin_process(memory_bytes: int, has_started: Semaphore) -> None:
    """Limit a new parse process, and say that it has started."""
    limit_process(memory_bytes)
    has_started.release()


def limit_process(memory_bytes: int) -> None:
    """Bound the memory of this process to what it has now and `memory_bytes`, and its life to its parent's.

    The parent is the server that the process was forked from, which ends with the main process.
    """
    _let_server_end()
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        main = parent_process()
        if main is not None and not main.is_alive():  # it died before the signal was set
            os._exit(1)
        most = int(_STATM.read_text().split()[0]) * resource.getpagesize() + memory_bytes
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _let_server_end() -> None:
    """Close the pipe by which the server knows that the main process lives, so that only that one holds it.

    Each process gets it for starting further processes, and would keep the server alive as an orphan.
    """
    server = getattr(forkserver, "_forkserver", None)
    alive = getattr(server, "_forkserver_alive_fd", None)
    if parent_process() is not None and isinstance(alive, int):
        server._forkserver_alive_fd = None  # type: ignore[union-attr]
        os.close(alive)


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End this process if the block takes more processor time than this, or far more time by the clock.

    It works even if the parent cannot do it and no Python code runs.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, clock_limit_s(seconds) + _SLACK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def clock_limit_s(seconds: float) -> float:
    """How long work may last by the clock that may take so much processor time."""
    return seconds * _WAITS


def start_server() -> None:
    """Start the server process that parse processes are forked from, without this process' secrets.

    An environment can only be inherited there, so it is bare for the moment in which the server starts. It is a
    `python -c`, which would look for its modules in the working folder first.
    """
    with _environment:
        hidden = {name: value for name, value in os.environ.items() if not _is_kept(name)}
        try:
            for name in hidden:
                del os.environ[name]
            os.environ[SAFE_PATH] = "1"
            # The resource tracker would reset the signal mask, so it is started before the mask is set.
            resource_tracker.ensure_running()
            # Ctrl-C on the terminal reaches the server too, and would interrupt its imports with a traceback.
            unmasked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                forkserver.ensure_running()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, unmasked)
        finally:
            os.environ.pop(SAFE_PATH, None)
            os.environ.update(hidden)


def _is_kept(name: str) -> bool:
    return name != SAFE_PATH and (name in _KEPT or name.startswith(_KEPT_STARTS))
