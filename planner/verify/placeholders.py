"""Read a command whose placeholders a writer has filled: `git reset <commit>` as `git reset ORIG_HEAD`."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

_TOKEN: Final = re.compile(r"[^\s`]++")
_ANGLE: Final = re.compile(r"<[^<>\n]{1,40}>")
_NAMED: Final = re.compile(r"<(?P<angle>[^<>]{1,40})>|(?<![^=])\[(?P<square>[^\W\d][\w-]{0,40})\]")
_METAVARIABLE: Final = re.compile(
    r"(?:[A-Z]{1,12}_){0,2}(?:ADDR(?:ESS)?|ARGS?|BRANCH|CMD|COMMAND|COMMIT|COUNT|DATABASE|DATE|DB|DEST|DESTINATION"
    r"|DEVICE|DIR|DIRECTORY|DST|FILE|FILENAME|FILES|FLAGS?|FORMAT|GROUP|HOST|HOSTNAME|ID|INPUT|KEY|LEVEL|MODE|N|NAME"
    r"|NUM|NUMBER|OPTIONS?|OUTPUT|PACKAGE|PATH|PATTERN|PID|PORT|REF|REGEX|REGEXP|REMOTE|REPO|SECONDS|SIZE|SOURCE|SRC"
    r"|STRING|TAG|TARGET|TEXT|TIME|URI|URL|USER|USERNAME|VALUE|VAR|VERSION)\d?"
)
"""What manuals write in capitals for a value that a reader has to put in. Other words in capitals are themselves values
(`HEAD`) or keywords (`CREATE VIEW`)."""
_OF_OPTIONS: Final = re.compile(r"args?|arguments?|flags?|mode|opts?|options?|switch(?:es)?", re.I)
"""Placeholders that stand for an option; another one stands for none."""
_MARKS: Final = ".,;:!?)…"
_AROUND: Final = "\"'“”‘’()[],;:!?."


def is_filled(line: str, quotes: Sequence[str]) -> bool:
    """Whether a line is a command of a quote but for its placeholders, each filled with a value that a quote names.

    Args:
        line: a command that stands in no quote letter for letter.
        quotes: of the sentence that shows it.
    """
    wanted = _TOKEN.findall(line)
    if len(wanted) < 2:
        return False
    values = {value for quote in quotes for value in _values(quote)}
    for quote in quotes:
        tokens = _TOKEN.findall(_ANGLE.sub(lambda match: match[0].replace(" ", "-"), quote))
        for at in range(len(tokens) - len(wanted) + 1):
            # The command itself stands there, and is none of the placeholders.
            if tokens[at] == wanted[0] and wanted[0][0].islower():
                if any(map(_places, tokens[at + len(wanted) :][:1])):  # the command goes on
                    continue
                pairs = zip(tokens[at + 1 : at + len(wanted)], wanted[1:], strict=True)
                if all(one == other or _fills(one, other, values) for one, other in pairs):
                    return True
    return False


def _fills(told: str, shown: str, values: Iterable[str]) -> bool:
    """Whether a token is one of a quote, with a known value in the place of its placeholder."""
    for name, before, behind in _places(told):
        value = shown[len(before) : len(shown) - len(behind)]
        fits = shown.startswith(before) and shown.endswith(behind) and value in values
        if fits and (not value.startswith("-") or _OF_OPTIONS.fullmatch(name)):
            return True
    return told.rstrip(_MARKS) == shown


def _places(told: str) -> list[tuple[str, str, str]]:
    """The placeholder of a token with what stands before and behind it; none if it has none, or two."""
    bare = told.rstrip(_MARKS)
    inner = bare[1:-1] if bare.startswith("[<") and bare.endswith(">]") else bare
    found = list(_NAMED.finditer(inner))
    if len(found) == 1:
        match = found[0]
        return [(match["angle"] or match["square"], inner[: match.start()], inner[match.end() :])]
    before, equals, name = inner.rpartition("=")
    return [(name, before + equals, "")] if not found and _METAVARIABLE.fullmatch(name) else []


def _values(quote: str) -> set[str]:
    """The words of a quote that can be put into a command: all but its placeholders."""
    tokens = (token.strip(_AROUND) for token in _TOKEN.findall(_ANGLE.sub(" ", quote)))
    words = {part for token in tokens for part in (token, token.rpartition("=")[2])}
    return {word for word in words if word and not _METAVARIABLE.fullmatch(word)}
