"""Connects to Redis so that clients survive a restart of the server, and checks that a server keeps its data.

Every command, script, pipeline and subscription is retried for `patience_s`. Repeating a script is harmless,
because the scripts are idempotent by their tokens.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio import Connection, ConnectionPool, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.driver_info import DriverInfo
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    NoPermissionError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from research_crawler.adapters.redis.program import OLDEST_VERSION
from research_crawler.core.errors import ConfigError, RedisUnusable, ResearchError, StorageFull
from research_crawler.frontier.scripts import MEMORY_FULL, refusal_of_server

RedisClient = Redis
"""The client class, for annotations where redis itself is not imported."""

T = TypeVar("T")

PATIENCE_S = 30.0
"""How long a command is retried while the server restarts."""
PROBE_PATIENCE_S = 2.0
"""How long the first connection to a configured server is retried."""
SOCKET_TIMEOUT_S = 30.0
"""redis-py's default of 5 s breaks blocking reads: ours take a few seconds, and longer during a slow
fsync."""
ANSWER_S = 2.0
"""How long a server on the same machine may take to answer PING before it counts as not running."""
MOST_CONNECTIONS = 2_000
"""Hundreds of jobs subscribe at once. redis-py refuses connections above its default of 100."""


class PatientRetry(Retry):
    """Retries for a time instead of a number of times, and translates redis-py's errors.

    redis-py nests its retries (a command retries, and so does its connection attempt). Counts would multiply;
    a deadline does not.
    """

    def __init__(self, patience_s: float) -> None:
        super().__init__(ExponentialBackoff(cap=0.25, base=0.005), retries=-1)
        self.update_supported_errors([ReadOnlyError])
        self._patience_s = patience_s

    async def call_with_retry(
        self,
        do: Callable[[], Awaitable[T]],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        """Run `do` until it succeeds or `patience_s` is over, also while another server becomes the primary.

        `fail` closes the connection after each failure.

        Raises:
            RedisUnusable: no connection within the patience, or the server refuses the password.
            StorageFull: the server's disk or memory is full.
            RedisUnusable: the server takes no writes.
        """
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._patience_s
        failures = 0
        while True:
            try:
                return await do()
            except NoPermissionError:  # callers know what they can do without
                raise
            except self._supported_errors as error:
                failures += 1
                await (fail(error, failures) if with_failure_count else fail(error))
                if is_retryable and not isinstance(error, ReadOnlyError) and not is_retryable(error):
                    raise
                if isinstance(error, AuthenticationError) or loop.time() >= give_up_at:
                    raise redis_fault(error) from error
                await asyncio.sleep(self._backoff.compute(min(failures, 10)))
            except ResponseError as error:
                if refusal := refusal_of_server(error):
                    raise refusal from error
                raise


def redis_fault(error: BaseException) -> ResearchError:
    """Translate an error of redis-py into RedisUnusable, with a message that says what to do."""
    if isinstance(error, ReadOnlyError) and (refusal := refusal_of_server(error)):
        return refusal
    if isinstance(error, AuthenticationError | AuthorizationError):
        return RedisUnusable(f"Redis refuses the login ({error}); correct user and password in REDIS_URL")
    return RedisUnusable(f"Redis does not answer ({error}); start it, or correct REDIS_URL")


def connect_socket(path: Path, *, patience_s: float = PATIENCE_S) -> RedisClient:
    """A client for a Unix socket. Replies are str."""
    pool = ConnectionPool(
        connection_class=CancellableSocketConnection, path=str(path), **_pool_options(patience_s)
    )
    return Redis.from_pool(pool)


def connect_url(url: str, *, patience_s: float = PATIENCE_S) -> RedisClient:
    """A client for a redis://, rediss:// or unix:// URL. Replies are str.

    Raises:
        ConfigError: the URL has another form.
    """
    options = _pool_options(patience_s) | {"health_check_interval": 20}
    if not url.startswith("unix://"):
        options["socket_keepalive"] = True
    try:
        pool = ConnectionPool.from_url(url, **options)
    except ValueError as error:
        raise ConfigError(f"REDIS_URL {without_password(url)!r} is not usable: {error}") from error
    pool.connection_class = CANCELLABLE.get(pool.connection_class, pool.connection_class)
    return Redis.from_pool(pool)


@cache
def _driver_info() -> DriverInfo:
    """What a connection tells the server of its library; redis-py would read its metadata for each connection."""
    return DriverInfo()


def _pool_options(patience_s: float) -> dict[str, Any]:
    return {
        "decode_responses": True,
        "driver_info": _driver_info(),
        "max_connections": MOST_CONNECTIONS,
        "retry": PatientRetry(patience_s),
        "socket_timeout": SOCKET_TIMEOUT_S,
        "socket_connect_timeout": 5.0,
    }


def without_password(url: str) -> str:
    """The URL with its password masked, for messages and logs."""
    parts = urlsplit(url)
    login, at, server = parts.netloc.rpartition("@")
    shown = f"{login.split(':')[0]}:***@{server}" if at and ":" in login else parts.netloc
    return urlunsplit(parts._replace(netloc=shown))


async def memory_fault(redis: RedisClient) -> str:
    """What to say if Redis has reached its memory limit, so that nothing new begins; "" if it has room."""
    try:
        info = await redis.info("memory")
    except NoPermissionError:
        return ""
    most, used = int(info.get("maxmemory", 0)), int(info.get("used_memory", 0))
    return f"{MEMORY_FULL} ({used / 1e6:.1f} of {most / 1e6:.1f} MB)" if 0 < most <= used else ""


async def check_redis(redis: RedisClient) -> list[str]:
    """Check that a server keeps the data that it is given.

    Returns:
        Warnings about properties that could not be checked (managed servers often forbid CONFIG).

    Raises:
        RedisUnusable: the server is unreachable, too old, a cluster or a replica, evicts keys, or has no
            persistence.
    """
    try:
        info = await redis.info("everything")
    except NoPermissionError:
        return ["Redis forbids INFO, so eviction and persistence were not checked"]
    except RedisError as error:
        raise redis_fault(error) from error
    _check_kind(info)
    _check_eviction(info)
    return await _check_persistence(redis, info)


def _check_kind(info: dict[str, Any]) -> None:
    version = str(info.get("redis_version", "0"))
    if tuple(int(n) for n in re.findall(r"\d+", version)[:2]) < OLDEST_VERSION:
        raise RedisUnusable(f"Redis {version} is too old; version 6.2 or newer is needed")
    if info.get("redis_mode") == "cluster":
        raise RedisUnusable("Redis runs as a cluster, whose scripts cannot span keys; use a single server")
    if info.get("role") == "slave":
        raise RedisUnusable("this Redis is a read-only replica; point REDIS_URL at the primary")


def _check_eviction(info: dict[str, Any]) -> None:
    policy = info.get("maxmemory_policy", "noeviction")
    if info.get("maxmemory", 0) and policy != "noeviction":
        raise RedisUnusable(
            f"Redis would evict jobs when memory is short (maxmemory-policy {policy}); "
            "set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction"
        )


async def _check_persistence(redis: RedisClient, info: dict[str, Any]) -> list[str]:
    if info.get("aof_enabled"):
        return []
    try:
        saves = (await redis.config_get("save")).get("save", "")
    except ResponseError:
        return ["Redis has no append-only file and forbids CONFIG, so its persistence was not checked"]
    if not saves:
        raise RedisUnusable(
            "Redis loses its data at a restart; switch on its append-only file: "
            "redis-cli CONFIG SET appendonly yes"
        )
    return ["Redis persists by snapshots only: a crash of the server loses everything after the last one"]


async def answers(path: Path) -> bool:
    """Whether a server behind this socket answers now and has loaded its data."""
    client = connect_socket(path, patience_s=0.0)
    try:
        async with asyncio.timeout(ANSWER_S):
            return bool(await client.ping())
    except StorageFull:  # with a full disk PING is refused, but the server runs and can be read
        return True
    except (RedisUnusable, RedisError, TimeoutError):
        return False
    finally:
        await client.aclose()


# Redis connections whose writes can be cancelled safely.
#
# redis-py writes under `asyncio.wait_for`. On Python 3.11 this loses a cancellation that arrives when a write
# ends (bpo-37658, fixed in 3.12), and a loop that was asked to stop never stops. These connections write under
# `asyncio.timeout`, which also saves one task per write.


class _Cancellable(AbstractConnection):
    """Replaces redis-py's write by one under `asyncio.timeout`."""

    async def send_packed_command(
        self, command: bytes | str | Iterable[bytes], check_health: bool = True
    ) -> None:
        """Write a command, and connect first if necessary. An error closes the connection."""
        if not self.is_connected:
            await self.connect_check_health(check_health=False)
        if check_health:
            await self.check_health()  # type: ignore[no-untyped-call]  # redis-py has no annotation there
        data = command.encode() if isinstance(command, str) else command
        try:
            async with asyncio.timeout(self.socket_timeout):
                await self._send_packed_command([data] if isinstance(data, bytes) else data)
        except BaseException as error:
            await self.disconnect(nowait=True)
            if isinstance(error, TimeoutError):
                raise RedisTimeoutError("Timeout writing to socket") from None
            if isinstance(error, OSError):
                raise RedisConnectionError(f"Error while writing to socket: {error}") from error
            raise


class CancellableConnection(_Cancellable, Connection):
    """A connection over TCP."""


class CancellableSSLConnection(_Cancellable, SSLConnection):
    """A connection over TLS."""


class CancellableSocketConnection(_Cancellable, UnixDomainSocketConnection):
    """A connection over a Unix socket."""


CANCELLABLE: dict[type[AbstractConnection], type[AbstractConnection]] = {
    Connection: CancellableConnection,
    SSLConnection: CancellableSSLConnection,
    UnixDomainSocketConnection: CancellableSocketConnection,
}
"""redis-py's class → our class for the same kind of address."""
