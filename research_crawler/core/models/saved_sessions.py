"""What a person's browser session leaves for a host: cookies and local storage, in Playwright's form."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from research_crawler.core.errors import UsageError
from research_crawler.core.models.cookies import FOREVER, Cookie, CookieJar
from research_crawler.core.web.urls import host_of, is_public_suffix, site_of

MAX_STATE_BYTES: Final = 262_144


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class SavedCookie(_Part):
    """A cookie as browsers export it."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    """Unix time; below 0: until the browser is closed."""
    httpOnly: bool = False  # noqa: N815  # the names of the exported form
    secure: bool = False
    sameSite: str = "Lax"  # noqa: N815

    @property
    def host(self) -> str:
        """The host that it belongs to."""
        return self.domain.lower().removeprefix(".")


class SavedItem(_Part):
    """An entry of a local storage."""

    name: str
    value: str


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
                    name=one.name,
                    value=one.value,
                    host=one.host,
                    host_only=not one.domain.startswith("."),
                    path=one.path,
                    secure=one.secure,
                    expires_s=one.expires if one.expires > 0 else FOREVER,
                )
                for one in self.cookies
            ]
        )


def read_state(text: str | bytes) -> StorageState:
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
