"""Makes a private folder with a short path for a Unix socket, because a socket path has at most 107 bytes."""

import stat
import tempfile
from os import geteuid
from pathlib import Path

from research_crawler.adapters.private_files import private_file
from research_crawler.core.errors import NotStarted

MAX_SOCKET_BYTES = 107
"""sun_path of sockaddr_un is 108 bytes with its closing zero (Linux, unix(7))."""
SOCKET_NAME = "redis.sock"


def recorded_socket(record: Path) -> Path | None:
    """The socket path that the owner of the data folder recorded; None if there is none yet."""
    try:
        text = record.read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    return Path(text) if text else None


def prepare_socket(record: Path) -> Path:
    """The path to listen on: the recorded one if its folder is still private, else a new one, which is
    recorded.

    A new owner listens on the same path as the one before, so that clients reconnect by themselves.

    Raises:
        NotStarted: no folder for temporary files can be written, or all have too long a path.
    """
    known = recorded_socket(record)
    if known and _make_private(known.parent):
        return known
    path = _new_folder() / SOCKET_NAME
    with open(record, "w", encoding="utf-8", opener=private_file) as file:  # Path.open takes no opener
        file.write(f"{path}\n")
    return path


def _make_private(folder: Path) -> bool:
    """Create the folder if it is gone; True if it is a real folder that only this user can enter."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode) and found.st_uid == geteuid() and not stat.S_IMODE(found.st_mode) & 0o077
    )


def _new_folder() -> Path:
    # Not XDG_RUNTIME_DIR: it is removed at logout, even while processes started with nohup still run.
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108  # mkdtemp makes a private folder
        if len(str(Path(parent, "research-12345678", SOCKET_NAME)).encode()) > MAX_SOCKET_BYTES:
            continue
        try:
            return Path(tempfile.mkdtemp(prefix="research-", dir=parent))
        except OSError:
            continue
    raise NotStarted("no folder for temporary files can be written; set TMPDIR to one whose path is short")
