"""Decides who may call: the bearer token, the Host header against DNS rebinding, and no other origins."""

import ipaddress
import secrets
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from research_crawler.interfaces.http.connections import is_known, note_known
from research_crawler.interfaces.http.faults import TOO_LARGE, error_answer

OPEN_PATHS = frozenset({"/health", "/docs", "/openapi.json"})
"""What needs no token: it says nothing about anybody's data, and a browser cannot send a token with a link."""
DASHBOARD = "/ui"
"""Where the dashboard is mounted."""
_REFUSED: Final = "a valid bearer token is needed"
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Access:
    """Refuses a request before it reaches the application."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: Collection[str], max_bytes: int) -> None:
        """Wrap an application.

        Args:
            app: the application behind.
            token: what `Authorization: Bearer …` must hold.
            hosts: further names under which this server is reached, without a port.
            max_bytes: the longest body of a request.
        """
        self._app, self._token = app, token.encode()
        self._max_bytes = max_bytes
        self._hosts = _LOCAL | {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with an error, or pass the request on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, counted(receive, self._max_bytes), send)
            return
        status, message = refusal
        if status == 401 and scope["path"] == "/" and "text/html" in Headers(scope=scope).get("accept", ""):
            await RedirectResponse(f"{DASHBOARD}/", 303)(scope, receive, send)  # a person typed the address
            return
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        await error_answer(status, message, headers={**headers, "Connection": "close"})(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, "this server is not known under that name; RESEARCH_SERVE_HOSTS lists its names"
        origin = headers.get("origin")
        if origin is not None and _host_in(origin) != host.lower():
            return 403, "requests from pages of other origins are refused"
        if "transfer-encoding" in headers and "content-length" in headers:
            return 400, "a request says either how long it is or that it comes in pieces"
        if self._knows_token(headers):
            note_known(scope)
        if scope["path"] in OPEN_PATHS:
            return None
        if self._token in scope["query_string"]:  # an address is logged on its way
            return 401, _REFUSED
        if not is_of_dashboard(scope["path"]) and not is_known(scope):
            return 401, _REFUSED
        length = headers.get("content-length", "0")
        return (413, TOO_LARGE) if length.isdigit() and int(length) > self._max_bytes else None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this server; an IP address cannot be rebound, so any is accepted."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _knows_token(self, headers: Headers) -> bool:
        """Whether the header holds the token."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and secrets.compare_digest(given.strip().encode(), self._token)


def _host_in(origin: str) -> str:
    """Name and port in an Origin header; empty if it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def is_of_dashboard(path: str) -> bool:
    """Whether the dashboard answers there, which asks for the token itself: a browser sends no header with a link."""
    return path == DASHBOARD or path.startswith(f"{DASHBOARD}/")


def counted(receive: Receive, most: int) -> Receive:
    """The messages of a request, up to a length of its body that it did not announce."""
    length = 0

    async def next_message() -> Message:
        nonlocal length
        message = await receive()
        length += len(message.get("body", b""))
        if length > most:
            raise HTTPException(413)
        return message

    return next_message
