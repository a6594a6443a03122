"""Processes forked from `warm_server`: real ones, without the seconds that importing torch and Scrapy takes.

Where the start of the interpreter itself matters (closed streams, a terminal, a shell), tests start it anew.
"""

import atexit
import contextlib
import fcntl
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Self

SERVER = Path(__file__).with_name("warm_server.py")
STARTED = b"started\n"


class WarmProcess:
    """A forked process, with what the tests use of `subprocess.Popen`."""

    def __init__(self, connection: socket.socket, stdout: IO[str] | None, stderr: IO[str] | None) -> None:
        self._connection = connection
        self._answers = connection.makefile("rb", buffering=0)
        self.stdout, self.stderr = stdout, stderr
        self.returncode: int | None = None
        self.pid = int(self._answers.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdout, self.stderr):
            if stream:
                stream.close()
        self.wait()

    def poll(self) -> int | None:
        """Its exit code, if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has ended."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            self.returncode = int(self._answers.readline())
            self._answers.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(
    arguments: Sequence[str | Path],
    *,
    cwd: str | Path,
    env: Mapping[str, str],
    stdout: IO[str] | None = None,
    stderr: IO[str] | None = None,
    start_new_session: bool = False,
) -> WarmProcess:
    """Run `python ARGUMENTS` beside the test, nothing on its stdin.

    What it prints goes into the given files; without one it is read from the answer's `stdout` and `stderr`.
    """
    job = {
        "arguments": [str(argument) for argument in arguments],
        "cwd": str(cwd),
        "env": dict(env),
        "new_session": start_new_session,
    }
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(_server())
    with contextlib.ExitStack() as ours, Path(os.devnull).open() as nothing:
        pipes: list[IO[str] | None] = []
        streams = [nothing.fileno()]
        for file in (stdout, stderr):
            if file is None:
                reading, writing = os.pipe()
                pipes.append(os.fdopen(reading, "r", encoding="utf-8"))
                ours.callback(os.close, writing)
                streams.append(writing)
            else:
                pipes.append(None)
                streams.append(file.fileno())
        socket.send_fds(connection, [json.dumps(job).encode()], streams)
        return WarmProcess(connection, *pipes)


def run(
    arguments: Sequence[str | Path], *, cwd: str | Path, env: Mapping[str, str], timeout: float
) -> "subprocess.CompletedProcess[str]":
    """Run `python ARGUMENTS` to its end; what it printed.

    Raises:
        subprocess.TimeoutExpired: it took longer, and was killed.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = start(arguments, cwd=cwd, env=env, stdout=out, stderr=err)
        try:
            process.wait(timeout)
        finally:
            process.kill()
            process.wait()
            said = []
            for file in (out, err):
                file.seek(0)
                said.append(file.read())
    return subprocess.CompletedProcess(list(arguments), process.wait(), *said)


@functools.cache
def _server() -> str:
    """The socket of the server of this test run: the first process that needs it starts it, the last one ends it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = Path(tempfile.gettempdir(), f"rc-warm-{os.getuid()}-{run[:12]}")
    folder.mkdir(mode=0o700, exist_ok=True)
    path = str(folder / "warm.sock")
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        user = socket.socket(socket.AF_UNIX)
        try:
            user.connect(path)
        except OSError:
            _start_server(path)
            user.connect(path)
        user.sendall(b"{}")
    atexit.register(user.close)
    return path


def _start_server(path: str) -> None:
    Path(path).unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    server = subprocess.Popen(
        [sys.executable, str(SERVER), path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment
    )
    assert server.stdout
    atexit.register(server.wait)
    with server.stdout:
        assert server.stdout.readline() == STARTED, "the server of warm processes did not start"
