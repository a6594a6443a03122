"""The option `--trust-folder`, which every command accepts before and after its name."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

TRUST_KEY = "research_crawler.trust_folder"
"""The key of click's `ctx.meta` under which the option is noted."""
Command = TypeVar("Command", bound=Callable[..., Any])
_NAME = "trust_folder"


def trust_option(command: Command) -> Command:
    """Decorate the main command with the option and its line in the help."""
    decorate = click.option(
        "--trust-folder",
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="Take all settings of `.env`, `research.toml` and `vendors.toml` in the working folder, not only limits "
        "and the order of providers.",
    )
    return decorate(command)


def accept_trust_option(command: click.Command) -> None:
    """Let a command and those below it accept the option too; only the main command's help shows it."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            accept_trust_option(below)
    elif all(parameter.name != _NAME for parameter in command.params):
        flag = click.Option(["--trust-folder"], is_flag=True, expose_value=False, hidden=True, callback=_note)
        command.params.append(flag)


def _note(context: click.Context, _: click.Parameter, value: bool) -> bool:
    if value:
        context.meta[TRUST_KEY] = True
    return value
