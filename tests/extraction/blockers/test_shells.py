"""Tests which pages need a browser. None of the 368 saved real pages does."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import PageUnreadable
from research_crawler.extraction.blockers.detection import needs_render
from research_crawler.extraction.page import read_page
from tests.cases import each_case

DATA = Path(os.environ.get("RESEARCH_TEST_DATA") or Path(__file__).parents[3] / "../shared/data")
HTML = {"content-type": "text/html; charset=utf-8"}
PLAIN_SHELLS = {
    "react": '<noscript>Please enable JavaScript.</noscript><div id="root"></div><script src="/m.js"></script>',
    "vue": '<div id="app"></div><script type="module" src="/assets/index.js"></script>',
    "angular": '<app-root>Loading...</app-root><script src="runtime.js" type="module"></script>',
    "nuxt": '<div id="__nuxt"></div><script>window.__NUXT__={config:{}}</script><script src="/a.js"></script>',
    "next": '<div id="__next"></div><script id="__NEXT_DATA__">{"props":{}}</script><script src="/n.js"></script>',
    "menu": '<nav><a href="/">Home</a> <a href="/b">Us</a></nav><main id="main"></main><script src="/b.js"></script>',
    "spinner": '<div id="content"><div class="spinner">Please wait, loading…</div></div><script src="/x.js"></script>',
}


@each_case("name", PLAIN_SHELLS)
def test_a_page_that_scripts_would_fill_needs_a_browser(name):
    body = f"<!doctype html><html><head><title>Shop</title></head><body>{PLAIN_SHELLS[name]}</body></html>"
    assert needs_render(body.encode(), "", HTML)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Opening hours</h1><p>We are open Monday to Friday from nine to five.</p><script src=x.js></script>",
        "<p>No scripts at all.</p>",
        "",
    ],
)
def test_a_short_page_is_read_as_it_is(body):
    assert needs_render(f"<html><body>{body}</body></html>".encode(), "", HTML) is None


def test_a_page_with_text_is_read_as_it_is_even_if_its_scripts_would_add_more():
    body = '<html><body><div id="root"></div><script src="/m.js"></script></body></html>'
    assert needs_render(body.encode(), "word " * 300, HTML) is None


def test_a_document_that_is_not_html_needs_no_browser():
    assert needs_render(b'{"a": "<script>"}', "", {"content-type": "application/json"}) is None


@given(st.binary(max_size=2000))
def test_any_bytes_are_accepted(body):
    needs_render(body + b"<script>", "", HTML)


@pytest.mark.skipif(not (DATA / "pages").is_dir(), reason="no saved pages; set RESEARCH_TEST_DATA")
@pytest.mark.parametrize("folder", ["articles", "pages", "products"])
def test_no_saved_page_is_taken_for_a_shell(folder):
    shells = []
    for path in sorted((DATA / folder / "html").glob("*.gz"))[::24]:
        body = gzip.decompress(path.read_bytes())
        try:
            text = read_page(body, url="https://example.org/", headers=HTML).text
        except PageUnreadable:
            text = ""
        if needs_render(body, text, HTML):
            shells.append(path.name)
    assert shells == []
