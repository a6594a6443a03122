"""What `research config show` prints: every setting with its value, its origin and what it is for."""

import os
from typing import Any

from pydantic import SecretStr

from research_crawler.core.config import Config, environment_names, setting_names
from research_crawler.core.config_sources import masked

MASK = "***"
OUR_PREFIXES = ("RESEARCH_", "PHASE1_")
NO_SETTINGS = frozenset({"RESEARCH_FAILPOINT"})
"""Names of the environment with these prefixes that are read elsewhere."""


def describe(config: Config) -> list[tuple[str, str, str]]:
    """(name, value, origin) of every setting, in the order of the fields.

    The name is the preferred environment name. Secrets show as `***`, passwords in URLs likewise. The origin
    is `option`, `environment NAME`, `.env`, `research.toml`, `config.toml` or `default`.
    """
    return [
        (environment_names(setting)[0], shown(getattr(config, setting)), _origin(config, setting))
        for setting in setting_names()
    ]


def setting_docs() -> dict[str, str]:
    """One line for each setting, under the name that `describe` gives it."""
    return {
        environment_names(setting)[0]: " ".join((Config.model_fields[setting].description or "").split())
        for setting in setting_names()
    }


def unknown_environment() -> list[str]:
    """RESEARCH_* and PHASE1_* names in the environment that are no settings: mostly typing errors."""
    known = {name for names in setting_names().values() for name in names} | NO_SETTINGS
    return sorted(name for name in os.environ if name.startswith(OUR_PREFIXES) and name not in known)


def shown(value: Any) -> str:
    """A value as a person would write it, without secrets."""
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items())
    return masked(str(value))


def _origin(config: Config, setting: str) -> str:
    if setting in config.origins:
        return config.origins[setting]
    return "option" if setting in config.model_fields_set else "default"
