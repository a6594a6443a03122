"""Heads of HTTP/1.1 messages as a forward proxy reads and writes them (RFC 9112, 3.2; RFC 9110, 9.3.6)."""

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

_REQUEST_LINE = re.compile(rb"([A-Z]{3,20}) (\S{1,8192}) HTTP/1\.[01]")
_AUTHORITY = re.compile(rb"(\[[0-9a-fA-F:.%]+\]|[^\s:/?#@\[\]]+):([0-9]{1,5})")
_HOP_BY_HOP = re.compile(
    rb"(?im)^(?:connection|proxy-connection|proxy-authorization|keep-alive|upgrade|te|trailer):[^\r\n]*\r\n"
)
MAX_HEAD_BYTES = 65_536


class Malformed(Exception):
    """Not a message that a browser sends to its proxy."""


@dataclass(frozen=True)
class Ask:
    """What the browser wants: a tunnel (https, WebSockets), or one request."""

    url: str
    """What the guard judges; a tunnel's is the origin alone."""
    host: str
    port: int
    method: bytes
    target: bytes
    fields: bytes
    """Header fields, each line with its end."""

    @property
    def is_tunnel(self) -> bool:
        """Whether bytes are passed on unseen."""
        return self.method == b"CONNECT"


async def read_head(reader: asyncio.StreamReader) -> bytes:
    """Everything up to the empty line.

    Raises:
        Malformed: the head is too long.
        asyncio.IncompleteReadError: it ended before.
    """
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError as error:
        raise Malformed("malformed") from error


def read_ask(head: bytes) -> Ask:
    """A request to a proxy.

    Raises:
        Malformed: any other message.
    """
    line, _, fields = head.removesuffix(b"\r\n").partition(b"\r\n")
    request = _REQUEST_LINE.fullmatch(line)
    if request is None:
        raise Malformed("malformed")
    method, target = request.groups()
    if method == b"CONNECT":
        return _tunnel(target, fields)
    try:
        url = target.decode("ascii")
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 80
    except ValueError as error:
        raise Malformed("malformed") from error
    if parts.scheme != "http" or not host:
        raise Malformed("malformed")
    path = (parts.path or "/") + (f"?{parts.query}" if "?" in url else "")
    return Ask(url, host, port, method, path.encode(), fields)


def _tunnel(target: bytes, fields: bytes) -> Ask:
    authority = _AUTHORITY.fullmatch(target)
    if authority is None or not 0 < int(authority[2]) < 65_536 or not target.isascii():
        raise Malformed("malformed")
    host = authority[1].decode().strip("[]")
    return Ask(f"https://{target.decode()}/", host, int(authority[2]), b"CONNECT", target, fields)


def ask_head(ask: Ask) -> bytes:
    """The request as the origin gets it: one on its connection."""
    fields = _HOP_BY_HOP.sub(b"", ask.fields)
    return b"%b %b HTTP/1.1\r\n%bConnection: close\r\n\r\n" % (ask.method, ask.target, fields)


def answer_head(head: bytes) -> bytes:
    """An answer's head as the browser gets it: the last one on its connection."""
    status_line, _, fields = head.removesuffix(b"\r\n").partition(b"\r\n")
    return b"%b\r\n%bConnection: close\r\n\r\n" % (status_line, _HOP_BY_HOP.sub(b"", fields))
