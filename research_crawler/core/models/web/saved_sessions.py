"""What a person's browser session leaves for a host: cookies and local storage, in Playwright's form."""

import contextlib
import math
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from research_crawler.core.errors import UsageError
from research_crawler.core.models.web.cookies import FOREVER, Cookie, CookieJar
from research_crawler.core.web.urls import host_of, is_public_suffix, site_of

MAX_STATE_BYTES: Final = 262_144
"""Largest state of a browser session that is kept for a host."""
LAST_TIME_S: Final = 253_402_300_799
"""The last second of the year 9999."""
_NOT_IN_COOKIES: Final = re.compile(r"[\x00-\x08\n-\x1f\x7f;\ud800-\udfff]")
"""Characters that would end the cookie, or the header in which it is sent (RFC 6265, 4.1.1)."""
_SAME_SITE: Final = {"strict": "Strict", "none": "None", "no_restriction": "None"}
"""What exports call it, and what browsers take; others mean the usual one."""


def _sendable(text: str) -> str:
    if _NOT_IN_COOKIES.search(text):
        raise ValueError("a cookie has characters that no cookie has")
    return text


def _same_site(value: Any) -> str:
    return _SAME_SITE.get(str(value).lower(), "Lax")


def _end_s(seconds: float) -> float:
    if math.isnan(seconds):
        raise ValueError("a cookie's end is no time")
    return min(seconds, LAST_TIME_S)


def _storable(text: str) -> str:
    """A text of a page's script, which may hold half of a surrogate pair, as text that a file can hold."""
    return text.encode("utf-8", "replace").decode()


_CookieText = Annotated[str, AfterValidator(_sendable)]
_StorableText = Annotated[str, AfterValidator(_storable)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class SavedCookie(_Part):
    """A cookie as browsers export it."""

    name: _CookieText
    value: _CookieText
    domain: str
    path: Annotated[_CookieText, Field(pattern="^/")] = "/"
    expires: Annotated[float, AfterValidator(_end_s)] = -1
    """Unix time; below 0: until the browser is closed."""
    httpOnly: bool = False  # noqa: N815  # the names of the exported form
    secure: bool = False
    sameSite: Annotated[str, BeforeValidator(_same_site)] = "Lax"  # noqa: N815

    @property
    def host(self) -> str:
        """The host that it belongs to."""
        return self.domain.lower().removeprefix(".")


class SavedItem(_Part):
    """An entry of a local storage."""

    name: _StorableText
    value: _StorableText


class SavedOrigin(_Part):
    """The local storage of an origin."""

    origin: str
    localStorage: list[SavedItem] = Field(default_factory=list)  # noqa: N815


class StorageState(_Part):
    """Cookies and local storage of a browser session."""

    cookies: list[SavedCookie] = Field(default_factory=list)
    origins: list[SavedOrigin] = Field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.cookies or self.origins)

    def of_host(self, host: str) -> "StorageState":
        """The part that belongs to a host and its site: what other sites left in the session is not kept."""
        site = site_of(f"http://{_bracketed(host)}/")
        return StorageState(
            cookies=[one for one in self.cookies if _belongs(one.host, host, site)],
            origins=[one for one in self.origins if _belongs(host_of(one.origin), host, site)],
        )

    def jar(self) -> CookieJar:
        """Its cookies for plain downloads."""
        return CookieJar(
            cookies=[
                Cookie(
                    name=saved.name,
                    value=saved.value,
                    host=saved.host,
                    host_only=not saved.domain.startswith("."),
                    path=saved.path,
                    secure=saved.secure,
                    expires_s=saved.expires if saved.expires > 0 else FOREVER,
                )
                for saved in self.cookies
            ]
        )


def seen_cookies(found: Iterable[Mapping[str, Any]]) -> list[SavedCookie]:
    """The cookies of a browser, without those that could not be sent."""
    cookies = []
    for one in found:
        with contextlib.suppress(ValidationError):
            cookies.append(SavedCookie.model_validate(one))
    return cookies


def read_session(text: str | bytes) -> StorageState:
    """Read an exported session.

    Raises:
        UsageError: it is too large, or it is none.
    """
    if len(text) > MAX_STATE_BYTES:
        raise UsageError(f"the session is larger than {MAX_STATE_BYTES:,} bytes")
    try:
        return StorageState.model_validate_json(text)
    except ValidationError:
        raise UsageError(
            "this is no session: give the JSON that Playwright's storage_state writes ({cookies, origins})"
        ) from None


def _belongs(found: str, host: str, site: str) -> bool:
    """Whether a host's data may be kept for `host`: both are of one site, and no public suffix is named."""
    if not found or is_public_suffix(found):
        return False
    return found == host or site_of(f"http://{_bracketed(found)}/") == site


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
