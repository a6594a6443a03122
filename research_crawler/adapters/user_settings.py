"""Sets values in the user's `config.toml` without touching what else stands in it."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from research_crawler.adapters.private_files import private_file
from research_crawler.core.errors import ConfigError

_TABLE = re.compile(r"^[ \t]*\[", re.M)


def remember(folder: Path, values: Mapping[str, str | int]) -> Path:
    """Write settings to `config.toml` in the data folder, in place of those of the same name.

    Args:
        folder: the data folder, which exists.
        values: name of a setting, as it is to be written → value.

    Returns:
        The file.

    Raises:
        ConfigError: the file cannot be read or written, or is written in a form that cannot be changed safely.
    """
    path = (folder / "config.toml").resolve()
    try:
        before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        after = _with(before, values)
        wanted = tomllib.loads(before) | dict(values)
        if {_key(name): value for name, value in tomllib.loads(after).items()} != {
            _key(name): value for name, value in wanted.items()
        }:
            raise ConfigError(f"{path} cannot be changed safely; set {', '.join(values)} there yourself")
        new = path.with_name(f".{path.name}.{os.getpid()}")
        with open(new, "w", encoding="utf-8", opener=private_file) as file:  # Path.open takes no opener
            file.write(after)
        new.replace(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return path


def _with(text: str, values: Mapping[str, str | int]) -> str:
    """The text of a TOML file with these values, in their old lines or before all others."""
    table = _TABLE.search(text)
    head, tables = (text[: table.start()], text[table.start() :]) if table else (text, "")
    new = []
    for name, value in values.items():
        line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
        old = re.compile(rf"^[ \t]*+\"?{re.escape(name)}\"?[ \t]*+=.*$", re.M | re.I)
        if found := old.search(head):
            head = head[: found.start()] + line + head[found.end() :]
        else:
            new.append(f"{line}\n")
    return "".join(new) + head + tables


def _key(name: str) -> str:
    return name.lower()
