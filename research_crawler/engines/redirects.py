"""Finds the target of a link on a results page, because search engines send clicks through their own
addresses."""

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from research_crawler.core.web.urls import canonical_url, site_of

AD_PATH = re.compile(r"/(aclick|aclk|y\.js|pagead|adclick|ads?|adsct)(?=[/?]|$)", re.I)
"""Click-counting addresses of advertisements (Bing, Google, DuckDuckGo)."""
QUERY_NAMES = frozenset({"q", "query", "p", "text", "search", "wd"})
"""Arguments that hold the words of a search. A link with one, on the engine's own site, searches again."""
BASE64 = re.compile(r"[\w+/-]{8,}={0,2}", re.ASCII)
PATH_TARGET = re.compile(r"/RU=([^/]+)")
"""Yahoo puts the target into the path."""


def target_of_link(href: str, page_url: str) -> str:
    """The canonical URL of the page that a result's link leads to; "" for ads, other searches and non-links.

    Args:
        href: as written in the page, possibly relative.
        page_url: address of the results page. Redirects of this site are resolved.
    """
    try:
        absolute = urljoin(page_url, href.strip())
        parts = urlsplit(absolute)
    except ValueError:
        return ""
    url = canonical_url(absolute)
    if not url or site_of(url) != site_of(page_url):
        return url
    if AD_PATH.search(parts.path):
        return ""
    wrapped = next(_targets(parts.path, parts.query, same_path=parts.path == urlsplit(page_url).path), "")
    if wrapped:
        return canonical_url(wrapped)
    if any(name in QUERY_NAMES for name, _ in parse_qsl(parts.query)) or _is_redirect(parts.path):
        return ""
    return url if href.strip().startswith(("http:", "https:")) else ""


def _targets(path: str, query: str, *, same_path: bool) -> Iterator[str]:
    """http(s) URLs inside a link: as text, or in base64, with or without two characters before it (Bing)."""
    in_path = PATH_TARGET.search(path)
    if in_path:
        yield unquote(in_path[1])
    for name, value in parse_qsl(query):
        if same_path and name in QUERY_NAMES:
            continue
        for text in (value, _decoded(value), _decoded(value[2:])):
            if text.startswith(("http://", "https://")):
                yield text


def _decoded(value: str) -> str:
    if not BASE64.fullmatch(value):
        return ""
    try:
        raw = base64.urlsafe_b64decode(value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4))
        return raw.decode()
    except (binascii.Error, ValueError):
        return ""


def _is_redirect(path: str) -> bool:
    """Whether this is a redirect without a target outside, as Bing's `/ck/a` to its own pictures and
    videos."""
    return path.startswith(("/ck/", "/url", "/l/"))
