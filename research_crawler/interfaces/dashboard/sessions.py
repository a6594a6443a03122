"""Makes and checks the cookies of people who have signed in. The server keeps nothing: a cookie proves itself.

A cookie holds its end and a random text, signed with a key made of the bearer token. It never holds the token, and a
new token ends all sessions.
"""

import hashlib
import hmac
import secrets
import time
from typing import Final

LASTS_S: Final = 7 * 24 * 3600
"""How long a person stays signed in."""
MOST_LETTERS: Final = 200
"""So much of a cookie is read."""
CODE_LASTS_S: Final = 600
"""How long the code of a link to sign in can be used."""


class SignInCode:
    """A code that signs one person in, once and soon after the start; it is printed on a terminal and kept nowhere."""

    def __init__(self) -> None:
        self.text = secrets.token_urlsafe(32)
        self._ends = time.monotonic() + CODE_LASTS_S
        self._is_used = False

    def takes(self, given: str) -> bool:
        """Whether a code is this one, which is used up with that."""
        is_open = not self._is_used and time.monotonic() < self._ends
        is_right = is_open and secrets.compare_digest(given.encode("utf-8", "replace"), self.text.encode())
        self._is_used |= is_right
        return is_right


class Sessions:
    """The sessions of one server."""

    def __init__(self, token: str, code: SignInCode | None = None) -> None:
        self._code = code
        self._token = token.encode()
        self._key = hmac.digest(self._token, b"sessions of the dashboard", hashlib.sha256)
        self.cookie: Final = f"research_ui_{self._signed('cookie', '')[:8]}"
        """Name of the cookie. Browsers send a cookie to all ports of a host: each server needs a name of its own."""

    def is_token(self, given: str) -> bool:
        """Whether a person knows the token."""
        return secrets.compare_digest(given.strip().encode("utf-8", "replace"), self._token)

    def takes_code(self, given: str) -> bool:
        """Whether a person comes by the sign-in line of the terminal, which works once."""
        return self._code is not None and self._code.takes(given)

    def new(self) -> str:
        """The cookie of a person who has signed in."""
        body = f"{int(time.time()) + LASTS_S}.{secrets.token_hex(16)}"
        return f"{body}.{self._signed('session', body)}"

    def knows(self, cookie: str) -> bool:
        """Whether a cookie is one of ours that has not ended."""
        body, _, signature = cookie[:MOST_LETTERS].rpartition(".")
        if not secrets.compare_digest(
            signature.encode("utf-8", "replace"), self._signed("session", body).encode()
        ):
            return False
        return int(body.partition(".")[0]) > time.time()

    def form_key(self, cookie: str) -> str:
        """What each form of a session carries, so that no other page can send it."""
        return self._signed("form", cookie)

    def is_form_key(self, given: str, cookie: str) -> bool:
        """Whether a form was made for the session that sends it."""
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.form_key(cookie).encode())

    def _signed(self, what: str, text: str) -> str:
        message = f"{what}:{text}".encode("utf-8", "replace")
        return hmac.new(self._key, message, hashlib.sha256).hexdigest()
