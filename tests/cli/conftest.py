"""Runs the command line as users do: in processes, on a local web, with separate data folders."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from research_crawler.demo.process import RunningWeb, local_web_process
from research_crawler.engines.registry import declarations
from tests import warm

CALL = ["-m", "research_crawler.cli"]
COMMAND = [sys.executable, *CALL]
OURS = (
    "RESEARCH_", "PHASE1_", "PHASE2_", "OPENAI_", "MIND_", "REFLEX_", "REDIS_", "DATABASE_", "QDRANT_", "MCP_",
    "NO_COLOR", "PYTEST", *(f"{name.upper()}_" for name in declarations()),
)  # fmt: skip
"""Beginnings of the names that decide what a command does; whoever runs the tests may have set them."""
LONGEST_S = 100


@dataclass
class Answer:
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Running:
    """A command that is still running."""

    process: "subprocess.Popen[str] | warm.WarmProcess"
    heard: list[str] = field(default_factory=list)
    lines: "queue.Queue[str | None]" = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        with contextlib.suppress(ValueError, OSError):  # closed, while what it had started held the other end
            for line in self.process.stderr or ():
                self.lines.put(line)
        self.lines.put(None)

    def until(self, words: str, *, within_s: float = LONGEST_S) -> str:
        """Read stderr up to the first line with these words, and return the line."""
        give_up_at = time.monotonic() + within_s
        while time.monotonic() < give_up_at:
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                continue
            if line is None:
                raise AssertionError(f"ended without {words!r}: {''.join(self.heard)}")
            self.heard.append(line)
            if words in line:
                return line
        raise AssertionError(f"no {words!r} within {within_s} s: {''.join(self.heard)}")

    def interrupt(self, number: int = signal.SIGINT) -> None:
        """Send a signal to the whole process group, as a terminal does."""
        os.killpg(self.process.pid, number)

    def ended(self, *, within_s: float = LONGEST_S) -> Answer:
        """Wait until the command ends, and return its answer."""
        self.process.wait(within_s)
        self.reader.join(5)
        rest = [line for line in self.lines.queue if line]
        out = self.process.stdout.read() if self.process.stdout else ""
        return Answer(self.process.returncode, out, "".join([*self.heard, *rest]))


@dataclass
class Research:
    """The command `research` with these settings; all others have their defaults."""

    settings: dict[str, str]
    folder: Path
    """Working folder."""
    forked: bool = True
    """From a process that has imported everything (`tests.warm`); else the interpreter is started anew."""

    @property
    def home(self) -> Path:
        return Path(self.settings["RESEARCH_HOME"])

    def having(self, **settings: str) -> "Research":
        """The same with other settings."""
        return replace(self, settings=self.settings | settings)

    def anew(self) -> "Research":
        """The same as a person starts it: a new interpreter, which imports what it needs."""
        return replace(self, forked=False)

    def __call__(self, *arguments: str | Path, within_s: float = LONGEST_S) -> Answer:
        """Run a command to its end."""
        if self.forked:
            done = warm.run([*CALL, *arguments], timeout=within_s, **self.where())
        else:
            command = [*COMMAND, *map(str, arguments)]
            options = {"capture_output": True, "stdin": subprocess.DEVNULL, **self.where()}
            done = subprocess.run(command, check=False, text=True, timeout=within_s, **options)
        return Answer(done.returncode, done.stdout, done.stderr)

    def shell(self, line: str) -> Answer:
        """Run a line of bash in which `research` is the command."""
        script = f'set -o pipefail; research() {{ {" ".join(COMMAND)} "$@"; }}; {line}'
        done = subprocess.run(
            ["bash", "-c", script], check=False, capture_output=True, text=True, timeout=60, **self.where()
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    @contextlib.contextmanager
    def running(self, *arguments: str | Path) -> Iterator[Running]:
        """Run a command in the background until the end of the block."""
        running = Running(self._started(arguments))
        process = running.process
        try:
            yield running
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            running.reader.join(5)
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()

    def _started(self, arguments: Sequence[str | Path]) -> "subprocess.Popen[str] | warm.WarmProcess":
        options = {"start_new_session": True, **self.where()}
        if self.forked:
            return warm.start([*CALL, *arguments], **options)
        return subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def where(self) -> Mapping[str, Any]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        path = os.pathsep.join([str(Path(__file__).parents[2]), inherited.get("PYTHONPATH", "")])
        return {
            "cwd": self.folder,
            "env": inherited | {"PYTHONPATH": path.rstrip(os.pathsep)} | self.settings,
        }


@pytest.fixture(scope="session")
def web() -> Iterator[RunningWeb]:
    """The local web."""
    with local_web_process() as running:
        yield running


@pytest.fixture(scope="session")
def web_settings(web: RunningWeb) -> dict[str, str]:
    """Settings with which the command uses only the local web."""
    return {
        "SEARXNG_URL": web.search,
        "RESEARCH_PROVIDERS": "searxng",
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
        "PHASE1_VISIT_DELAY_SECONDS": "0",
    }


@pytest.fixture(scope="session")
def new_research(web_settings: dict[str, str]) -> Callable[[Path], Research]:
    """Makes the command with an empty data folder, on the local web."""
    return lambda folder: Research(web_settings | {"RESEARCH_HOME": str(folder / "home")}, folder)


@pytest.fixture
def research(web_settings: dict[str, str], tmp_path: Path) -> Research:
    """The command with an empty data folder, on the local web."""
    return Research(web_settings | {"RESEARCH_HOME": str(tmp_path / "home")}, tmp_path)


@pytest.fixture(scope="session")
def up(web_settings: dict[str, str]) -> Iterator[Research]:
    """The command on a data folder where `research up` is running."""
    with tempfile.TemporaryDirectory(prefix="research-up-") as folder:
        of_its_own = {
            "RESEARCH_HOME": f"{folder}/home",
            "RESEARCH_MEMORY_MAX_AGE_DAYS": "0",
        }  # no test helps another
        research = Research(web_settings | of_its_own, Path(folder))
        with research.running("up") as running:
            running.until("are up")
            yield research
