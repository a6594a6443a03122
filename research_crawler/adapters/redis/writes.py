"""Redis connections whose writes can be cancelled safely.

redis-py writes under `asyncio.wait_for`. On Python 3.11 this loses a cancellation that arrives when a write
ends (bpo-37658, fixed in 3.12), and a loop that was asked to stop never stops. These connections write under
`asyncio.timeout`, which also saves one task per write.
"""

import asyncio
from collections.abc import Iterable

from redis.asyncio import Connection, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError


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
