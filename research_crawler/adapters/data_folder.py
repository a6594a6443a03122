"""The data folder (RESEARCH_HOME): decides which process owns it, and connects all of them to one Redis.

The first process owns the folder by a file lock, which the kernel releases when the process ends. The owner
runs Redis, the local vector index and the indexer; all other processes are clients. When the owner ends, the
first client that gets the lock takes over.
"""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Awaitable, Callable

from research_crawler.adapters.private_files import make_private, private_folder
from research_crawler.adapters.redis.connection import (
    PROBE_PATIENCE_S,
    RedisClient,
    answers,
    check_redis,
    connect_socket,
    connect_url,
)
from research_crawler.adapters.redis.embedded import EmbeddedRedis, folder_fault
from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.core.log import get_log
from research_crawler.core.tasks.every import every
from research_crawler.frontier.keys import Keys

WATCH_S = 0.5
"""How often a client tries to get the lock, and the owner checks its Redis."""
NOTE_S = 1.0
"""How long noting its end may hold up a process."""
OPEN_S = 30.0
"""How long a client waits while the owner starts or ends."""

OURS = (
    "redis", "jobs", "sessions", "demo", "owner.lock", "archive.sqlite3", "archive.sqlite3-wal", "archive.sqlite3-shm",
    "config.toml", "vendors.toml",
)  # fmt: skip
"""What the data folder holds; the user may have put it into a folder with other things."""

log = get_log(__name__)


class DataFolder:
    """Opens RESEARCH_HOME for one process. `redis` returns str (decode_responses)."""

    def __init__(self, config: Config, *, may_own: bool = True) -> None:
        """`may_own`: False for a long-running process without an indexer, which never takes the folder over."""
        self._may_own = may_own
        self.home = config.home.expanduser().absolute()
        self.owner = False
        """Whether this process owns the folder; may become true later (`on_owner`)."""
        self.warnings: list[str] = []
        """Properties of a configured Redis that could not be checked."""
        self._url, self._prefix = config.redis_url, config.redis_prefix
        self._embedded = None if config.redis_url else EmbeddedRedis(self.home / "redis")
        self._lock: int | None = None
        self._client: RedisClient | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._callbacks: list[Callable[[], Awaitable[None]]] = []

    @property
    def redis(self) -> RedisClient:
        """The Redis client. It stays usable when the owner changes.

        Raises:
            NotStarted: the folder is not open.
        """
        if self._client is None:
            raise NotStarted("the data folder is not open")
        return self._client

    def on_owner(self, callback: Callable[[], Awaitable[None]]) -> None:
        """Register a callback for the case that this process becomes the owner later, after `open`."""
        self._callbacks.append(callback)

    async def open(self) -> None:
        """Become the owner and start Redis, or connect to the owner's Redis.

        Raises:
            NotStarted, StorageFull: the message is one line that says what to do.
        """
        try:
            private_folder(self.home)
            make_private(self.home, OURS)
            self._lock = os.open(self.home / "owner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise folder_fault(self.home, error) from error
        try:
            self._client = await (self._open_embedded(self._embedded) if self._embedded else self._open_url())
        except BaseException:
            await self.close()
            raise
        self._watcher = asyncio.create_task(self._watch(), name="data folder")

    async def close(self) -> None:
        """Leave the folder. The owner stops Redis first, so that the next owner finds complete files."""
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
            self._watcher = None
        if self._client is not None:
            if self.owner and self._embedded is not None:
                await self._note_end(self._client)
            await self._client.aclose()
            self._client = None
        if self._embedded is not None:
            await self._embedded.stop()
        self.owner = False
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def _note_end(self, client: RedisClient) -> None:
        """Note that this Redis is ended in order and loses nothing, so that hosts need not rest at its next start."""
        with contextlib.suppress(Exception):  # without it they rest
            async with asyncio.timeout(NOTE_S):
                await client.set(Keys(self._prefix).server, "ended")

    async def _open_url(self) -> RedisClient:
        probe = connect_url(self._url, patience_s=PROBE_PATIENCE_S)
        try:
            self.warnings = await check_redis(probe)
        finally:
            await probe.aclose()
        self.owner = self._try_lock()
        return connect_url(self._url)

    async def _open_embedded(self, embedded: EmbeddedRedis) -> RedisClient:
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + OPEN_S
        while loop.time() < give_up_at:
            if self._try_lock():
                await embedded.start()
                self.owner = True
                break
            if embedded.socket and await answers(embedded.socket):
                break
            if not self._may_own and not self._is_owned():
                raise NotStarted(
                    f"nothing runs on {self.home}; start `research up`, which owns the data folder, or set REDIS_URL"
                )
            await asyncio.sleep(0.05)
        is_late = not self.owner and loop.time() >= give_up_at
        if embedded.socket is None or is_late:
            raise NotStarted(
                f"process {self._owner_pid()} holds {self.home}, but its Redis does not answer; "
                "end that process and try again"
            )
        return connect_socket(embedded.socket)

    def _try_lock(self) -> bool:
        if self._lock is None or not self._may_own:
            return False
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        with contextlib.suppress(OSError):  # the pid is for messages only, so a full disk does not matter
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, str(os.getpid()).encode(), 0)
        return True

    def _is_owned(self) -> bool:
        """Whether a process owns the folder now."""
        if self._lock is None:
            return False
        try:
            fcntl.flock(self._lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._lock, fcntl.LOCK_UN)
        return False

    def _owner_pid(self) -> str:
        with contextlib.suppress(OSError):
            return (self.home / "owner.lock").read_text("ascii", "replace").strip() or "?"
        return "?"

    def _drop_lock(self) -> None:
        if self._lock is not None:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    async def _watch(self) -> None:
        """See to the folder's Redis; commands that wait for it fail with their own message after PATIENCE_S."""
        await asyncio.sleep(WATCH_S)
        await every(WATCH_S, self._check, "the look at the data folder's Redis", longest_s=WATCH_S)

    async def _check(self) -> None:
        if self.owner:
            if self._embedded and not self._embedded.is_running:
                log.warning("the embedded Redis ended; starting it again")
                await self._embedded.start()
        elif self._try_lock():
            await self._take_over()

    async def _take_over(self) -> None:
        try:
            if self._embedded:
                await self._embedded.start()
        except BaseException:
            self._drop_lock()  # another client may succeed
            raise
        self.owner = True
        log.info("this process owns the data folder now", home=str(self.home))
        await self._run_callbacks()

    async def _run_callbacks(self) -> None:
        for callback in self._callbacks:
            try:
                await callback()
            except Exception:  # a failing callback must not stop the checks of Redis
                log.exception("a callback for the new owner of the data folder failed")
