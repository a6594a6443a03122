"""What all commands share: they read settings, print errors in one line and stop on Ctrl-C."""

import asyncio
import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Unpack

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED, INTERRUPTED
from research_crawler.cli.trust_option import TRUST_KEY

if TYPE_CHECKING:
    from research_crawler.configuration import SystemConfig, SystemOptions
    from research_crawler.core.config import Config
    from research_crawler.runtime.runtime import Runtime

SHOW_CURSOR = "\x1b[?25h"
CLEAR_LINE = "\r\x1b[2K"
_said = set[str]()
"""The notes on settings that were printed; a command may read its settings more than once."""

Work = Callable[[], Coroutine[Any, Any, int]]
THREAD_TURN_S: Final = 0.0005
"""How long a thread that computes keeps the interpreter while others wait for it. With Python's 5 ms, each of the
hundred operations of a batch of vectors, and each message of the loop, waits so long for work beside the loop: vectors
of 16 texts took 7.7 s beside two computing threads on a busy machine, 5.3 s with 0.5 ms; the threads did no less."""


def settings(**options: "Unpack[SystemOptions]") -> "SystemConfig":
    """Read the settings, overridden by the command's options. A malformed one ends it with exit code 2."""
    from research_crawler.cli.hints import error_text
    from research_crawler.configuration import load_system_config
    from research_crawler.core.errors import ConfigError
    from research_crawler.core.settings.origins import unknown_notes

    context = click.get_current_context(silent=True)
    options["trust_folder"] = bool(context and context.meta.get(TRUST_KEY)) or None
    try:
        config = load_system_config(**options)
    except ConfigError as error:
        fail(error_text(error), code=BAD_USAGE)
    for note in (*config.notes, *unknown_notes(type(config))):
        if note not in _said:
            echo_err(note)
            _said.add(note)
    return config


def echo(text: str, *, err: bool = False) -> None:
    """Print the command's output, without characters that command a terminal, to stdout (`err`: to stderr)."""
    from research_crawler.core.text.plain_text import clean

    write(f"{clean(text)}\n", err=err)


def echo_json(document: str) -> None:
    """Print a JSON document to stdout; characters that command a terminal are written as escape sequences."""
    from research_crawler.core.text.plain_text import escaped_json

    write(f"{escaped_json(document)}\n")


def write(text: str, *, err: bool = False) -> None:
    """Write as it is what is safe on a terminal: an export, or what `echo` has made of a text.

    It is no error if the reader has closed the pipe (`| head`).
    """
    try:
        click.echo(text, nl=False, err=err)
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            stream = sys.stderr if err else sys.stdout
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def echo_err(message: str) -> None:
    """Print one line for the user to stderr."""
    from research_crawler.core.text.plain_text import clean

    with contextlib.suppress(OSError):
        click.echo(f"research: {clean(message)}", err=True)


def fail(message: str, *, code: int = FAILED) -> NoReturn:
    """Print one line to stderr and end the process with the exit code."""
    echo_err(message)
    sys.exit(code)


def run_session(config: "Config", work: Work) -> NoReturn:
    """Run a command's coroutine on uvloop and end the process with the exit code that it returns.

    The first SIGINT, SIGTERM or SIGHUP cancels it. It then closes in order, and the exit code is 130. The
    second one ends the process at once.
    """
    import uvloop

    from research_crawler.cli.hints import error_text
    from research_crawler.core.errors import ConfigError, ResearchError, UsageError
    from research_crawler.runtime.logs import configure_logging

    configure_logging(config.log_level)
    sys.setswitchinterval(THREAD_TURN_S)
    interruption = _Interruption()
    code = INTERRUPTED
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            code = runner.run(interruption.guard(work))
    except asyncio.CancelledError:
        code = INTERRUPTED
    except ResearchError as error:
        echo_err(error_text(error))
        code = BAD_USAGE if isinstance(error, UsageError | ConfigError) else FAILED
    _end_process(INTERRUPTED if interruption.happened else code)


def run_connected(
    config: "Config", work: "Callable[[Runtime], Awaitable[int]]", *, needs_workers: bool = False
) -> NoReturn:
    """Run a command that needs the stores, but neither crawler nor planner, and end the process as `run_session` does.

    With `needs_workers` this process crawls and plans itself, unless others do.
    """

    async def connected_work() -> int:
        from research_crawler.runtime.runtime import connected, running
        from research_crawler.services.jobs.job_lifecycle import missing_process

        async with connected(config) as runtime:
            if not needs_workers or not await missing_process(runtime):
                return await work(runtime)
        async with running(config, warm=False) as runtime:
            return await work(runtime)

    run_session(config, connected_work)


class _Interruption:
    """Cancels the command when a signal asks it to stop."""

    def __init__(self) -> None:
        self.happened = False
        self._task: asyncio.Task[int] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def guard(self, work: Work) -> int:
        """Run the command until it ends or a signal cancels it."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.ensure_future(work())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
                # Not by the loop: it would answer only after a large module is imported, which takes seconds.
                signal.signal(number, self._stop)
        return await self._task

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self.happened or self._task is None:
            _write_at_once(SHOW_CURSOR if os.isatty(2) else "")  # The live display hides it.
            os._exit(INTERRUPTED)
        self.happened = True
        clear = CLEAR_LINE if os.isatty(2) else ""
        _write_at_once(f"{clear}research: stopping; press Ctrl-C again to end at once\n")
        if self._loop:
            self._loop.call_soon_threadsafe(self._task.cancel)


def _write_at_once(text: str) -> None:
    """Write to stderr from a signal handler, which may have interrupted a write to the same stream."""
    with contextlib.suppress(OSError):
        os.write(2, text.encode())


def _end_process(code: int) -> NoReturn:
    """End the process without waiting for threads that still import modules or load a model."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    atexit._run_exitfuncs()
    os._exit(code)
