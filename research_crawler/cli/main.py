"""The command `research`. Each group of commands has its own file, which is imported when it is used."""

import contextlib
import difflib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import click

from research_crawler.cli.exit_codes import BAD_USAGE, INTERRUPTED
from research_crawler.cli.trust_option import accept_trust_option, trust_option
from research_crawler.core.python_child import keep_folder_out_of_children
from research_crawler.core.telemetry import switch_off_telemetry

COMMANDS = {
    "run": ("jobs.run:run", "Research a question and print a report with citations."),
    "demo": ("demo.demo_job:demo", "Research a question on a small invented web on this machine."),
    "submit": ("jobs.job_commands:submit", "Put a question into the queue."),
    "status": ("jobs.job_commands:status", "Show the progress of a job."),
    "result": ("jobs.job_commands:result", "Print the report of a finished job."),
    "export": ("jobs.export:export", "Write a report as HTML, PDF, DOCX, JSON, Markdown, BibTeX or RIS."),
    "review": ("jobs.review:review", "Show a job that waits for a person, and answer it."),
    "open": ("setup.open_and_completion:open_report", "Show a report in the browser."),
    "cancel": ("jobs.job_commands:cancel", "Stop a job."),
    "list": ("jobs.job_commands:list_jobs", "List jobs, newest first."),
    "batch": ("batches.batch_commands:batch", "Research many questions of one form, a row each."),
    "watch": ("watching.watch_commands:watch", "Check prices on a schedule, and alert on confirmed changes."),
    "prices": ("watching.prices_command:prices", "Show or export the prices that watches have seen."),
    "interventions": (
        "web.intervention_commands:interventions",
        "Open CAPTCHAs and logins for jobs that ask a person.",
    ),
    "forget": ("archive.forget:forget", "Delete a job, a page, a host, or everything before a day."),
    "up": ("processes.node_commands:up", "Run crawler, planner and index in one process, until stopped."),
    "serve": ("processes.node_commands:serve", "Answer over HTTP: jobs, watches and prices for programs."),
    "mcp": ("processes.mcp:mcp", "Serve research as MCP tools on standard input and output."),
    "crawl": ("processes.node_commands:crawl", "Run a crawler node, until stopped."),
    "plan": ("processes.node_commands:plan", "Run a planner worker, until stopped."),
    "alive": (
        "processes.alive:alive",
        "Say whether a crawler or planner of this machine works; for health checks.",
    ),
    "page": ("web.page_command:page", "Fetch one page, or read a saved one, and print its text."),
    "ask": ("jobs.ask:ask", "Ask a follow-up question about a finished job."),
    "extend": ("jobs.extend:extend", "Add sub-questions to the report of a finished job."),
    "replay": (
        "jobs.replay_command:replay",
        "Run a finished job again on what it fetched, without the network.",
    ),
    "memory": ("archive.memory_command:memory", "Search what all jobs have found."),
    "search": ("web.search_command:search", "Run one search with the search providers."),
    "config": ("setup.config_command:config", "Show the settings and where they come from."),
    "completion": ("setup.open_and_completion:completion", "Print what completes commands in your shell."),
    "doctor": ("setup.doctor:doctor", "Check the installation, and say how to fix what is missing."),
}
"""The commands: name → (module:function, its line in the help)."""
_HELP = ("-h", "--help")


class LazyGroup(click.Group):
    """Imports the module of a command when it is called, so that `--help` loads neither Scrapy nor torch."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the table."""
        return [*COMMANDS, *_installed()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command from its module."""
        if cmd_name in COMMANDS:
            command = _own_command(cmd_name)
        elif cmd_name in _installed():
            command = _installed_command(cmd_name)
        else:
            return None
        accept_trust_option(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    *((name, line) for name, (_, line) in COMMANDS.items()),
                    *((name, f"Added by the package {package}.") for name, package in _installed().items()),
                ]
            )

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Suggest the most similar command for a mistyped one."""
        if args[0] in COMMANDS or args[0].startswith("-") or args[0] in _installed():
            name, command, rest = super().resolve_command(ctx, args)
            if command is not None:
                refuse_missing_values(command, rest)
            return name, command, rest
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        hint = f"did you mean `research {near[0]}`?" if near else "`research --help` lists the commands"
        raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)


