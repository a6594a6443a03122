"""Limits what a thread does in which apprise sends an alert: where it connects, how long it reads, and how much.

apprise sends by libraries that resolve names and read answers themselves, without an end for an answer that dribbles.
In a thread that sends, `socket.getaddrinfo` asks the address guard, and reading from a socket has a deadline.
"""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from research_crawler.core.errors import AddressRefused
from research_crawler.core.web.addresses import AddressGuard

SENDERS: Final = 8
"""Most threads that send at once."""
SENDING_S: Final = 40.0
"""Longest time in which the answers to one alert are read; a single read ends after apprise's own 4 s."""
MAX_ANSWER_BYTES: Final = 256_000
"""Most bytes of all answers to one alert. They may be compressed, and expand to a thousand times of this."""
_here = threading.local()


@dataclass
class Sending:
    """What became of one alert."""

    guard: AddressGuard
    end_s: float
    bytes_left: int = MAX_ANSWER_BYTES
    resolved: bool = False
    """Whether a host was resolved, so that something may have been sent."""
    refused: str = ""
    """Why the guard refused an address."""


async def in_thread(work: Callable[[], None]) -> None:
    """Run a function in a thread of its own, for which neither other threads' work nor the end of the process waits.

    The threads of `asyncio.to_thread` are few and shared, and the process waits for them before it ends: a receiver
    that takes its time would hold up both.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def tell(error: Exception | None) -> None:
        if ended.done():  # nobody waits any longer
            return
        if error is None:
            ended.set_result(None)
        else:
            ended.set_exception(error)

    def run() -> None:
        error: Exception | None = None
        try:
            work()
        except Exception as raised:  # it is raised where the work is awaited
            error = raised
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, error)

    threading.Thread(target=run, name="alert", daemon=True).start()
    await ended


@contextmanager
def limited_sending(guard: AddressGuard, *, seconds: float = SENDING_S) -> Iterator[Sending]:
    """Limit what this thread does while the block runs."""
    _install()
    sending = _here.sending = Sending(guard, time.monotonic() + seconds)
    try:
        yield sending
    finally:
        _here.sending = None


def _current() -> Sending | None:
    found: Sending | None = getattr(_here, "sending", None)
    return found


@cache
def _install() -> None:
    """Put the limits between the libraries and the sockets; threads that send nothing are not affected."""
    resolve, read = socket.getaddrinfo, socket.SocketIO.readinto

    def checked(host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0) -> Any:
        answers = resolve(host, port, family, type, proto, flags)
        if (sending := _current()) is not None:
            try:
                sending.guard.check_addresses(str(host), [str(answer[4][0]) for answer in answers])
            except AddressRefused as error:
                sending.refused = str(error)
                raise OSError(str(error)) from error
            sending.resolved = True
        return answers

    def bounded(io: socket.SocketIO, buffer: Any) -> int | None:
        sending = _current()
        if sending is not None and time.monotonic() > sending.end_s:
            raise TimeoutError("the service takes too long to answer")
        length = read(io, buffer)
        if sending is not None:
            sending.bytes_left -= length or 0
            if sending.bytes_left < 0:
                raise OSError("the service answers with too much")
        return length

    socket.getaddrinfo = checked
    socket.SocketIO.readinto = bounded  # type: ignore[method-assign, assignment]  # the same call
