"""Tests of robots.txt and sitemaps as sources of URLs that match a query."""

import gzip

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.products.sitemap import MAX_ADDRESSES, read_sitemap

BASE = "https://www.shop.co.uk"
MAP = f"{BASE}/sitemap.xml"


def urlset(*addresses: str, kind: str = "urlset", entry: str = "url") -> bytes:
    inner = "".join(f"<{entry}>\n <loc> {address} </loc></{entry}>" for address in addresses)
    return f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inner}</{kind}>'.encode()


def found(body: bytes, *, url: str = MAP, query: str = "Aurora 15 laptop") -> list[str]:
    return [one.url for one in read_sitemap(body, url=url, query=query)]


def test_only_sitemaps_of_the_same_site_are_read_from_robots_txt():
    text = (
        "User-agent: *\nDisallow: /search\n"
        "Sitemap: https://shop.co.uk/a.xml\nsitemap:/b.xml\nSitemap: https://other.co.uk/c.xml\n# Sitemap: /d.xml\n"
    )
    assert found(text.encode(), url=f"{BASE}/robots.txt") == ["https://shop.co.uk/a.xml", f"{BASE}/b.xml"]


def test_urls_that_match_the_query_come_best_match_first():
    body = urlset(
        f"{BASE}/p/garden-hose", f"{BASE}/p/aurora-14-laptop", f"{BASE}/p/aurora-15-laptop/A15", f"{BASE}/"
    )
    assert found(body) == [f"{BASE}/p/aurora-15-laptop/A15", f"{BASE}/p/aurora-14-laptop"]


def test_an_index_gives_its_sitemaps_with_those_of_products_first():
    body = urlset(f"{BASE}/pages.xml", f"{BASE}/products-1.xml.gz", kind="sitemapindex", entry="sitemap")
    assert found(body) == [f"{BASE}/products-1.xml.gz", f"{BASE}/pages.xml"]


def test_compressed_sitemaps_and_escaped_urls_are_read():
    body = urlset(f"{BASE}/p/aurora-15?a=1&amp;b=2", f"<![CDATA[{BASE}/p/aurora-15-laptop]]>")
    assert found(gzip.compress(body)) == [f"{BASE}/p/aurora-15-laptop", f"{BASE}/p/aurora-15?a=1&b=2"]
    assert found(gzip.compress(body)[:40]) == []


def test_urls_of_other_sites_in_a_sitemap_are_ignored():
    assert found(urlset("https://other.co.uk/p/aurora-15-laptop", "javascript:alert(1)")) == []


def test_the_number_of_results_is_limited():
    assert len(found(urlset(*(f"{BASE}/p/aurora-15-{n}" for n in range(500))))) == MAX_ADDRESSES


@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_body_is_read_without_an_error(body, query):
    assert read_sitemap(body, url=MAP, query=query) == [] or b"loc" in body.lower()
