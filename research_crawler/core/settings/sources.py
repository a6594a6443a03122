"""Reads the sources of the settings: for each setting the value, the name that the user wrote, and the
origin.

The sources in their order: option, environment (`NAME`, or `NAME_FILE` with the path of a file), `.env` and
`research.toml` in the working folder, `config.toml` in RESEARCH_HOME. The first source that has a setting wins, but
the working folder may only lower limits, unless the caller trusts it (`trust`). Values are raw here; `Config`
validates them.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from dotenv import dotenv_values

from research_crawler.core.errors import ConfigError, UnknownSetting
from research_crawler.core.settings.secret_files import FILE_ENDING, file_name, texts_of_files
from research_crawler.core.settings.table import Setting
from research_crawler.core.settings.toml_file import read_toml
from research_crawler.core.settings.trust import (
    TRUST_SETTING,
    SourcedValue,
    Trust,
    ignored_note,
    only_limits,
    trusts_folder,
    without_misdirected_keys,
)
from research_crawler.core.text.text_file import text_of_file

MAX_DOTENV_BYTES = 1_000_000
"""Largest `.env` that is read."""
MASK = "***"
"""Shown in place of a secret."""
PASSWORD = re.compile(r"(//[^/\s:@]*:)[^/\s]*@")
"""`//user:password@` as in the URLs of Redis, databases and endpoints."""
VENDORS_FILE = "vendors.toml"
"""The user's own vendors, in RESEARCH_HOME or in a trusted working folder."""
WEB_NAMES = {
    "allowedHosts": "web_allowed_hosts",
    "blockedHosts": "web_blocked_hosts",
    "maxResults": "web_max_results",
}
"""The keys of the table `web` in a TOML file."""


@dataclass(frozen=True)
class Gathered:
    """The settings that some source has, and lines about what was left out."""

    values: dict[str, SourcedValue]
    notes: tuple[str, ...] = ()


def gather(table: Mapping[str, Setting], options: Mapping[str, Any], default_home: Path) -> Gathered:
    """Read every setting that some source has.

    Args:
        table: all settings by name.
        options: setting → value from the command line; None means not given.
        default_home: the data folder if no source names one.

    Raises:
        ConfigError: a file cannot be read, a setting is unknown, or two names of one setting have different
            values.
    """
    names = {name: setting.environment for name, setting in table.items()}
    values = _from_environment(names) | _from_options(names, options)
    folder = _from_toml(names, Path("research.toml"), Trust.FOLDER) | _from_dotenv(names)
    ignored = list[SourcedValue]()
    if trusts_folder(values):
        values = folder | values
        values = _from_config_toml(names, values.get("home"), default_home) | values
    else:
        users = _from_config_toml(names, values.get("home"), default_home)
        taken, ignored = only_limits(folder, users, table)
        values = users | taken | values
        if Path(VENDORS_FILE).is_file() and not _names(values.get("vendors_file"), Path(VENDORS_FILE)):
            ignored.append(SourcedValue(None, "the vendors", VENDORS_FILE))
    values, notes = without_misdirected_keys(values, table)
    return Gathered(values, tuple(filter(None, (ignored_note(ignored), *notes))))


def _names(value: SourcedValue | None, path: Path) -> bool:
    """Whether the user has named this file."""
    return value is not None and bool(value.value) and Path(str(value.value)).absolute() == path.absolute()


def masked(text: str) -> str:
    """Mask the passwords of all URLs in a text, so that it can be shown."""
    return PASSWORD.sub(rf"\1{MASK}@", text)


def _from_options(
    names: Mapping[str, tuple[str, ...]], options: Mapping[str, Any]
) -> dict[str, SourcedValue]:
    settings = _spellings(names)  # pydantic passes an option under the first environment name
    unknown = sorted(name for name in options if name.lower() not in settings)
    if unknown:
        raise UnknownSetting(f"there is no setting {unknown[0]!r}")
    pairs = ((settings[name.lower()], value) for name, value in options.items() if value is not None)
    return {setting: SourcedValue(value, setting, "option") for setting, value in pairs}