def _own_command(name: str) -> click.Command:
    from research_crawler.core.errors import ConfigError

    module, function = COMMANDS[name][0].split(":")
    try:
        command: click.Command = getattr(importlib.import_module(f"research_crawler.cli.{module}"), function)
    except ConfigError as error:  # the options of `export` have the formats of installed packages
        raise click.ClickException(str(error)) from error
    return command


def _installed() -> dict[str, str]:
    """The commands of installed packages, each with its package; a name of ours stays ours."""
    from research_crawler.core.errors import ConfigError
    from research_crawler.core.extension_points import ExtensionPoint, declared_at, package_of

    try:
        entries = declared_at(ExtensionPoint.COMMANDS)
    except ConfigError as error:
        raise click.ClickException(str(error)) from error
    return {name: package_of(entry) for name, entry in entries.items() if name not in COMMANDS}


def _installed_command(name: str) -> click.Command:
    from research_crawler.core.errors import ConfigError
    from research_crawler.core.extension_points import ExtensionPoint, extension

    try:
        return extension(ExtensionPoint.COMMANDS, name, click.Command)
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    no_args_is_help=False,
)
@trust_option
@click.version_option(package_name="research-crawler", prog_name="research")
@click.pass_context
def research(context: click.Context) -> None:
    """Ask a question and get a report in which every claim cites a page.

    \b
    research                                        asks you for the question
    research run "what is the best budget e-reader"
    research demo

    Exit codes: 0 done, 1 failed, 2 bad usage or a job or watch that does not exist, 3 finished but the
    evidence is insufficient, 4 waiting for the answer of a person, 130 interrupted.
    """
    if context.invoked_subcommand is not None:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.exceptions.NoArgsIsHelpError(context)
    question = click.prompt("What do you want to know", err=True)
    run = research.get_command(context, "run")
    assert run is not None
    with run.make_context("run", ["--", question], parent=context) as own:
        run.invoke(own)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line. An error in it is printed as one line on stderr."""
    _open_standard_streams()
    switch_off_telemetry()
    keep_folder_out_of_children()
    code = 0
    try:
        answer = research.main(arguments, prog_name="research", standalone_mode=False)
        code = answer if isinstance(answer, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        _say(error.format_message())
        code = BAD_USAGE
    except click.ClickException as error:
        _say(f"research: {_one_line(error)}")
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("research: interrupted", err=True)
        code = INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
    _flush()
    sys.exit(code)


def _say(message: str) -> None:
    from research_crawler.cli.session import echo

    echo(message, err=True)


def _one_line(error: click.ClickException) -> str:
    """Click's message in one line, with the command that shows the help."""
    text = " ".join(error.format_message().split())
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    text = text[:1].lower() + text[1:].removesuffix(".")
    return f"{text}; see `{path} --help`" if path and "`" not in text else text


def _open_standard_streams() -> None:
    """Open closed standard streams on /dev/null, so that no file or socket of ours gets their descriptors."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115  # stays open as long as the process
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()


def _discard_stdout() -> None:
    """Send the rest of stdout to /dev/null, because its reader has closed the pipe."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse_missing_values(command: click.Command, arguments: Sequence[str]) -> None:
    """Look at the arguments of a command before click takes what follows an option for its value.

    Raises:
        BadOptionUsage: an option of the command follows one that needs a value.
    """
    while isinstance(command, click.Group) and arguments and arguments[0] in command.commands:
        command, arguments = command.commands[arguments[0]], arguments[1:]
    options = {
        name: option
        for option in command.params
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }
    for given, following in pairwise(arguments):
        if given == "--":
            return
        option = options.get(given)
        needs_value = option is not None and not (option.is_flag or option.count)
        if option and needs_value and (following in options or following in _HELP):
            value = option.make_metavar(click.Context(command))
            raise click.BadOptionUsage(
                given, f"{given} needs a value ({given} {value}), but {following} follows"
            )


if __name__ == "__main__":
    main()
