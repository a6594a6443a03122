"""Connections whose writes can be cancelled.

redis-py writes under `asyncio.wait_for`. On Python 3.11 that loses a cancellation which meets the end of a write
(bpo-37658, mended in 3.12): a loop that is asked to stop then runs for ever. These write under `asyncio.timeout`,
which also saves a task for each write.
"""

import asyncio
from collections.abc import Iterable

from redis.asyncio import Connection, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError


class _Cancellable(AbstractConnection):
    """redis-py's own write, by other means."""

    async def send_packed_command(
        self, command: bytes | str | Iterable[bytes], check_health: bool = True
    ) -> None:
        """Write, connecting first where needed; what goes wrong closes the connection."""
        if not self.is_connected:
            await self.connect_check_health(check_health=False)
        if check_health:
            await self.check_health()  # type: ignore[no-untyped-call]  # redis-py has no annotation there
        whole = command.encode() if isinstance(command, str) else command
        try:
            async with asyncio.timeout(self.socket_timeout):
                await self._send_packed_command([whole] if isinstance(whole, bytes) else whole)
        except BaseException as error:
            await self.disconnect(nowait=True)
            if isinstance(error, TimeoutError):
                raise RedisTimeoutError("Timeout writing to socket") from None
            if isinstance(error, OSError):
                raise RedisConnectionError(f"Error while writing to socket: {error}") from error
            raise


class CancellableConnection(_Cancellable, Connection):
    """Over TCP."""


class CancellableSSLConnection(_Cancellable, SSLConnection):
    """Over TLS."""


class CancellableSocketConnection(_Cancellable, UnixDomainSocketConnection):
    """Over a Unix socket."""


CANCELLABLE: dict[type[AbstractConnection], type[AbstractConnection]] = {
    Connection: CancellableConnection,
    SSLConnection: CancellableSSLConnection,
    UnixDomainSocketConnection: CancellableSocketConnection,
}
"""By redis-py's class for the same kind of address."""
