"""Reads and writes the heads of HTTP/1.1 messages for a forward proxy (RFC 9112, 3.2; RFC 9110, 9.3.6)."""

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

_REQUEST_LINE = re.compile(rb"([A-Z]{3,20}) (\S{1,8192}) HTTP/1\.[01]")
_AUTHORITY = re.compile(rb"(\[[0-9a-fA-F:.%]+\]|[^\s:/?#@\[\]]+):([0-9]{1,5})")
_HOP_BY_HOP = re.compile(
    rb"(?im)^(?:connection|proxy-connection|proxy-authorization|keep-alive|upgrade|te|trailer):[^\r\n]*\r\n"
)


class Malformed(Exception):
    """The message is not one that a browser sends to its proxy."""


@dataclass(frozen=True)
class ProxyRequest:
    """A request of the browser to the proxy: for a tunnel (https, WebSockets), or a plain one."""

    url: str
    """The URL that the guard checks; for a tunnel only the origin."""
    host: str
    port: int
    method: bytes
    target: bytes
    fields: bytes
    """Header fields, with their line ends."""

    @property
    def is_tunnel(self) -> bool:
        """Whether the request asks for a tunnel, whose bytes are passed on unchanged."""
        return self.method == b"CONNECT"


async def read_head(reader: asyncio.StreamReader) -> bytes:
    """Read a message up to the empty line.

    Raises:
        Malformed: the head is too long.
        asyncio.IncompleteReadError: the stream ended before.
    """
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError as error:
        raise Malformed("malformed") from error


def read_request(head: bytes) -> ProxyRequest:
    """Parse the head of a request to a proxy.

    Raises:
        Malformed: it is any other message.
    """
    line, _, fields = head.removesuffix(b"\r\n").partition(b"\r\n")
    matched = _REQUEST_LINE.fullmatch(line)
    if matched is None:
        raise Malformed("malformed")
    method, target = matched.groups()
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
    return ProxyRequest(url, host, port, method, path.encode(), fields)


def _tunnel(target: bytes, fields: bytes) -> ProxyRequest:
    authority = _AUTHORITY.fullmatch(target)
    if authority is None or not 0 < int(authority[2]) < 65_536 or not target.isascii():
        raise Malformed("malformed")
    host = authority[1].decode().strip("[]")
    return ProxyRequest(f"https://{target.decode()}/", host, int(authority[2]), b"CONNECT", target, fields)


def request_head(request: ProxyRequest) -> bytes:
    """The head of the request for the origin, with `Connection: close`."""
    fields = _HOP_BY_HOP.sub(b"", request.fields)
    return b"%b %b HTTP/1.1\r\n%bConnection: close\r\n\r\n" % (request.method, request.target, fields)


def answer_head(head: bytes) -> bytes:
    """The head of an answer for the browser, with `Connection: close`."""
    status_line, _, fields = head.removesuffix(b"\r\n").partition(b"\r\n")
    return b"%b\r\n%bConnection: close\r\n\r\n" % (status_line, _HOP_BY_HOP.sub(b"", fields))
