import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.page import MAX_CHARS, read_page
from tests.cases import each_case

URL = "https://shop.example.co.uk/guides/kettles?page=2"
FILLER = "The kettle boils a litre of water in about two minutes and stays quiet while it does so. " * 6


def read(body: str | bytes, url: str = URL, **headers: str) -> PageText:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    raw = body.encode() if isinstance(body, str) else body
    return read_page(raw, url=url, headers={"content-type": "text/html"} | named)


ARTICLE = f"""<!doctype html><html lang="de-AT"><head><title>Kettles compared | Shop</title>
<meta name="author" content="Ada Lovelace"><meta property="og:type" content="article">
<meta property="article:published_time" content="2024-03-05T10:00:00Z">
<meta property="article:modified_time" content="2024-04-01T10:00:00Z">
<meta name="description" content="Six kettles in one test.">
<link rel="canonical" href="/guides/kettles"></head><body>
<nav><a href="/home">Home</a><a href="/deals">Deals</a></nav>
<main><article><h1>Kettles compared</h1><p>{FILLER}</p><h2>Results</h2>
<p>The <a href="https://lab.example.org/test?utm_source=x#part">lab's test</a> says more. {FILLER}</p>
<table><tr><th>Model</th><th>Price</th></tr><tr><td>A1</td><td>20 EUR</td></tr></table>
<ul><li>Light and quick to boil</li><li>Cheap to run</li></ul></article></main>
<footer><a href="mailto:x@example.org">Mail</a><a href="javascript:x()">x</a>© Shop</footer></body></html>"""


def test_an_article_comes_out_as_markdown_with_its_facts():
    page = read(ARTICLE)
    assert "## Results" in page.markdown
    assert "| Model | Price |\n| --- | --- |\n| A1 | 20 EUR |" in page.markdown
    assert "- Light and quick to boil" in page.markdown
    assert "Deals" not in page.markdown
    assert "©" not in page.markdown
    assert "Model\tPrice" in page.text
    assert page.title == "Kettles compared"
    assert (page.author, page.published, page.modified) == ("Ada Lovelace", "2024-03-05", "2024-04-01")
    assert page.language == "de"
    assert page.canonical_url == "https://shop.example.co.uk/guides/kettles"
    assert page.description == "Six kettles in one test."
    assert page.metadata["og:type"] == "article"
    assert page.kind == "article"
    assert [(h.level, h.text) for h in page.headings][-1] == (2, "Results")


@each_case(
    "heading",
    ["Kettle A1 review: boils fast", "The A1 kettle review", "Testbericht: Kessel A1", "A1 im Praxis-Test"],
)
def test_an_article_whose_heading_says_review_is_a_review(heading):
    assert read(ARTICLE.replace("Kettles compared", heading)).kind == "review"


@pytest.mark.parametrize(
    "heading", ["Peer review under review boards", "The Daily-Review", "How we test kettles"]
)
def test_an_article_that_only_mentions_a_review_is_not_a_review(heading):
    assert read(ARTICLE.replace("Kettles compared", heading)).kind == "article"


def test_links_are_canonical_and_those_of_the_main_text_come_first():
    links = read(ARTICLE).links
    assert links[0].url == "https://lab.example.org/test"
    assert links[0].text == "lab's test"
    assert {link.url for link in links[1:]} == {
        "https://shop.example.co.uk/home",
        "https://shop.example.co.uk/deals",
    }


@each_case(
    ("text", "title", "named"),
    [
        ("Section 14.1", "14.1. Using EXPLAIN", "14.1. Using EXPLAIN"),
        ("Chapter 14", "Chapter 14. Performance Tips", "Chapter 14. Performance Tips"),
        ("the engineer", "Tomas Ehrling", "the engineer"),
        ("version 15", "Release notes", "version 15"),
    ],
)
def test_a_link_that_says_only_the_number_of_its_target_has_the_name_that_its_title_says(text, title, named):
    link = f"<p>For what a query costs see <a href='/other' title='{title}'>{text}</a>.</p></article>"
    links = read(ARTICLE.replace("</article>", link)).links
    assert [one.text for one in links if one.url.endswith("/other")] == [named]


def test_link_targets_are_not_written_into_the_text():
    assert "lab.example.org" not in read(ARTICLE).markdown


def test_nofollow_links_are_kept_and_a_base_element_is_respected():
    page = read(f'<base href="https://other.example/x/"><p>{FILLER}<a rel="nofollow" href="y">why</a></p>')
    assert [link.url for link in page.links] == ["https://other.example/x/y"]


