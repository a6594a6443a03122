"""What installed packages add to this one: search providers, formats of exports, readers of pages, brains, commands.

A package declares each as an entry point (https://packaging.python.org/specifications/entry-points/), in the group of
its extension point and under its own name. Nothing is imported before it is used.
"""

import functools
from collections.abc import Mapping
from enum import StrEnum
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from research_crawler.core.errors import ConfigError

Extension = TypeVar("Extension")


class ExtensionPoint(StrEnum):
    """What can be added; each is the name of a group of entry points."""

    PROVIDERS = "research_crawler.providers"
    EXPORT_FORMATS = "research_crawler.export_formats"
    PAGE_READERS = "research_crawler.page_readers"
    BRAINS = "research_crawler.brains"
    COMMANDS = "research_crawler.commands"


@functools.cache
def declared_at(point: ExtensionPoint) -> Mapping[str, EntryPoint]:
    """What installed packages declare at a point, by name; none of it is imported.

    Raises:
        ConfigError: two packages declare the same name.
    """
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=point):
        if entry.name in found and found[entry.name].value != entry.value:
            names = " and ".join(sorted({package_of(found[entry.name]), package_of(entry)}))
            raise ConfigError(f"{point}: {names} both declare {entry.name!r}; uninstall one of them")
        found[entry.name] = entry
    return {name: found[name] for name in sorted(found)}


def extension(point: ExtensionPoint, name: str, kind: type[Extension]) -> Extension:
    """Import what a package declares at a point under this name, which has to be of this kind.

    Raises:
        ConfigError: it cannot be imported, or is of another kind.
    """
    entry = declared_at(point)[name]
    where = f"{point}: {name!r} of {package_of(entry)} ({entry.value})"
    try:
        loaded = entry.load()
    except Exception as error:  # a package may fail at its import in any way
        raise ConfigError(f"{where} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(loaded, kind):
        raise ConfigError(f"{where} is not a {kind.__name__}")
    return loaded


@functools.cache
def extensions(point: ExtensionPoint, kind: type[Extension]) -> Mapping[str, Extension]:
    """All that installed packages declare at a point, imported, by name.

    Raises:
        ConfigError: as of `declared_at` and `extension`.
    """
    return {name: extension(point, name, kind) for name in declared_at(point)}


def package_of(entry: EntryPoint) -> str:
    """The package that declares an entry point."""
    return entry.dist.name if entry.dist else "a package"
