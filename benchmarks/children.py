"""Starts child processes for benchmarks: a clean environment, a private Redis, `research` commands."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.places import PROJECT, module_of
from research_crawler.adapters.redis.embedded import EmbeddedRedis
from research_crawler.configuration import SystemConfig
from research_crawler.core.config import setting_names
from research_crawler.core.failpoints import VARIABLE

RESEARCH = Path(sys.executable).with_name("research")
START_S, END_S = 180.0, 30.0


def environment(**settings: Any) -> dict[str, str]:
    """This process's environment without any of the project's settings, plus the given settings.

    The arguments have the names of the settings. Lists and numbers are converted to text.
    """
    names = setting_names(SystemConfig)
    ours = {name for known in names.values() for name in known} | {VARIABLE}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    given = {names[setting][0]: _text(value) for setting, value in settings.items()}
    return inherited | {"PYTHONPATH": str(PROJECT)} | given


def loopback(**settings: Any) -> dict[str, Any]:
    """Settings of a process that uses servers on this machine and logs only errors."""
    return {"allow_private_hosts": ["127.0.0.0/8"], "log_level": "ERROR", **settings}


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Run a private Redis with its append-only file in a folder, and yield its URL."""
    server = EmbeddedRedis(folder / "redis")
    asyncio.run(server.start())
    try:
        yield f"unix://{server.socket}"
    finally:
        asyncio.run(server.stop())


class Child:
    """A process that runs a Python module or a `research` command, and prints lines of JSON on stdout."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        *,
        failpoint: str = "",
        errors: str = "errors.txt",
    ) -> None:
        """`folder` becomes the working folder, so that no `.env` of the caller is read."""
        folder.mkdir(parents=True, exist_ok=True)
        self.errors = folder / errors
        self._skip = self.errors.stat().st_size if self.errors.exists() else 0
        extra = {VARIABLE: failpoint} if failpoint else {}
        with self.errors.open("ab") as stderr:
            self.process = subprocess.Popen(
                list(command),
                env={**env, **extra},
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )

    @classmethod
    def module(cls, name: str, *arguments: object, env: Mapping[str, str], folder: Path) -> "Child":
        """`python -m` with the module of this name, in whichever room it is."""
        return cls([sys.executable, "-m", module_of(name), *map(str, arguments)], env, folder)

    @classmethod
    def research(cls, *arguments: str, env: Mapping[str, str], folder: Path, failpoint: str = "") -> "Child":
        """`research …`."""
        return cls([str(RESEARCH), *arguments], env, folder, failpoint=failpoint)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self.process.pid

    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self.process.poll() is None

    def tell(self, message: Any) -> None:
        """Write a line of JSON to its stdin."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """Read the next line of JSON from its stdout.

        Raises:
            ChildEnded: the process has closed its stdout.
        """
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise ChildEnded(self)
        return json.loads(line)

    def wait_until_up(self) -> None:
        """Wait until a long-running `research` command says that it is up.

        Raises:
            ChildEnded: it ended, or did not come up in time.
        """
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            if " up; " in self.said():
                return
            if not self.is_running():
                break
            time.sleep(0.05)
        raise ChildEnded(self)

    def said(self) -> str:
        """The text that it wrote to stderr."""
        return self.errors.read_bytes()[self._skip :].decode("utf-8", "replace")

    def kill(self) -> float:
        """Send SIGKILL at once, and return the time (monotonic) when it was sent."""
        at = time.monotonic()
        if self.is_running():
            os.kill(self.pid, signal.SIGKILL)
        self._wait()
        return at

    def end(self) -> None:
        """Send SIGTERM, and SIGKILL if the process takes too long to end."""
        if self.is_running():
            self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


class ChildEnded(RuntimeError):
    """A child process ended, or never came up. The message has the end of its stderr."""

    def __init__(self, child: Child) -> None:
        super().__init__(f"{child.process.args!r} (exit code {child.process.poll()}): {child.said()[-500:]}")


@contextlib.contextmanager
def children() -> Iterator[list[Child]]:
    """A list of processes that are ended at the end of the block."""
    running: list[Child] = []
    try:
        yield running
    finally:
        for child in running:
            child.end()


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