def _from_environment(names: Mapping[str, tuple[str, ...]]) -> dict[str, SourcedValue]:
    widened = {name: (*known, *map(file_name, known)) for name, known in names.items()}
    values = _by_setting(widened, os.environ | texts_of_files(names, os.environ), where="")
    return {
        setting: SourcedValue(found.value, found.name.removesuffix(FILE_ENDING), f"environment {found.name}")
        for setting, found in values.items()
    }


def _from_dotenv(names: Mapping[str, tuple[str, ...]]) -> dict[str, SourcedValue]:
    path = Path(".env")
    if not path.is_file():
        return {}
    text = text_of_file(
        path, most_bytes=MAX_DOTENV_BYTES, complain=lambda why, _: ConfigError(f".env cannot be read: {why}")
    )
    # Without interpolation, for `${OPENAI_API_KEY}` in a folder's URL would send the user's key there.
    values = dotenv_values(stream=StringIO(text), interpolate=False)
    found = _by_setting(names, {name: value for name, value in values.items() if value}, where=".env")
    return {setting: replace(value, trust=Trust.FOLDER) for setting, value in found.items()}


def _from_config_toml(
    names: Mapping[str, tuple[str, ...]], home: SourcedValue | None, default_home: Path
) -> dict[str, SourcedValue]:
    """The user's own file. In a home that the working folder names, it is no more trusted than that folder."""
    # The file is in home, so it cannot set home; and trust in a folder is given for one call at a time.
    allowed = {name: known for name, known in names.items() if name not in ("home", TRUST_SETTING)}
    folder = Path(str(home.value)).expanduser() if home else default_home
    return _from_toml(allowed, folder / "config.toml", min(home.trust, Trust.USER) if home else Trust.USER)


def _from_toml(names: Mapping[str, tuple[str, ...]], path: Path, trust: Trust) -> dict[str, SourcedValue]:
    if not path.is_file():
        return {}
    data = read_toml(path)
    web = _web_table(data.pop("web", {}), path)
    settings = _spellings(names)
    unknown = sorted(key for key in data if key.lower() not in settings)
    if unknown:
        raise UnknownSetting(f"{path}: unknown setting {unknown[0]!r}")
    pairs = [(settings[key.lower()], key, value) for key, value in data.items()]
    found = _without_conflicts(
        [*pairs, *((WEB_NAMES[key], f"web.{key}", value) for key, value in web.items())], path.name
    )
    return {setting: replace(value, trust=trust) for setting, value in found.items()}


def _spellings(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Spelling in a TOML file (own name or environment name, in lower case) → setting."""
    return {text.lower(): name for name, environment in names.items() for text in (name, *environment)}


def _web_table(web: Any, path: Path) -> dict[str, Any]:
    if not isinstance(web, dict):
        raise ConfigError(f"{path}: web must be a table with {', '.join(WEB_NAMES)}")
    unknown = sorted(set(web) - set(WEB_NAMES))
    if unknown:
        raise ConfigError(f"{path}: unknown key web.{unknown[0]}; known: {', '.join(WEB_NAMES)}")
    return web


def _by_setting(
    names: Mapping[str, tuple[str, ...]], values: Mapping[str, str | None], where: str
) -> dict[str, SourcedValue]:
    """Find settings by their environment names. An empty value counts as not given."""
    pairs = (
        (setting, name, values.get(name)) for setting, environment in names.items() for name in environment
    )
    return _without_conflicts([pair for pair in pairs if pair[2]], where)


def _without_conflicts(pairs: Iterable[tuple[str, str, Any]], where: str) -> dict[str, SourcedValue]:
    values: dict[str, SourcedValue] = {}
    for setting, name, value in pairs:
        first = values.setdefault(setting, SourcedValue(value, name, where))
        if first.name != name and first.value != value:
            place = f" in {where}" if where else ""
            raise ConfigError(f"{first.name} and {name}{place} name the same setting and differ; unset one")
    return values
