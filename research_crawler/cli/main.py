"""`research`: the command line. Commands live one group a file and are imported when they are used."""

import contextlib
import difflib
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from research_crawler.cli.exit_codes import BAD_USAGE, INTERRUPTED
from research_crawler.core.telemetry import switch_off_telemetry

COMMANDS = {
    "run": ("run:run", "Research a question and print the cited report."),
    "demo": ("demo:demo", "A small web on loopback and one job on it."),
    "submit": ("jobs:submit", "Put a question into the queue."),
    "status": ("jobs:status", "How far a job is."),
    "result": ("jobs:result", "A finished job's report."),
    "cancel": ("jobs:cancel", "Stop a job."),
    "list": ("jobs:list_jobs", "Jobs, newest first."),
    "watch": ("watch:watch", "Prices that are looked at on time; confirmed changes are told."),
    "prices": ("prices:prices", "What watches saw: a table with a chart, CSV, JSON lines."),
    "forget": ("forget:forget", "Delete a job, a page, a host, or everything before a day."),
    "up": ("processes:up", "Crawler, planner and index in one process, until stopped."),
    "crawl": ("processes:crawl", "A crawler node."),
    "plan": ("processes:plan", "A planner worker."),
    "page": ("page:page", "One page as the system sees it."),
    "search": ("search:search", "One search over the providers."),
    "config": ("settings:config", "Settings and where they come from."),
    "doctor": ("doctor:doctor", "What is missing, and what to do about it."),
}
"""Name → (module:function, line of the help)."""


class LazyGroup(click.Group):
    """Imports a command's module when it is called: `--help` loads neither Scrapy nor torch."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, from its module."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(f"research_crawler.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Suggest the nearest command for a mistyped one."""
        if args[0] in COMMANDS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        hint = f"did you mean `research {near[0]}`?" if near else "`research --help` lists them"
        raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="research-crawler", prog_name="research")
def research() -> None:
    """Ask a question; get a report that cites only what its pages say.

    \b
    research run "what is the best budget e-reader"
    research demo

    Exit codes: 0 done, 1 failed, 2 bad usage, 3 finished but the evidence is insufficient, 130 interrupted.
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line; what is wrong with it is one line on stderr."""
    _open_standard_streams()
    switch_off_telemetry()
    code = 0
    try:
        answer = research.main(arguments, prog_name="research", standalone_mode=False)
        code = answer if isinstance(answer, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        code = BAD_USAGE
    except click.ClickException as error:
        click.echo(f"research: {_complaint(error)}", err=True)
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
    _flush()
    sys.exit(code)


def _complaint(error: click.ClickException) -> str:
    """Click's message in one line, with the help to look at."""
    text = " ".join(error.format_message().split())
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    text = text[:1].lower() + text[1:].removesuffix(".")
    return f"{text}; see `{path} --help`" if path and "`" not in text else text


def _open_standard_streams() -> None:
    """Who closes stdin or stdout must not find our files, or sockets, in their place."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115  # for as long as the process lives
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()


def _forget_stdout() -> None:
    """Whoever read it is gone; what is still in the buffer goes nowhere, without a word."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
