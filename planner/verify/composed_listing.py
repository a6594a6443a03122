"""A listing that no quote has as it is, put together from commands, options, names and values that the quotes have."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from planner.verify.listings import MOST_LISTING

_TOKEN: Final = re.compile(r"[|&<>*!]++=?|[^\s`'\"“”‘’()\[\]{}<>,;|&=*+!?]++")
"""What means something as a whole: an operator, or a run of signs such as a command, an option, a path, a name or a
value. Brackets, quotation marks and what divides tokens mean nothing alone."""
_ENDS: Final = ".:"
_FOLDERS: Final = frozenset({"/", "~", ".", "..", "~/", "./", "../"})
"""Folders without a letter in their names: `rm -rf build` is another command with one of them."""
_INNER: Final = "$("
"""A command within a command."""
_LINE_END: Final = re.compile(r"(?<!\\)\n")
"""Not behind a backslash, by which a command goes on in the next line."""
_PLACEHOLDER: Final = re.compile(r"<(?:[a-z](?:[a-z0-9 _+:-]{0,40}[a-z0-9])?|[A-Z][A-Z0-9_]{1,40})>")
"""What its reader fills in (`<size>`, `<date time+offset>`, `<LABEL>`): it says nothing that a quote would have to
have. It names no folder, so that a redirection of a file is none."""
_FILLED: Final = "\0"
"""Stands for a placeholder, alone or within a name: `postgresql-<version>.log`."""
_LEAST_OF_NAME: Final = 4
"""Least characters of a name around its placeholders: fewer would fit too many names."""
_CLOSING: Final = re.compile(r"^\s*+</([A-Za-z][\w.-]*+)>\s*+$")
"""The end of a block that a quote begins and may cut off before: `</Directory>`."""
_COMMENT: Final = re.compile(r"\s*+(?:#|--|//)\s")


def composed_in(code: str, quotes: Sequence[str], asked: str = "") -> str:
    """The listing without comments of its own; empty where it has anything that the quotes have not.

    One other token makes another command of it (`--force`, another port), so a listing with one is left out whole. An
    option belongs to the command, or to the subcommand, beside which a quote names it. A placeholder (`<size>`) may
    stand for a value.

    Args:
        code: what a model wrote.
        quotes: of the sentence that it belongs to.
        asked: the question, whose own commands and names may be in it beside something of the quotes: who asks how to
            mend a loop gets back the loop.
    """
    has_inner = _INNER in code and not any(_INNER in one for one in (*quotes, asked))
    if len(code) > MOST_LISTING or "`" in code or _FILLED in code or has_inner:
        return ""
    quoted_tokens = [frozenset(_tokens(quote)) for quote in quotes]
    own = frozenset(_tokens(asked)) - _FOLDERS  # "Windows / Linux" names no folder
    each = [*quoted_tokens, own]
    known = frozenset[str]().union(*each)
    plain = "\n".join(line.rstrip() for line in code.splitlines())
    lines = [line for line in _LINE_END.split(plain) if not _is_own_comment(line, known)]
    used = [token for line in lines for token in _tokens(line)]
    is_of_quotes = any(token in quote for token in used for quote in quoted_tokens if token not in own)
    entries = frozenset(
        option for quote in quotes for option in itertools.takewhile(_is_option, _tokens(quote))
    )
    is_said = is_of_quotes and all(_stands_in(line, known, each, entries) for line in lines)
    return "\n".join(lines).strip("\n") if is_said else ""


def _stands_in(
    line: str, known: frozenset[str], each: Sequence[frozenset[str]], entries: frozenset[str]
) -> bool:
    """Whether the quotes have all tokens of a line, and each of its options belongs to its command.

    A quote names an option beside the words before the first one, or beside the subcommand alone: "restore" for
    `pgbackrest --set=… restore`. Where a quote has the command with another subcommand, the option is of that one.
    A quote that begins with options is an entry of a list of them, which names no command.
    """
    tokens = _tokens(_CLOSING.sub(r"<\1>", line))
    prefix = _prefix(tokens)
    rest = tokens[len(prefix) :]
    options = [token for token in rest if _is_option(token)]
    command = rest[: rest.index(options[0])] if options else []
    inner = {*command[1:], *(rest[-1:] if line.split()[-1:] == rest[-1:] else ())}.difference(options)
    return all(token in known or _is_name_filled(token, known) for token in tokens) and all(
        any(
            quote.issuperset([*command, option])
            or (option in quote and command[0] not in quote and not inner.isdisjoint(quote))
            for quote in each
        )
        or option in entries
        if command
        else any(option in quote for quote in each)
        for option in options
    )


def _is_name_filled(token: str, known: frozenset[str]) -> bool:
    """Whether a name with placeholders in it is one of the quotes with its parts left out."""
    first, *inner = token.split(_FILLED)
    if not inner or len(token.replace(_FILLED, "")) < _LEAST_OF_NAME:
        return False
    return any(name.startswith(first) and _follow(inner, name, len(first)) for name in known)


def _follow(parts: Sequence[str], name: str, start: int) -> bool:
    """Whether parts follow each other in a name, the last at its end, with something before each."""
    for part in parts[:-1]:
        start = name.find(part, start + 1) + len(part)
        if start < len(part):
            return False
    return name.endswith(parts[-1]) and len(name) - len(parts[-1]) > start


def _prefix(tokens: Sequence[str]) -> Sequence[str]:
    """`sudo`, or `sudo -u postgres`: it says who runs a command and is no part of it."""
    if tokens[:1] != ["sudo"]:
        return []
    return tokens[:3] if tokens[1:2] in (["-u"], ["-g"]) else tokens[:1]


def _is_option(token: str) -> bool:
    return token.startswith("-") and any(map(str.isalpha, token))


def _is_own_comment(line: str, known: frozenset[str]) -> bool:
    """Whether a line only explains, in words that the quotes have not."""
    return bool(_COMMENT.match(line)) and not known.issuperset(_tokens(line))


def _tokens(text: str) -> list[str]:
    found = map(_bare, _TOKEN.findall(_PLACEHOLDER.sub(_FILLED, text)))
    return [one for one in found if one[0] in "|&<>*!" or one in _FOLDERS or any(map(str.isalnum, one))]


def _bare(token: str) -> str:
    """A token without what ends a sentence behind it; a path keeps its dots, which make another one of it."""
    if token in _FOLDERS or token.endswith(("/.", "/..")):
        return token
    return token.lstrip(":").rstrip(_ENDS) or token
