"""Where a server is going to answer, and whom. It loads fast, so that a port in use is told before all else begins."""

import socket
import sys
from dataclasses import dataclass

from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.interfaces.dashboard.sessions import CODE_LASTS_S, SignInCode
from research_crawler.services.server_token import is_loopback, token_of

_BACKLOG = 1_024
"""Connections that may wait to be accepted."""


def bound_socket(config: Config) -> socket.socket:
    """A socket that listens on the configured address; port 0 takes a free one.

    Raises:
        NotStarted: the address is taken, or is not one of this machine.
    """
    host, port = config.serve_host, config.serve_port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(_BACKLOG)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise NotStarted(
            f"cannot listen on {host} port {port} ({error.strerror or error}); "
            "RESEARCH_SERVE_HOST and RESEARCH_SERVE_PORT name another address"
        ) from error
    return listening


def url_of(listening: socket.socket) -> str:
    """The address of the server, for people."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@dataclass(frozen=True)
class Listening:
    """Where a server is going to answer, and whom; made before anything is started, so that a mistake costs nothing."""

    socket: socket.socket
    token: str
    token_place: str
    code: SignInCode | None = None
    """What signs one person in who sees the terminal; None: nobody does, or other machines reach the server."""

    @classmethod
    def prepared(cls, config: Config) -> "Listening":
        """Find or make the token, and listen.

        Raises:
            ConfigError, NotStarted: the message is one line that says what to do.
        """
        token, place = token_of(config)
        is_seen = sys.stderr.isatty() and is_loopback(config.serve_host)
        return cls(bound_socket(config), token, place, SignInCode() if is_seen else None)

    @property
    def notice(self) -> str:
        """The address and where the token is, for the user."""
        url = url_of(self.socket)
        where = f"dashboard: {url}/ui, for programs: {url}/docs"
        return f"serving {url} ({where}); the bearer token is in {self.token_place}"

    @property
    def sign_in_line(self) -> str:
        """What signs one person in to the dashboard, for the terminal alone, never for a log; empty: nothing does."""
        if self.code is None:
            return ""
        address = f"{url_of(self.socket)}/ui/sign-in?code={self.code.text}"
        return f"sign in: {address} (works once, within {CODE_LASTS_S // 60} minutes)"
