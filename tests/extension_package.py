"""Installs a small package for a test: its modules, and the entry points that it declares, on a path of their own."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from research_crawler.core.extension_points import ExtensionPoint, declared_at, extensions


def write_package(
    folder: Path, modules: Sequence[Path], entries: Mapping[ExtensionPoint, str], name: str = "lantern-extras"
) -> None:
    """Write a package as an installer does; `entries` has the lines of each group of entry points."""
    for module in modules:
        (folder / module.name).write_bytes(module.read_bytes())
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = "".join(f"[{point}]\n{line}\n" for point, line in entries.items())
    info.joinpath("entry_points.txt").write_text(lines)


@contextmanager
def installed(folder: Path, modules: Sequence[Path], entries: Mapping[ExtensionPoint, str]) -> Iterator[None]:
    """The package is installed in this process."""
    write_package(folder, modules, entries)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        _forget()
        yield
    for module in modules:
        sys.modules.pop(module.stem, None)
    _forget()


def _forget() -> None:
    declared_at.cache_clear()
    extensions.cache_clear()
