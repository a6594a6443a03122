"""A short private folder for a Unix socket: its path holds 107 bytes, and a data folder's may be longer."""

import stat
import tempfile
from os import geteuid
from pathlib import Path

from research_crawler.core.errors import NotStarted

MAX_SOCKET_BYTES = 107
"""sun_path of sockaddr_un is 108 bytes with its closing zero (Linux, unix(7))."""
SOCKET_NAME = "redis.sock"


def recorded_socket(record: Path) -> Path | None:
    """The socket path that the owner of the data folder has written down; None before there is one."""
    try:
        text = record.read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    return Path(text) if text else None


def prepare_socket(record: Path) -> Path:
    """The path to listen on: the recorded one where its folder is still ours alone, else a new one, recorded.

    A successor listens where its predecessor did, so that clients find it again by themselves.

    Raises:
        NotStarted: no folder for temporary files can be written, or all have too long a path.
    """
    known = recorded_socket(record)
    if known and _made_private(known.parent):
        return known
    path = _new_folder() / SOCKET_NAME
    record.write_text(f"{path}\n", "utf-8")
    return path


def _made_private(folder: Path) -> bool:
    """Make the folder again if it is gone; whether it is a real folder that nobody else can enter."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode) and found.st_uid == geteuid() and not stat.S_IMODE(found.st_mode) & 0o077
    )


def _new_folder() -> Path:
    # Not XDG_RUNTIME_DIR: it is removed at logout, also under a system that was left running with nohup.
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108  # mkdtemp makes a private folder
        if len(str(Path(parent, "research-12345678", SOCKET_NAME)).encode()) > MAX_SOCKET_BYTES:
            continue
        try:
            return Path(tempfile.mkdtemp(prefix="research-", dir=parent))
        except OSError:
            continue
    raise NotStarted("no folder for temporary files can be written; set TMPDIR to one whose path is short")
