"""Reads sitemaps: finds those that robots.txt names, and the product pages that they list."""

import re
import zlib
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote, urlsplit

from pydantic import TypeAdapter

from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.web.urls import canonical_url, site_of
from research_crawler.extraction.products.product_likeness import LEAST, likeness

MAX_ADDRESSES: Final = 30
"""Most product pages that a sitemap gives."""
_MAX_BYTES: Final = 60_000_000
"""The most unpacked bytes of a compressed sitemap. The protocol allows 50 MB (sitemaps.org)."""
_GZIP = b"\x1f\x8b"
_NAMED = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.I | re.M)
_LOCATION = re.compile(r"<(?:\w++:)?loc>\s*+(?:<!\[CDATA\[)?([^<\]]++)(?:\]\]>\s*+)?</(?:\w++:)?loc>", re.I)
_INDEX = re.compile(r"<(?:\w+:)?sitemapindex\b", re.I)
_OF_PRODUCTS = re.compile(r"prod|item|pdp|artikel|article|catalog|goods|offer", re.I)
_NOT_WORDS = re.compile(r"[^\w]+|_")
_RESULTS = TypeAdapter(list[SearchResult])


def read_sitemap(body: bytes, *, url: str, query: str) -> list[SearchResult]:
    """The URLs that match a query, best match first; for robots.txt and an index, the sitemaps they name.

    Only URLs of the same site count, because a sitemap has no authority over other sites.

    Args:
        body: the body of robots.txt or of a sitemap, which may be compressed.
        url: the URL it was fetched from.
        query: words that the URL of a product should have.
    """
    text = _unpacked(body).decode("utf-8", errors="replace")
    if urlsplit(url).path == "/robots.txt":
        return _results(_NAMED.findall(text), url)
    found = [unescape(address.strip()) for address in _LOCATION.findall(text)]
    if _INDEX.search(text[:2_000]):
        return _results(sorted(found, key=lambda address: not _OF_PRODUCTS.search(address)), url)
    scored = ((likeness(_words_of(address), query), address) for address in found)
    matching = sorted((pair for pair in scored if pair[0] >= LEAST), key=lambda pair: -pair[0])
    return _results([address for _, address in matching], url)


def sitemap_json(body: bytes, url: str, query: str) -> str:
    """`read_sitemap` with its results as JSON, for the exchange between processes."""
    return _RESULTS.dump_json(read_sitemap(body, url=url, query=query)).decode()


def _results(addresses: list[str], base: str) -> list[SearchResult]:
    unique = dict.fromkeys(_own(addresses, base))
    return [
        SearchResult(url=url, title=_words_of(url), rank=rank)
        for rank, url in zip(range(1, MAX_ADDRESSES + 1), unique, strict=False)
    ]


def _own(addresses: list[str], base: str) -> Iterator[str]:
    site = site_of(base)
    for address in addresses:
        url = canonical_url(address, base)
        if url and site_of(url) == site:
            yield url


def _words_of(address: str) -> str:
    """The words in the path of a URL, as a title."""
    return " ".join(_NOT_WORDS.sub(" ", unquote(urlsplit(address).path)).split())


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, _MAX_BYTES)
    except zlib.error:
        return b""
