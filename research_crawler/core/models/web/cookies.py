"""The cookies of a command: a cookie that a site sets on a redirect is sent back to this site in this command
only.

According to RFC 6265, 5.2 to 5.4, with the public suffix list that is packaged with tldextract (5.3, step 5).
"""

from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.web.urls import ascii_host, host_of, is_public_suffix

MAX_COOKIES: Final = 50
"""Maximum number of cookies of one command (RFC 6265, 6.1: at least 50 a host). The oldest are dropped."""
_LONGEST: Final = 4_096
"""Maximum number of characters of a name and its value."""
FOREVER: Final = 0.0
"""A cookie that names no end lasts as long as the command."""


class Cookie(Frozen):
    """One cookie. Host, path and scheme decide where it is sent."""

    name: str
    value: str
    host: str
    host_only: bool
    path: str
    secure: bool = False
    expires_s: float = FOREVER
    """Unix time; 0: as long as the command lasts."""

    @property
    def key(self) -> tuple[str, str, str]:
        """A new cookie replaces one with the same key."""
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
        """Whether it has expired."""
        return self.expires_s != FOREVER and self.expires_s <= now_s


class CookieJar(Wire):
    """The cookies of one command, oldest first. It is immutable: `taking` returns a new jar."""

    cookies: list[Cookie] = []  # noqa: RUF012  # pydantic copies it

    def taking(self, url: str, lines: Iterable[str], now_s: float) -> "CookieJar":
        """The jar after a response from `url` with these Set-Cookie lines; the same jar if nothing
        changes."""
        by_key = {cookie.key: cookie for cookie in self.cookies}
        for line in lines:
            if cookie := read_cookie(line, url, now_s):
                by_key.pop(cookie.key, None)
                by_key |= {} if cookie.is_over(now_s) else {cookie.key: cookie}
        cookies = list(by_key.values())[-MAX_COOKIES:]
        return self if cookies == self.cookies else CookieJar(cookies=cookies)

    def header_for(self, url: str, now_s: float) -> str:
        """The value of the Cookie header of a request; empty if there are no cookies to send."""
        sent = [cookie for cookie in self.cookies if cookie.is_for(url, now_s)]
        sent.sort(key=lambda cookie: -len(cookie.path))  # longer paths first (5.4), then the older cookies
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in sent)


def read_cookie(line: str, url: str, now_s: float) -> Cookie | None:
    """Parse a Set-Cookie line; None if it is malformed, or if its host may not set this cookie."""
    pair, *attribute_texts = line.split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not (name and equals) or len(name) + len(value) > _LONGEST or not pair.isprintable():
        return None
    attributes = {
        key.strip().lower(): text.strip()
        for key, _, text in (part.partition("=") for part in attribute_texts)
    }
    host, parts = host_of(url), urlsplit(url)
    domain = ascii_host(attributes.get("domain", "").removeprefix("."))
    if attributes.get("domain") and not domain:
        return None
    if domain and domain != host and (is_public_suffix(domain) or not _is_below(host, domain)):
        return None
    is_secure = "secure" in attributes
    if is_secure and parts.scheme != "https":
        return None
    path = attributes.get("path", "")
    return Cookie(
        name=name,
        value=value,
        host=domain or host,
        host_only=not domain or is_public_suffix(domain),
        path=path if path.startswith("/") else _folder_of(parts.path),
        secure=is_secure,
        expires_s=_end_s(attributes, now_s),
    )


def _end_s(attributes: dict[str, str], now_s: float) -> float:
    """The time of expiry. Max-Age wins over Expires; an unreadable value is ignored."""
    age = attributes.get("max-age", "")
    if age.removeprefix("-").isdecimal() and len(age) < 12:
        return max(now_s + int(age), 1.0)
    try:
        return max(parsedate_to_datetime(attributes["expires"]).timestamp(), 1.0)
    except (KeyError, ValueError, OverflowError, TypeError):
        return FOREVER


def _is_below(host: str, domain: str) -> bool:
    """Whether a host is a subdomain of a domain. Addresses never are."""
    return host.endswith(f".{domain}") and not host.rpartition(".")[2].isdecimal() and ":" not in host


def _path_matches(path: str, wanted: str) -> bool:
    return path == wanted or path.startswith(wanted if wanted.endswith("/") else f"{wanted}/")


def _folder_of(path: str) -> str:
    """The default path (5.1.4): up to the last slash, without it."""
    return path.rpartition("/")[0] or "/"
