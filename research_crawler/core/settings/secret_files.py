"""Settings in files that the environment names: `NAME_FILE=/run/secrets/name`, as container engines do it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from research_crawler.core.errors import ConfigError

FILE_ENDING: Final = "_FILE"
"""What the name of a setting ends with if its value is the path of a file that holds the setting."""
_MAX_BYTES: Final = 64_000
"""No setting is longer; a path to something else is a mistake."""


def file_name(name: str) -> str:
    """The environment name under which a file is named for the setting with this environment name."""
    return name + FILE_ENDING


def texts_of_files(names: Mapping[str, tuple[str, ...]], environment: Mapping[str, str]) -> dict[str, str]:
    """The texts of all files that the environment names, by the names that name them, without white space around.

    An empty file counts as not given, as an empty variable does.

    Raises:
        ConfigError: a file cannot be read, is too large or not UTF-8.
    """
    wanted = [file_name(name) for known in names.values() for name in known]
    return {name: _text(name, environment[name]) for name in wanted if environment.get(name)}


def _text(name: str, path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        value = text.decode("utf-8-sig").strip()
    except OSError as error:
        raise ConfigError(f"{name}: {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: {path} is not text in UTF-8") from error
    if len(text) > _MAX_BYTES:
        raise ConfigError(f"{name}: {path} is too large for a setting")
    return value
