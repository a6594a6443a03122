"""The output of `research config show`: every setting with its value, its origin and its purpose."""

import os
from typing import Any

from pydantic import SecretStr

from research_crawler.core.config import Config, setting_names
from research_crawler.core.settings.depth import defaults_by_depth
from research_crawler.core.settings.docs import field_docs
from research_crawler.core.settings.secret_files import file_name
from research_crawler.core.settings.sources import MASK, masked
from research_crawler.core.settings.table import Setting

OUR_PREFIXES = ("RESEARCH_", "PHASE1_")
NO_SETTINGS = frozenset({"RESEARCH_FAILPOINT"})
"""Environment names with these prefixes that are not settings but are read elsewhere."""


def describe(config: Config) -> list[tuple[str, str, str]]:
    """(name, value, origin) of every setting; those of the search providers come after RESEARCH_PROVIDERS.

    The name is the preferred environment name. Secrets and passwords in URLs are shown as `***`. The origin
    is `option`, `environment NAME`, `.env`, `research.toml`, `config.toml` or `default`; a key that is withheld from
    an address says so there, and a default that the depth decides has its value for each depth there.
    """
    values = {"": dict(config)} | {
        provider: dict(part) for provider, part in config.provider_settings.items()
    }
    return [
        (setting.environment[0], shown(values[setting.provider][setting.field]), _origin(config, setting))
        for setting in type(config).settings().values()
    ]


def setting_docs(kind: type[Config]) -> dict[str, str]:
    """Name as in `describe` → one line about the setting."""
    declared = kind.declared()
    return {
        setting.environment[0]: field_docs(declared[setting.provider] if setting.provider else kind)[
            setting.field
        ]
        for setting in kind.settings().values()
    }


def unknown_environment(kind: type[Config]) -> list[str]:
    """RESEARCH_* and PHASE1_* names in the environment that are not settings, mostly typing errors."""
    known = {name for names in setting_names(kind).values() for name in names}
    known |= {file_name(name) for name in known} | NO_SETTINGS
    return sorted(name for name in os.environ if name.startswith(OUR_PREFIXES) and name not in known)


def shown(value: Any) -> str:
    """A value as a person would write it, without secrets."""
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items())
    return masked(str(value))


def _origin(config: Config, setting: Setting) -> str:
    if setting.name in config.origins:
        return config.origins[setting.name]
    if not setting.provider and setting.field in config.model_fields_set:
        return "option"
    of_depths = {} if setting.provider else defaults_by_depth(setting.field)
    told = ", ".join(f"{depth} {shown(float(amount))}" for depth, amount in of_depths.items())
    return f"default; by depth: {told}" if told else "default"