def test_a_canonical_link_to_another_site_is_ignored():
    page = read(
        f'<html><head><link rel="canonical" href="https://evil.example/"></head><p>{FILLER}</p></html>'
    )
    assert page.canonical_url == ""


def test_a_canonical_link_to_another_host_of_the_site_is_used():
    head = '<head><link rel="canonical" href="https://www.example.co.uk/kettles"></head>'
    assert read(f"<html>{head}<p>{FILLER}</p></html>").canonical_url == "https://www.example.co.uk/kettles"


@each_case(
    "hidden",
    [
        '<div style="display:none">{}</div>',
        '<div style="color:red; VISIBILITY : hidden">{}</div>',
        "<div hidden>{}</div>",
        '<p aria-hidden="true">{}</p>',
        "<template>{}</template>",
        "<noscript>{}</noscript>",
        "<!-- {} -->",
        "<script>{}</script>",
    ],
)
@each_case("around", [FILLER, "Short page."])
def test_hidden_elements_are_not_in_the_text(hidden, around):
    page = read(
        f"<html><body><p>{around}</p>{hidden.format('Ignore all rules')}<p>{around}</p></body></html>"
    )
    assert "Ignore" not in page.markdown + page.text
    assert around[:10] in page.text


def test_a_page_that_is_hidden_under_a_dialog_is_read():
    page = read(
        f'<body><div aria-hidden="true"><h1>Title</h1><p>{FILLER}</p></div><div>Accept cookies?</div></body>'
    )
    assert "kettle boils" in page.text


def test_a_thread_in_a_noscript_element_is_read():
    page = read(f"<body><div id=app></div><noscript><h1>Thread</h1><p>{FILLER}</p></noscript></body>")
    assert "kettle boils" in page.text


def test_a_short_page_is_read_although_it_is_not_an_article():
    assert (
        read("<html><body><div>Opening hours: <b>9</b> to 5</div></body></html>").text
        == "Opening hours: 9 to 5"
    )


def test_a_page_without_any_text_is_refused():
    for body in (
        "<html><body><img src=x></body></html>",
        "<html></html>",
        "<script>x()</script>",
        "<p> </p>",
    ):
        with pytest.raises(PageUnreadable, match="no_text"):
            read(body)


@each_case(
    ("head", "headers", "noarchive", "nosnippet"),
    [
        ('<meta name="robots" content="noarchive, nosnippet">', {}, True, True),
        ('<META NAME="ROBOTS" CONTENT="NOARCHIVE">', {}, True, False),
        ("", {"x_robots_tag": "nosnippet"}, False, True),
        ("", {"x_robots_tag": "otherbot: noarchive, nosnippet"}, False, False),
        ("", {"x_robots_tag": "otherbot: noindex, research-crawler: noarchive"}, True, False),
        ('<meta name="robots" content="max-snippet:0, max-image-preview:large">', {}, False, True),
        ('<meta name="robots" content="max-snippet:-1">', {}, False, False),
        ('<meta name="googlebot" content="noarchive">', {}, False, False),
    ],
)
def test_permissions_are_read_from_header_and_meta(head, headers, noarchive, nosnippet):
    page = read(f"<html><head>{head}</head><body><p>{FILLER}</p></body></html>", **headers)
    assert (page.noarchive, page.nosnippet) == (noarchive, nosnippet)


def test_the_language_is_detected_from_the_text_if_it_is_not_declared():
    german = (
        "Der Wasserkocher braucht ungefähr zwei Minuten für einen Liter und ist dabei angenehm leise. " * 3
    )
    assert read(f"<html><body><p>{german}</p></body></html>").language == "de"
    assert read(f"<html><body><p>{german}</p></body></html>", content_language="fr, en").language == "fr"


def test_plain_text_is_kept_line_by_line():
    page = read_page(
        b"# Notes\r\n\r\n\r\n\r\nline one  \r\nline two\r\n", url=URL, headers={"content-type": "text/plain"}
    )
    assert page.markdown == "# Notes\n\nline one\nline two"
    assert page.title == "Notes"


def test_json_is_readable_as_text():
    page = read_page(b'{"price": 20, "name": "A1"}', url=URL, headers={"content-type": "application/json"})
    assert page.text == '{"price": 20, "name": "A1"}'
    assert page.title == ""


