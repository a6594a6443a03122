"""Canonical URLs, slots and page keys: they define which addresses the frontier takes as the same."""

import functools
import hashlib
import ipaddress
import re
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit, urlunsplit

import idna
from w3lib.url import canonicalize_url

from research_crawler.core.models.web.target import NO_SLOT, Target

if TYPE_CHECKING:
    from tldextract import TLDExtract
    from tldextract.tldextract import ExtractResult

TRACKING = re.compile(
    r"^(utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|mc_[ce]id|igshid|yclid|_hs(enc|mi)|ref_src|wt_mc)$", re.I
)
"""Query arguments that say where a visitor came from and never select a page."""
OWN_FILE = "file:///"
"""How the addresses of the caller's own files begin, which code makes of their names."""
MAX_URL = 2_000
"""Longest address that is used, in characters."""
DEFAULT_PORTS = {"http": 80, "https": 443}
"""Ports that a canonical address leaves out."""
HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
"""An ASCII host name. `_` and a leading hyphen are in use although RFC 1123 does not allow them."""
MOBILE_LABELS = frozenset({"m", "mobile"})
KEPT_URLS = 8_192
"""Canonical forms that a process remembers: the links of a page are looked at four times in one step (0.1 ms each), and
most of them stand on other pages of the host too. At 2,000 characters each they take 30 MB, ordinarily 2."""


def joined_url(base: str, href: str) -> str:
    """The address that a link on a page leads to; "" for one that is none. Never raises."""
    try:
        absolute = urljoin(base, href)
        urlsplit(absolute)
    except ValueError:
        return ""
    return absolute


@functools.lru_cache(maxsize=KEPT_URLS)
def canonical_url(url: str, base: str = "") -> str:
    """The canonical form of an http(s) URL: absolute, sorted query, no fragment, no tracking, IDNA host.

    Idempotent; never raises. Returns "" for anything that is not an http(s) URL with a host, or is longer
    than MAX_URL. User names and passwords are removed, because a page that needs them is not public.
    """
    try:
        absolute = urldefrag(urljoin(base, url.strip()) if base else url.strip()).url
        parts = urlsplit(absolute)
        netloc = _netloc(parts)
        if not netloc or len(absolute) > MAX_URL:
            return ""
        plain = urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))
        canonical = _without_tracking(canonicalize_url(plain))
    except ValueError:
        return ""
    return canonical if len(canonical) <= MAX_URL else ""


def ascii_host(host: str) -> str:
    """A host name in IDNA, lower case, without a trailing dot; "" if it is not a valid host name.

    Non-ASCII names are encoded as browsers do (UTS 46, non-transitional); with IDNA 2003 `straße.de` would be
    another site.
    """
    host = host.strip("[]") if ":" in host else host.removesuffix(".").lower()
    if ":" in host:
        try:
            return ipaddress.IPv6Address(host.split("%")[0]).compressed
        except ValueError:
            return ""
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii").removesuffix(".")
        except UnicodeError:
            return ""
    return host if HOST.fullmatch(host) else ""


def slot_of(url: str) -> str:
    """The politeness slot of a URL: its host name without `www.`; `_` if it has no host."""
    host = host_of(url)
    bare = host.removeprefix("www.")
    return (bare if "." in bare else host) or NO_SLOT


def host_of(url: str) -> str:
    """The host name of a URL in IDNA, lower case; "" if it has no host."""
    try:
        return ascii_host(urlsplit(url).hostname or "")
    except ValueError:
        return ""


def origin_of(url: str) -> str:
    """Scheme, host and port, to which a robots.txt applies (RFC 9309, 2.3); "" if it is not an http(s)
    URL."""
    try:
        parts = urlsplit(url)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return ""
    if parts.scheme not in DEFAULT_PORTS or not host:
        return ""
    return f"{parts.scheme}://{_bracketed(host)}:{DEFAULT_PORTS[parts.scheme] if port is None else port}"


def page_key(url: str, *, render: bool = False) -> str:
    """The key of a page in the frontier: canonical URL and forced render mode, hashed to 20 hex digits."""
    return hashlib.sha256(f"{'r' if render else 'p'} {url}".encode(errors="surrogatepass")).hexdigest()[:20]


def frontier_target(url: str, *, render: bool = False) -> Target:
    """The frontier address of an already canonical URL."""
    return Target(url=url, slot=slot_of(url), page_key=page_key(url, render=render))


@functools.lru_cache(maxsize=KEPT_URLS)
def dedupe_key(url: str) -> str:
    """A key that is the same for variants of one page: http and https, `www.`, `m.`, a final slash.

    It is only for comparing results, never for fetching: a variant may rarely show another page. "" for a URL
    without a canonical form.
    """
    canonical = canonical_url(url)
    if not canonical:
        return ""
    parts = urlsplit(canonical)
    labels = _split_host(parts.hostname or "")
    host = ".".join([*_desktop_labels(labels.subdomain), _below_suffix(labels)])
    port = f":{parts.port}" if parts.port else ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{port}{parts.path.rstrip('/')}{query}"


def is_mobile(url: str) -> bool:
    """Whether a URL is on a mobile host: `m.example.org`, `en.m.wikipedia.org`."""
    return not MOBILE_LABELS.isdisjoint(_split_host(host_of(url)).subdomain.split("."))


def site_of(url: str) -> str:
    """The registrable host of a URL (`example.co.uk`, `me.github.io`); host and port if it has no public
    suffix.

    It uses the public suffix list that is packaged with tldextract; nothing is fetched.
    """
    host = host_of(url)
    labels = _split_host(host)
    if labels.suffix and labels.domain:
        return _below_suffix(labels)
    return origin_of(url).partition("://")[2] or host


def is_public_suffix(host: str) -> bool:
    """Whether a host name is a public suffix, below which anybody can register names: `org`, `co.uk`,
    `github.io`."""
    labels = _split_host(host)
    return bool(labels.suffix) and not labels.domain


def _netloc(parts: SplitResult) -> str:
    host, port = ascii_host(parts.hostname or ""), parts.port
    if parts.scheme not in DEFAULT_PORTS or not host or port == 0:
        return ""
    return _bracketed(host) if port in (None, DEFAULT_PORTS[parts.scheme]) else f"{_bracketed(host)}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _without_tracking(url: str) -> str:
    parts = urlsplit(url)
    pieces = [
        piece for piece in parts.query.split("&") if piece and not TRACKING.match(piece.partition("=")[0])
    ]
    return urlunsplit(parts._replace(query="&".join(pieces)))


@functools.cache
def _suffixes() -> "TLDExtract":
    from tldextract import TLDExtract  # here, because it loads an unused HTTP client (80 ms)

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@functools.lru_cache(maxsize=10_000)
def _split_host(host: str) -> "ExtractResult":
    return _suffixes().extract_str(_bracketed(host))


def _below_suffix(labels: "ExtractResult") -> str:
    return ".".join(part for part in (labels.domain, labels.suffix) if part)


def _desktop_labels(subdomain: str) -> list[str]:
    labels = [label for label in subdomain.split(".") if label and label not in MOBILE_LABELS]
    return labels[1:] if labels[:1] == ["www"] else labels
