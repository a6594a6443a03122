"""Text without characters that act instead of being read."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.offers.products import WantedProducts
from research_crawler.core.models.web.pages import Heading, Link, PageText
from research_crawler.core.text.plain_text import clean, clean_line, cleaned, is_clean
from research_crawler.extraction.page import read_page
from research_crawler.extraction.products.event_products import of_vendor
from research_crawler.extraction.products.product_reader import read_products
from tests.cases import each_case

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@each_case(
    ("text", "wanted"),
    [
        ("a\x1b]8;;https://evil.example\x07b", "a]8;;https://evil.exampleb"),
        ("\x9b31mred", "31mred"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("a\x00b\ud800c\ufffed", "abcd"),
        ("safe\rEVIL", "safe\nEVIL"),
        ("a\r\nb\u2028c\td", "a\nb\nc\td"),
        ("one\x0ctwo\x85three", "one two three"),
        ("hi\U000e0068\U000e0069", "hi"),
    ],
)
def test_what_acts_instead_of_being_read_is_taken_out(text, wanted):
    assert clean(text) == wanted


@each_case("text", ["می‌خواهم", "👩‍💻", "שלום\u200f!", "10\u00a0€", "naïve", "a\n\tb", "日本語", "𝒜"])
def test_text_of_any_script_stays_as_it_is(text):
    assert clean(text) == text


@given(ANY_TEXT)
def test_no_text_keeps_a_control_character_a_surrogate_or_a_change_of_direction(text):
    safe = clean(text)
    assert not [c for c in safe if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t"]
    assert not set(safe) & set(REORDERING)
    assert clean(safe) == safe
    safe.encode()
    assert len(clean_line(text).splitlines()) <= 1


def test_all_texts_inside_a_model_are_cleaned():
    page = PageText(
        markdown="a\x1b",
        text="a",
        title="t\u202e",
        links=[Link(url="https://a.example/", text="x\x07")],
        headings=[Heading(level=1, text="h")],
        metadata={"og\x00": "v\x9b", "pages": 3, "starts": [0, 5]},
    )
    tidy = cleaned(page)
    assert (tidy.markdown, tidy.title, tidy.links[0].text) == ("a", "t", "x")
    assert tidy.metadata == {"og": "v", "pages": 3, "starts": [0, 5]}
    assert cleaned(tidy) is tidy


@given(ANY_TEXT)
def test_a_model_is_clean_only_where_cleaning_changes_nothing(text):
    page = PageText(markdown="a", text=text, metadata={"key": [text]})
    if is_clean(page):
        assert cleaned(page) is page
    elif "\\" not in text:  # what looks like an escape is looked at text by text
        assert clean(text) != text


CODES = [
    0,
    1,
    7,
    8,
    27,
    127,
    0x80,
    0x9B,
    0x202E,
    0x2066,
    0xD800,
    0xDFFF,
    0xFFFE,
    0xE0041,
    0x110000,
    9_999_999,
]
SPELLINGS = ["&#{0};", "&#{0}", "&#x{0:x};", "&#X{0:X};", "&#000{0};", "&#x000{0:x}", "\\u{0:04x}"]
PAGE = """<html><head><title>The t{0}itle of the page</title><meta property="og:title" content="T{0}">
<script type="application/ld+json">{{"@type": "Product", "name": "Kettle J{1}", "sku": "K{1}1",
"offers": {{"price": "20", "priceCurrency": "EUR"}}}}</script></head><body><h1>Kettle {0}8</h1>
<p title="t{0}">The kettle {0} boils a litre in {0} two minutes, and its handle stays cool as it does.</p>
<pre>code {0} here</pre><a href="/x{0}y">a link {0}</a><p>{2}</p></body></html>"""


@each_case("spelling", SPELLINGS)
def test_no_spelling_of_a_control_character_on_a_page_survives_reading(spelling):
    for code in CODES:
        check_page(spelling.format(code), code)


def check_page(reference, code):
    twice = "&amp;" + reference[1:] if reference.startswith("&") else reference
    raw = chr(code) if code < 0x110000 and not 0xD800 <= code <= 0xDFFF else ""
    body = (
        PAGE.format(reference, twice, raw) if reference.startswith("&") else PAGE.format("", reference, raw)
    )
    url = "https://shop.example/kettle"
    page = read_page(body.encode(), url=url, headers={"content-type": "text/html; charset=utf-8"})
    products = [of_vendor(one, WantedProducts()) for one in read_products(body.encode(), url=url)]
    for found in (page, *products):
        assert cleaned(found) is found
    assert "litre in" in page.text
    assert products


def test_references_to_windows_characters_are_read_as_browsers_do():
    page = read_page(
        b"<html><body><p>It costs 20 &#128; &#150; that is what every one of the shops asks.</p></body></html>",
        url="https://a.example/",
        headers={"content-type": "text/html"},
    )
    assert "20 € – that" in page.text


def test_references_that_are_shown_as_text_stay():
    page = read_page(
        b"<html><body><p>Write &amp;#27; for the escape character, and &#x41; &#8212; for others.</p></body></html>",
        url="https://a.example/",
        headers={"content-type": "text/html"},
    )
    assert "Write &#27; for the escape character, and A — for" in page.text
