"""What all commands share: they read settings, print errors in one line and stop on Ctrl-C."""

import asyncio
import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED, INTERRUPTED
from research_crawler.cli.hints import told
from research_crawler.cli.trust_option import TRUST_KEY
from research_crawler.configuration import SystemConfig, load_system_config
from research_crawler.core.config import Config
from research_crawler.core.errors import ConfigError, ResearchError, UsageError

SHOW_CURSOR = "\x1b[?25h"
_said = set[str]()
"""The notes on settings that were printed; a command may read its settings more than once."""

Work = Callable[[], Coroutine[Any, Any, int]]


def settings(**options: Any) -> SystemConfig:
    """Read the settings, overridden by the command's options. A malformed one ends it with exit code 2."""
    context = click.get_current_context(silent=True)
    trusts = bool(context and context.meta.get(TRUST_KEY)) or None
    try:
        config = load_system_config(trust_folder=trusts, **options)
    except ConfigError as error:
        fail(told(error), code=BAD_USAGE)
    for note in config.notes:
        if note not in _said:
            echo_err(note)
            _said.add(note)
    return config


def echo(text: str) -> None:
    """Print the command's output to stdout. It is no error if the reader has closed the pipe (`| head`)."""
    try:
        click.echo(text)
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def echo_err(message: str) -> None:
    """Print one line for the user to stderr."""
    with contextlib.suppress(OSError):
        click.echo(f"research: {message}", err=True)


def fail(message: str, *, code: int = FAILED) -> NoReturn:
    """Print one line to stderr and end the process with the exit code."""
    echo_err(message)
    sys.exit(code)


def run_session(config: Config, work: Work) -> NoReturn:
    """Run a command's coroutine on uvloop and end the process with the exit code that it returns.

    The first SIGINT, SIGTERM or SIGHUP cancels it. It then closes in order, and the exit code is 130. The
    second one ends the process at once.
    """
    import uvloop

    from research_crawler.runtime.logs import configure_logging

    configure_logging(config.log_level)
    interruption = _Interruption()
    code = INTERRUPTED
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            code = runner.run(interruption.guard(work))
    except asyncio.CancelledError:
        code = INTERRUPTED
    except ResearchError as error:
        echo_err(told(error))
        code = BAD_USAGE if isinstance(error, UsageError | ConfigError) else FAILED
    _end_process(INTERRUPTED if interruption.happened else code)


class _Interruption:
    """Cancels the command when a signal asks it to stop."""

    def __init__(self) -> None:
        self.happened = False
        self._task: asyncio.Task[int] | None = None

    async def guard(self, work: Work) -> int:
        """Run the command until it ends or a signal cancels it."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
                loop.add_signal_handler(number, self._stop)
        self._task = asyncio.ensure_future(work())
        return await self._task

    def _stop(self) -> None:
        if self.happened or self._task is None:
            if sys.stderr.isatty():
                sys.stderr.write(SHOW_CURSOR)  # The live display hides it.
                sys.stderr.flush()
            os._exit(INTERRUPTED)
        self.happened = True
        echo_err("stopping; press Ctrl-C again to end at once")
        self._task.cancel()


def _end_process(code: int) -> NoReturn:
    """End the process without waiting for threads that still import modules or load a model."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    atexit._run_exitfuncs()
    os._exit(code)
