"""Bounds the connections of the server: how many there are, and how long one may send or read nothing.

uvicorn ends a connection that stays silent after an answer. It waits forever for the rest of a request, for a reader
who does not read, and has no limit of connections that ask for nothing.
"""

import asyncio
import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import h11
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from research_crawler.core.log import get_log

log = get_log(__name__)
_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n"
)
_KNOWN = "caller_is_known"
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def note_known(scope: Scope) -> None:
    """Note that the caller of a request has shown a token or a session."""
    scope.setdefault("state", {})[_KNOWN] = True


def is_known(scope: Mapping[str, object]) -> bool:
    """Whether that was noted."""
    state = scope.get("state")
    return isinstance(state, dict) and _KNOWN in state


@dataclass(frozen=True)
class ConnectionLimits:
    """What one client can take of the server."""

    most: int = 500
    """Connections at once. Another one takes the place of the oldest without a request, or whose body a stranger has
    not sent yet; if there is none, it gets a 503."""
    head_s: float = 20.0
    """Longest time from the first byte of a request, or from the connection, to the end of its headers."""
    body_s: float = 60.0
    """Longest time for the body of a request."""
    strangers_body_s: float = 5.0
    """Longest time for the body of a caller who has shown neither token nor session: that of the form to sign in."""
    unread_s: float = 60.0
    """Longest time in which a client takes nothing of an answer that waits for it."""

    @classmethod
    def within_files(cls, most: int) -> "ConnectionLimits":
        """At most so many connections, and no more than half of the files that this process may open."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return cls(most=most if files == resource.RLIM_INFINITY else max(1, min(most, files // 2)))


def bounded_connections(limits: ConnectionLimits) -> type[H11Protocol]:
    """uvicorn's connection within these limits, for its setting `http`."""
    return type("BoundedConnections", (BoundedConnection,), {"limits": limits})


class BoundedConnection(H11Protocol):
    """One connection, which ends when a limit is reached."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._since_s = time.monotonic()
        self._awaited: object = None
        """Which part of a request is awaited: the client's state of h11 when the timer was set."""
        self._late: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    @property
    def has_request(self) -> bool:
        """Whether a request is being read or answered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def may_be_displaced(self) -> bool:
        """Whether another connection may take its place: nothing is asked, or a stranger is still to say what."""
        return not self.has_request or (self.conn.their_state is h11.SEND_BODY and not is_known(self.scope))

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Take the connection, if there is a place for it."""
        if len(self.connections) >= self.limits.most and not self._made_room():
            self.transport = transport  # the server never knows of it
            transport.write(_TOO_MANY)
            transport.close()
            return
        super().connection_made(transport)
        self._await_part()

    def data_received(self, data: bytes) -> None:
        """Read on, and set the time for the part that is awaited then."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._await_part()

    def on_response_complete(self) -> None:
        """From here uvicorn's own timer runs until the next request begins."""
        self._stop_waiting()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Give the client time to read what waits for it."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.limits.unread_s, self._end_unread)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and its timers."""
        if self.flow is None:  # it was refused
            return
        self._stop_waiting()
        super().connection_lost(exc)
        if self._unread is not None:
            self._unread.cancel()

    def _made_room(self) -> bool:
        mine = [one for one in self.connections if isinstance(one, BoundedConnection)]
        idle = [one for one in mine if one.may_be_displaced]
        if not idle:
            log.warning("the server has too many connections", most=self.limits.most)
            return False
        oldest = min(idle, key=lambda one: one._since_s)
        oldest.transport.abort()
        self.connections.discard(
            oldest
        )  # it is lost in the next turn of the loop, and others may come in this one
        return True

    def _await_part(self) -> None:
        """Set the timer for the part of the request that is to come; each part has one."""
        state = self.conn.their_state
        if state is self._awaited:
            return
        self._stop_waiting()
        if state is h11.IDLE:
            self._wait(state, self.limits.head_s, self._end_late)
        elif state is h11.SEND_BODY:
            self._wait(state, self.limits.strangers_body_s, self._end_stranger)

    def _wait(self, state: object, seconds: float, end: Callable[[], None]) -> None:
        self._awaited, self._late = state, self.loop.call_later(seconds, end)

    def _stop_waiting(self) -> None:
        self._awaited = None
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end_stranger(self) -> None:
        """The application has had its time to see who asks."""
        if is_known(self.scope):
            rest_s = max(0.0, self.limits.body_s - self.limits.strangers_body_s)
            self._wait(self._awaited, rest_s, self._end_late)
        else:
            self._end_late()

    def _end_late(self) -> None:
        if self.transport.is_closing():
            return
        if not self.has_request:
            self.transport.write(_TOO_LATE)
        self.transport.close()

    def _end_unread(self) -> None:
        self.transport.abort()
