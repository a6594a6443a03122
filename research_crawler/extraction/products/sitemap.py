"""What a shop says of its pages to machines: sitemaps that robots.txt names, and product pages that they list."""

import re
import zlib
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote, urlsplit

from pydantic import TypeAdapter

from research_crawler.core.models.events import SearchResult
from research_crawler.core.urls import canonical_url, site_of
from research_crawler.extraction.products.likeness import LEAST, likeness

MAX_ADDRESSES: Final = 30
_MAX_BYTES: Final = 60_000_000
"""Of a packed sitemap; the protocol allows 50 MB (sitemaps.org)."""
_GZIP = b"\x1f\x8b"
_NAMED = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.I | re.M)
_LOCATION = re.compile(r"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*</(?:\w+:)?loc>", re.I)
_INDEX = re.compile(r"<(?:\w+:)?sitemapindex\b", re.I)
_OF_PRODUCTS = re.compile(r"prod|item|pdp|artikel|article|catalog|goods|offer", re.I)
_NOT_WORDS = re.compile(r"[^\w]+|_")
_RESULTS = TypeAdapter(list[SearchResult])


def read_sitemap(body: bytes, *, url: str, query: str) -> list[SearchResult]:
    """The addresses that fit a query, likest first; of robots.txt and of an index, further sitemaps.

    Only addresses of the same site count: a sitemap may name others, but does not speak for them.

    Args:
        body: of robots.txt or of a sitemap, also packed.
        url: it was fetched from.
        query: words that a product's address should have.
    """
    text = _unpacked(body).decode("utf-8", errors="replace")
    if urlsplit(url).path == "/robots.txt":
        return _results(_NAMED.findall(text), url)
    found = [unescape(address) for address in _LOCATION.findall(text)]
    if _INDEX.search(text[:2_000]):
        return _results(sorted(found, key=lambda one: not _OF_PRODUCTS.search(one)), url)
    scored = ((likeness(_words_of(address), query), address) for address in found)
    fitting = sorted(((score, one) for score, one in scored if score >= LEAST), key=lambda pair: -pair[0])
    return _results([address for _, address in fitting], url)


def sitemap_json(body: bytes, url: str, query: str) -> str:
    """The same as JSON, as it crosses between processes."""
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
    """The words of an address' path: what it calls its page."""
    return " ".join(_NOT_WORDS.sub(" ", unquote(urlsplit(address).path)).split())


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, _MAX_BYTES)
    except zlib.error:
        return b""
