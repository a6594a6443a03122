"""The commands of a statement that its source does not have: an option, or a command's own word. Looked up."""

import re
from collections.abc import Collection
from typing import Final

_OPTION: Final = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z](?![\w-]))")
_CODE: Final = re.compile(r"`(?P<code>[^`]{1,200})`")
_COMMAND: Final = re.compile(r"[a-z][\w.-]*")


def options_in(text: str) -> frozenset[str]:
    """The options of a text: `--soft`, `-R`."""
    return frozenset(match[0].rstrip("-") for match in _OPTION.finditer(text))


def unknown_commands(text: str, options: Collection[str], whole: str) -> list[str]:
    """The commands and options that a statement says to type and its source does not contain.

    Args:
        text: the statement; commands stand between backticks.
        options: those of the source.
        whole: all that the source says.
    """
    found = sorted(options_in(text) - set(options))
    for match in _CODE.finditer(text):
        first, *rest = match["code"].split() or [""]
        if rest and _COMMAND.fullmatch(first) and first not in whole:
            found.append(first)
    return found
