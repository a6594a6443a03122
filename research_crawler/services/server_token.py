"""The bearer token that servers ask for, over HTTP or otherwise.

It is given by a setting, or made on the first start and kept in the data folder.
"""

import ipaddress
import os
import secrets
from pathlib import Path

from research_crawler.adapters.private_files import private_file, private_folder
from research_crawler.core.config import Config
from research_crawler.core.errors import ConfigError, NotStarted

TOKEN_FILE = "serve.token"  # noqa: S105  # the name of the file
LEAST_CHARACTERS = 16
"""Shortest token that a user may give a server."""


def token_of(config: Config) -> tuple[str, str]:
    """The token, and where the user finds it.

    Raises:
        ConfigError: the given token is too short, or the server would listen to other machines without a token that
            somebody chose.
        NotStarted: a new token cannot be kept.
    """
    given = _given(config)
    if given:
        if len(given[0]) < LEAST_CHARACTERS or not given[0].isascii() or not given[0].isprintable():
            raise ConfigError(
                f"{given[1]}: the token must have {LEAST_CHARACTERS} or more printable characters; "
                "`openssl rand -hex 32` makes one"
            )
        return given
    if not is_loopback(config.serve_host):
        raise ConfigError(
            f"RESEARCH_SERVE_HOST {config.serve_host} is open to other machines: give a token by "
            "RESEARCH_SERVE_TOKEN, or its file by RESEARCH_SERVE_TOKEN_FILE"
        )
    return _kept(config.home / TOKEN_FILE)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _given(config: Config) -> tuple[str, str] | None:
    token = config.serve_token.get_secret_value().strip()
    return (token, "RESEARCH_SERVE_TOKEN") if token else None


def _kept(path: Path) -> tuple[str, str]:
    """The token of an earlier start, else a new one, in a file that only its owner can read."""
    try:
        private_folder(path.parent)
        if path.exists() and (token := path.read_text(encoding="ascii").strip()):
            path.chmod(0o600)
            return token, str(path)
        token = secrets.token_urlsafe(32)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        with open(fresh, "w", encoding="ascii", opener=private_file) as file:
            file.write(f"{token}\n")
        fresh.replace(path)
    except (OSError, UnicodeDecodeError) as error:
        raise NotStarted(
            f"the token cannot be kept in {path} ({error}); give RESEARCH_SERVE_TOKEN"
        ) from error
    return token, str(path)