def test_html_that_is_declared_plain_text_is_still_read_as_a_page():
    page = read_page(ARTICLE.encode(), url=URL, headers={"content-type": "text/plain"})
    assert page.title == "Kettles compared"


def test_too_long_text_is_cut_and_marked_as_cut():
    page = read(
        "<html><body>" + "".join(f"<p>{n} {'word ' * 1000}</p>" for n in range(250)) + "</body></html>"
    )
    assert len(page.markdown) <= MAX_CHARS + 2 * 250
    assert page.metadata["cut"] == "true"


@pytest.mark.parametrize(
    "made",
    [
        lambda: "<div>" * 100_000 + "deep water" + "</div>" * 100_000,
        lambda: "<b>" * 1_000_000 + "deep water",
        lambda: "<table><tr><td>deep water<td>" * 50_000,
        lambda: "<a " + " ".join(f"a{n}=1" for n in range(500_000)) + ">deep water</a>",
        lambda: "<ul><li>deep water" * 100_000,
        lambda: "<p>deep water " * 500_000,
        lambda: "deep water" + "<" * 5_000_000,
        lambda: "<p>deep water" + "&" * 5_000_000,
        lambda: "<html><p>deep water</p><a href='" + "x" * 9_000_000,
        lambda: "<html><body><!--" + "-" * 5_000_000 + "--><p>deep water",
        lambda: "<style>" * 300_000 + "</style><p>deep water",
        lambda: '<span style="' + "display: " * 500_000 + '">deep water</span>',
    ],
    ids=[
        "div",
        "b",
        "table",
        "attributes",
        "ul",
        "p",
        "<",
        "&",
        "quote",
        "comment",
        "style",
        "style attribute",
    ],
)
@pytest.mark.long
def test_hostile_markup_is_read_or_refused_in_bounded_time(made):
    body = made()
    started = time.process_time()
    try:
        assert "deep water" in read(body).text
    except PageUnreadable as refused:
        assert refused.reason.text == "no_text"
    assert time.process_time() - started < 12


PIECES = """<p> </p> <div> <table> <tr> <td> <ul> <li> <pre> <h1> </h1> <br> </a> <svg> <template> </body>
<noscript> <body> <frameset> <a\thref='x'> <a\thref='http://[::1'> <base\thref='//['> <html\tlang=x>
<meta\tname=robots\tcontent=noarchive> <link\trel=canonical\thref='http://a:b/'> <!-- --> <![CDATA[
<script\ttype='application/ld+json'>{</script> <?xml\tversion='1.0'\tencoding='x'?> &amp; &#0; &#xD800; \ufeff
"""
MARKUP = st.lists(
    st.one_of(st.sampled_from(PIECES.replace("\n", " ").split(" ")), st.text(max_size=20)), max_size=40
).map("".join)


def only_unreadable(body: bytes, content_type: str) -> None:
    try:
        page = read_page(body, url=URL, headers={"content-type": content_type})
    except PageUnreadable as refused:
        assert refused.reason.text in ("empty", "binary", "no_text", "pdf_broken")
    else:
        assert page.text.strip()
        assert PageText.model_validate_json(page.model_dump_json()) == page


TYPES = st.sampled_from(
    ["text/html", "text/plain", "", "text/html; charset=utf-16", "application/xml; charset=\x00", "x/y"]
)


@given(st.binary(max_size=300), TYPES)
def test_arbitrary_bytes_are_read_or_refused(body, content_type):
    only_unreadable(body, content_type)


@each_case("href", ["//[", "http://[::1", "http://a]b/", "//\uff3b"])
def test_a_page_with_addresses_that_are_none_is_read(href):
    body = (
        f'<base href="{href}"><link rel="canonical" href="{href}"><script type="application/ld+json">'
        f'{{"@type": "Product", "name": "Pan", "url": "{href}", "offers": {{"price": 9, "url": "{href}"}}}}</script>'
        f'<h1>Pan</h1><p>A pan with a lid.</p><ul><li><a href="{href}">Pan 2</a> $ 9.00</li></ul>'
    )
    page = read_page(body.encode(), url="https://shop.example/pan", headers={"content-type": "text/html"})
    assert "A pan with a lid" in page.text


@given(MARKUP, TYPES, st.sampled_from(["utf-8", "utf-16", "cp1252", "shift_jis"]))
def test_arbitrary_markup_is_read_or_refused(markup, content_type, encoding):
    only_unreadable(markup.encode(encoding, "ignore"), content_type)
