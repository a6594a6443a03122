"""Says what is wrong with a setting, with the name that the user wrote and where."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from research_crawler.core.settings.sources import masked
from research_crawler.core.settings.table import Setting
from research_crawler.core.settings.trust import SourcedValue

SHOWN_CHARS = 80
"""How many characters of a malformed value an error message shows."""


def first_complaint(
    error: ValidationError,
    table: Mapping[str, Setting],
    sourced: Mapping[str, SourcedValue],
    provider: str = "",
) -> str:
    """The first mistake that pydantic found; `provider` declares the settings, if a search provider does."""
    first = error.errors(include_url=False)[0]
    location = str(first["loc"][0]) if first["loc"] else ""
    setting = next((known for known in table.values() if _is_setting_at(known, location, provider)), None)
    name = setting.name if setting else location
    source = sourced.get(name, SourcedValue(None, name, ""))
    is_named = source.origin in ("", "option") or source.name in source.origin
    where = "" if is_named else f" in {source.origin}"
    message = first["msg"].removeprefix("Value error, ").split(", unable to ")[0]
    got = f" (got {_shortened(first.get('input'))})" if setting and not setting.secret else ""
    return f"{source.name}{where}: {message[:1].lower()}{message[1:]}{got}"


def _is_setting_at(setting: Setting, location: str, provider: str) -> bool:
    """Whether pydantic's error is about this setting; pydantic names a field by its first alias."""
    return setting.provider == provider and location in (setting.field, *setting.environment)


def _shortened(value: Any) -> str:
    text = masked(repr(value))
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "…"
