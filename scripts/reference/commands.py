"""Makes the pages about the command line: all commands with their options, and the exit codes."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import click

from research_crawler.cli.main import research
from scripts.reference.markdown import code, plain, table

INTRO = """# Commands

This page shows the output of `research --help` and of the `--help` of each command.
"""
EXIT_CODES = re.compile(r"Exit codes: (.+?)\.(?:\s|$)", re.S)


def commands_page() -> str:
    """Every command with its usage, its arguments and its options."""
    lines = [INTRO]
    for context in all_commands():
        lines += _section(context)
    return "\n".join(lines)


def exit_codes_page() -> str:
    """The exit codes and their meaning, from `research --help`."""
    rows = [(code(number), meaning) for number, meaning in exit_codes().items()]
    return "\n".join(["# Exit codes", "", *table(("code", "meaning"), rows)])


def exit_codes() -> dict[str, str]:
    """Exit code → meaning.

    Raises:
        ValueError: the help of `research` does not list exit codes.
    """
    listed = EXIT_CODES.search(research.help or "")
    if listed is None:
        raise ValueError("the help of `research` lists no exit codes")
    parts = (" ".join(part.split()).partition(" ") for part in listed[1].split(","))
    return {number: meaning for number, _, meaning in parts}


def all_commands() -> Iterator[click.Context]:
    """The context of each command; a group comes before its commands."""
    yield from _below(click.Context(research, info_name="research"))


def _below(context: click.Context) -> Iterator[click.Context]:
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            inner = click.Context(command, info_name=name, parent=context)
            yield inner
            yield from _below(inner)


def _section(context: click.Context) -> list[str]:
    command = context.command
    level = "##" if context.parent and context.parent.parent is None else "###"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    rows = [_row(param, context) for param in command.params if not getattr(param, "hidden", False)]
    return [
        f"{level} {context.command_path}",
        "",
        "```",
        usage,
        "```",
        "",
        _help_of(command),
        "",
        *(table(("option", "default", "meaning"), rows) if rows else []),
    ]


def _help_of(command: click.Command) -> str:
    """The help text as Markdown; a paragraph that click does not rewrap (after a \\b) becomes a block of code."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    blocks = (
        f"```\n{paragraph[1:].strip()}\n```" if paragraph.startswith("\b") else " ".join(paragraph.split())
        for paragraph in paragraphs
    )
    return "\n\n".join(blocks)


def _row(param: click.Parameter, context: click.Context) -> tuple[str, str, str]:
    record = param.get_help_record(context)
    name, meaning = record or (param.make_metavar(context), "")
    return code(name or param.make_metavar(context)), code(_default_of(param)), plain(meaning)


def _default_of(param: click.Parameter) -> str:
    value: Any = param.to_info_dict().get("default")
    if isinstance(param, click.Argument) or callable(value) or value in (None, False, "", ()):
        return ""
    return str(value)
