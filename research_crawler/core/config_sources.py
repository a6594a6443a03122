"""Where settings come from: each source read into (setting → value, the name it was given by, origin).

Order of row 6.5: option, environment, `.env` and `research.toml` of the working folder, `config.toml` in
RESEARCH_HOME. The first source that has a setting decides. Values are raw here; `Config` validates them.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dotenv import dotenv_values

from research_crawler.core.errors import ConfigError

MASK = "***"
"""Shown in place of a secret."""
PASSWORD = re.compile(r"(//[^/\s:@]*:)[^/\s]*@")
"""`//user:password@` as in the URLs of Redis, databases and endpoints."""
WEB_NAMES = {
    "allowedHosts": "web_allowed_hosts",
    "blockedHosts": "web_blocked_hosts",
    "maxResults": "web_max_results",
}
"""The keys of the table `web` in a TOML file."""


@dataclass(frozen=True)
class Given:
    """A raw value, the name it was given by, and its origin as `research config show` prints it."""

    value: Any
    name: str
    origin: str


def gather(
    names: Mapping[str, tuple[str, ...]], options: Mapping[str, Any], default_home: Path
) -> dict[str, Given]:
    """Every setting that some source gives.

    Args:
        names: setting → its environment names, the preferred one first.
        options: setting → value from the command line; None means not given.
        default_home: data folder where no source names one.

    Raises:
        ConfigError: a file that cannot be read, an unknown setting, or two names of one setting that differ.
    """
    given = _from_options(names, options)
    for source in (_from_environment(names), _from_dotenv(names), _from_toml(names, Path("research.toml"))):
        given = source | given
    home = Path(str(given["home"].value)).expanduser() if "home" in given else default_home
    return _from_toml(names, home / "config.toml") | given


def masked(text: str) -> str:
    """A text with the password of any URL in it left out, so that it can be shown."""
    return PASSWORD.sub(rf"\1{MASK}@", text)


def _from_options(names: Mapping[str, tuple[str, ...]], options: Mapping[str, Any]) -> dict[str, Given]:
    settings = _spellings(names)  # pydantic hands an option over under the first environment name
    unknown = sorted(name for name in options if name.lower() not in settings)
    if unknown:
        raise ConfigError(f"there is no setting {unknown[0]!r}; `research config show` lists them")
    pairs = ((settings[name.lower()], value) for name, value in options.items() if value is not None)
    return {setting: Given(value, setting, "option") for setting, value in pairs}


def _from_environment(names: Mapping[str, tuple[str, ...]]) -> dict[str, Given]:
    given = _by_setting(names, os.environ, where="")
    return {setting: Given(one.value, one.name, f"environment {one.name}") for setting, one in given.items()}


def _from_dotenv(names: Mapping[str, tuple[str, ...]]) -> dict[str, Given]:
    path = Path(".env")
    if not path.is_file():
        return {}
    try:
        values = dotenv_values(path, encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise ConfigError(f".env cannot be read: {error}") from error
    return _by_setting(names, {name: value for name, value in values.items() if value}, where=".env")


def _from_toml(names: Mapping[str, tuple[str, ...]], path: Path) -> dict[str, Given]:
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    web = _web_table(data.pop("web", {}), path)
    settings = _spellings(names)
    if path.name == "config.toml":  # it lies in home, so it cannot say where home is
        settings = {spelling: name for spelling, name in settings.items() if name != "home"}
    unknown = sorted(key for key in data if key.lower() not in settings)
    if unknown:
        raise ConfigError(f"{path}: unknown setting {unknown[0]!r}; `research config show` lists them")
    pairs = [(settings[key.lower()], key, value) for key, value in data.items()]
    return _agreeing(
        [*pairs, *((WEB_NAMES[key], f"web.{key}", value) for key, value in web.items())], path.name
    )


def _spellings(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """How a TOML file may write each setting: its own name or an environment name, in lower case."""
    return {text.lower(): name for name, known in names.items() for text in (name, *known)}


def _web_table(web: Any, path: Path) -> dict[str, Any]:
    if not isinstance(web, dict):
        raise ConfigError(f"{path}: web must be a table with {', '.join(WEB_NAMES)}")
    unknown = sorted(set(web) - set(WEB_NAMES))
    if unknown:
        raise ConfigError(f"{path}: unknown key web.{unknown[0]}; known: {', '.join(WEB_NAMES)}")
    return web


def _by_setting(
    names: Mapping[str, tuple[str, ...]], values: Mapping[str, str | None], where: str
) -> dict[str, Given]:
    """Settings by their environment names; an empty value counts as not given."""
    pairs = ((setting, name, values.get(name)) for setting, known in names.items() for name in known)
    return _agreeing([pair for pair in pairs if pair[2]], where)


def _agreeing(pairs: Iterable[tuple[str, str, Any]], where: str) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for setting, name, value in pairs:
        first = given.setdefault(setting, Given(value, name, where))
        if first.value != value:
            place = f" in {where}" if where else ""
            raise ConfigError(f"{first.name} and {name}{place} name the same setting and differ; unset one")
    return given
