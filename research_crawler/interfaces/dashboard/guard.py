"""Stands before every page: nobody sees one without a session, and each carries the policy that lets it run nothing."""

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from research_crawler.interfaces.dashboard.sessions import Sessions
from research_crawler.interfaces.http.access import DASHBOARD, counted
from research_crawler.interfaces.http.connections import note_known

SIGN_IN: Final = f"{DASHBOARD}/sign-in"
SIGN_IN_BYTES: Final = 4_096
"""Longest body of a stranger: the form to sign in has the token."""
STATIC: Final = f"{DASHBOARD}/static/"
KEPT: Final = "private, max-age=31536000, immutable"
"""For a static file whose address names what is in it (`?v=…`): a browser asks for it once."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: with that, browsers send forms with the origin `null`, which the server refuses.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Sends who has not signed in to the page for that."""

    def __init__(self, app: ASGIApp, *, sessions: Sessions) -> None:
        self._app, self._sessions = app, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request with the headers of a page."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if is_named_file and message["status"] == 200:
                    headers["Cache-Control"] = KEPT
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        path = scope["path"]
        is_named_file = path.startswith(STATIC) and scope["query_string"].startswith(b"v=")
        if scope["type"] != "http" or self._sessions.knows(
            Request(scope).cookies.get(self._sessions.cookie, "")
        ):
            note_known(scope)
            await self._app(scope, receive, with_headers)
        elif path == SIGN_IN or path.startswith(STATIC):
            await self._app(scope, counted(receive, SIGN_IN_BYTES), with_headers)
        else:
            await RedirectResponse(SIGN_IN, 303)(scope, receive, with_headers)
