"""Makes folders and files that only their owner can read, and takes the others' rights from existing ones."""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

UMASK = 0o077
"""For the programs that we start in the data folder."""
_OTHERS = 0o077
"""The bits of a file's mode that give rights to others than its owner."""


def private_folder(folder: Path, *, below: Path | None = None) -> None:
    """Create a folder that only its owner can enter; so are the missing folders between it and `below`.

    Raises:
        OSError: it cannot be created.
    """
    if below is not None and folder != below and folder.is_relative_to(below):
        private_folder(folder.parent, below=below)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def private_file(path: str | Path, flags: int) -> int:
    """Open a file that, if it is new, only its owner can read; for `open(…, opener=private_file)` too.

    Raises:
        OSError: it cannot be opened.
    """
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def make_private(folder: Path, ours: Iterable[str]) -> None:
    """Take the rights of group and others from a folder, if they have any, and from what is ours in it.

    A folder that everybody uses (sticky, like /tmp) and what belongs to somebody else stay as they are.

    Args:
        folder: the folder; nothing happens if nobody else can enter it.
        ours: names in it that are tightened too, with all below them.
    """
    found = folder.lstat()
    if not found.st_mode & _OTHERS or found.st_uid != os.geteuid():
        return
    if not found.st_mode & stat.S_ISVTX:
        _tighten(folder)  # first, so that nobody comes in meanwhile
    for name in ours:
        _tighten(folder / name)
        for path, folders, files in os.walk(folder / name):
            for below in (*folders, *files):
                _tighten(Path(path, below))


def _tighten(path: Path) -> None:
    with contextlib.suppress(OSError):  # gone meanwhile, or somebody else's
        mode = path.lstat().st_mode
        if mode & _OTHERS and not stat.S_ISLNK(mode):
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
