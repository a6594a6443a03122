"""Refuses an option that stands where the value of another one is missing: `--resume --plain` names no job."""

from collections.abc import Sequence
from itertools import pairwise

import click

_HELP = ("-h", "--help")


def refuse_missing_values(command: click.Command, arguments: Sequence[str]) -> None:
    """Look at the arguments of a command before click takes what follows an option for its value.

    Raises:
        BadOptionUsage: an option of the command follows one that needs a value.
    """
    while isinstance(command, click.Group) and arguments and arguments[0] in command.commands:
        command, arguments = command.commands[arguments[0]], arguments[1:]
    options = {
        name: one
        for one in command.params
        if isinstance(one, click.Option)
        for name in (*one.opts, *one.secondary_opts)
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
