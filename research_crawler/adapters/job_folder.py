"""Writes the documents of a job to its folder on disk."""

import asyncio
import contextlib
import hashlib
import os
import secrets
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from research_crawler.adapters.private_files import private_folder
from research_crawler.core.errors import StorageFull, UsageError

UNWRITTEN = "the job's documents could not be written"
"""The beginning of the warning of a job whose folder failed it."""
PROBE_BYTES = 4096
"""One block of a disk, so that a full disk is noticed too."""
_REMEMBERED = 2_000
"""Number of documents whose last hash is remembered, so that an unchanged one is not written again."""


class DiskJobFolder:
    """Writes documents atomically: a reader sees the old text or the new one, never a part."""

    def __init__(self, home: Path | None = None) -> None:
        """Only their owner can read documents below `home`; elsewhere the user's umask decides."""
        self._home = home
        self._written: OrderedDict[Path, bytes] = OrderedDict()
        self._folders: OrderedDict[str, _WrittenFolder] = OrderedDict()

    async def write(
        self, folder: str, documents: Mapping[str, str], *, version: int = 0, again: bool = False
    ) -> None:
        """Write documents {name: text} into the folder, and create the folder if necessary.

        A step's documents are written after its commit, so those of the next step may be written first.
        Documents that come after a newer `version` are dropped. `again`: write also what this process has written
        already, because another one may have replaced it.

        Raises:
            StorageFull: the disk is full or the folder cannot be written; the message says what to do.
        """
        written = self._folders.setdefault(folder, _WrittenFolder())
        self._folders.move_to_end(folder)
        while len(self._folders) > _REMEMBERED:
            self._folders.popitem(last=False)
        async with written.lock:
            if version >= written.version:
                written.version = version
                await self._write(folder, documents, again=again)

    async def _write(self, folder: str, documents: Mapping[str, str], *, again: bool) -> None:
        changed = {}
        for name, text in documents.items():
            path, digest = Path(folder) / Path(name).name, hashlib.sha256(text.encode()).digest()
            if again or self._written.get(path) != digest:
                changed[path] = (text, digest)
        if changed:
            home = self._home if self._home and Path(folder).is_relative_to(self._home) else None
            texts = {path: text for path, (text, _) in changed.items()}
            await asyncio.to_thread(_write_all, texts, home)
        for path, (_, digest) in changed.items():
            self._written[path] = digest
            self._written.move_to_end(path)
        while len(self._written) > _REMEMBERED:
            self._written.popitem(last=False)


class _WrittenFolder:
    """A folder that was written to: its newest version, and a lock for one writer at a time."""

    def __init__(self) -> None:
        self.version, self.lock = 0, asyncio.Lock()


def check_writable(folder: Path) -> None:
    """Make the folder of a job's documents and write a file there, which is deleted again.

    Permissions alone do not tell: the superuser has them all, and a disk may be full or read-only.

    Raises:
        UsageError: nothing can be written there; folders that were made for it are gone again.
    """
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".probe-", buffering=0) as file:
            file.write(b" " * PROBE_BYTES)
    except OSError as error:
        for parent in made:
            with contextlib.suppress(OSError):
                parent.rmdir()
        raise UsageError(
            f"nothing can be written to {folder} ({error.strerror or error}); choose another folder"
        ) from error


async def has_document(folder: str, name: str) -> bool:
    """Whether a job's folder holds a document."""
    return bool(folder) and await asyncio.to_thread(Path(folder, name).is_file)


async def remove_folder(below: Path, job: str) -> bool:
    """Delete the folder of a job, `below/job`; False if there is none, or if `job` is not a valid id."""
    folder = below / job
    if not job.isalnum() or not await asyncio.to_thread(folder.is_dir):
        return False
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return True


class MemoryJobFolder:
    """The same port in memory, for tests."""

    def __init__(self) -> None:
        self.folders: dict[str, dict[str, str]] = {}
        self.versions: dict[str, int] = {}

    async def write(
        self, folder: str, documents: Mapping[str, str], *, version: int = 0, again: bool = False
    ) -> None:
        """Keep documents {name: text}, unless a newer version is there."""
        if version < self.versions.get(folder, 0):
            return
        self.versions[folder] = version
        stored = self.folders.setdefault(folder, {})
        stored |= {Path(name).name: text for name, text in documents.items()}


def _write_all(texts: Mapping[Path, str], home: Path | None) -> None:
    for path, text in texts.items():
        try:
            if home:
                private_folder(path.parent, below=home)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, text, 0o600 if home else 0o666)
        except OSError as error:
            raise StorageFull(
                f"{UNWRITTEN} to {path.parent} ({error.strerror or error}); "
                "free space there, or choose another folder"
            ) from error


def _replace(path: Path, text: str, mode: int) -> None:
    # Not by `tempfile`, whose files are private and would have to be opened to others against the user's umask.
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
