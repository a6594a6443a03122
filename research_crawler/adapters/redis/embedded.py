"""Runs a private redis-server for one data folder. The process that owns the folder starts and stops it."""

import asyncio
import contextlib
import errno
import os
import signal
import stat
import subprocess
import tempfile
from collections.abc import Callable
from os import geteuid
from pathlib import Path

from research_crawler.adapters.private_files import private_file, private_folder
from research_crawler.adapters.redis.connection import answers
from research_crawler.adapters.redis.program import MULTI_PART_AOF, find_server, launch
from research_crawler.core.errors import NotStarted, RedisUnusable, ResearchError, StorageFull

LOG_BYTES = 1_000_000
"""A longer log is emptied at the next start."""
_END_S = 10.0
"""How long redis-server may take to write its last bytes after SIGTERM."""
_POLL_S = 0.02
"""How often the private Redis is asked whether it is ready."""
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class EmbeddedRedis:
    """A redis-server with its append-only file in `folder`. Only the owner of the data folder may start
    it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._record = folder / "socket"
        self._pid_file = folder / "redis.pid"
        self._log = folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path | None:
        """The socket of the server, as its last owner recorded it."""
        return recorded_socket(self._record)

    @property
    def is_running(self) -> bool:
        """Whether the server that this process started is alive."""
        return self._process is not None and self._process.poll() is None

    async def start(self) -> None:
        """Start the server on the folder's data and wait until it has loaded them.

        Raises:
            NotStarted: there is no redis-server program, or the folder cannot be written.
            StorageFull: the disk is full.
            RedisUnusable: the server ended at once; the message has the last line of its log.
        """
        program, version = await asyncio.to_thread(find_server)
        try:
            private_folder(self.folder)
            self._check_format(version)
            await self._end_leftover()
            socket = prepare_socket(self._record)
            socket.unlink(missing_ok=True)
            log_start = self._trim_log()
            # Not in a worker thread, because the server ends with the thread that started it.
            self._process = launch(
                program, self._arguments(socket), folder=self.folder, pid_file=self._pid_file, log=self._log
            )
        except OSError as error:
            raise folder_fault(self.folder, error) from error
        try:
            await self._wait_until_loaded(socket, log_start)
        except ResearchError:
            _remove_folder(socket)
            raise

    async def stop(self) -> None:
        """Stop the server; it writes and syncs its data first."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if process.poll() is None:
            process.terminate()
            if not await _becomes_true(lambda: process.poll() is not None, _END_S):
                process.kill()
        await asyncio.to_thread(process.wait)
        self._pid_file.unlink(missing_ok=True)
        if self.socket:
            _remove_folder(self.socket)

    def _arguments(self, socket: Path) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(socket),
            "unixsocketperm": "600",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "tcp-keepalive": "0",
        }
        return [text for name, value in options.items() for text in (f"--{name}", value)]

    def _check_format(self, version: tuple[int, int]) -> None:
        if version < MULTI_PART_AOF and (self.folder / "appendonlydir").exists():
            raise NotStarted(
                f"{self.folder} was written by Redis 7 or newer, and only Redis {version[0]}.{version[1]} is "
                "installed; put the newer redis-server on PATH"
            )

    async def _wait_until_loaded(self, socket: Path, log_start: int) -> None:
        while True:
            if not self.is_running:
                raise self._start_failure(log_start)
            if await answers(socket):
                return
            await asyncio.sleep(_POLL_S)

    def _start_failure(self, log_start: int) -> ResearchError:
        self._process = None
        log_text = self._log.read_bytes()[log_start:].decode("utf-8", "replace")
        if "No space left" in log_text or "Disk quota exceeded" in log_text:
            return StorageFull(f"the disk of {self.folder} is full; free some space and start again")
        if "Permission denied" in log_text or "Read-only file system" in log_text:
            return NotStarted(
                f"{self.folder} cannot be written by Redis; check who owns it, or set RESEARCH_HOME"
            )
        last_line = next(
            (line for line in reversed(log_text.splitlines()) if line.strip()), "its log is empty"
        )
        return RedisUnusable(f"the embedded Redis ended at its start ({last_line.strip()}); see {self._log}")

    def _trim_log(self) -> int:
        size = self._log.stat().st_size if self._log.exists() else 0
        if size <= LOG_BYTES:
            return size
        self._log.write_bytes(b"")
        return 0

    async def _end_leftover(self) -> None:
        """Stop a server that outlived its owner: two servers on one append-only file would destroy it."""
        pid = _read_pid(self._pid_file)
        if pid is None or not is_server_of(pid, self.folder):
            return
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            _send(pid, signal_number)
            if await _becomes_true(lambda: not is_server_of(pid, self.folder), _END_S):
                return
        raise RedisUnusable(f"process {pid} still holds {self.folder} and cannot be ended; end it by hand")


def is_server_of(pid: int, folder: Path) -> bool:
    """Whether this process is a redis-server that runs in this folder (the pid may have been reused)."""
    process = Path("/proc", str(pid))
    try:
        in_folder = (process / "cwd").samefile(folder)
        return in_folder and b"redis-server" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def folder_fault(folder: Path, error: OSError) -> ResearchError:
    """The error for a data folder that cannot be written."""
    if error.errno in DISK_FULL:
        return StorageFull(f"the disk of {folder} is full; free some space and start again")
    reason = os.strerror(error.errno) if error.errno else str(error)
    return NotStarted(
        f"the data folder {folder} cannot be written ({reason}); set RESEARCH_HOME to a folder that you own"
    )


def _read_pid(pid_file: Path) -> int | None:
    try:
        return int(pid_file.read_text("ascii"))
    except (FileNotFoundError, ValueError):
        return None


def _send(pid: int, signal_number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal_number)


def _remove_folder(socket: Path) -> None:
    with contextlib.suppress(OSError):  # a leftover folder does no harm: the next owner uses it again
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()


async def _becomes_true(condition: Callable[[], bool], within_s: float) -> bool:
    """Poll until the condition is true; False if it was not in time."""
    until = asyncio.get_running_loop().time() + within_s
    while not condition():
        if asyncio.get_running_loop().time() > until:
            return False
        await asyncio.sleep(_POLL_S)
    return True


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
