"""A command's cookies: what a site sets on a redirect is sent back to it, within this command, and to nobody else.

After RFC 6265, 5.2 to 5.4, with the public suffix list that tldextract brings along (5.3, step 5).
"""

from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.urls import ascii_host, host_of, is_public_suffix

MAX_COOKIES: Final = 50
"""Cookies of one command (RFC 6265, 6.1: at least 50 a host); the oldest go."""
LONGEST: Final = 4_096
"""Characters of a name with its value."""
FOREVER: Final = 0.0


class Cookie(Frozen):
    """One cookie; where it is sent to is decided by host, path and scheme."""

    name: str
    value: str
    host: str
    host_only: bool
    path: str
    secure: bool = False
    expires_s: float = FOREVER
    """Unix time; 0: as long as the command."""

    @property
    def key(self) -> tuple[str, str, str]:
        """A cookie of the same key is replaced."""
        return self.name, self.host, self.path

    def is_for(self, url: str, now_s: float) -> bool:
        """Whether it is sent with a request for this URL."""
        parts, host = urlsplit(url), host_of(url)
        return (
            (host == self.host or (not self.host_only and _is_below(host, self.host)))
            and _path_matches(parts.path or "/", self.path)
            and (parts.scheme == "https" or not self.secure)
            and not self.is_over(now_s)
        )

    def is_over(self, now_s: float) -> bool:
        """Whether its time has passed."""
        return self.expires_s != FOREVER and self.expires_s <= now_s


class CookieJar(Wire):
    """The cookies of one command, oldest first. Immutable: `taking` answers another one."""

    cookies: list[Cookie] = []  # noqa: RUF012  # pydantic copies it

    def taking(self, url: str, lines: Iterable[str], now_s: float) -> "CookieJar":
        """The jar after an answer of `url` with these Set-Cookie lines; the same one where they change nothing."""
        kept = {cookie.key: cookie for cookie in self.cookies}
        for line in lines:
            if cookie := read_cookie(line, url, now_s):
                kept.pop(cookie.key, None)
                kept |= {} if cookie.is_over(now_s) else {cookie.key: cookie}
        cookies = list(kept.values())[-MAX_COOKIES:]
        return self if cookies == self.cookies else CookieJar(cookies=cookies)

    def header_for(self, url: str, now_s: float) -> str:
        """The value of the Cookie header of a request; empty where there is none to send."""
        sent = [cookie for cookie in self.cookies if cookie.is_for(url, now_s)]
        sent.sort(key=lambda cookie: -len(cookie.path))  # longer paths first (5.4), else as they came
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in sent)


def read_cookie(line: str, url: str, now_s: float) -> Cookie | None:
    """The cookie of a Set-Cookie line; None where it is malformed, or not for its host to set."""
    pair, *rest = line.split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not (name and equals) or len(name) + len(value) > LONGEST or not pair.isprintable():
        return None
    given = {key.strip().lower(): text.strip() for key, _, text in (part.partition("=") for part in rest)}
    host, parts = host_of(url), urlsplit(url)
    domain = ascii_host(given.get("domain", "").removeprefix("."))
    if given.get("domain") and not domain:
        return None
    if domain and domain != host and (is_public_suffix(domain) or not _is_below(host, domain)):
        return None
    is_secure = "secure" in given
    if is_secure and parts.scheme != "https":
        return None
    path = given.get("path", "")
    return Cookie(
        name=name,
        value=value,
        host=domain or host,
        host_only=not domain or is_public_suffix(domain),
        path=path if path.startswith("/") else _folder_of(parts.path),
        secure=is_secure,
        expires_s=_end_s(given, now_s),
    )


def _end_s(given: dict[str, str], now_s: float) -> float:
    """Max-Age counts before Expires; what cannot be read counts as not given."""
    age = given.get("max-age", "")
    if age.removeprefix("-").isdecimal() and len(age) < 12:
        return max(now_s + int(age), 1.0)
    try:
        return max(parsedate_to_datetime(given["expires"]).timestamp(), 1.0)
    except (KeyError, ValueError, OverflowError, TypeError):
        return FOREVER


def _is_below(host: str, domain: str) -> bool:
    """Whether a host is under a domain; addresses are under none."""
    return host.endswith(f".{domain}") and not host.rpartition(".")[2].isdecimal() and ":" not in host


def _path_matches(path: str, wanted: str) -> bool:
    return path == wanted or path.startswith(wanted if wanted.endswith("/") else f"{wanted}/")


def _folder_of(path: str) -> str:
    """The default path (5.1.4): up to the last slash, without it."""
    return path.rpartition("/")[0] or "/"
