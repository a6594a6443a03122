"""Reads TOML files of users, whose working folder may have come from somebody else."""

import tomllib
from pathlib import Path
from typing import Any, Final

from research_crawler.core.errors import ConfigError
from research_crawler.core.text.text_file import text_of_file

MAX_TOML_BYTES: Final = 1_000_000
"""The packaged list of 60 vendors has 19 kB."""
MOST_KEY_PARTS: Final = 40
"""Most parts of a dotted key: tomllib needs memory with the square of their number. Ours have two."""


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        ConfigError: it cannot be read, is too long, is nested too deeply, or is no TOML; it names the file.
    """
    text = text_of_file(
        path, most_bytes=MAX_TOML_BYTES, complain=lambda why, line: _complaint(path, why, line)
    )
    if _most_parts(text) > MOST_KEY_PARTS:
        raise ConfigError(f"{path} is not valid TOML: a key has more than {MOST_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{path} is not valid TOML: it is nested too deeply") from None
    except ValueError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def _complaint(path: Path, why: str, line: int) -> ConfigError:
    return ConfigError(f"{path}{f', line {line}' if line else ''}: {why}")


def _most_parts(text: str) -> int:
    """How many parts the longest of all dotted keys may have; dots in a row stand in no key."""
    most = parts = 1
    for piece in text.split(".")[1:-1]:
        parts = parts + 1 if piece and not set(piece) & set("=\n,[]{}#") else 1
        most = max(most, parts)
    return most + 1
