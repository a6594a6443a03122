"""Decides how far the sources of settings are trusted: what the working folder may set, and where keys may go.

A working folder may come from somebody else (a cloned repository). It may therefore only lower what bounds the work;
everything else (a program to start, an address that gets keys or questions, a file to read, whether a person is asked)
is taken from the user alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from pydantic import SecretStr, TypeAdapter, ValidationError

from research_crawler.core.settings.table import Setting

TRUST_SETTING = "trust_folder"
HOW_TO_TRUST = "--trust-folder or RESEARCH_TRUST_FOLDER=1 changes that"
_NAMED = 5
"""How many settings a line names."""


class Trust(IntEnum):
    """How far a source is trusted; a higher one more."""

    FOLDER = 0
    """`.env`, `research.toml` and other files of the working folder."""
    USER = 1
    """`config.toml` in RESEARCH_HOME."""
    CALLER = 2
    """Options and the environment."""


@dataclass(frozen=True)
class SourcedValue:
    """A raw value, the name that the user wrote, and the origin as `research config show` prints it."""

    value: Any
    name: str
    origin: str
    trust: Trust = Trust.CALLER


def trusts_folder(values: Mapping[str, SourcedValue]) -> bool:
    """Whether the caller trusts the working folder. What the folder itself says does not count."""
    sourced = values.get(TRUST_SETTING)
    if sourced is None or sourced.trust is not Trust.CALLER:
        return False
    try:
        return TypeAdapter(bool).validate_python(sourced.value)
    except ValidationError:  # the settings' own validation complains of it
        return False


def only_limits(
    values: Mapping[str, SourcedValue], users: Mapping[str, SourcedValue], table: Mapping[str, Setting]
) -> tuple[dict[str, SourcedValue], list[SourcedValue]]:
    """What an untrusted folder may set: limits below those that the user has. And the values that are ignored."""
    taken = {name: value for name, value in values.items() if _is_lower(value, users.get(name), table[name])}
    return taken, [value for name, value in values.items() if name not in taken]


def _is_lower(value: SourcedValue, users: SourcedValue | None, setting: Setting) -> bool:
    if setting.limit is None:
        return False
    most = _number(users) if users else None
    return not (_number(value) or 0) > (setting.limit if most is None else most)


def _number(value: SourcedValue) -> float | None:
    """None for what is no number: the settings' own validation complains of it."""
    try:
        return TypeAdapter(float).validate_python(value.value)
    except ValidationError:
        return None


def ignored_note(ignored: Iterable[SourcedValue]) -> str:
    """One line about what was ignored; "" if nothing was."""
    names: dict[str, list[str]] = {}
    for value in ignored:
        names.setdefault(value.origin, []).append(value.name)
    if not names:
        return ""
    parts = [f"{_listed(found)} in {origin}" for origin, found in names.items()]
    return f"not taken from the working folder: {', '.join(parts)}; {HOW_TO_TRUST}"


def without_misdirected_keys(
    values: Mapping[str, SourcedValue], table: Mapping[str, Setting]
) -> tuple[dict[str, SourcedValue], list[str]]:
    """Empty each key whose address comes from a less trusted source than the key itself, with a line on each."""
    kept, notes = dict(values), list[str]()
    for name, key in values.items():
        address = next((values[to] for to in table[name].sent_to if _misleads(values.get(to), key)), None)
        if address is None or not _text(key.value):
            continue
        kept[name] = replace(
            key, value="", origin=f"{key.origin}, not sent to {address.name} of {address.origin}"
        )
        notes.append(
            f"{key.name} is not sent to {address.name} of {address.origin}, which is less trusted than "
            f"{key.origin}; write both in one place"
        )
    return kept, notes


def _misleads(address: SourcedValue | None, key: SourcedValue) -> bool:
    return address is not None and bool(_text(address.value)) and address.trust < key.trust


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value or "")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
