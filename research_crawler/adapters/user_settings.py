"""Sets values in the user's `config.toml` without touching what else stands in it."""

import json
import os
import re
import tempfile
import threading
import tomllib
from collections.abc import Mapping
from pathlib import Path

from research_crawler.core.errors import ConfigError

_TABLE = re.compile(r"^[ \t]*\[", re.M)
_writing = threading.Lock()
"""Two forms that are sent at once must not both write what they have read."""


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
    with _writing:
        return _remember((folder / "config.toml").resolve(), values)


def _remember(path: Path, values: Mapping[str, str | int]) -> Path:
    try:
        before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        after = _with(before, values)
        wanted = tomllib.loads(before) | dict(values)
        if {_key(name): value for name, value in tomllib.loads(after).items()} != {
            _key(name): value for name, value in wanted.items()
        }:
            raise ConfigError(f"{path} cannot be changed safely; set {', '.join(values)} there yourself")
        _replace(path, after.encode())
    except UnicodeEncodeError:
        raise ConfigError(f"{path} takes no text with half a character: {', '.join(values)}") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return path


def _replace(path: Path, content: bytes) -> None:
    """Let a file have this content, or the old one if the process or the machine ends meanwhile."""
    number, new = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # its owner's alone
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(number)
        Path(new).replace(path)
    except BaseException:
        Path(new).unlink(missing_ok=True)
        raise


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
